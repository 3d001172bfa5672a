#pragma once
#include <concepts>
#include <cstddef>
#include <type_traits>
#include <utility>

#include <shardplan/expr/operators.hpp>
#include <shardplan/model/operation.hpp>
#include <shardplan/strategy/mesh.hpp>

/// Rules "axis -> mesh axis", and what a list of them makes of a term. A mesh axis divides a term at most once.
namespace shardplan::strategy {

/// Cuts every term that extends over `Axis` into `Degree` parts, one for each device along `MeshAxis`.
template <class Axis, class MeshAxis, class Degree> struct shard {
  using axis = Axis;
  using mesh_axis = MeshAxis;
  using degree = Degree;
  static constexpr bool insists = true;
};

/// As `shard`, but yields where another rule already cuts the term over the same mesh axis.
template <class Axis, class MeshAxis, class Degree> struct shard_otherwise {
  using axis = Axis;
  using mesh_axis = MeshAxis;
  using degree = Degree;
  static constexpr bool insists = false;
};

template <class... Rules> struct rules {};

template <class... Left, class... Right> constexpr rules<Left..., Right...> operator+(rules<Left...>, rules<Right...>) {
  return {};
}

namespace detail {

template <class Axis, class... Axes> inline constexpr bool contains = (std::same_as<Axis, Axes> || ...);

template <class Rule, class AxisList> inline constexpr bool applies = false;
template <class Rule, class... Axes>
inline constexpr bool applies<Rule, model::axes<Axes...>> = contains<typename Rule::axis, Axes...>;

/// Rules of the list that insist on cutting the axes over the mesh axis.
template <class MeshAxis, class AxisList, class... Rules>
inline constexpr int insisting =
    (0 + ... +
     (Rules::insists && std::same_as<typename Rules::mesh_axis, MeshAxis> && applies<Rules, AxisList> ? 1 : 0));

/// No mesh axis is claimed twice by insisting rules.
template <class AxisList, class RuleList> inline constexpr bool cut_at_most_once = true;
template <class AxisList, class... Rules>
inline constexpr bool cut_at_most_once<AxisList, rules<Rules...>> =
    ((insisting<typename Rules::mesh_axis, AxisList, Rules...> <= 1) && ...);

/// `Rule`, at `Position` of the list, is in force for the axes: it insists, or nothing insists and it is the first of
/// those that yield.
template <std::size_t Position, class Rule, class AxisList, class... Rules> constexpr bool in_force() {
  if constexpr (!applies<Rule, AxisList>) {
    return false;
  } else if constexpr (Rule::insists) {
    return true;
  } else {
    if (insisting<typename Rule::mesh_axis, AxisList, Rules...> > 0)
      return false;
    std::size_t before = 0;  // of the rules that yield as well
    std::size_t position = 0;
    ((before += position++ < Position && !Rules::insists && applies<Rules, AxisList> &&
                        std::same_as<typename Rules::mesh_axis, typename Rule::mesh_axis>
                    ? 1u
                    : 0u),
     ...);
    return before == 0;
  }
}

template <std::size_t Position, class Rule, class AxisList, class... Rules> constexpr auto divisor_of_rule() {
  if constexpr (in_force<Position, Rule, AxisList, Rules...>())
    return typename Rule::degree{};
  else
    return expr::literal<1>{};
}

template <class AxisList, class... Rules, std::size_t... Positions>
constexpr auto divisor_of_rules(rules<Rules...>, std::index_sequence<Positions...>) {
  return (expr::literal<1>{} * ... * divisor_of_rule<Positions, Rules, AxisList, Rules...>());
}

}  // namespace detail

/// By how much the rules divide an amount that extends over these axes.
template <class... Axes, class... Rules> constexpr auto divisor(model::axes<Axes...>, rules<Rules...> cuts) {
  return detail::divisor_of_rules<model::axes<Axes...>>(cuts, std::index_sequence_for<Rules...>{});
}

/// The rules cut one of these axes over the mesh axis.
template <class MeshAxis, class... Axes, class... Rules> constexpr bool is_cut(model::axes<Axes...>, rules<Rules...>) {
  return ((std::same_as<typename Rules::mesh_axis, MeshAxis> && detail::applies<Rules, model::axes<Axes...>>) || ...);
}

/// The amount of a term on one device: coefficient times extents over divisor.
template <class Role, class Coefficient, class... Axes, class... Rules>
constexpr auto amount(model::term<Role, Coefficient, Axes...>, rules<Rules...> cuts) {
  return (Coefficient{} * ... * Axes::extent) / divisor(model::axes<Axes...>{}, cuts);
}

}  // namespace shardplan::strategy
