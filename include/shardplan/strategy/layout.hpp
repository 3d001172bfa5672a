#pragma once
#include <boost/hana/tuple.hpp>
#include <boost/hana/unpack.hpp>

#include <shardplan/strategy/rule.hpp>

/// Composition: `block | tensor{} | sequence{} | zero{}` is a layout, a layer with the strategies that apply to it.
namespace shardplan::strategy {

/// Base of all strategies, so that `|` is found by argument-dependent lookup.
struct strategy_base {};

/// A strategy lists the rules that it adds, the mesh axis that it brings into use, and the one that must be in use
/// before it is applied (each may be `void`).
template <class Type>
concept strategy_description = std::derived_from<Type, strategy_base> && requires {
  typename Type::rule_list;
  typename Type::mesh_axis;
  typename Type::needs_mesh_axis;
  { Type::name } -> std::convertible_to<const char*>;
};

template <class Layer, class... Strategies> struct layout {
  using layer = Layer;
  using rule_list = decltype((rules<>{} + ... + typename Strategies::rule_list{}));

  template <class Strategy> static constexpr bool has = (std::same_as<Strategies, Strategy> || ...);
  template <class MeshAxis>
  static constexpr bool uses = (std::same_as<typename Strategies::mesh_axis, MeshAxis> || ...);
};

namespace detail {

template <class RuleList, class... Terms> constexpr bool terms_cut_at_most_once(boost::hana::tuple<Terms...> const&) {
  return (cut_at_most_once<typename Terms::axis_list, RuleList> && ...);
}
template <class RuleList, class... Operations>
constexpr bool operations_cut_at_most_once(boost::hana::tuple<Operations...> const&) {
  return (terms_cut_at_most_once<RuleList>(Operations::terms) && ...);
}

template <class Layer> struct as_layout {
  using type = layout<Layer>;
};
template <class Layer, class... Strategies> struct as_layout<layout<Layer, Strategies...>> {
  using type = layout<Layer, Strategies...>;
};

template <class Layout, class Strategy> struct extended;
template <class Layer, class... Strategies, class Strategy> struct extended<layout<Layer, Strategies...>, Strategy> {
  using type = layout<Layer, Strategies..., Strategy>;
};

template <class Type>
concept layer_or_layout = model::layer_description<typename as_layout<Type>::type::layer>;

}  // namespace detail

/// The mesh axis that the strategy builds on is in use.
template <class Strategy, class Layout>
concept has_its_mesh_axis =
    std::same_as<typename Strategy::needs_mesh_axis, void> || Layout::template uses<typename Strategy::needs_mesh_axis>;

/// With the strategy added, no term is cut twice over one mesh axis by rules that insist.
template <class Strategy, class Layout>
concept cuts_every_term_at_most_once =
    detail::operations_cut_at_most_once<decltype(typename Layout::rule_list{} + typename Strategy::rule_list{})>(
        Layout::layer::operations);

/// The names under which the compiler reports a composition that makes no sense.
struct strategy_needs_an_earlier_strategy_on_its_mesh_axis;
struct two_insisting_rules_would_cut_one_term_twice_over_one_mesh_axis;
struct strategy_description_needs_name_rule_list_mesh_axis_and_needs_mesh_axis;
struct layer_description_needs_a_name_and_operations;

template <detail::layer_or_layout Layer, strategy_description Strategy>
  requires(has_its_mesh_axis<Strategy, typename detail::as_layout<Layer>::type> &&
           cuts_every_term_at_most_once<Strategy, typename detail::as_layout<Layer>::type>)
constexpr auto operator|(Layer, Strategy) {
  return typename detail::extended<typename detail::as_layout<Layer>::type, Strategy>::type{};
}
template <detail::layer_or_layout Layer, strategy_description Strategy>
  requires(!has_its_mesh_axis<Strategy, typename detail::as_layout<Layer>::type>)
strategy_needs_an_earlier_strategy_on_its_mesh_axis operator|(Layer, Strategy) = delete;
template <detail::layer_or_layout Layer, strategy_description Strategy>
  requires(has_its_mesh_axis<Strategy, typename detail::as_layout<Layer>::type> &&
           !cuts_every_term_at_most_once<Strategy, typename detail::as_layout<Layer>::type>)
two_insisting_rules_would_cut_one_term_twice_over_one_mesh_axis operator|(Layer, Strategy) = delete;
template <detail::layer_or_layout Layer, std::derived_from<strategy_base> Strategy>
  requires(!strategy_description<Strategy>)
strategy_description_needs_name_rule_list_mesh_axis_and_needs_mesh_axis operator|(Layer, Strategy) = delete;
template <class Layer, std::derived_from<strategy_base> Strategy>
  requires(!detail::layer_or_layout<Layer>)
layer_description_needs_a_name_and_operations operator|(Layer, Strategy) = delete;

}  // namespace shardplan::strategy
