#pragma once
#include <cmath>
#include <concepts>
#include <limits>
#include <type_traits>

#include <shardplan/config.hpp>
#include <shardplan/expr/log2.hpp>

/// The functions of the expression language on plain numbers, usable in constant expressions. A value type of another
/// reading brings its own `minimum`, `maximum`, `ceiling`, `floor_of`, `logarithm2`, `power` and `choose`.
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

/// log2, the same to the last bit in constant expressions, at run time and in packs: minus infinity at 0, no number
/// below.
template <std::floating_point Number> SHARDPLAN_FORCE_INLINE constexpr Number logarithm2(Number value) {
  using bits = typename detail::layout_of<Number>::bits;
  return detail::log2_without_branches<Number, Number, bits>(value);
}

/// 2 to a power. In a constant expression: the whole part exactly, and the rest by the series of the exponential.
template <std::floating_point Number> constexpr Number exponential2(Number exponent) {
  if (!std::is_constant_evaluated())
    return std::exp2(exponent);
  // Beyond these every format has overflowed or vanished.
  if (exponent > Number(20000))
    return std::numeric_limits<Number>::infinity();
  if (exponent < Number(-20000))
    return Number(0);
  Number const whole = floor_of(exponent + Number(0.5));
  constexpr auto ln2 = Number(0.693147180559945309417232121458176568L);
  Number const rest = (exponent - whole) * ln2;
  Number term = 1, sum = 1;
  for (int index = 1; index < 40; ++index) {
    term *= rest / static_cast<Number>(index);
    sum += term;
  }
  Number const factor = whole < 0 ? Number(0.5) : Number(2);
  for (Number left = whole < 0 ? -whole : whole; left > 0; left -= Number(1))
    sum *= factor;
  return sum;
}

/// A base that is not negative to any power; pow(0, 0) is 1.
template <std::floating_point Number> constexpr Number power(Number base, Number exponent) {
  if (!std::is_constant_evaluated())
    return std::pow(base, exponent);
  if (exponent == Number(0))
    return Number(1);
  if (base == Number(0))
    return exponent > Number(0) ? Number(0) : std::numeric_limits<Number>::infinity();
  return exponential2(exponent * logarithm2(base));
}

/// A whole power by repeated squaring, the same operations in every reading. A negative power is the inverse of the
/// positive one.
template <int Exponent, class Value> SHARDPLAN_FORCE_INLINE constexpr Value whole_power_of(Value base) {
  if constexpr (Exponent < 0)
    return Value(1) / whole_power_of<-Exponent>(base);
  else if constexpr (Exponent == 0)
    return Value(1);
  else if constexpr (Exponent == 1)
    return base;
  else if constexpr (Exponent % 2 == 0) {
    Value const half = whole_power_of<Exponent / 2>(base);
    return half * half;
  } else {
    return whole_power_of<Exponent - 1>(base) * base;
  }
}

/// `value` where the condition is above zero, else `otherwise`.
template <std::floating_point Number>
SHARDPLAN_FORCE_INLINE constexpr Number choose(Number condition, Number value, Number otherwise) {
  return condition > Number(0) ? value : otherwise;
}

}  // namespace shardplan::expr
