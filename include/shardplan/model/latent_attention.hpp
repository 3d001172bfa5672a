#pragma once
#include <concepts>

#include <boost/hana/concat.hpp>

#include <shardplan/model/attention.hpp>

/// Multi-head latent attention (DeepSeek-AI 2024, arXiv 2405.04434, section 2.1): keys and values are made of a vector
/// of r_kv numbers per token; each head has a key part without positions made of it, and all heads share one key part
/// of d_r numbers with rotary positions. The query may be made of r_q numbers likewise.
namespace shardplan::model {

namespace name {
struct query_compression {
  static constexpr const char* value = "query compression";
};
struct query_norm {
  static constexpr const char* value = "norm of the compressed query";
};
struct key_value_compression {
  static constexpr const char* value = "key and value compression";
};
struct key_value_norm {
  static constexpr const char* value = "norm of the compressed keys and values";
};
struct key_value_expansion {
  static constexpr const char* value = "key and value expansion";
};
}  // namespace name

/// How latent attention makes its queries, a kind.
namespace query {
struct direct {};
struct low_rank {};
}  // namespace query

namespace detail {

using latent_query = axes<axis::head, axis::query_key_dimension>;
using latent_value = axes<axis::head, axis::value_dimension>;

/// As the core of grouped attention, with keys and values of different sizes.
template <std::same_as<kernel::flash> Kernel> constexpr auto latent_core(Kernel) {
  using namespace symbols;
  constexpr expr::literal<4> four{};
  return make_operation(name::attention{}, backward_ratio<5, 2>{}, traits<trait::attention_core, trait::listed>{},
                        make_term<kept_listed_operand>(e_a, tokens{} + latent_query{}),
                        make_term<kept_operand>(e_a, tokens{} + latent_query{}),
                        make_term<kept_listed_operand>(e_a, tokens{} + latent_value{}),
                        make_term<kept_listed_operand>(four * expr::byte, tokens{} + axes<axis::head>{}),
                        make_term<role::attention_work>(two * expr::flop * k_c, tokens{} + latent_query{}),
                        make_term<role::attention_work>(two * expr::flop * k_c, tokens{} + latent_value{}),
                        make_term<role::counted_attention_work>(two * expr::flop * k_m, tokens{} + latent_query{}),
                        make_term<role::counted_attention_work>(two * expr::flop * k_m, tokens{} + latent_value{}),
                        make_term<role::traffic>(two * e_a, tokens{} + latent_query{}),
                        make_term<role::traffic>(two * e_a, tokens{} + latent_value{}));
}

template <std::same_as<kernel::plain> Kernel> constexpr auto latent_core(Kernel) {
  using namespace symbols;
  using scores = axes<axis::batch, axis::head, axis::sequence, axis::score>;
  constexpr expr::literal<6> passes{};
  return make_operation(
      name::attention{}, backward_ratio<2>{}, traits<trait::attention_core>{},
      make_term<kept_listed_operand>(e_a, tokens{} + latent_query{}),
      make_term<kept_operand>(e_a, tokens{} + latent_query{}),
      make_term<kept_listed_operand>(e_a, tokens{} + latent_value{}),
      make_term<role::kept<reason::score>>(e_a, scores{}),
      make_term<role::kept<reason::score>>(expr::byte * drop_a, scores{}),
      make_term<role::kept<reason::score>>(e_a * drop_a, scores{}),
      make_term<role::half_precision_work>(two * expr::flop, scores{} + axes<axis::query_key_dimension>{}),
      make_term<role::half_precision_work>(two * expr::flop, scores{} + axes<axis::value_dimension>{}),
      make_term<role::counted_attention_work>(two * expr::flop * k_m, tokens{} + latent_query{}),
      make_term<role::counted_attention_work>(two * expr::flop * k_m, tokens{} + latent_value{}),
      make_term<role::traffic>(passes * e_a, scores{}));
}

/// A norm on a compressed vector, which keeps its input; the product that follows keeps its output. The heads are cut
/// and the compression is not, so the gradient of the output is a sum over devices.
template <class Name, class Axis, class Kept> constexpr auto latent_norm(Name name, Axis normed, Kept kept) {
  using namespace symbols;
  return make_operation(name, backward_ratio<2>{}, traits<>{}, make_term<role::parameter>(one, normed),
                        make_term<kept_operand>(e_a, tokens{} + kept),
                        make_term<role::traffic>(two * e_a, tokens{} + normed),
                        make_term<role::backward_sum<axis::head>>(e_a, tokens{} + kept));
}

template <std::same_as<query::direct> Query> constexpr auto latent_queries(Query) {
  using namespace symbols;
  constexpr expr::literal<0> no_bias{};
  return boost::hana::make_tuple(attention_norm(make_term<role::backward_sum<axis::head>>(e_a, stream{})),
                                 matmul(name::query{}, traits<trait::listed>{}, axes<axis::hidden>{}, latent_query{},
                                        no_bias, make_term<kept_operand>(e_a, stream{})));
}

template <std::same_as<query::low_rank> Query> constexpr auto latent_queries(Query) {
  using namespace symbols;
  using rank = axes<axis::query_rank>;
  constexpr expr::literal<0> no_bias{};
  return boost::hana::make_tuple(attention_norm(),
                                 matmul(name::query_compression{}, traits<trait::listed>{}, axes<axis::hidden>{},
                                        rank{}, bias_qkv, make_term<kept_operand>(e_a, stream{})),
                                 latent_norm(name::query_norm{}, rank{}, rank{}),
                                 matmul(name::query{}, traits<>{}, rank{}, latent_query{}, no_bias,
                                        make_term<kept_operand>(e_a, tokens{} + rank{})));
}

template <class Query, class Kernel> constexpr auto latent_attention_operations(Query, Kernel kernel_kind) {
  using namespace symbols;
  using rank = axes<axis::key_value_rank>;
  using compressed = axes<axis::compressed>;
  constexpr expr::literal<0> no_bias{};
  return boost::hana::concat(
      latent_queries(Query{}),
      boost::hana::make_tuple(
          matmul(name::key_value_compression{}, traits<trait::listed>{}, axes<axis::hidden>{}, compressed{}, bias_qkv),
          latent_norm(name::key_value_norm{}, rank{}, compressed{}),
          matmul(name::key_value_expansion{}, traits<>{}, rank{}, axes<axis::head, axis::key_value_dimension>{},
                 no_bias, make_term<kept_operand>(e_a, tokens{} + rank{})),
          make_operation(name::head_preparation{}, backward_ratio<2>{}, traits<>{},
                         make_term<role::traffic>(two * two * e_a, tokens{} + latent_query{})),
          latent_core(kernel_kind),
          matmul(name::attention_output{}, traits<>{}, latent_value{}, axes<axis::hidden>{}, bias_o,
                 make_term<kept_listed_operand>(e_a, tokens{} + latent_value{}),
                 make_term<role::forward_sum<axis::head>>(e_a, stream{})),
          residual()));
}

}  // namespace detail

namespace attention {
template <class Query> struct latent {
  template <class Kernel> static constexpr auto operations(Kernel kernel_kind) {
    return detail::latent_attention_operations(Query{}, kernel_kind);
  }
};
}  // namespace attention

}  // namespace shardplan::model
