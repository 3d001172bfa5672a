#pragma once
#include <shardplan/model/description.hpp>

/// How many keys a query sees on average, as a number: what masks and windows leave of the sequence.
namespace shardplan::model {

/// Keys that a query could see without a causal mask.
constexpr double keys_in_window(double sequence_length, double window) {
  return window > 0 && window < sequence_length ? window : sequence_length;
}

/// Keys that a query sees on average under a causal mask, in a window of w keys (0: no window):
/// a query at position i sees min(i + 1, w) keys.
constexpr double causal_keys(double sequence_length, double window) {
  double const s = sequence_length;
  double const w = keys_in_window(s, window);
  return w - w * (w - 1) / (2 * s);
}

namespace detail {
/// The average over the chunks that a sequence is cut into, the last of which may be shorter.
template <class KeysInChunk> constexpr double over_chunks(double sequence_length, double chunk, KeysInChunk keys) {
  double const whole = static_cast<double>(static_cast<long long>(sequence_length / chunk));
  double const rest = sequence_length - whole * chunk;
  return (whole * chunk * keys(chunk) + (rest > 0 ? rest * keys(rest) : 0)) / sequence_length;
}
}  // namespace detail

/// Keys that a query of this shape sees on average.
constexpr double keys_seen(block_shape const& shape, double sequence_length) {
  if (shape.causal == 0)
    return keys_in_window(sequence_length, shape.window);
  if (shape.chunk > 0)
    return detail::over_chunks(sequence_length, shape.chunk, [](double chunk) { return causal_keys(chunk, 0); });
  return causal_keys(sequence_length, shape.window);
}

/// The same without the causal mask.
constexpr double keys_in_reach(block_shape const& shape, double sequence_length) {
  if (shape.chunk > 0)
    return detail::over_chunks(sequence_length, shape.chunk, [](double chunk) { return chunk; });
  return keys_in_window(sequence_length, shape.window);
}

}  // namespace shardplan::model
