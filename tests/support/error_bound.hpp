#pragma once
#include <cmath>
#include <limits>
#include <type_traits>

#include <shardplan/expr.hpp>

/// Running error analysis: how far the roundings of an evaluation can take its value from another evaluation of the
/// same formula, with fused operations, another library or another order of sums and products. A test that compares two
/// evaluations needs this bound: one that is relative to the result is wrong where large values cancel.
namespace support {

/// A value and a bound of its absolute error. Where an error may change which way a step or a branch goes, the bound is
/// infinite: nothing can be said.
struct with_error {
  double value = 0;
  double error = 0;

  constexpr with_error() = default;
  constexpr with_error(double exact) : value(exact) {}
  constexpr with_error(double of_value, double of_error) : value(of_value), error(of_error) {}

  static constexpr double unit = std::numeric_limits<double>::epsilon();
  /// Below the normal numbers errors are not relative.
  static constexpr double tiny = std::numeric_limits<double>::denorm_min();
  static constexpr double unknown = std::numeric_limits<double>::infinity();

  friend with_error operator+(with_error left, with_error right) { return sum(left, right, left.value + right.value); }
  friend with_error operator-(with_error left, with_error right) { return sum(left, right, left.value - right.value); }
  friend with_error operator*(with_error left, with_error right) {
    double const value = left.value * right.value;
    return {value, std::fabs(left.value) * right.error + std::fabs(right.value) * left.error +
                       left.error * right.error + unit * std::fabs(value) + tiny};
  }
  friend with_error operator/(with_error left, with_error right) {
    double const value = left.value / right.value;
    double const divisor = std::fabs(right.value) - right.error;
    if (!(divisor > 0))
      return {value, unknown};
    return {value, (left.error + std::fabs(value) * right.error) / divisor + unit * std::fabs(value) + tiny};
  }
  friend with_error minimum(with_error left, with_error right) {
    return nearest(left, right, shardplan::expr::minimum(left.value, right.value));
  }
  friend with_error maximum(with_error left, with_error right) {
    return nearest(left, right, shardplan::expr::maximum(left.value, right.value));
  }
  friend with_error ceiling(with_error operand) { return step(operand, std::ceil(operand.value)); }
  friend with_error floor_of(with_error operand) { return step(operand, std::floor(operand.value)); }
  friend with_error logarithm2(with_error operand) {
    double const value = std::log2(operand.value);
    double const least = operand.value - operand.error;
    if (!(least > 0))
      return {value, unknown};
    return {value, 1.5 * operand.error / least + 4 * unit * std::fabs(value) + tiny};
  }
  friend with_error power(with_error base, with_error exponent) {
    double const value = std::pow(base.value, exponent.value);
    if (base.value == 0 && base.error == 0 && exponent.error == 0)
      return {value, 0};
    if (!(base.value > 2 * base.error) || exponent.error > 0.01)
      return {value, unknown};
    double const by_base = std::fabs(exponent.value * value / base.value) * base.error;
    double const by_exponent = std::fabs(value * std::log(base.value)) * exponent.error;
    return {value, 4 * (by_base + by_exponent) + 8 * unit * std::fabs(value) + tiny};
  }
  friend with_error choose(with_error condition, with_error value, with_error otherwise) {
    with_error const chosen = condition.value > 0 ? value : otherwise;
    return {chosen.value, decided(condition) ? chosen.error : unknown};
  }

 private:
  static with_error sum(with_error left, with_error right, double value) {
    // The operands' own size: x + (y - z) may be evaluated as (x + y) - z.
    return {value, left.error + right.error + unit * (std::fabs(left.value) + std::fabs(right.value))};
  }
  static with_error nearest(with_error left, with_error right, double value) {
    if (std::fabs(left.value - right.value) > left.error + right.error)
      return {value, value == left.value ? left.error : right.error};
    return {value, std::fmax(left.error, right.error)};
  }
  static with_error step(with_error operand, double value) {
    bool const far = std::fabs(operand.value - std::nearbyint(operand.value)) > 2 * operand.error;
    return {value, operand.error == 0 || far ? 0 : unknown};
  }
  static bool decided(with_error condition) {
    return condition.error == 0 || std::fabs(condition.value) > condition.error;
  }
};

/// Reads numbers with bounds of their errors.
template <class Environment> class error_reader : public shardplan::expr::arithmetic_reader<with_error> {
 public:
  using number_type = double;

  explicit error_reader(Environment const& environment) : environment_(environment) {}

  Environment const& environment() const { return environment_; }
  template <class Inner> error_reader<Inner> in(Inner const& inner) const { return error_reader<Inner>{inner}; }

  template <class Literal> with_error literal() const {
    constexpr double value = Literal::template value<double>;
    return Literal::denominator == 1 ? with_error{value} : with_error{value, with_error::unit * std::fabs(value)};
  }
  template <class Tag> with_error symbol() const { return shardplan::expr::value_of<Tag>(environment_); }
  template <class Node, class... Operands> with_error call(Operands const&... operands) const {
    return shardplan::expr::value_of<typename Node::tag>(environment_)(operands...);
  }

 private:
  Environment const& environment_;
};

/// How far two evaluations of the expression can be apart; infinite or NaN where nothing can be said.
template <shardplan::expr::expression Expression, class Environment>
double error_bound(Expression expression, Environment const& environment) {
  return 4 * with_error(read(expression, error_reader<Environment>{environment})).error;
}

}  // namespace support
