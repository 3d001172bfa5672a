#pragma once
#include <shardplan/model/mlp.hpp>

/// A mixture of experts in the place of the MLP: a router sends every token to k of E gated MLPs, and shared experts,
/// if there are some, see every token (Shazeer et al. 2017, arXiv 1701.06538; Jiang et al. 2024, arXiv 2401.04088; Dai
/// et al. 2024, arXiv 2401.06066).
///
/// What experts own extends over the axis `expert`; what they compute and keep extends over `assignment`, the k s
/// tokens that they see of a sequence. Assignments are taken as balanced, and none is dropped.
namespace shardplan::model {

namespace name {
struct router {
  static constexpr const char* value = "router";
};
struct dispatch {
  static constexpr const char* value = "dispatch to experts";
};
struct expert_gate {
  static constexpr const char* value = "gate projection of the experts";
};
struct expert_up {
  static constexpr const char* value = "up projection of the experts";
};
struct expert_activation {
  static constexpr const char* value = "activation function of the experts";
};
struct expert_down {
  static constexpr const char* value = "down projection of the experts";
};
struct combine {
  static constexpr const char* value = "weighted sum of the experts";
};
struct shared_gate {
  static constexpr const char* value = "gate projection of the shared experts";
};
struct shared_up {
  static constexpr const char* value = "up projection of the shared experts";
};
struct shared_activation {
  static constexpr const char* value = "activation function of the shared experts";
};
struct shared_down {
  static constexpr const char* value = "down projection of the shared experts";
};
}  // namespace name

namespace detail {

/// A product with a matrix of each expert.
template <class Name, class Input, class Output, class... Terms>
constexpr auto expert_matmul(Name name, Input input, Output output, Terms... terms) {
  using namespace symbols;
  using owned = axes<axis::expert>;
  using rows = axes<axis::batch, axis::assignment>;
  return make_operation(name, backward_ratio<2>{}, traits<>{},
                        make_term<role::parameter>(one, owned{} + input + output),
                        make_term<role::parameter>(bias_mlp, owned{} + output),
                        make_term<role::matrix_work>(two * expr::flop, rows{} + input + output),
                        make_term<role::traffic>(e_a, rows{} + input), make_term<role::traffic>(e_a, rows{} + output),
                        make_term<role::traffic>(e_a, owned{} + input + output), terms...);
}

/// Torchtitan's list of saved operators holds plain matrix products, so nothing of the routed experts is on it; the
/// products of the shared experts are.
template <class...> constexpr auto routed_operations() {
  using namespace symbols;
  using hidden = axes<axis::hidden>;
  using inner = axes<axis::expert_feed_forward>;
  using shared = axes<axis::shared_feed_forward>;
  using sent = axes<axis::batch, axis::assignment>;
  using scores = axes<axis::batch, axis::sequence, axis::candidate>;
  constexpr expr::literal<3> three{};
  constexpr expr::literal<4> four{};
  constexpr expr::literal<0> no_bias{};

  return boost::hana::make_tuple(
      // The router keeps its probabilities in fp32, as Megatron and transformers compute them.
      make_operation(name::router{}, backward_ratio<2>{}, traits<>{},
                     make_term<role::parameter>(one, axes<axis::hidden, axis::candidate>{}),
                     make_term<role::parameter>(bias_r, axes<axis::candidate>{}),
                     make_term<role::half_precision_work>(two * expr::flop, scores{} + hidden{}),
                     make_term<kept_operand>(four * expr::byte, scores{}), make_term<role::traffic>(e_a, stream{}),
                     make_term<role::traffic>(two * four * expr::byte, scores{})),
      // Every expert gets a copy of its tokens, which its two products need again.
      make_operation(name::dispatch{}, backward_ratio<1>{}, traits<>{}, make_term<kept_operand>(e_a, sent{} + hidden{}),
                     make_term<role::traffic>(e_a, stream{}), make_term<role::traffic>(e_a, sent{} + hidden{})),
      expert_matmul(name::expert_gate{}, hidden{}, inner{}), expert_matmul(name::expert_up{}, hidden{}, inner{}),
      make_operation(name::expert_activation{}, backward_ratio<2>{}, traits<>{},
                     make_term<kept_operand>(two * e_a, sent{} + inner{}),
                     make_term<role::traffic>(three * e_a, sent{} + inner{})),
      expert_matmul(name::expert_down{}, inner{}, hidden{}, make_term<kept_operand>(e_a, sent{} + inner{})),
      // The gradient of a token's weights needs what its experts returned.
      make_operation(name::combine{}, backward_ratio<2>{}, traits<>{}, make_term<kept_operand>(e_a, sent{} + hidden{}),
                     make_term<role::traffic>(e_a, sent{} + hidden{}), make_term<role::traffic>(e_a, stream{}),
                     make_term<role::forward_sum<axis::expert_feed_forward, axis::shared_feed_forward>>(e_a, stream{})),
      matmul(name::shared_gate{}, traits<trait::listed>{}, hidden{}, shared{}, no_bias,
             make_term<role::parameter>(gate_s, hidden{})),
      matmul(name::shared_up{}, traits<>{}, hidden{}, shared{}, no_bias),
      make_operation(name::shared_activation{}, backward_ratio<2>{}, traits<>{},
                     make_term<kept_listed_operand>(e_a, tokens{} + shared{}),
                     make_term<kept_operand>(e_a, tokens{} + shared{}),
                     make_term<role::traffic>(three * e_a, tokens{} + shared{})),
      matmul(name::shared_down{}, traits<>{}, shared{}, hidden{}, no_bias,
             make_term<kept_operand>(e_a, tokens{} + shared{})));
}

}  // namespace detail

namespace mlp {
/// Routed experts, and shared ones of size f_s (0 for none).
struct routed {
  using gradient_sum = role::backward_sum<axis::expert_feed_forward, axis::shared_feed_forward>;
  template <class... None> static constexpr auto operations() { return detail::routed_operations<None...>(); }
};
}  // namespace mlp

}  // namespace shardplan::model
