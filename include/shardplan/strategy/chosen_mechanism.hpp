#pragma once
#include <boost/hana/tuple.hpp>

#include <shardplan/expr/environment.hpp>
#include <shardplan/expr/operators.hpp>
#include <shardplan/expr/tag_list.hpp>
#include <shardplan/strategy/recompute.hpp>

/// What a recomputation mechanism decides as factors of a formula: the literals 1 and 0 where the mechanism is part of
/// the type, symbols where it is chosen when the formula is read. One record then serves all mechanisms.
namespace shardplan::strategy {

/// The mechanism in `recompute<chosen_mechanism>`: which one acts is a value. `values_of_mechanism` gives the values of
/// its symbols.
struct chosen_mechanism {
  static constexpr const char* name = "chosen";
};

namespace tag {
template <class... Reasons> struct keeps : expr::symbol_tag<unit::count_dimension, expr::sign::non_negative> {
  static constexpr const char* name = "keeps";
  static constexpr const char* meaning = "1 where a tensor with these reasons survives the forward pass, else 0";
};
template <class... Reasons> struct brings_back : expr::symbol_tag<unit::count_dimension, expr::sign::non_negative> {
  static constexpr const char* name = "brings_back";
  static constexpr const char* meaning = "1 where the backward pass needs such a tensor and it was not kept, else 0";
};
template <class Traits> struct runs_again : expr::symbol_tag<unit::count_dimension, expr::sign::non_negative> {
  static constexpr const char* name = "runs_again";
  static constexpr const char* meaning = "1 where an operation with these traits runs again, else 0";
};
}  // namespace tag

namespace detail {

/// A decision of a mechanism.
template <class Mechanism, class Tag> inline constexpr bool decides = false;
template <class Mechanism, class... Reasons>
inline constexpr bool decides<Mechanism, tag::keeps<Reasons...>> = Mechanism::template keeps<Reasons...>;
template <class Mechanism, class... Reasons>
inline constexpr bool decides<Mechanism, tag::brings_back<Reasons...>> =
    keep_everything::keeps<Reasons...> && !Mechanism::template keeps<Reasons...>;
template <class Mechanism, class Traits>
inline constexpr bool decides<Mechanism, tag::runs_again<Traits>> = Mechanism::template runs_again<Traits>;

template <class Mechanism, class Tag> struct decision {
  using type = expr::literal<decides<Mechanism, Tag> ? 1 : 0>;
};
template <class Tag> struct decision<chosen_mechanism, Tag> {
  using type = expr::symbol<Tag>;
};

/// By role: only kept tensors are.
template <class Mechanism, class Role> struct of_role {
  using kept = expr::literal<0>;
  using brought_back = expr::literal<0>;
};
template <class Mechanism, class... Reasons> struct of_role<Mechanism, model::role::kept<Reasons...>> {
  using kept = typename decision<Mechanism, tag::keeps<Reasons...>>::type;
  using brought_back = typename decision<Mechanism, tag::brings_back<Reasons...>>::type;
};

// ---- the symbols of layers

template <class List, class... Tags> struct listed_once {
  using type = List;
};
template <class... Known, class First, class... More> struct listed_once<expr::tag_list<Known...>, First, More...> {
  using next = std::conditional_t<expr::lists<expr::tag_list<Known...>, First>, expr::tag_list<Known...>,
                                  expr::tag_list<Known..., First>>;
  using type = typename listed_once<next, More...>::type;
};

template <class List, class Role> struct with_role_tags {
  using type = List;
};
template <class List, class... Reasons> struct with_role_tags<List, model::role::kept<Reasons...>> {
  using type = typename listed_once<List, tag::keeps<Reasons...>, tag::brings_back<Reasons...>>::type;
};
template <class List, class Terms> struct with_term_tags;
template <class List> struct with_term_tags<List, boost::hana::tuple<>> {
  using type = List;
};
template <class List, class First, class... More> struct with_term_tags<List, boost::hana::tuple<First, More...>> {
  using type = typename with_term_tags<typename with_role_tags<List, typename First::role>::type,
                                       boost::hana::tuple<More...>>::type;
};
template <class List, class Operations> struct with_operation_tags;
template <class List> struct with_operation_tags<List, boost::hana::tuple<>> {
  using type = List;
};
template <class List, class First, class... More> struct with_operation_tags<List, boost::hana::tuple<First, More...>> {
  using terms = std::remove_cv_t<decltype(First::terms)>;
  using known = typename listed_once<List, tag::runs_again<typename First::traits>>::type;
  using type =
      typename with_operation_tags<typename with_term_tags<known, terms>::type, boost::hana::tuple<More...>>::type;
};
template <class List, class... Layers> struct with_layer_tags {
  using type = List;
};
template <class List, class First, class... More> struct with_layer_tags<List, First, More...> {
  using type =
      typename with_layer_tags<typename with_operation_tags<List, std::remove_cv_t<decltype(First::operations)>>::type,
                               More...>::type;
};

template <class List> struct numbers_of;
template <class... Tags> struct numbers_of<expr::tag_list<Tags...>> {
  using type = expr::environment<expr::binding<Tags, double>...>;
};
template <> struct numbers_of<expr::tag_list<>> {
  using type = expr::environment<>;
};

}  // namespace detail

/// Whether a tensor of this role survives the forward pass, as a factor.
template <class Mechanism, class Role> using kept_share = typename detail::of_role<Mechanism, Role>::kept;
/// Whether it is brought back in the backward pass.
template <class Mechanism, class Role>
using brought_back_share = typename detail::of_role<Mechanism, Role>::brought_back;
/// Whether an operation with these traits runs again.
template <class Mechanism, class Traits>
using repeated_share = typename detail::decision<Mechanism, tag::runs_again<Traits>>::type;

/// The symbols of `chosen_mechanism` in records of these layers, as an environment of numbers.
template <class... Layers>
using mechanism_values =
    typename detail::numbers_of<typename detail::with_layer_tags<expr::tag_list<>, Layers...>::type>::type;

/// The values that stand for a mechanism. `Values` is `mechanism_values<layers...>`.
template <class Values, class Mechanism> struct values_of_mechanism;
template <class Mechanism> struct values_of_mechanism<expr::environment<>, Mechanism> {
  static constexpr expr::environment<> get() { return {}; }
};
template <class... Tags, class Mechanism>
struct values_of_mechanism<expr::environment<expr::binding<Tags, double>...>, Mechanism> {
  static constexpr expr::environment<expr::binding<Tags, double>...> get() {
    return {expr::binding<Tags, double>{detail::decides<Mechanism, Tags> ? 1.0 : 0.0}...};
  }
};

}  // namespace shardplan::strategy
