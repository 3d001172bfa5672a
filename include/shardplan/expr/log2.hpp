#pragma once
#include <bit>
#include <concepts>
#include <cstdint>
#include <limits>

#include <shardplan/config.hpp>

namespace shardplan::expr::detail {

/// How a binary floating-point number is laid out, and how many terms of the series below it needs.
template <class Number> struct layout_of;
template <> struct layout_of<double> {
  using bits = std::uint64_t;
  static constexpr int mantissa = 52;
  static constexpr bits bias = 1023;
  static constexpr bits half_root = 0x3fe6a09e667f3bcd;  // sqrt(1/2)
  static constexpr double lift = 0x1p54;
  static constexpr double lifted = 54;
  static constexpr int terms = 11;
};
template <> struct layout_of<float> {
  using bits = std::uint32_t;
  static constexpr int mantissa = 23;
  static constexpr bits bias = 127;
  static constexpr bits half_root = 0x3f3504f3;
  static constexpr float lift = 0x1p25F;
  static constexpr float lifted = 25;
  static constexpr int terms = 6;
};

/// 1 + s/3 + s^2/5 + ..., by Horner's rule.
template <class Number, int Term, int Terms, class Value> SHARDPLAN_FORCE_INLINE constexpr Value atanh_series(Value s) {
  constexpr Number factor = Number(1) / Number(2 * Term + 1);
  if constexpr (Term + 1 == Terms)
    return s * Number(0) + factor;
  else
    return atanh_series<Number, Term + 1, Terms>(s) * s + factor;
}

/// The number, in all lanes of a vector.
template <class Value, class Number> SHARDPLAN_FORCE_INLINE constexpr Value filled(Number number) {
  if constexpr (std::same_as<Value, Number>)
    return number;
  else
    return number - Value{};
}

/// log2, without branches, calls or tables, so that it is the same sequence of operations on one number, on a vector of
/// them and in constant expressions. x = 2^k * m with m from sqrt(1/2) to sqrt(2), and log(m) = 2 atanh((m-1)/(m+1)).
/// Exact at powers of two; within four units in the last place elsewhere. `Value` is a number or a vector of them,
/// `Bits` the unsigned integer or vector of the same size.
template <class Number, class Value, class Bits> SHARDPLAN_FORCE_INLINE constexpr Value log2_without_branches(Value x) {
  using layout = layout_of<Number>;
  using bits_of_one_number = typename layout::bits;
  constexpr auto whole = static_cast<Number>(bits_of_one_number{1} << layout::mantissa);
  constexpr auto one_bits = std::bit_cast<bits_of_one_number>(Number(1));
  constexpr auto whole_bits = std::bit_cast<bits_of_one_number>(whole);
  constexpr auto two_over_ln2 = Number(2.885390081777926814719849362003784069L);
  constexpr Number infinity = std::numeric_limits<Number>::infinity();
  Value const zero{};

  auto const subnormal = x < filled<Value>(std::numeric_limits<Number>::min());
  Value const normal = x * (subnormal ? filled<Value>(layout::lift) : filled<Value>(Number(1)));
  Bits const bits = std::bit_cast<Bits>(normal);
  Bits const exponent = (bits - layout::half_root + one_bits) >> layout::mantissa;
  Value const mantissa = std::bit_cast<Value>(bits - (exponent << layout::mantissa) + one_bits);
  // The exponent as a number: put into the mantissa of a large one.
  Value const biased = std::bit_cast<Value>(exponent | whole_bits) - (whole + Number(layout::bias));
  Value const unlifted = biased - layout::lifted;
  Value const k = subnormal ? unlifted : biased;
  Value const ratio = (mantissa - Number(1)) / (mantissa + Number(1));
  Value const result = k + two_over_ln2 * ratio * atanh_series<Number, 0, layout::terms>(ratio * ratio);

  Value const nothing = filled<Value>(std::numeric_limits<Number>::quiet_NaN());
  Value const below = filled<Value>(-infinity);
  Value const of_large = x < filled<Value>(infinity) ? result : x;  // infinity, or no number
  Value const of_zero = x == zero ? below : nothing;
  Value const of_small = x == x ? of_zero : x;
  return x > zero ? of_large : of_small;
}

}  // namespace shardplan::expr::detail
