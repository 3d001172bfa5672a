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

/// "1.234 s", "12.30 ms", "45.60 us"; below 10 ns in nanoseconds.
inline std::string seconds_text(seconds amount) {
  double const size = std::fabs(amount.value);
  if (size >= 1.0)
    return detail::formatted("%.3f s", amount.value);
  if (size >= 1e-3)
    return detail::formatted("%.2f ms", amount.value * 1e3);
  if (size >= 1e-8)
    return detail::formatted("%.2f us", amount.value * 1e6);
  if (size > 0.0)
    return detail::formatted("%.3g ns", amount.value * 1e9);
  return "0 s";
}

/// "989.4 TFLOP/s"; below a tenth of that unit in GFLOP/s.
inline std::string flop_rate_text(flop_per_second rate) {
  double const size = std::fabs(rate.value);
  if (size >= 0.1 * tera || size == 0.0)
    return detail::formatted("%.1f TFLOP/s", rate.value / tera);
  return detail::formatted("%.4g GFLOP/s", rate.value / giga);
}

/// "450.0 GB/s", GB = 10^9 bytes; below a tenth of that unit in MB/s.
inline std::string bandwidth_text(bytes_per_second rate) {
  double const size = std::fabs(rate.value);
  if (size >= 0.1 * giga || size == 0.0)
    return detail::formatted("%.1f GB/s", rate.value / giga);
  return detail::formatted("%.4g MB/s", rate.value / mega);
}

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

/// A value in base units as people read it, by the exponents of its dimension: "12.34 GiB", "450.0 GB/s"; of a
/// dimension without a text of its own the number with its base units, "3 /s", "2 B s".
inline std::string quantity_text(double value, int byte, int flop, int second) {
  auto const is = [&](int bytes, int flops, int seconds) {
    return byte == bytes && flop == flops && second == seconds;
  };
  if (is(1, 0, 0))
    return bytes_text(bytes{value});
  if (is(0, 0, 1))
    return seconds_text(seconds{value});
  if (is(0, 1, 0))
    return flop_text(unit::flop{value});
  if (is(0, 1, -1))
    return flop_rate_text(flop_per_second{value});
  if (is(1, 0, -1))
    return bandwidth_text(bytes_per_second{value});
  std::string above, below;
  auto const add = [&](const char* name, int exponent) {
    std::string& list = exponent < 0 ? below : above;
    int const power = exponent < 0 ? -exponent : exponent;
    if (power == 0)
      return;
    if (exponent < 0 || !list.empty())
      list += exponent < 0 ? "/" : " ";
    list += power == 1 ? std::string(name) : name + ("^" + std::to_string(power));
  };
  add("B", byte);
  add("FLOP", flop);
  add("s", second);
  return number_text(value) + (above.empty() && below.empty() ? "" : " ") + above + below;
}

/// The text of a quantity by its dimension.
inline std::string text(bytes amount) { return bytes_text(amount); }
inline std::string text(seconds amount) { return seconds_text(amount); }
inline std::string text(flop amount) { return flop_text(amount); }
inline std::string text(flop_per_second rate) { return flop_rate_text(rate); }
inline std::string text(bytes_per_second rate) { return bandwidth_text(rate); }
inline std::string text(count amount) { return number_text(amount.value); }

}  // namespace shardplan::unit
