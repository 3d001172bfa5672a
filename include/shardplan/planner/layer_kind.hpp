#pragma once
#include <concepts>
#include <cstddef>
#include <optional>
#include <type_traits>
#include <utility>

#include <shardplan/cost/add.hpp>
#include <shardplan/planner/blocks.hpp>

/// Layer kinds that a user brings: a layer, the strategies that act in it beside those of the library, values of its
/// own symbols, and cost terms of its own.
namespace shardplan::planner {

template <class... Strategies> struct strategy_list {
  template <class Strategy> using and_also = strategy_list<Strategies..., Strategy>;
};
template <class... Mechanisms> struct mechanism_list {};

/// A mechanism of one's own in the place of one that plans can name: where a plan says `Named`, `Own` is what runs.
template <class Named, class Own> struct in_place_of {};

/// All mechanisms of `recomputation`.
using all_mechanisms = mechanism_list<strategy::keep_everything, strategy::attention_core_again,
                                      strategy::unlisted_operators_again, strategy::block_again>;

namespace detail {

template <class Mechanism> struct offered {
  using named = Mechanism;
  using own = Mechanism;
};
template <class Named, class Own> struct offered<in_place_of<Named, Own>> {
  using named = Named;
  using own = Own;
};
/// What a list offers where a plan names `Mechanism`; void if nothing.
template <class List, class Mechanism> struct find_mechanism;
template <class Mechanism> struct find_mechanism<mechanism_list<>, Mechanism> {
  using type = void;
};
template <class First, class... More, class Mechanism>
struct find_mechanism<mechanism_list<First, More...>, Mechanism>
    : std::conditional_t<std::same_as<typename offered<First>::named, Mechanism>,
                         std::type_identity<typename offered<First>::own>,
                         find_mechanism<mechanism_list<More...>, Mechanism>> {};

/// The mechanism in the record of a kind: where several are offered, which one acts is a value.
template <class List> struct acting {
  using type = strategy::chosen_mechanism;
};
template <class Only> struct acting<mechanism_list<Only>> {
  using type = typename offered<Only>::own;
};
/// The symbols of that.
template <class List> struct decided_by {
  template <class... Layers> using values = strategy::mechanism_values<Layers...>;
};
template <class Only> struct decided_by<mechanism_list<Only>> {
  template <class...> using values = expr::environment<>;
};

/// A value that plans decide; what blocks have in common is read from it before a kind is asked.
template <class Binding> inline constexpr bool decided_by_plan = false;
template <class Tag, class Value>
inline constexpr bool decided_by_plan<expr::binding<Tag, Value>> = expr::lists<plan_tags, Tag>;

/// A layer, or a function object that makes one for each kernel.
template <class Type>
concept layer_or_maker = model::layer_description<Type> || requires(Type const& make) {
  { make(model::kernel::flash{}) } -> model::layer_description;
  { make(model::kernel::plain{}) } -> model::layer_description;
};

template <class Strategies> struct apply_strategies;
template <class... Own> struct apply_strategies<strategy_list<Own...>> {
  template <class Mechanism, class Layer> static constexpr auto to(Layer layer) {
    return laid_out<Mechanism>(layer, Own{}...);
  }
};
}  // namespace detail

/// A layer kind as a typed description. Start with `layer_kind{layer}`, where `layer` is a layer or a function object
/// that makes one for an attention kernel; each `with_...` adds to it.
///
///     layer_kind{block}.with(adapter_parallel{}).with_values(expr::environment{r = 64.0})
template <class Layer, class Strategies = strategy_list<>, class Values = expr::environment<>,
          class Terms = expr::record<>, class Mechanisms = all_mechanisms>
class layer_kind {
  static_assert(detail::layer_or_maker<Layer>,
                "layer_kind: neither a layer_description (name, operations) nor a function that makes one of a kernel");

 public:
  constexpr explicit layer_kind(Layer layer) : layer_(layer) {}
  constexpr layer_kind(Layer layer, Values values) : layer_(layer), values_(values) {}

