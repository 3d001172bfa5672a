#pragma once
#include <boost/hana/tuple.hpp>

#include <shardplan/model/matmul.hpp>

/// The MLP of a block, by kind.
namespace shardplan::model {

namespace name {
struct mlp_norm {
  static constexpr const char* value = "MLP norm";
};
struct gate {
  static constexpr const char* value = "gate projection";
};
struct up {
  static constexpr const char* value = "up projection";
};
struct activation {
  static constexpr const char* value = "activation function";
};
struct down {
  static constexpr const char* value = "down projection";
};
}  // namespace name

namespace detail {
constexpr auto plain_mlp_operations() {
  using namespace symbols;
  using ffn = axes<axis::feed_forward>;
  using hidden = axes<axis::hidden>;
  return boost::hana::make_tuple(matmul(name::up{}, traits<trait::listed>{}, hidden{}, ffn{}, bias_mlp),
                                 make_operation(name::activation{}, backward_ratio<2>{}, traits<>{},
                                                make_term<kept_listed_operand>(e_a, tokens{} + ffn{}),
                                                make_term<role::traffic>(two * e_a, tokens{} + ffn{})),
                                 matmul(name::down{}, traits<>{}, ffn{}, hidden{}, bias_mlp,
                                        make_term<kept_operand>(e_a, tokens{} + ffn{}),
                                        make_term<role::forward_sum<axis::feed_forward>>(e_a, stream{})));
}

constexpr auto gated_mlp_operations() {
  using namespace symbols;
  using ffn = axes<axis::feed_forward>;
  using hidden = axes<axis::hidden>;
  constexpr expr::literal<3> three{};
  return boost::hana::make_tuple(matmul(name::gate{}, traits<trait::listed>{}, hidden{}, ffn{}, bias_mlp),
                                 matmul(name::up{}, traits<>{}, hidden{}, ffn{}, bias_mlp),
                                 make_operation(name::activation{}, backward_ratio<2>{}, traits<>{},
                                                make_term<kept_listed_operand>(e_a, tokens{} + ffn{}),
                                                make_term<kept_operand>(e_a, tokens{} + ffn{}),
                                                make_term<role::traffic>(three * e_a, tokens{} + ffn{})),
                                 matmul(name::down{}, traits<trait::listed>{}, ffn{}, hidden{}, bias_mlp,
                                        make_term<kept_operand>(e_a, tokens{} + ffn{}),
                                        // On torchtitan's list, though no operation needs it.
                                        make_term<role::kept<reason::listed>>(e_a, stream{}),
                                        make_term<role::forward_sum<axis::feed_forward>>(e_a, stream{})));
}

/// The norm before the MLP. The gradient of its output is a sum over what the MLP cuts.
template <class Mlp> constexpr auto mlp_norm(Mlp) {
  using namespace symbols;
  return make_operation(
      name::mlp_norm{}, backward_ratio<2>{}, traits<>{}, make_term<role::parameter>(n_mlp * v_n, axes<axis::hidden>{}),
      make_term<kept_operand>(e_a * seq_res, stream{}), make_term<kept_operand>(e_a * n_mlp, stream{}),
      make_term<role::traffic>(two * e_a * n_mlp, stream{}),
      make_term<typename Mlp::gradient_sum>(e_a * seq_res, stream{}));
}
}  // namespace detail

/// The MLP, a kind: its operations, and over which axes the gradient of its input is summed.
namespace mlp {
/// Two projections with an activation between (GELU, ReLU).
struct plain {
  using gradient_sum = role::backward_sum<axis::feed_forward>;
  static constexpr auto operations() { return detail::plain_mlp_operations(); }
};
/// Three projections, the activation of one gates another (SwiGLU, GeGLU).
struct gated {
  using gradient_sum = role::backward_sum<axis::feed_forward>;
  static constexpr auto operations() { return detail::gated_mlp_operations(); }
};
}  // namespace mlp

}  // namespace shardplan::model
