#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <stdexcept>

#include <boost/numeric/interval.hpp>

#include <doctest/doctest.h>

#include <shardplan/expr.hpp>
#include <shardplan/expr/interval.hpp>

#include <support/numbers.hpp>
#include <support/random_expression.hpp>
#include <support/symbols.hpp>

// Boost.Interval as an oracle for the reading "interval". It rounds ends outwards by the processor's rounding modes,
// the library by widening them: what Boost encloses must be enclosed, and by little more.
namespace {

using namespace shardplan;
using namespace expr::literals;
using namespace support;

/// Boost's directed rounding, and no more than that: compilers move arithmetic across a change of the rounding mode,
/// but not across volatile reads and writes.
struct ordered_rounding : boost::numeric::interval_lib::rounded_arith_std<double> {
  using number = double volatile const;
  double add_down(double a, double b) {
    return down(a, b, [](number& x, number& y) { return x + y; });
  }
  double add_up(double a, double b) {
    return up(a, b, [](number& x, number& y) { return x + y; });
  }
  double sub_down(double a, double b) {
    return down(a, b, [](number& x, number& y) { return x - y; });
  }
  double sub_up(double a, double b) {
    return up(a, b, [](number& x, number& y) { return x - y; });
  }
  double mul_down(double a, double b) {
    return down(a, b, [](number& x, number& y) { return x * y; });
  }
  double mul_up(double a, double b) {
    return up(a, b, [](number& x, number& y) { return x * y; });
  }
  double div_down(double a, double b) {
    return down(a, b, [](number& x, number& y) { return x / y; });
  }
  double div_up(double a, double b) {
    return up(a, b, [](number& x, number& y) { return x / y; });
  }

 private:
  template <class Function> double down(double a, double b, Function function) {
    downward();
    return in_mode(a, b, function);
  }
  template <class Function> double up(double a, double b, Function function) {
    upward();
    return in_mode(a, b, function);
  }
  template <class Function> static double in_mode(double a, double b, Function function) {
    number left = a, right = b;
    number result = function(left, right);
    return result;
  }
};
using directed = boost::numeric::interval<
    double, boost::numeric::interval_lib::policies<boost::numeric::interval_lib::save_state<ordered_rounding>,
                                                   boost::numeric::interval_lib::checking_strict<double>>>;

/// One unit in the last place outwards; what is zero is exact, log2(1) or a power of 0.
directed outwards(double low, double high) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  return {low == 0 ? low : std::nextafter(low, -infinity), high == 0 ? high : std::nextafter(high, infinity)};
}
/// A function that rises, by the long double library: its result rounded to double is right to one unit.
template <class Function> directed rising(directed operand, Function function) {
  return outwards(static_cast<double>(function(static_cast<long double>(operand.lower()))),
                  static_cast<double>(function(static_cast<long double>(operand.upper()))));
}

/// The value type of a reading with Boost's arithmetic.
struct boost_interval {
  directed ends;

  boost_interval() = default;
  boost_interval(double point) : ends(point) {}
  boost_interval(directed of_ends) : ends(of_ends) {}

  friend boost_interval operator+(boost_interval left, boost_interval right) { return left.ends + right.ends; }
  friend boost_interval operator-(boost_interval left, boost_interval right) { return left.ends - right.ends; }
  friend boost_interval operator*(boost_interval left, boost_interval right) { return left.ends * right.ends; }
  friend boost_interval operator/(boost_interval left, boost_interval right) { return left.ends / right.ends; }
  friend boost_interval minimum(boost_interval left, boost_interval right) { return min(left.ends, right.ends); }
  friend boost_interval maximum(boost_interval left, boost_interval right) { return max(left.ends, right.ends); }
  friend boost_interval ceiling(boost_interval operand) {
    return directed{std::ceil(operand.ends.lower()), std::ceil(operand.ends.upper())};
  }
  friend boost_interval floor_of(boost_interval operand) {
    return directed{std::floor(operand.ends.lower()), std::floor(operand.ends.upper())};
  }
  friend boost_interval logarithm2(boost_interval operand) {
    return rising(operand.ends, [](long double value) { return std::log2(value); });
  }
  friend boost_interval power(boost_interval base, boost_interval exponent) {
    boost_interval const at_low = rising_or_falling(base.ends, exponent.ends.lower());
    boost_interval const at_high = rising_or_falling(base.ends, exponent.ends.upper());
    return hull(at_low.ends, at_high.ends);
  }
  template <int Exponent> friend boost_interval whole_power_of(boost_interval base) {
    if constexpr (Exponent < 0)
      return directed(1.0) / pow(base.ends, -Exponent);
    else
      return pow(base.ends, Exponent);
  }
  friend boost_interval choose(boost_interval condition, boost_interval value, boost_interval otherwise) {
    if (condition.ends.lower() > 0)
      return value;
    if (!(condition.ends.upper() > 0))
      return otherwise;
    return hull(value.ends, otherwise.ends);
  }