  /// Another strategy, applied after tensor and sequence parallelism.
  template <class Own> constexpr auto with(Own) const {
    static_assert(strategy::strategy_description<Own>,
                  "layer_kind: with(...) takes a strategy_description (name, rule_list, mesh_axis, needs_mesh_axis)");
    return layer_kind<Layer, typename Strategies::template and_also<Own>, Values, Terms, Mechanisms>{layer_, values_};
  }
  /// Values of symbols that the library does not know, or that replace those of the block's shape.
  template <class... Bindings> constexpr auto with_values(expr::environment<Bindings...> values) const {
    static_assert(!(detail::decided_by_plan<Bindings> || ...),
                  "layer_kind: with_values(...) replaces no value that plans decide (b, V, t, t_s, B_t, alpha_t)");
    return layer_kind<Layer, Strategies, expr::environment<Bindings...>, Terms, Mechanisms>{layer_, values};
  }
  /// Cost terms, added to the entries of the block record of the same name.
  template <class... Entries> constexpr auto with_terms(expr::record<Entries...>) const {
    static_assert((expr::binds<block_values, typename Entries::tag> && ...),
                  "layer_kind: with_terms(...) takes entries that a block record has");
    return layer_kind<Layer, Strategies, Values, expr::record<Entries...>, Mechanisms>{layer_, values_};
  }
  /// Only these recomputation mechanisms, or own ones `in_place_of` them; a plan with another one does not fit.
  template <class... Only> constexpr auto with_mechanisms() const {
    static_assert((strategy::recomputation_mechanism<typename detail::offered<Only>::own> && ...),
                  "layer_kind: with_mechanisms<...> takes recomputation_mechanisms (name, keeps, runs_again)");
    return layer_kind<Layer, Strategies, Values, Terms, mechanism_list<Only...>>{layer_, values_};
  }

  /// The record that is read for a kernel and a mechanism.
  template <class Mechanism, class Kernel> constexpr auto record(Kernel kernel) const {
    return grouped(cost::add(
        cost::block_record(detail::apply_strategies<Strategies>::template to<Mechanism>(made_for(kernel))), Terms{}));
  }

  /// The record that is read for a kernel: of the one mechanism that is offered, or of all of them.
  template <class Kernel> constexpr auto record(Kernel kernel) const {
    return record<typename detail::acting<Mechanisms>::type>(kernel);
  }

  /// The record for `count` configurations, at least a pack of them.
  template <class Columns, class Results>
  void read(recomputation again, attention_kernel kernel, std::size_t count, Columns const& columns,
            Results const& results) const {
    using values =
        typename detail::decided_by<Mechanisms>::template values<decltype(this->made_for(model::kernel::plain{})),
                                                                 decltype(this->made_for(model::kernel::flash{}))>;
    auto const decided = decisions<values>(again);
    if (!decided)
      return fill(count, results, unknown_cost);
    expr::scope const valued{values_, columns};
    expr::scope const all{*decided, valued};
    detail::with_kernel(
        kernel, [&](auto kernel_kind) { evaluate_into(decltype(this->record(kernel_kind)){}, all, count, results); });
  }

 private:
  /// What the mechanism that a plan names decides; nothing if it is not offered.
  template <class Decided> static constexpr std::optional<Decided> decisions(recomputation again) {
    return detail::with_mechanism(again, []<class Mechanism>(Mechanism) -> std::optional<Decided> {
      using found = typename detail::find_mechanism<Mechanisms, Mechanism>::type;
      if constexpr (std::is_void_v<found>)
        return std::nullopt;
      else
        return strategy::values_of_mechanism<Decided, found>::get();
    });
  }

  /// The layer does not depend on the kernel, or is made for it.
  template <class Kernel> constexpr auto made_for(Kernel kernel) const {
    if constexpr (std::is_invocable_v<Layer, Kernel>)
      return layer_(kernel);
    else
      return layer_;
  }

  Layer layer_;
  Values values_{};
};
template <class Layer> layer_kind(Layer) -> layer_kind<Layer>;

}  // namespace shardplan::planner
