#pragma once
#include <shardplan/cost/symbol.hpp>
#include <shardplan/expr/operators.hpp>

/// Times of collectives on a group of n devices, alpha-beta: alpha is the latency of one step, `bandwidth` the bus
/// bandwidth. Bandwidth terms are those of ring algorithms, which move the least data a collective can; latency terms
/// are those of recursive doubling (Thakur, Rabenseifner, Gropp 2005, Int. J. High Perf. Comp. Appl. 19(1), sections
/// 3-4). Both vanish for n = 1.
namespace shardplan::cost {

/// Bytes that each device sends, by collective: factors of the message (Anthony et al. 2024, arXiv 2408.10197).
template <expr::expression Group> constexpr auto all_reduce_volume(Group n) {
  constexpr expr::literal<1> one{};
  constexpr expr::literal<2> two{};
  return two * (one - one / n);
}
template <expr::expression Group> constexpr auto all_gather_volume(Group n) {
  constexpr expr::literal<1> one{};
  return one - one / n;
}

/// A device receives the (n-1)/n of `bytes` that it does not hold.
template <expr::expression Bytes, expr::expression Group, expr::expression Latency, expr::expression Bandwidth>
constexpr auto all_gather_time(Bytes bytes, Group n, Latency alpha, Bandwidth bandwidth) {
  return alpha * log2(n) + all_gather_volume(n) * bytes / bandwidth;
}

/// As much as an all-gather, in the other direction.
template <expr::expression Bytes, expr::expression Group, expr::expression Latency, expr::expression Bandwidth>
constexpr auto reduce_scatter_time(Bytes bytes, Group n, Latency alpha, Bandwidth bandwidth) {
  return all_gather_time(bytes, n, alpha, bandwidth);
}

/// A reduce-scatter and an all-gather.
template <expr::expression Bytes, expr::expression Group, expr::expression Latency, expr::expression Bandwidth>
constexpr auto all_reduce_time(Bytes bytes, Group n, Latency alpha, Bandwidth bandwidth) {
  constexpr expr::literal<2> two{};
  return two * alpha * log2(n) + all_reduce_volume(n) * bytes / bandwidth;
}

/// One message.
template <expr::expression Bytes, expr::expression Latency, expr::expression Bandwidth>
constexpr auto point_to_point_time(Bytes bytes, Latency alpha, Bandwidth bandwidth) {
  return alpha + bytes / bandwidth;
}

}  // namespace shardplan::cost
