#pragma once
#include <compare>
#include <concepts>
#include <type_traits>

#include <shardplan/unit/dimension.hpp>

namespace shardplan::unit {

/// A number with a dimension, held in the base unit: bytes, FLOP, seconds and their quotients.
///
/// Quantities of different dimensions neither add nor compare nor convert. A dimensionless quantity converts to and
/// from its number. All operations are constexpr and cost what the plain number costs.
template <class Dimension, class Number = double> struct quantity {
  using dimension = Dimension;
  using number_type = Number;

  Number value{};

  constexpr quantity() = default;
  constexpr explicit quantity(Number number) : value(number) {}
  constexpr quantity(Number number)
    requires std::same_as<Dimension, count_dimension>
      : value(number) {}
  constexpr operator Number() const
    requires std::same_as<Dimension, count_dimension>
  {
    return value;
  }

  constexpr quantity& operator+=(quantity other) {
    value += other.value;
    return *this;
  }
  constexpr quantity& operator-=(quantity other) {
    value -= other.value;
    return *this;
  }
  constexpr quantity& operator*=(Number factor) {
    value *= factor;
    return *this;
  }

  // Dimensionless quantities calculate and compare as the numbers that they convert to, also with plain numbers.
  friend constexpr quantity operator+(quantity left, quantity right)
    requires(!std::same_as<Dimension, count_dimension>)
  {
    return quantity{left.value + right.value};
  }
  friend constexpr quantity operator-(quantity left, quantity right)
    requires(!std::same_as<Dimension, count_dimension>)
  {
    return quantity{left.value - right.value};
  }
  friend constexpr quantity operator-(quantity operand)
    requires(!std::same_as<Dimension, count_dimension>)
  {
    return quantity{-operand.value};
  }
  friend constexpr bool operator==(quantity left, quantity right)
    requires(!std::same_as<Dimension, count_dimension>)
  {
    return left.value == right.value;
  }
  friend constexpr auto operator<=>(quantity left, quantity right)
    requires(!std::same_as<Dimension, count_dimension>)
  {
    return left.value <=> right.value;
  }
};

template <class Left, class Right, class Number>
constexpr auto operator*(quantity<Left, Number> left, quantity<Right, Number> right) {
  return quantity<product_dimension<Left, Right>, Number>{left.value * right.value};
}
template <class Left, class Right, class Number>
constexpr auto operator/(quantity<Left, Number> left, quantity<Right, Number> right) {
  return quantity<quotient_dimension<Left, Right>, Number>{left.value / right.value};
}

template <class Dimension, class Number>
constexpr auto operator*(quantity<Dimension, Number> left, std::type_identity_t<Number> right)
  requires(!std::same_as<Dimension, count_dimension>)
{
  return quantity<Dimension, Number>{left.value * right};
}
template <class Dimension, class Number>
constexpr auto operator*(std::type_identity_t<Number> left, quantity<Dimension, Number> right)
  requires(!std::same_as<Dimension, count_dimension>)
{
  return quantity<Dimension, Number>{left * right.value};
}
template <class Dimension, class Number>
constexpr auto operator/(quantity<Dimension, Number> left, std::type_identity_t<Number> right)
  requires(!std::same_as<Dimension, count_dimension>)
{
  return quantity<Dimension, Number>{left.value / right};
}

using count = quantity<count_dimension>;
using bytes = quantity<byte_dimension>;
using flop = quantity<flop_dimension>;
using seconds = quantity<time_dimension>;
using bytes_per_second = quantity<bandwidth_dimension>;
using flop_per_second = quantity<flop_rate_dimension>;

/// GiB = 2^30 bytes, GB = 10^9 bytes; the two are never mixed without a label.
inline constexpr double kibi = 1024.0;
inline constexpr double mebi = kibi * 1024.0;
inline constexpr double gibi = mebi * 1024.0;
inline constexpr double tebi = gibi * 1024.0;
inline constexpr double mega = 1e6;
inline constexpr double giga = 1e9;
inline constexpr double tera = 1e12;

constexpr double in_gib(bytes amount) { return amount.value / gibi; }

}  // namespace shardplan::unit
