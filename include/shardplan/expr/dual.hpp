#pragma once
#include <array>
#include <concepts>
#include <cstddef>

#include <shardplan/config.hpp>
#include <shardplan/expr/environment.hpp>
#include <shardplan/expr/math.hpp>
#include <shardplan/expr/read.hpp>

/// The reading "dual number": the value and its derivatives by chosen symbols. What would 10 % more bandwidth buy?
namespace shardplan::expr {

/// A value and its slopes. At a kink the slope is that of one side: `min` and `max` of equal operands take the first, a
/// step (`ceil`, `floor`) has slope zero, `positive_part` of zero has the slope of its operand, and `select` that of
/// the branch that it takes.
template <std::floating_point Number, std::size_t Count> struct dual {
  Number value{};
  std::array<Number, Count> slope{};

  constexpr dual() = default;
  constexpr dual(Number constant) : value(constant) {}
};

namespace detail {
/// The value with slopes left * by_left + right * by_right, the chain rule.
template <class Number, std::size_t Count>
SHARDPLAN_FORCE_INLINE constexpr dual<Number, Count> chained(Number value, dual<Number, Count> const& left,
                                                             Number by_left, dual<Number, Count> const& right,
                                                             Number by_right) {
  dual<Number, Count> result{value};
  for (std::size_t index = 0; index < Count; ++index)
    result.slope[index] = left.slope[index] * by_left + right.slope[index] * by_right;
  return result;
}
/// The same of one operand. What does not move adds nothing, also where the factor is infinite.
template <class Number, std::size_t Count>
SHARDPLAN_FORCE_INLINE constexpr dual<Number, Count> chained(Number value, dual<Number, Count> const& operand,
                                                             Number by_operand) {
  dual<Number, Count> result{value};
  for (std::size_t index = 0; index < Count; ++index)
    result.slope[index] = operand.slope[index] == 0 ? Number(0) : operand.slope[index] * by_operand;
  return result;
}
}  // namespace detail

template <class Number, std::size_t Count>
constexpr dual<Number, Count> operator+(dual<Number, Count> const& left, dual<Number, Count> const& right) {
  return detail::chained(left.value + right.value, left, Number(1), right, Number(1));
}
template <class Number, std::size_t Count>
constexpr dual<Number, Count> operator-(dual<Number, Count> const& left, dual<Number, Count> const& right) {
  return detail::chained(left.value - right.value, left, Number(1), right, Number(-1));
}
template <class Number, std::size_t Count>
constexpr dual<Number, Count> operator*(dual<Number, Count> const& left, dual<Number, Count> const& right) {
  return detail::chained(left.value * right.value, left, right.value, right, left.value);
}
template <class Number, std::size_t Count>
constexpr dual<Number, Count> operator/(dual<Number, Count> const& left, dual<Number, Count> const& right) {
  Number const quotient = left.value / right.value;
  return detail::chained(quotient, left, Number(1) / right.value, right, -quotient / right.value);
}
template <class Number, std::size_t Count>
constexpr dual<Number, Count> minimum(dual<Number, Count> const& left, dual<Number, Count> const& right) {
  return right.value < left.value ? right : left;
}
template <class Number, std::size_t Count>
constexpr dual<Number, Count> maximum(dual<Number, Count> const& left, dual<Number, Count> const& right) {
  return left.value < right.value ? right : left;
}
template <class Number, std::size_t Count> constexpr dual<Number, Count> ceiling(dual<Number, Count> const& operand) {
  return {ceiling(operand.value)};
}
template <class Number, std::size_t Count> constexpr dual<Number, Count> floor_of(dual<Number, Count> const& operand) {
  return {floor_of(operand.value)};
}
template <class Number, std::size_t Count>
constexpr dual<Number, Count> logarithm2(dual<Number, Count> const& operand) {
  constexpr auto inverse_of_ln2 = Number(1.442695040888963407359924681001892137L);
  return detail::chained(logarithm2(operand.value), operand, inverse_of_ln2 / operand.value);
}
/// The slope by the exponent is taken where the base is above zero; at zero it is 0.
template <class Number, std::size_t Count>
constexpr dual<Number, Count> power(dual<Number, Count> const& base, dual<Number, Count> const& exponent) {
  constexpr auto ln2 = Number(0.693147180559945309417232121458176568L);
  Number const value = power(base.value, exponent.value);
  Number const by_base = exponent.value == 0 ? Number(0) : exponent.value * power(base.value, exponent.value - 1);
  Number const by_exponent = base.value > 0 ? value * logarithm2(base.value) * ln2 : Number(0);
  return detail::chained(value, base, by_base) + detail::chained(Number(0), exponent, by_exponent);
}
template <class Number, std::size_t Count>
constexpr dual<Number, Count> choose(dual<Number, Count> const& condition, dual<Number, Count> const& value,
                                     dual<Number, Count> const& otherwise) {
  return condition.value > Number(0) ? value : otherwise;
}

/// Reads values with slopes by the symbols of `Tags`, in that order.
template <class Environment, class Number, class... Tags>
class dual_reader : public arithmetic_reader<dual<Number, sizeof...(Tags)>> {
 public:
  using value_type = dual<Number, sizeof...(Tags)>;
  using number_type = Number;

  constexpr explicit dual_reader(Environment const& environment) : environment_(environment) {}

  constexpr Environment const& environment() const { return environment_; }
  template <class Inner> constexpr dual_reader<Inner, Number, Tags...> in(Inner const& inner) const {
    return dual_reader<Inner, Number, Tags...>{inner};
  }

  template <class Literal> SHARDPLAN_FORCE_INLINE constexpr value_type literal() const {
    return {Literal::template value<Number>};
  }
  template <class Tag> SHARDPLAN_FORCE_INLINE constexpr value_type symbol() const {
    using bound = std::remove_cvref_t<decltype(value_of<Tag>(environment_))>;
    if constexpr (std::same_as<bound, value_type>) {
      return value_of<Tag>(environment_);  // the value of a `let` or a sum so far
    } else {
      value_type result{static_cast<Number>(value_of<Tag>(environment_))};
      std::size_t index = 0;
      ((result.slope[index++] = std::same_as<Tag, Tags> ? Number(1) : Number(0)), ...);
      return result;
    }
  }
  /// The function's slopes by its operands, chained.
  template <class Node, class... Operands>
  SHARDPLAN_FORCE_INLINE constexpr value_type call(Operands const&... operands) const {
    auto const& callable = value_of<typename Node::tag>(environment_);
    auto const slopes = callable.slopes(operands.value...);
    value_type result{static_cast<Number>(callable(operands.value...))};
    std::size_t position = 0;
    auto const add = [&](value_type const& operand) {
      for (std::size_t index = 0; index < sizeof...(Tags); ++index)
        result.slope[index] += operand.slope[index] * static_cast<Number>(slopes[position]);
      ++position;
    };
    (add(operands), ...);
    return result;
  }

 private:
  Environment const& environment_;
};

/// The value of an expression and its derivatives by the symbols with these tags, in base units.
template <class... Tags, expression Expression, class Environment>
SHARDPLAN_FORCE_INLINE constexpr dual<double, sizeof...(Tags)> differentiate(Expression expression,
                                                                             Environment const& environment) {
  return read(expression, dual_reader<Environment, double, Tags...>{environment});
}

}  // namespace shardplan::expr
