#pragma once
#include <shardplan/unit/quantity.hpp>

/// Literals for quantities: `80_GiB`, `3350_GB_per_s`, `989_TFLOP_per_s`, `5_us`.
namespace shardplan::unit::literals {

constexpr bytes operator""_B(unsigned long long value) { return bytes{static_cast<double>(value)}; }
constexpr bytes operator""_KiB(unsigned long long value) { return bytes{static_cast<double>(value) * kibi}; }
constexpr bytes operator""_MiB(unsigned long long value) { return bytes{static_cast<double>(value) * mebi}; }
constexpr bytes operator""_GiB(unsigned long long value) { return bytes{static_cast<double>(value) * gibi}; }
constexpr bytes operator""_GiB(long double value) { return bytes{static_cast<double>(value) * gibi}; }
constexpr bytes operator""_MB(unsigned long long value) { return bytes{static_cast<double>(value) * mega}; }
constexpr bytes operator""_GB(unsigned long long value) { return bytes{static_cast<double>(value) * giga}; }
constexpr bytes operator""_GB(long double value) { return bytes{static_cast<double>(value) * giga}; }

constexpr flop operator""_FLOP(unsigned long long value) { return flop{static_cast<double>(value)}; }
constexpr flop operator""_TFLOP(unsigned long long value) { return flop{static_cast<double>(value) * tera}; }
constexpr flop operator""_TFLOP(long double value) { return flop{static_cast<double>(value) * tera}; }

constexpr seconds operator""_s(unsigned long long value) { return seconds{static_cast<double>(value)}; }
constexpr seconds operator""_s(long double value) { return seconds{static_cast<double>(value)}; }
constexpr seconds operator""_ms(unsigned long long value) { return seconds{static_cast<double>(value) * 1e-3}; }
constexpr seconds operator""_ms(long double value) { return seconds{static_cast<double>(value) * 1e-3}; }
constexpr seconds operator""_us(unsigned long long value) { return seconds{static_cast<double>(value) * 1e-6}; }
constexpr seconds operator""_us(long double value) { return seconds{static_cast<double>(value) * 1e-6}; }

constexpr bytes_per_second operator""_GB_per_s(unsigned long long value) {
  return bytes_per_second{static_cast<double>(value) * giga};
}
constexpr bytes_per_second operator""_GB_per_s(long double value) {
  return bytes_per_second{static_cast<double>(value) * giga};
}
constexpr flop_per_second operator""_TFLOP_per_s(unsigned long long value) {
  return flop_per_second{static_cast<double>(value) * tera};
}
constexpr flop_per_second operator""_TFLOP_per_s(long double value) {
  return flop_per_second{static_cast<double>(value) * tera};
}

}  // namespace shardplan::unit::literals
