#pragma once
#include <cstdint>
#include <string>
#include <type_traits>
#include <vector>

#include <shardplan/model/decoder.hpp>
#include <shardplan/testing/random_values.hpp>
#include <shardplan/testing/record_laws.hpp>

/// Laws of strategies, for types of one's own.
namespace shardplan::testing {

namespace detail {

/// Sets what a degree is, where it is a symbol.
template <class Tag> void set_degree(random_values& values, expr::symbol<Tag> degree, double number) {
  values.set(degree, number);
}
template <class Degree> void set_degree(random_values&, Degree, double) {}

/// Sets the degrees of rules and of their mesh axes.
template <class Rule> void set_degrees_of(random_values& values, Rule, double number) {
  if constexpr (requires { Rule::mesh_axis::degree; })
    set_degree(values, Rule::mesh_axis::degree, number);
  set_degree(values, typename Rule::degree{}, number);
}
template <class... Rules>
void set_degrees([[maybe_unused]] random_values& values, strategy::rules<Rules...>, [[maybe_unused]] double number) {
  (set_degrees_of(values, Rules{}, number), ...);
}

/// Mesh axes that rules use, each once.
template <class...> inline constexpr int different = 0;
template <class First, class... More>
inline constexpr int different<First, More...> = different<More...> + ((std::same_as<First, More> || ...) ? 0 : 1);
template <class... Rules> constexpr int mesh_axes_of(strategy::rules<Rules...>) {
  return different<typename Rules::mesh_axis...>;
}

/// The usual block, with the mesh axis in use that the strategy builds on.
template <class Strategy> constexpr auto usual_base() {
  constexpr auto block = model::decoder_block(model::mlp::gated{}, model::kernel::flash{});
  using needed = typename Strategy::needs_mesh_axis;
  if constexpr (std::same_as<needed, strategy::mesh::tensor>)
    return block | strategy::tensor{};
  else if constexpr (std::same_as<needed, strategy::mesh::data>)
    return block | strategy::data{};
  else if constexpr (std::same_as<needed, strategy::mesh::pipeline>)
    return block | strategy::pipeline{};
  else
    return block;
}

}  // namespace detail

/// The broken laws of a strategy, composed with `base`, a layer or a layout:
/// - where its degrees are 1 it changes nothing;
/// - for larger degrees a device owns, keeps and computes no more;
/// - its devices together own and keep no less than one device alone.
/// `base` should have the axes that the strategy cuts. `own` as for layers.
template <strategy::strategy_description Strategy, class Base, class... Bindings>
std::vector<std::string> broken_laws_of_strategy(Strategy applied, Base base,
                                                 expr::environment<Bindings...> const& own = {}, int points = 16) {
  using rules = typename Strategy::rule_list;
  namespace ct = cost::tag;
  broken_laws broken;
  auto const with = cost::block_record(base | applied);
  auto const without = cost::block_record(base);
  for (int point = 0; point < points; ++point) {
    random_values values{static_cast<std::uint64_t>(point)};
    expr::scope const all{own, values};
    detail::set_degrees(values, rules{}, 1);
    detail::expect_same(broken, "a strategy of degree 1 changes nothing", with, without, all);
    for (double degree = 2; degree <= 8; degree *= 2) {
      detail::set_degrees(values, rules{}, degree);
      auto const cut = detail::values_at(with, all), uncut = detail::values_at(without, all);
      double together = 1;
      for (int axis = 0; axis < detail::mesh_axes_of(rules{}); ++axis)
        together *= degree;
      std::vector<double> whole;
      detail::for_each_share(uncut, [&](const char*, double value) { whole.push_back(value); });
      std::size_t next = 0;
      detail::for_each_share(cut, [&](const char* name, double value) {
        double const alone = whole[next++];
        detail::expect_at_most(broken, "with a strategy a device owns and keeps no more", name, value, alone);
        detail::expect_at_most(broken, "with a strategy all devices together own and keep no less", name, alone,
                               value * together);
      });
      detail::expect_at_most(broken, "with a strategy a device computes no more", ct::block_forward::name,
                             expr::value_of<ct::block_forward>(cut), expr::value_of<ct::block_forward>(uncut));
      detail::expect_at_most(broken, "with a strategy a device computes no more", ct::block_backward::name,
                             expr::value_of<ct::block_backward>(cut), expr::value_of<ct::block_backward>(uncut));
    }
  }
  return broken.take();
}
/// The same, composed with a decoder block.
template <strategy::strategy_description Strategy> std::vector<std::string> broken_laws_of_strategy(Strategy applied) {
  return broken_laws_of_strategy(applied, detail::usual_base<Strategy>());
}

/// The broken laws of two strategies that are composed with `base` in either order: they cost the same. Holds where
/// both insist on what they cut; of two that yield the first comes first, on purpose.
template <class Base, strategy::strategy_description First, strategy::strategy_description Second, class... Bindings>
std::vector<std::string> broken_laws_of_composition(Base base, First first, Second second,
                                                    expr::environment<Bindings...> const& own = {}, int points = 16) {
  broken_laws broken;
  for (int point = 0; point < points; ++point) {
    random_values const values{static_cast<std::uint64_t>(point)};
    expr::scope const all{own, values};
    detail::expect_same(broken, "two strategies cost the same in either order",
                        cost::block_record(base | first | second), cost::block_record(base | second | first), all);
  }
  return broken.take();
}

}  // namespace shardplan::testing