 private:
  static boost_interval rising_or_falling(directed base, double exponent) {
    auto const power_of = [&](double value) {
      return static_cast<double>(std::pow(static_cast<long double>(value), static_cast<long double>(exponent)));
    };
    double const first = power_of(std::fmax(base.lower(), 0)), last = power_of(base.upper());
    return outwards(std::fmin(first, last), std::fmax(first, last));
  }
};

/// Reads with Boost's arithmetic; like the library's reading it knows from the types what is not negative.
template <class Environment> class boost_reader {
 public:
  using value_type = boost_interval;

  explicit boost_reader(Environment const& environment) : environment_(environment) {}

  template <class Literal> boost_interval literal() const {
    return boost_interval{static_cast<double>(Literal::numerator)} /
           boost_interval{static_cast<double>(Literal::denominator)};
  }
  template <class Tag> boost_interval symbol() const {
    auto const range = expr::detail::as_interval<double>(expr::value_of<Tag>(environment_));
    return directed{range.low, range.high};
  }
  template <class Node, class... Operands> boost_interval apply(Operands... operands) const {
    boost_interval const result = typename Node::operation{}(operands...);
    if (!expr::non_negative<Node> || result.ends.lower() >= 0)
      return result;
    return directed{0, std::fmax(0, result.ends.upper())};
  }

 private:
  Environment const& environment_;
};

/// Nothing where Boost knows no quotient, by exactly zero.
template <class Expression, class Environment>
[[gnu::noinline]] std::optional<directed> by_boost(Expression expression, Environment const& environment) {
  try {
    return expr::read(expression, boost_reader<Environment>{environment}).ends;
  } catch (std::runtime_error const&) {
    return std::nullopt;
  }
}
template <class Expression, class Environment>
[[gnu::noinline]] expr::interval<double> by_library(Expression expression, Environment const& environment) {
  return expr::enclose(expression, environment);
}

auto random_ranges(generator& random) {
  double const width = random.one_of(0.0, 1e-12, 0.1, 1.0, 4.0);
  auto const around = [&](double low, double high) {
    double const value = random.real(low, high);
    return expr::interval<double>{value, value + width * random.real(0, 1)};
  };
  auto const positive = [&] { return around(0.2, 8); };
  return expr::environment{x = positive(), y = positive(), z = around(0, 5), u = around(-6, 6),
                           M = positive(), W = positive(), T = positive(),   B = positive()};
}

TEST_CASE("the oracle rounds outwards") {
  generator random{300};
  int apart = 0;
  for (int round = 0; round < 1000; ++round) {
    double const a = random.real(-10, 10), b = random.real(0.1, 10);
    auto const check = [&](directed found, long double value) {
      CHECK(static_cast<long double>(found.lower()) <= value);
      CHECK(value <= static_cast<long double>(found.upper()));
      CHECK(found.upper() <= std::nextafter(found.lower(), std::numeric_limits<double>::infinity()));
      apart += found.lower() < found.upper() ? 1 : 0;
    };
    auto const wide = [](double value) { return static_cast<long double>(value); };
    check(directed(a) + directed(b), wide(a) + wide(b));
    check(directed(a) * directed(b), wide(a) * wide(b));
    check(directed(a) / directed(b), wide(a) / wide(b));
  }
  CHECK(apart > 2000);
}

TEST_CASE("what Boost encloses is enclosed") {
  generator random{301};
  int checked = 0;
  for_each_random_expression<10, 5, operations_only, 2001>([&](auto expression, std::uint64_t seed) {
    CAPTURE(seed);
    for (int round = 0; round < 200; ++round) {
      auto const ranges = random_ranges(random);
      auto const found = by_boost(expression, ranges);
      if (!found)
        continue;
      directed const boost = *found;
      auto const ours = by_library(expression, ranges);
      CAPTURE(ours.low);
      CAPTURE(ours.high);
      CAPTURE(boost.lower());
      CAPTURE(boost.upper());
      checked += 1;
      if (!(ours.low <= boost.lower() && boost.upper() <= ours.high))
        FAIL_CHECK("the library's interval holds Boost's");
    }
  });
  CHECK(checked > 10 * 150);
}

/// Roundings of one operation add up in sums and products of what is not negative; a formula of depth 5 with third
/// powers stays far below this.
constexpr double stated_slack = 1e-12;

TEST_CASE("of sums and products that are not negative no more is enclosed than by Boost") {
  generator random{302};
  int checked = 0;
  for_each_random_expression<10, 5, sums_and_products, 3001>([&](auto expression, std::uint64_t seed) {
    static_assert(expr::non_negative<decltype(expression)>);
    CAPTURE(seed);
    for (int round = 0; round < 200; ++round) {
      auto const ranges = random_ranges(random);
      auto const found = by_boost(expression, ranges);
      if (!found)
        continue;
      directed const boost = *found;
      auto const ours = by_library(expression, ranges);
      CAPTURE(ours.low);
      CAPTURE(ours.high);
      CAPTURE(boost.lower());
      CAPTURE(boost.upper());
      checked += 1;
      if (!(ours.low >= boost.lower() * (1 - stated_slack) && ours.high <= boost.upper() * (1 + stated_slack)))
        FAIL_CHECK("the library's interval is as narrow as Boost's");
    }
  });
  CHECK(checked == 10 * 200);
}

}  // namespace
