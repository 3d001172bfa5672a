#pragma once
#include <shardplan/strategy/layout.hpp>

/// Recomputation: which kept tensors survive the forward pass, and which operations run again in the backward pass.
namespace shardplan::strategy {

namespace detail {
template <class Trait, class... Traits> constexpr bool has_trait(model::traits<Traits...>) {
  return (std::same_as<Trait, Traits> || ...);
}
}  // namespace detail

/// A recomputation mechanism says which kept tensors survive the forward pass, by the reasons that they have, and which
/// operations run again, by their traits.
template <class Type>
concept recomputation_mechanism = requires {
  { Type::name } -> std::convertible_to<const char*>;
  { Type::template keeps<model::reason::block_input> } -> std::convertible_to<bool>;
  { Type::template runs_again<model::traits<>> } -> std::convertible_to<bool>;
};

/// Everything that the backward pass needs is kept.
struct keep_everything {
  static constexpr const char* name = "none";
  template <class... Reasons>
  static constexpr bool keeps =
      detail::contains<model::reason::block_input, Reasons...> ||
      detail::contains<model::reason::operand, Reasons...> || detail::contains<model::reason::score, Reasons...>;
  template <class Traits> static constexpr bool runs_again = false;
};

/// Megatron's selective recomputation (Korthikanti et al. 2022, section 5): the attention core runs again, its scores
/// are not kept. With fused attention there are no scores to give up, so it costs time and saves nothing.
struct attention_core_again {
  static constexpr const char* name = "selective";
  template <class... Reasons>
  static constexpr bool keeps =
      detail::contains<model::reason::block_input, Reasons...> || detail::contains<model::reason::operand, Reasons...>;
  template <class Traits> static constexpr bool runs_again = detail::has_trait<model::trait::attention_core>(Traits{});
};

/// Torchtitan's selective recomputation by operator: the attention output and every second matrix product are kept.
struct unlisted_operators_again {
  static constexpr const char* name = "operators";
  template <class... Reasons>
  static constexpr bool keeps =
      detail::contains<model::reason::block_input, Reasons...> || detail::contains<model::reason::listed, Reasons...>;
  template <class Traits> static constexpr bool runs_again = !detail::has_trait<model::trait::listed>(Traits{});
};

/// Only the input of the block is kept; the whole block runs again.
struct block_again {
  static constexpr const char* name = "full";
  template <class... Reasons> static constexpr bool keeps = detail::contains<model::reason::block_input, Reasons...>;
  template <class Traits> static constexpr bool runs_again = true;
};

/// Which mechanism acts is known when a record is read: see chosen_mechanism.hpp.
struct chosen_mechanism;

/// Recomputation by one of the mechanisms above, or by a type of one's own.
template <class Mechanism> struct recompute : strategy_base {
  static_assert(recomputation_mechanism<Mechanism> || std::same_as<Mechanism, chosen_mechanism>,
                "recompute: the type is no recomputation_mechanism (name, keeps<Reasons...>, runs_again<Traits>)");
  static constexpr const char* name = "recomputation";
  using mechanism = Mechanism;
  using mesh_axis = void;
  using needs_mesh_axis = void;
  using rule_list = rules<>;
};

namespace detail {
template <class Strategy> struct mechanism_of {
  using type = void;
};
template <class Mechanism> struct mechanism_of<recompute<Mechanism>> {
  using type = Mechanism;
};

template <class Current, class... Strategies> struct last_mechanism {
  using type = Current;
};
template <class Current, class First, class... Rest>
struct last_mechanism<Current, First, Rest...>
    : last_mechanism<std::conditional_t<std::is_void_v<typename mechanism_of<First>::type>, Current,
                                        typename mechanism_of<First>::type>,
                     Rest...> {};

template <class Layout> struct layout_mechanism;
template <class Layer, class... Strategies>
struct layout_mechanism<layout<Layer, Strategies...>> : last_mechanism<keep_everything, Strategies...> {};
}  // namespace detail

/// The recomputation mechanism of a layout: the last one composed, or none.
template <class Layout> using recomputation_of = typename detail::layout_mechanism<Layout>::type;

}  // namespace shardplan::strategy
