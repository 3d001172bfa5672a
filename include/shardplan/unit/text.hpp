#pragma once
#include <cmath>
#include <cstdio>
#include <string>

#include <shardplan/unit/quantity.hpp>

/// Quantities as people read them. Every text carries its unit; GiB is 2^30 bytes.
namespace shardplan::unit {

namespace detail {
inline std::string formatted(const char* format, double value) {
  char buffer[64];
  std::snprintf(buffer, sizeof buffer, format, value);
  return buffer;
}
}  // namespace detail

/// A plain number with up to seven significant digits; whole numbers below 10^15 with all of theirs.
inline std::string number_text(double value) {
  if (value == std::floor(value) && std::fabs(value) < 1e15)
    return detail::formatted("%.0f", value);
  return detail::formatted("%.7g", value);
}

/// "12.34 GiB"; below a hundredth of a GiB in MiB or bytes.
inline std::string bytes_text(bytes amount) {
  double const size = std::fabs(amount.value);
  if (size >= 10.0 * tebi)
    return detail::formatted("%.2f TiB", amount.value / tebi);
  if (size >= 0.01 * gibi)
    return detail::formatted("%.2f GiB", amount.value / gibi);
  if (size >= 0.01 * mebi)
    return detail::formatted("%.2f MiB", amount.value / mebi);
  return detail::formatted("%.0f B", amount.value);
}

/// "1.234 s", "12.30 ms", "45.60 us".
inline std::string seconds_text(seconds amount) {
  double const size = std::fabs(amount.value);
  if (size >= 1.0)
    return detail::formatted("%.3f s", amount.value);
  if (size >= 1e-3)
    return detail::formatted("%.2f ms", amount.value * 1e3);
  if (size > 0.0)
    return detail::formatted("%.2f us", amount.value * 1e6);
  return "0 s";
}

/// "989.4 TFLOP/s".
inline std::string flop_rate_text(flop_per_second rate) { return detail::formatted("%.1f TFLOP/s", rate.value / tera); }

/// "450.0 GB/s", GB = 10^9 bytes.
inline std::string bandwidth_text(bytes_per_second rate) { return detail::formatted("%.1f GB/s", rate.value / giga); }

/// "12.300 TFLOP", "4.560 PFLOP".
inline std::string flop_text(flop amount) {
  double const size = std::fabs(amount.value);
  if (size >= 1e18)
    return detail::formatted("%.3f EFLOP", amount.value * 1e-18);
  if (size >= 1e15)
    return detail::formatted("%.3f PFLOP", amount.value * 1e-15);
  if (size >= 1e12)
    return detail::formatted("%.3f TFLOP", amount.value * 1e-12);
  if (size >= 1e9)
    return detail::formatted("%.3f GFLOP", amount.value * 1e-9);
  return detail::formatted("%.0f FLOP", amount.value);
}

/// The text of a quantity by its dimension.
inline std::string text(bytes amount) { return bytes_text(amount); }
inline std::string text(seconds amount) { return seconds_text(amount); }
inline std::string text(flop amount) { return flop_text(amount); }
inline std::string text(flop_per_second rate) { return flop_rate_text(rate); }
inline std::string text(bytes_per_second rate) { return bandwidth_text(rate); }
inline std::string text(count amount) { return number_text(amount.value); }

}  // namespace shardplan::unit
