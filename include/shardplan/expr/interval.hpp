#pragma once
#include <concepts>
#include <limits>

#include <shardplan/config.hpp>
#include <shardplan/expr/environment.hpp>
#include <shardplan/expr/math.hpp>
#include <shardplan/expr/operation.hpp>
#include <shardplan/expr/read.hpp>

/// The reading "interval": some symbols are known, of others only a range; the result encloses every value that the
/// expression can take. This is the bound that branch and bound prunes with.
namespace shardplan::expr {

/// All numbers from `low` to `high`, both included.
template <std::floating_point Number> struct interval {
  Number low{};
  Number high{};

  constexpr interval() = default;
  constexpr interval(Number point) : low(point), high(point) {}
  constexpr interval(Number from, Number to) : low(from), high(to) {}

  constexpr bool contains(Number value) const { return low <= value && value <= high; }
};

namespace detail {

/// One rounding changes a result by at most half of this share; ends are moved outwards by the whole.
template <class Number> inline constexpr Number outward = std::numeric_limits<Number>::epsilon();

template <class Number> SHARDPLAN_FORCE_INLINE constexpr interval<Number> widened(Number low, Number high) {
  Number const below = low < 0 ? -low : low;
  Number const above = high < 0 ? -high : high;
  return {low - below * outward<Number>, high + above * outward<Number>};
}
/// The same, of ends that are not negative.
template <class Number>
SHARDPLAN_FORCE_INLINE constexpr interval<Number> widened_non_negative(Number low, Number high) {
  return {low * (1 - outward<Number>), high * (1 + outward<Number>)};
}

/// 0 * infinity is 0 here: an end at infinity stands for numbers that are large, not for infinity itself.
template <class Number> constexpr Number product(Number left, Number right) {
  return left == 0 || right == 0 ? Number(0) : left * right;
}

}  // namespace detail

template <class Number> constexpr interval<Number> operator+(interval<Number> left, interval<Number> right) {
  return detail::widened(left.low + right.low, left.high + right.high);
}
template <class Number> constexpr interval<Number> operator-(interval<Number> left, interval<Number> right) {
  return detail::widened(left.low - right.high, left.high - right.low);
}
template <class Number> constexpr interval<Number> operator*(interval<Number> left, interval<Number> right) {
  using detail::product;
  Number const a = product(left.low, right.low), b = product(left.low, right.high);
  Number const c = product(left.high, right.low), d = product(left.high, right.high);
  return detail::widened(minimum(minimum(a, b), minimum(c, d)), maximum(maximum(a, b), maximum(c, d)));
}
/// A divisor that may be zero gives all numbers.
template <class Number> constexpr interval<Number> operator/(interval<Number> left, interval<Number> right) {
  constexpr Number infinity = std::numeric_limits<Number>::infinity();
  if (right.low <= 0 && right.high >= 0)
    return {-infinity, infinity};
  Number const a = left.low / right.low, b = left.low / right.high;
  Number const c = left.high / right.low, d = left.high / right.high;
  return detail::widened(minimum(minimum(a, b), minimum(c, d)), maximum(maximum(a, b), maximum(c, d)));
}
template <class Number> constexpr interval<Number> minimum(interval<Number> left, interval<Number> right) {
  return {minimum(left.low, right.low), minimum(left.high, right.high)};
}
template <class Number> constexpr interval<Number> maximum(interval<Number> left, interval<Number> right) {
  return {maximum(left.low, right.low), maximum(left.high, right.high)};
}
template <class Number> constexpr interval<Number> ceiling(interval<Number> operand) {
  return {ceiling(operand.low), ceiling(operand.high)};
}
template <class Number> constexpr interval<Number> floor_of(interval<Number> operand) {
  return {floor_of(operand.low), floor_of(operand.high)};
}
/// Of an operand that may be zero or less, from minus infinity on. The library function is taken to be right to four
/// units in the last place.
template <class Number> constexpr interval<Number> logarithm2(interval<Number> operand) {
  constexpr Number infinity = std::numeric_limits<Number>::infinity();
  constexpr Number slack = 4 * detail::outward<Number>;
  Number const high = operand.high > 0 ? logarithm2(operand.high) : -infinity;
  Number const low = operand.low > 0 ? logarithm2(operand.low) : -infinity;
  auto const magnitude = [](Number value) { return value < 0 ? -value : value; };
  return {low == -infinity ? low : low - magnitude(low) * slack, high + magnitude(high) * slack};
}
/// Both branches where the condition is not decided.
template <class Number>
constexpr interval<Number> choose(interval<Number> condition, interval<Number> value, interval<Number> otherwise) {
  if (condition.low > 0)
    return value;
  if (!(condition.high > 0))
    return otherwise;
  return {minimum(value.low, otherwise.low), maximum(value.high, otherwise.high)};
}

namespace detail {

template <class Node> inline constexpr bool of_non_negative_operands = false;
template <class Operation, class... Operands>
inline constexpr bool of_non_negative_operands<node<Operation, Operands...>> = (non_negative<Operands> && ...);

template <class Number, class Value> constexpr interval<Number> as_interval(Value const& value) {
  return {static_cast<Number>(value)};
}
template <class Number, class Value> constexpr interval<Number> as_interval(interval<Value> const& value) {
  return {static_cast<Number>(value.low), static_cast<Number>(value.high)};
}

}  // namespace detail

/// Reads intervals. Where the types say that no operand is negative a product takes two multiplications, not four.
template <class Environment, class Number = double> class interval_reader {
 public:
  using value_type = interval<Number>;

  constexpr explicit interval_reader(Environment const& environment) : environment_(environment) {}

  template <class Literal> SHARDPLAN_FORCE_INLINE constexpr value_type literal() const {
    // A ratio of whole numbers is rounded once.
    constexpr Number value = Literal::template value<Number>;
    constexpr bool whole = Literal::denominator == 1;
    return whole ? value_type{value} : detail::widened(value, value);
  }
  template <class Tag> SHARDPLAN_FORCE_INLINE constexpr value_type symbol() const {
    return detail::as_interval<Number>(value_of<Tag>(environment_));
  }
  template <class Node, class... Operands>
  SHARDPLAN_FORCE_INLINE constexpr value_type apply(Operands const&... operands) const {
    using applied = typename Node::operation;
    if constexpr (detail::of_non_negative_operands<Node> && std::same_as<applied, operation::multiply>)
      return multiply(operands...);
    else if constexpr (detail::of_non_negative_operands<Node> && std::same_as<applied, operation::divide>)
      return divide(operands...);
    else if constexpr (detail::of_non_negative_operands<Node> && std::same_as<applied, operation::add>)
      return add(operands...);
    else
      return applied{}(operands...);
  }

 private:
  static constexpr value_type add(value_type left, value_type right) {
    return detail::widened_non_negative(left.low + right.low, left.high + right.high);
  }
  static constexpr value_type multiply(value_type left, value_type right) {
    return detail::widened_non_negative(detail::product(left.low, right.low), detail::product(left.high, right.high));
  }
  static constexpr value_type divide(value_type left, value_type right) {
    constexpr Number infinity = std::numeric_limits<Number>::infinity();
    Number const low = right.high == infinity ? Number(0) : left.low / right.high;
    Number const high = right.low > 0 ? left.high / right.low : infinity;
    return detail::widened_non_negative(low, high);
  }

  Environment const& environment_;
};

/// What an expression can be when symbols are bound to numbers or to `interval`s. Every value that the number reading
/// can give for numbers in the ranges lies in it. Symbols declared positive or non-negative must be bound accordingly.
template <class Number = double, expression Expression, class Environment>
SHARDPLAN_FORCE_INLINE constexpr interval<Number> enclose(Expression expression, Environment const& environment) {
  return read(expression, interval_reader<Environment, Number>{environment});
}

}  // namespace shardplan::expr
