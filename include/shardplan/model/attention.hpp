#pragma once
#include <boost/hana/tuple.hpp>

#include <shardplan/model/matmul.hpp>

/// Attention with query heads and as many or fewer key/value heads, by kernel.
namespace shardplan::model {

namespace name {
struct attention_norm {
  static constexpr const char* value = "attention norm";
};
struct query {
  static constexpr const char* value = "query projection";
};
struct key {
  static constexpr const char* value = "key projection";
};
struct value_projection {
  static constexpr const char* value = "value projection";
};
struct head_preparation {
  static constexpr const char* value = "rotary embedding and head norms";
};
struct attention {
  static constexpr const char* value = "attention core";
};
struct attention_output {
  static constexpr const char* value = "attention output projection";
};
struct residual {
  static constexpr const char* value = "residual and dropout";
};
}  // namespace name

/// The attention kernel, a kind.
namespace kernel {
/// Fused attention that never writes the scores (FlashAttention): keeps four bytes of softmax statistics per query and
/// head, computes only the pairs that a causal mask or window leaves, and runs 2.5 forward passes of work backward
/// (Dao 2023, arXiv 2307.08691: five products backward, two forward).
struct flash {};
/// Attention that writes the scores, with a fused scale-mask-softmax kernel.
struct plain {};
}  // namespace kernel

namespace detail {
using query_heads = axes<axis::head, axis::head_dimension>;
using key_value_heads = axes<axis::key_value_head, axis::head_dimension>;

/// Query, key and value are kept by the attention core. Torchtitan's list saves the first and third product.
constexpr auto attention_core(kernel::flash) {
  using namespace symbols;
  constexpr expr::literal<4> four{};
  return make_operation(name::attention{}, backward_ratio<5, 2>{}, traits<trait::attention_core, trait::listed>{},
                        make_term<role::parameter>(p_a, axes<axis::head>{}),
                        make_term<kept_listed_operand>(e_a, tokens{} + query_heads{}),
                        make_term<kept_operand>(e_a, tokens{} + key_value_heads{}),
                        make_term<kept_listed_operand>(e_a, tokens{} + key_value_heads{}),
                        make_term<kept_listed_operand>(four * expr::byte, tokens{} + axes<axis::head>{}),
                        make_term<role::attention_work>(four * expr::flop * k_c, tokens{} + query_heads{}),
                        make_term<role::counted_attention_work>(four * expr::flop * k_m, tokens{} + query_heads{}),
                        make_term<role::traffic>(two * e_a, tokens{} + query_heads{}),
                        make_term<role::traffic>(two * e_a, tokens{} + key_value_heads{}));
}

constexpr auto attention_core(kernel::plain) {
  using namespace symbols;
  using scores = axes<axis::batch, axis::head, axis::sequence, axis::score>;
  constexpr expr::literal<4> four{};
  constexpr expr::literal<6> passes{};
  // Torchtitan's list holds fused attention only: by operator list this core runs again.
  return make_operation(
      name::attention{}, backward_ratio<2>{}, traits<trait::attention_core>{},
      make_term<role::parameter>(p_a, axes<axis::head>{}),
      make_term<kept_listed_operand>(e_a, tokens{} + query_heads{}),
      make_term<kept_operand>(e_a, tokens{} + key_value_heads{}),
      make_term<kept_listed_operand>(e_a, tokens{} + key_value_heads{}),
      // softmax output; with dropout its mask (one byte) and its output
      make_term<role::kept<reason::score>>(e_a, scores{}),
      make_term<role::kept<reason::score>>(expr::byte * drop_a, scores{}),
      make_term<role::kept<reason::score>>(e_a * drop_a, scores{}),
      make_term<role::half_precision_work>(four * expr::flop, scores{} + axes<axis::head_dimension>{}),
      make_term<role::counted_attention_work>(four * expr::flop * k_m, tokens{} + query_heads{}),
      make_term<role::traffic>(passes * e_a, scores{}));
}

/// The norm before attention. The gradient of its output is the sum of those of the projections that read it.
template <class... Terms> constexpr auto attention_norm(Terms... terms) {
  using namespace symbols;
  return make_operation(name::attention_norm{}, backward_ratio<2>{}, traits<>{},
                        make_term<role::parameter>(v_n, axes<axis::hidden>{}),
                        make_term<role::kept<reason::block_input>>(e_a, stream{}),
                        make_term<role::traffic>(two * e_a, stream{}), terms...);
}

/// Adding the result of attention, and the passes over the residual stream that a block makes.
constexpr auto residual() {
  using namespace symbols;
  constexpr expr::literal<6> passes{};
  return make_operation(name::residual{}, backward_ratio<2>{}, traits<>{},
                        make_term<kept_operand>(two * expr::byte * drop_h, stream{}),
                        make_term<role::traffic>(passes * e_a, stream{}));
}

template <class Kernel> constexpr auto grouped_attention_operations(Kernel kernel_kind) {
  using namespace symbols;
  using hidden = axes<axis::hidden>;
  return boost::hana::make_tuple(
      attention_norm(make_term<role::backward_sum<axis::head>>(e_a, stream{})),
      // the norm's output, which the three projections share
      matmul(name::query{}, traits<trait::listed>{}, hidden{}, query_heads{}, bias_qkv,
             make_term<kept_operand>(e_a, stream{})),
      matmul(name::key{}, traits<>{}, hidden{}, key_value_heads{}, bias_qkv),
      matmul(name::value_projection{}, traits<trait::listed>{}, hidden{}, key_value_heads{}, bias_qkv),
      make_operation(name::head_preparation{}, backward_ratio<2>{}, traits<>{},
                     make_term<role::parameter>(v_qk * n_qk * two, axes<axis::head_dimension>{}),
                     // norms on heads keep their inputs
                     make_term<kept_operand>(e_a * n_qk, tokens{} + query_heads{}),
                     make_term<kept_operand>(e_a * n_qk, tokens{} + key_value_heads{}),
                     make_term<role::traffic>(two * e_a, tokens{} + query_heads{}),
                     make_term<role::traffic>(two * e_a, tokens{} + key_value_heads{})),
      attention_core(kernel_kind),
      matmul(name::attention_output{}, traits<>{}, query_heads{}, hidden{}, bias_o,
             make_term<kept_listed_operand>(e_a, tokens{} + query_heads{}),
             // where attention and MLP run side by side their outputs are added before the sum over devices
             make_term<role::forward_sum<axis::head>>(e_a * seq_res, stream{})),
      residual());
}

}  // namespace detail

/// Attention, a kind: its operations for a kernel, from the norm before it to the residual stream.
namespace attention {
/// Query heads share key/value heads in groups (Ainslie et al. 2023, arXiv 2305.13245): one group per head is
/// multi-head, one group in all is multi-query attention. Windows, chunks and the causal mask are values: they decide
/// how many keys a query sees.
struct grouped {
  template <class Kernel> static constexpr auto operations(Kernel kernel_kind) {
    return detail::grouped_attention_operations(kernel_kind);
  }
};
}  // namespace attention

}  // namespace shardplan::model
