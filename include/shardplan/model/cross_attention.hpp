#pragma once
#include <concepts>

#include <boost/hana/concat.hpp>

#include <shardplan/model/attention.hpp>

/// Cross attention (Vaswani et al. 2017, arXiv 1706.03762): queries of the decoder, keys and values of the encoder's
/// output, which has s_x tokens. Every query sees all of them.
namespace shardplan::model {

namespace name {
struct cross_norm {
  static constexpr const char* value = "cross attention norm";
};
struct cross_query {
  static constexpr const char* value = "query projection of cross attention";
};
struct cross_key {
  static constexpr const char* value = "key projection of cross attention";
};
struct cross_value {
  static constexpr const char* value = "value projection of cross attention";
};
struct cross_attention {
  static constexpr const char* value = "cross attention core";
};
struct cross_output {
  static constexpr const char* value = "output projection of cross attention";
};
}  // namespace name

namespace detail {

using source_tokens = axes<axis::batch, axis::source>;

template <std::same_as<kernel::flash> Kernel> constexpr auto cross_core(Kernel) {
  using namespace symbols;
  constexpr expr::literal<4> four{};
  return make_operation(name::cross_attention{}, backward_ratio<5, 2>{}, traits<trait::attention_core, trait::listed>{},
                        make_term<kept_listed_operand>(e_a, tokens{} + query_heads{}),
                        make_term<kept_operand>(e_a, source_tokens{} + key_value_heads{}),
                        make_term<kept_listed_operand>(e_a, source_tokens{} + key_value_heads{}),
                        make_term<kept_listed_operand>(four * expr::byte, tokens{} + axes<axis::head>{}),
                        make_term<role::attention_work>(four * expr::flop * s_x, tokens{} + query_heads{}),
                        make_term<role::counted_attention_work>(four * expr::flop * s_x, tokens{} + query_heads{}),
                        make_term<role::traffic>(two * e_a, tokens{} + query_heads{}),
                        make_term<role::traffic>(two * e_a, source_tokens{} + key_value_heads{}));
}

template <std::same_as<kernel::plain> Kernel> constexpr auto cross_core(Kernel) {
  using namespace symbols;
  using scores = axes<axis::batch, axis::head, axis::sequence, axis::source>;
  constexpr expr::literal<4> four{};
  constexpr expr::literal<6> passes{};
  return make_operation(
      name::cross_attention{}, backward_ratio<2>{}, traits<trait::attention_core>{},
      make_term<kept_listed_operand>(e_a, tokens{} + query_heads{}),
      make_term<kept_operand>(e_a, source_tokens{} + key_value_heads{}),
      make_term<kept_listed_operand>(e_a, source_tokens{} + key_value_heads{}),
      make_term<role::kept<reason::score>>(e_a, scores{}),
      make_term<role::kept<reason::score>>(expr::byte * drop_a, scores{}),
      make_term<role::kept<reason::score>>(e_a * drop_a, scores{}),
      make_term<role::half_precision_work>(four * expr::flop, scores{} + axes<axis::head_dimension>{}),
      make_term<role::counted_attention_work>(four * expr::flop * s_x, tokens{} + query_heads{}),
      make_term<role::traffic>(passes * e_a, scores{}));
}

template <class Kernel> constexpr auto grouped_then_cross_operations(Kernel kernel_kind) {
  using namespace symbols;
  using hidden = axes<axis::hidden>;
  return boost::hana::concat(
      grouped_attention_operations(kernel_kind),
      boost::hana::make_tuple(
          make_operation(name::cross_norm{}, backward_ratio<2>{}, traits<>{}, make_term<role::parameter>(v_n, hidden{}),
                         make_term<kept_operand>(e_a, stream{}), make_term<role::traffic>(two * e_a, stream{}),
                         make_term<role::backward_sum<axis::head>>(e_a, stream{})),
          matmul(name::cross_query{}, traits<trait::listed>{}, hidden{}, query_heads{}, bias_qkv,
                 make_term<kept_operand>(e_a, stream{})),
          // The encoder's output is kept once for all layers, so not here.
          matmul_of_rows(name::cross_key{}, traits<>{}, source_tokens{}, hidden{}, key_value_heads{}, bias_qkv,
                         make_term<role::backward_sum<axis::key_value_head>>(e_a, source_tokens{} + hidden{})),
          matmul_of_rows(name::cross_value{}, traits<trait::listed>{}, source_tokens{}, hidden{}, key_value_heads{},
                         bias_qkv),
          cross_core(kernel_kind),
          matmul(name::cross_output{}, traits<>{}, query_heads{}, hidden{}, bias_o,
                 make_term<kept_listed_operand>(e_a, tokens{} + query_heads{}),
                 make_term<role::forward_sum<axis::head>>(e_a, stream{})),
          residual()));
}

}  // namespace detail

namespace attention {
/// Grouped self-attention, then cross attention with the same heads.
struct grouped_then_cross {
  template <class Kernel> static constexpr auto operations(Kernel kernel_kind) {
    return detail::grouped_then_cross_operations(kernel_kind);
  }
};
}  // namespace attention

}  // namespace shardplan::model
