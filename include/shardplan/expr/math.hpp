#pragma once
#include <cmath>
#include <concepts>
#include <type_traits>

#include <shardplan/config.hpp>

/// The functions of the expression language on plain numbers, usable in constant expressions. A value type of another
/// reading brings its own `minimum`, `maximum`, `ceiling`, `floor_of`, `logarithm2` and `choose` as friends.
namespace shardplan::expr {

template <std::floating_point Number> SHARDPLAN_FORCE_INLINE constexpr Number minimum(Number left, Number right) {
  return right < left ? right : left;
}
template <std::floating_point Number> SHARDPLAN_FORCE_INLINE constexpr Number maximum(Number left, Number right) {
  return left < right ? right : left;
}

template <std::floating_point Number> constexpr Number floor_of(Number value) {
  if (!std::is_constant_evaluated())
    return std::floor(value);
  // Every number of this size is whole, and the conversion below would overflow.
  if (!(value > Number(-9.0e18) && value < Number(9.0e18)))
    return value;
  auto const whole = static_cast<Number>(static_cast<long long>(value));
  return whole > value ? whole - Number(1) : whole;
}
template <std::floating_point Number> constexpr Number ceiling(Number value) {
  if (!std::is_constant_evaluated())
    return std::ceil(value);
  return -floor_of(-value);
}

/// log2 of a positive value. In a constant expression: the binary exponent exactly, and the logarithm of the mantissa
/// by the series of the inverse hyperbolic tangent, to the last two bits.
template <std::floating_point Number> constexpr Number logarithm2(Number value) {
  if (!std::is_constant_evaluated())
    return std::log2(value);
  Number exponent = 0;
  while (value >= Number(2)) {
    value /= Number(2);
    exponent += Number(1);
  }
  while (value < Number(1)) {
    value *= Number(2);
    exponent -= Number(1);
  }
  // Around one, so that the logarithm of a value just below one is not a difference of two large parts.
  if (value > Number(1.4142135623730950488L)) {
    value /= Number(2);
    exponent += Number(1);
  }
  if (value == Number(1))
    return exponent;
  Number const ratio = (value - Number(1)) / (value + Number(1));
  Number const square = ratio * ratio;
  Number power = ratio;
  Number sum = 0;
  for (int term = 1; term < 80; term += 2) {
    sum += power / static_cast<Number>(term);
    power *= square;
  }
  constexpr auto two_over_ln2 = Number(2.885390081777926814719849362003784069L);
  return exponent + two_over_ln2 * sum;
}

/// `value` where the condition is above zero, else `otherwise`.
template <std::floating_point Number>
SHARDPLAN_FORCE_INLINE constexpr Number choose(Number condition, Number value, Number otherwise) {
  return condition > Number(0) ? value : otherwise;
}

}  // namespace shardplan::expr
