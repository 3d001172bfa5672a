#include <cmath>
#include <concepts>
#include <cstdint>

#include <boost/math/differentiation/autodiff.hpp>

#include <doctest/doctest.h>

#include <shardplan/expr.hpp>
#include <shardplan/expr/dual.hpp>

#include <support/error_bound.hpp>
#include <support/numbers.hpp>
#include <support/random_expression.hpp>
#include <support/symbols.hpp>

// Boost.Math's automatic differentiation as an oracle for the reading "dual number".
namespace {

using namespace shardplan;
using namespace expr::literals;
using namespace support;

using boost_dual = boost::math::differentiation::autodiff_fvar<double, 1>;

/// The value type of a reading with Boost's arithmetic. Kinks take the library's documented side.
struct boost_value {
  boost_dual dual;

  boost_value() = default;
  boost_value(double constant) : dual(constant) {}
  boost_value(boost_dual const& of_dual) : dual(of_dual) {}
  double value() const { return static_cast<double>(dual); }

  friend boost_value operator+(boost_value const& left, boost_value const& right) { return left.dual + right.dual; }
  friend boost_value operator-(boost_value const& left, boost_value const& right) { return left.dual - right.dual; }
  friend boost_value operator*(boost_value const& left, boost_value const& right) { return left.dual * right.dual; }
  friend boost_value operator/(boost_value const& left, boost_value const& right) { return left.dual / right.dual; }
  friend boost_value minimum(boost_value const& left, boost_value const& right) {
    return right.value() < left.value() ? right : left;
  }
  friend boost_value maximum(boost_value const& left, boost_value const& right) {
    return left.value() < right.value() ? right : left;
  }
  friend boost_value ceiling(boost_value const& operand) { return ceil(operand.dual); }
  friend boost_value floor_of(boost_value const& operand) { return floor(operand.dual); }
  friend boost_value logarithm2(boost_value const& operand) { return log(operand.dual) / std::log(2.0); }
  friend boost_value power(boost_value const& base, boost_value const& exponent) {
    return exp(exponent.dual * log(base.dual));
  }
  template <int Exponent> friend boost_value whole_power_of(boost_value const& base) {
    return pow(base.dual, Exponent);
  }
  friend boost_value choose(boost_value const& condition, boost_value const& value, boost_value const& otherwise) {
    return condition.value() > 0 ? value : otherwise;
  }
};

/// A slope with a bound of its error: the rules of differentiation on numbers with errors.
struct slope_with_error {
  with_error value;
  with_error slope;

  slope_with_error() = default;
  slope_with_error(double constant) : value(constant) {}
  slope_with_error(with_error of_value, with_error of_slope) : value(of_value), slope(of_slope) {}

  using self = slope_with_error;
  friend self operator+(self left, self right) { return {left.value + right.value, left.slope + right.slope}; }
  friend self operator-(self left, self right) { return {left.value - right.value, left.slope - right.slope}; }
  friend self operator*(self left, self right) {
    return {left.value * right.value, left.slope * right.value + right.slope * left.value};
  }
  friend self operator/(self left, self right) {
    with_error const quotient = left.value / right.value;
    return {quotient, left.slope / right.value - quotient * right.slope / right.value};
  }
  friend self minimum(self left, self right) {
    return nearest(left, right, right.value.value < left.value.value ? right : left);
  }
  friend self maximum(self left, self right) {
    return nearest(left, right, left.value.value < right.value.value ? right : left);
  }
  friend self ceiling(self operand) { return {ceiling(operand.value), {0, ceiling(operand.value).error}}; }
  friend self floor_of(self operand) { return {floor_of(operand.value), {0, floor_of(operand.value).error}}; }
  friend self logarithm2(self operand) {
    return {logarithm2(operand.value), operand.slope / (operand.value * with_error{std::log(2.0), with_error::unit})};
  }
  friend self power(self base, self exponent) {
    with_error const value = power(base.value, exponent.value);
    with_error const logarithm = logarithm2(base.value) * with_error{std::log(2.0), with_error::unit};
    return {value, value * (exponent.slope * logarithm + exponent.value * base.slope / base.value)};
  }
  friend self choose(self condition, self value, self otherwise) {
    return {choose(condition.value, value.value, otherwise.value),
            choose(condition.value, value.slope, otherwise.slope)};
  }

