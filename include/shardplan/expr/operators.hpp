#pragma once
#include <numeric>
#include <shardplan/expr/operation.hpp>

/// How expressions are written. Neutral elements and products of literals fold at once, so that a strategy that changes
/// nothing leaves the formula as it was. A mistake selects a deleted overload whose name, operands and broken concept
/// stand in the compiler's one-line error; `requires { left + right; }` stays a usable question.
namespace shardplan::expr {

namespace detail {
/// The literal Numerator / Denominator in lowest terms.
template <long long Numerator, long long Denominator, class Dimension> constexpr auto reduced_literal() {
  constexpr long long common = std::gcd(Numerator, Denominator);
  return literal<Numerator / common, Denominator / common, Dimension>{};
}
template <class Left, class Right, class Dimension> constexpr auto quotient_of_literals() {
  return reduced_literal<Left::numerator * Right::denominator, Left::denominator * Right::numerator, Dimension>();
}
}  // namespace detail

/// The names under which the compiler reports a mistake.
struct operands_must_have_the_same_dimension;
struct operand_must_be_dimensionless;
struct divisor_must_not_be_the_literal_zero;
struct base_of_a_power_must_be_dimensionless_and_not_negative;
struct select_needs_a_dimensionless_condition_and_branches_of_the_same_dimension;

template <expression Left, expression Right>
  requires same_dimension<Left, Right>
constexpr auto operator+(Left, Right) {
  if constexpr (is_zero<Left>)
    return Right{};
  else if constexpr (is_zero<Right>)
    return Left{};
  else if constexpr (is_literal<Left> && is_literal<Right>)
    return detail::reduced_literal<Left::numerator * Right::denominator + Right::numerator * Left::denominator,
                                   Left::denominator * Right::denominator, typename Left::dimension>();
  else
    return node<operation::add, Left, Right>{};
}
/// Operands of different dimensions do not add.
template <expression Left, expression Right>
  requires(!same_dimension<Left, Right>)
operands_must_have_the_same_dimension operator+(Left, Right) = delete;

template <expression Left, expression Right>
  requires same_dimension<Left, Right>
constexpr auto operator-(Left, Right) {
  if constexpr (is_zero<Right>)
    return Left{};
  else if constexpr (is_literal<Left> && is_literal<Right>)
    return detail::reduced_literal<Left::numerator * Right::denominator - Right::numerator * Left::denominator,
                                   Left::denominator * Right::denominator, typename Left::dimension>();
  else
    return node<operation::subtract, Left, Right>{};
}
/// Operands of different dimensions do not subtract.
template <expression Left, expression Right>
  requires(!same_dimension<Left, Right>)
operands_must_have_the_same_dimension operator-(Left, Right) = delete;

template <expression Left, expression Right> constexpr auto operator*(Left, Right) {
  using dimension = unit::product_dimension<typename Left::dimension, typename Right::dimension>;
  if constexpr (is_zero<Left> || is_zero<Right>)
    return literal<0, 1, dimension>{};
  else if constexpr (is_one<Left>)
    return Right{};
  else if constexpr (is_one<Right>)
    return Left{};
  else if constexpr (is_literal<Left> && is_literal<Right>)
    return detail::reduced_literal<Left::numerator * Right::numerator, Left::denominator * Right::denominator,
                                   dimension>();
  else
    return node<operation::multiply, Left, Right>{};
}

template <expression Left, expression Right>
  requires(!is_zero<Right>)
constexpr auto operator/(Left, Right) {
  using dimension = unit::quotient_dimension<typename Left::dimension, typename Right::dimension>;
  if constexpr (is_zero<Left>)
    return literal<0, 1, dimension>{};
  else if constexpr (is_one<Right>)
    return Left{};
  else if constexpr (is_literal<Left> && is_literal<Right> && implies(Right::sign, sign::positive))
    return detail::quotient_of_literals<Left, Right, dimension>();
  else
    return node<operation::divide, Left, Right>{};
}
/// Division by the literal zero.
template <expression Left, expression Right>
  requires is_zero<Right>
divisor_must_not_be_the_literal_zero operator/(Left, Right) = delete;

template <expression Left, expression Right>
  requires same_dimension<Left, Right>
constexpr auto min(Left, Right) {
  return node<operation::min, Left, Right>{};
}
template <expression Left, expression Right>
  requires(!same_dimension<Left, Right>)
operands_must_have_the_same_dimension min(Left, Right) = delete;

template <expression Left, expression Right>
  requires same_dimension<Left, Right>
constexpr auto max(Left, Right) {
  if constexpr (is_zero<Left> && non_negative<Right>)
    return Right{};
  else if constexpr (is_zero<Right> && non_negative<Left>)
    return Left{};
  else
    return node<operation::max, Left, Right>{};
}
template <expression Left, expression Right>
  requires(!same_dimension<Left, Right>)
operands_must_have_the_same_dimension max(Left, Right) = delete;
template <expression First, expression Second, expression... More>
  requires(sizeof...(More) > 0)
constexpr auto max(First first, Second second, More... more) {
  return max(max(first, second), more...);
}

template <expression Operand>
  requires dimensionless<Operand>
constexpr auto ceil(Operand) {
  return node<operation::ceil, Operand>{};
}
template <expression Operand>
  requires(!dimensionless<Operand>)
operand_must_be_dimensionless ceil(Operand) = delete;

template <expression Operand>
  requires dimensionless<Operand>
constexpr auto floor(Operand) {
  return node<operation::floor, Operand>{};
}
template <expression Operand>
  requires(!dimensionless<Operand>)
operand_must_be_dimensionless floor(Operand) = delete;

template <expression Operand>
  requires dimensionless<Operand>
constexpr auto log2(Operand) {
  return node<operation::log2, Operand>{};
}
template <expression Operand>
  requires(!dimensionless<Operand>)
operand_must_be_dimensionless log2(Operand) = delete;

namespace detail {
/// A whole number that a power is worth unrolling for.
template <class Type> inline constexpr bool is_whole_exponent = false;
template <long long Exponent>
inline constexpr bool is_whole_exponent<literal<Exponent, 1, unit::count_dimension>> =
    -64 <= Exponent && Exponent <= 64;
template <class Base, class Exponent>
concept general_power = dimensionless<Base> && dimensionless<Exponent> && non_negative<Base>;
}  // namespace detail

/// `pow(h, 2_n)`: a power with a whole exponent, of a base of any dimension.
template <expression Base, expression Exponent>
  requires detail::is_whole_exponent<Exponent>
constexpr auto pow(Base, Exponent) {
  if constexpr (Exponent::numerator == 0)
    return literal<1>{};
  else if constexpr (Exponent::numerator == 1)
    return Base{};
  else
    return node<operation::whole_power<static_cast<int>(Exponent::numerator)>, Base>{};
}
/// A power with any other exponent: both are plain numbers, and the base is not negative.
template <expression Base, expression Exponent>
  requires(!detail::is_whole_exponent<Exponent> && detail::general_power<Base, Exponent>)
constexpr auto pow(Base, Exponent) {
  return node<operation::pow, Base, Exponent>{};
}
template <expression Base, expression Exponent>
  requires(!detail::is_whole_exponent<Exponent> && !detail::general_power<Base, Exponent>)
base_of_a_power_must_be_dimensionless_and_not_negative pow(Base, Exponent) = delete;

template <expression Operand> constexpr auto positive_part(Operand) {
  if constexpr (non_negative<Operand>)
    return Operand{};
  else
    return node<operation::positive_part, Operand>{};
}

/// `value` where `condition` is above zero, else `otherwise`. Both are read.
template <expression Condition, expression Value, expression Otherwise>
  requires(dimensionless<Condition> && same_dimension<Value, Otherwise>)
constexpr auto select(Condition, Value, Otherwise) {
  return node<operation::select, Condition, Value, Otherwise>{};
}
template <expression Condition, expression Value, expression Otherwise>
  requires(!(dimensionless<Condition> && same_dimension<Value, Otherwise>))
select_needs_a_dimensionless_condition_and_branches_of_the_same_dimension select(Condition, Value, Otherwise) = delete;

/// The units as expressions: `2_n * byte` is two bytes.
inline constexpr literal<1, 1, unit::byte_dimension> byte{};
inline constexpr literal<1, 1, unit::flop_dimension> flop{};
inline constexpr literal<1, 1, unit::time_dimension> second{};

namespace literals {
namespace detail {
struct decimal {
  long long numerator = 0;
  long long denominator = 1;
  bool valid = true;
};
template <char... Digits> consteval decimal parse_decimal() {
  decimal result;
  bool fraction = false;
  for (char const digit : {Digits...}) {
    if (digit == '\'')
      continue;
    if (digit == '.') {
      fraction = true;
      continue;
    }
    if (digit < '0' || digit > '9') {
      result.valid = false;
      return result;
    }
    result.numerator = result.numerator * 10 + (digit - '0');
    if (fraction)
      result.denominator *= 10;
  }
  return result;
}
}  // namespace detail

/// A number in a formula: `24_n / t`, `0.5_n * s`.
template <char... Digits> consteval auto operator""_n() {
  constexpr detail::decimal value = detail::parse_decimal<Digits...>();
  static_assert(value.valid, "literal _n: a number in a formula is written with digits and a decimal point");
  return expr::detail::reduced_literal<value.numerator, value.denominator, unit::count_dimension>();
}
}  // namespace literals

}  // namespace shardplan::expr
