#pragma once
#include <concepts>
#include <cstddef>
#include <limits>
#include <span>

#include <shardplan/expr/environment.hpp>
#include <shardplan/expr/let.hpp>
#include <shardplan/expr/operation.hpp>
#include <shardplan/expr/read.hpp>

/// Expressions over the elements of a scope, such as the stages of a pipeline or the blocks of a stage, whose number is
/// known when they are read: `over<stage>(sum, e)` is the sum of e over all stages, and inside of it
/// `earlier<stage>(e)` is the sum over the stages before the one in turn. A scope is a type with a `name`. Elements are
/// environments; `each<stage> = span` puts them into an outer one, and a symbol is looked up in the element first.
namespace shardplan::expr {

/// What is made of the values of all elements, in their order. An empty sum is 0. The largest of no values is 0 where
/// the type says that none is negative, else minus infinity; the smallest is infinity.
namespace reduction {
struct sum {
  static constexpr const char* name = "sum";
  template <class Body> using combine = node<operation::add, Body, Body>;
  static constexpr expr::sign sign_of(expr::sign body) { return detail::weaker(body, expr::sign::non_negative); }
  template <class, class Number> static constexpr Number start() { return Number(0); }
};
struct max {
  static constexpr const char* name = "max";
  template <class Body> using combine = node<operation::max, Body, Body>;
  static constexpr expr::sign sign_of(expr::sign body) { return detail::weaker(body, expr::sign::non_negative); }
  template <class Body, class Number> static constexpr Number start() {
    return non_negative<Body> ? Number(0) : -std::numeric_limits<Number>::infinity();
  }
};
struct min {
  static constexpr const char* name = "min";
  template <class Body> using combine = node<operation::min, Body, Body>;
  static constexpr expr::sign sign_of(expr::sign body) { return body; }
  template <class, class Number> static constexpr Number start() { return std::numeric_limits<Number>::infinity(); }
};
}  // namespace reduction

inline constexpr reduction::sum sum{};
inline constexpr reduction::max largest{};
inline constexpr reduction::min smallest{};

template <class Scope, class Reduction, expression Body> struct over_node : expression_base {
  using scope = Scope;
  using body = Body;
  /// How a value joins those before it.
  using combine = typename Reduction::template combine<Body>;
  /// The value of no elements.
  template <class Number> static constexpr Number start() { return Reduction::template start<Body, Number>(); }

  using dimension = typename Body::dimension;
  static constexpr expr::sign sign = Reduction::sign_of(Body::sign);
};
template <class Scope, expression Body> struct earlier_node : expression_base {
  using dimension = typename Body::dimension;
  static constexpr expr::sign sign = reduction::sum::sign_of(Body::sign);
};

template <class Scope, class Reduction, expression Body> constexpr auto over(Reduction, Body) {
  return over_node<Scope, Reduction, Body>{};
}
template <class Scope, expression Body> constexpr auto earlier(Body) { return earlier_node<Scope, Body>{}; }

/// Stands for the elements of a scope in an environment.
template <class Scope> struct elements_of {
  using scope = Scope;
};
/// `each<stage> = std::span(stages)` binds the elements.
template <class Scope> struct each_element {
  template <class Element>
  constexpr binding<elements_of<Scope>, std::span<Element const>> operator=(std::span<Element const> elements) const {
    return {elements};
  }
};
template <class Scope> inline constexpr each_element<Scope> each{};

namespace detail {

/// The value so far of `earlier<Scope>(Body)`, in the scope of an element.
template <class Scope, class Body> struct sum_so_far {};

template <class...> struct type_list {};
template <class List, class Type> struct with_type;
template <class... Types, class Type> struct with_type<type_list<Types...>, Type> {
  using type = std::conditional_t<(std::same_as<Types, Type> || ...), type_list<Types...>, type_list<Types..., Type>>;
};

/// Adds to `List` the bodies of all `earlier<Scope>` in an expression, inner ones first.
template <class Scope, class Expression, class List> struct sums_in {
  using type = List;
};
template <class Scope, class List, class... Expressions> struct sums_in_all {
  using type = List;
};
template <class Scope, class List, class First, class... More> struct sums_in_all<Scope, List, First, More...> {
  using type = typename sums_in_all<Scope, typename sums_in<Scope, First, List>::type, More...>::type;
};
/// Any template over expressions: nodes, lets, calls, reductions over other scopes.
template <class Scope, template <class, class...> class Node, class Head, class... Parts, class List>
  requires expression<Node<Head, Parts...>>
struct sums_in<Scope, Node<Head, Parts...>, List> {
  using type = typename sums_in_all<Scope, List, Parts...>::type;
};
template <class Scope, class Body, class List> struct sums_in<Scope, earlier_node<Scope, Body>, List> {
  using type = typename with_type<typename sums_in<Scope, Body, List>::type, Body>::type;
};
/// The symbol with this tag stands in an expression, and no `let` of the expression gives it.
template <class Tag, class Expression> inline constexpr bool mentions = false;
template <class Tag> inline constexpr bool mentions<Tag, symbol<Tag>> = true;
template <class Tag, template <class, class...> class Node, class Head, class... Parts>
  requires expression<Node<Head, Parts...>>
inline constexpr bool mentions<Tag, Node<Head, Parts...>> = (mentions<Tag, Parts> || ...);
template <class Tag, class Value, class Body>
inline constexpr bool mentions<Tag, let_node<Tag, Value, Body>> = mentions<Tag, Value>;
template <class Tag, class List> inline constexpr bool any_mentions = false;
template <class Tag, class... Sums>
inline constexpr bool any_mentions<Tag, type_list<Sums...>> = (mentions<Tag, Sums> || ...);

/// Sums so far are made where the element is known, and the names of a `let` are not.
template <class Scope, class Tag, class Value, class Body, class List>
struct sums_in<Scope, let_node<Tag, Value, Body>, List> {
  static_assert(!any_mentions<Tag, typename sums_in<Scope, Body, type_list<>>::type>,
                "earlier<scope>(e): e must not use a name that a let around it gives; write the let inside of e");
  using type = typename sums_in_all<Scope, List, Value, Body>::type;
};
/// A reduction over the same scope inside has elements of its own.
template <class Scope, class Reduction, class Body, class List>
struct sums_in<Scope, over_node<Scope, Reduction, Body>, List> {
  using type = List;
};

/// A reduction and the name under which its value is kept.
template <class Key, class Node> struct named_reduction {
  using key = Key;
  using node = Node;
};

/// Reads several reductions over one scope in one pass over its elements, and gives their values in order to `visit`.
/// The first two elements are read outside the loop: scopes of one or two are common, and their values then stay in
/// registers.
template <class Scope, class Reader, class... Sums, class... Named, class Visit>
SHARDPLAN_FORCE_INLINE constexpr auto read_together(Reader const& reader, type_list<Sums...>, type_list<Named...>,
                                                    Visit const& visit) {
  using value_type = typename Reader::value_type;
  using number = typename Reader::number_type;
  using sums_so_far = environment<binding<sum_so_far<Scope, Sums>, value_type>...>;
  using reduced = environment<binding<typename Named::key, value_type>...>;
  auto const& elements = value_of<elements_of<Scope>>(reader.environment());
  sums_so_far sums{binding<sum_so_far<Scope, Sums>, value_type>{value_type(number(0))}...};
  // What the reductions become with one more element, in the first of which they start.
  auto const with = [&](auto const& element, reduced const& before, bool first) SHARDPLAN_FORCE_INLINE_LAMBDA {
    scope const of_element{element, reader.environment()};
    scope const inner{sums, of_element};
    auto const inside = reader.in(inner);
    auto const join = [&]<class Each>(type_list<Each>) SHARDPLAN_FORCE_INLINE_LAMBDA -> value_type {
      auto const value = value_type(read(typename Each::node::body{}, inside));
      if (first)
        return value;
      return inside.template apply<typename Each::node::combine>(value_of<typename Each::key>(before), value);
    };
    reduced const after{binding<typename Named::key, value_type>{join(type_list<Named>{})}...};
    // All of them from the sums before this element.
    if constexpr (sizeof...(Sums) > 0) {
      sums_so_far const next{
          binding<sum_so_far<Scope, Sums>, value_type>{inside.template apply<node<operation::add, Sums, Sums>>(
              value_of<sum_so_far<Scope, Sums>>(sums), value_type(read(Sums{}, inside)))}...};
      sums = next;
    }
    return after;
  };
  reduced results{binding<typename Named::key, value_type>{value_type(Named::node::template start<number>())}...};
  std::size_t const count = elements.size();
  if (count > 0)
    results = with(elements[0], results, true);
  if (count > 1)
    results = with(elements[1], results, false);
  for (std::size_t index = 2; index < count; ++index)
    results = with(elements[index], results, false);
  return visit(value_of<typename Named::key>(results)...);
}

}  // namespace detail

/// Readers that do not evaluate (text) read the node themselves.
template <reading Reader, class Scope, class Reduction, class Body>
SHARDPLAN_FORCE_INLINE constexpr auto read(over_node<Scope, Reduction, Body>, Reader const& reader) {
  if constexpr (requires { reader.template over<over_node<Scope, Reduction, Body>>(); })
    return reader.template over<over_node<Scope, Reduction, Body>>();
  else
    return detail::read_together<Scope>(
        reader, typename detail::sums_in<Scope, Body, detail::type_list<>>::type{},
        detail::type_list<detail::named_reduction<Scope, over_node<Scope, Reduction, Body>>>{},
        [](auto const& value) { return value; });
}
template <reading Reader, class Scope, class Body>
SHARDPLAN_FORCE_INLINE constexpr auto read(earlier_node<Scope, Body>, Reader const& reader) {
  if constexpr (requires { reader.template earlier<earlier_node<Scope, Body>>(); })
    return reader.template earlier<earlier_node<Scope, Body>>();
  else
    return reader.template symbol<detail::sum_so_far<Scope, Body>>();
}

}  // namespace shardplan::expr