 private:
  /// Where rounding may take the other operand, its slope is within the bound too.
  static self nearest(self left, self right, self chosen) {
    if (!(std::fabs(left.value.value - right.value.value) > left.value.error + right.value.error))
      chosen.slope.error =
          std::fmax(left.slope.error, right.slope.error) + std::fabs(left.slope.value - right.slope.value);
    return chosen;
  }
};

/// Reads with one of these value types, and slopes by one symbol.
template <class Value, class Wanted, class Environment> class slope_reader : public expr::arithmetic_reader<Value> {
 public:
  explicit slope_reader(Environment const& environment) : environment_(environment) {}

  template <class Literal> Value literal() const { return Literal::template value<double>; }
  template <class Tag> Value symbol() const {
    double const value = expr::value_of<Tag>(environment_);
    if constexpr (!std::same_as<Tag, Wanted>)
      return value;
    else if constexpr (std::same_as<Value, boost_value>)
      return boost_value{boost::math::differentiation::make_fvar<double, 1>(value)};
    else
      return Value{value, with_error{1}};
  }

 private:
  Environment const& environment_;
};

template <class Value, class Wanted, class Expression, class Environment>
[[gnu::noinline]] Value slope_by(Expression expression, Environment const& environment) {
  return expr::read(expression, slope_reader<Value, Wanted, Environment>{environment});
}

template <class Wanted, class Expression, class Environment>
int check_slope(Expression expression, Environment const& environment, double value, double slope) {
  auto const boost = slope_by<boost_value, Wanted>(expression, environment);
  auto const bound = slope_by<slope_with_error, Wanted>(expression, environment);
  double const of_boost = boost.dual.derivative(1);
  // Where rounding decides which way a step or branch goes there is nothing to compare.
  if (!(bound.slope.error < 1e-3 * (1 + std::fabs(of_boost))))
    return 0;
  CAPTURE(Wanted::name);
  if (!(std::fabs(value - boost.value()) <= 1e-12 * std::fabs(value) + 16 * bound.value.error))
    CHECK(value == boost.value());
  if (!(std::fabs(slope - of_boost) <= 1e-12 * std::fabs(of_boost) + 16 * bound.slope.error))
    CHECK(slope == of_boost);
  return 1;
}

template <class Expression> int check_slopes(Expression expression, generator& random) {
  int checked = 0;
  for (int round = 0; round < 100; ++round) {
    expr::environment const values{x = random.real(0.2, 8), y = random.real(0.2, 8), z = random.real(0.1, 5),
                                   u = random.real(-6, 6),  M = random.real(0.2, 8), W = random.real(0.2, 8),
                                   T = random.real(0.2, 8), B = random.real(0.2, 8)};
    auto const found = expr::differentiate<support::tag::x, support::tag::u>(expression, values);
    checked += check_slope<support::tag::x>(expression, values, found.value, found.slope[0]);
    checked += check_slope<support::tag::u>(expression, values, found.value, found.slope[1]);
  }
  return checked;
}

TEST_CASE("slopes of each operation are those of Boost's automatic differentiation") {
  generator random{400};
  auto const check = [&](auto expression) { CHECK(check_slopes(expression, random) > 190); };
  check(x * u + y - u * u);
  check(u / x + y / (x + u * u));
  check(min(x, y) * max(u, x * z) + positive_part(u - y));
  check(select(u, x * x, y * u) * (ceil(x) + floor(u * y)));
  check(log2(x) * u);
  check(pow(x, 1.5_n) + pow(x * y, 0_n - 0.75_n));
  check(pow(x, u) * y + pow(y, x * u));
  check(pow(u, 3_n) + pow(x, 0_n - 2_n) * pow(u, 4_n));
}

TEST_CASE("slopes of random formulas are those of Boost's automatic differentiation") {
  generator random{401};
  int checked = 0;
  for_each_random_expression<8, 5, operations_only, 4001>([&](auto expression, std::uint64_t seed) {
    CAPTURE(seed);
    checked += check_slopes(expression, random);
  });
  CHECK(checked > 8 * 120);
}

}  // namespace
