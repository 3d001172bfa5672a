#include <cmath>
#include <limits>
#include <span>
#include <tuple>

#include <doctest/doctest.h>

#include <shardplan/expr.hpp>
#include <shardplan/expr/interval.hpp>

#include "support/elements.hpp"
#include "support/numbers.hpp"
#include "support/symbols.hpp"

// The reading "interval": every value that numbers from the ranges can give lies in what is enclosed.

namespace {

using namespace shardplan;
using namespace support;
using namespace expr::literals;
using expr::interval;

/// Formulas with every operation, over x, y > 0, z >= 0 and u of any sign.
constexpr auto formulas() {
  return std::tuple{x + y * z,
                    x - y,
                    (x - y) * u,
                    u * u - x * u,
                    x / y + z / (1_n + y),
                    u / (x + 1_n),
                    1_n - 1_n / x,
                    2_n * (1_n - 1_n / x) * y * z / (x + y),
                    min(x, y) * max(z, 0.3_n),
                    max(x, y, z) - min(u, x),
                    ceil(x / y) * floor(y) + z,
                    log2(x) * u,
                    log2(x + y) / x,
                    positive_part(x - y * z),
                    select(x - y, x * z, u),
                    select(u, x, y + 5_n),
                    x * x * x / (y * y) + 34_n * z * x * (10_n + 24_n / y)};
}

template <class Formula> void check_enclosure(Formula formula, generator& random) {
  for (int box = 0; box < 200; ++box) {
    auto const range = [&](double low, double high) {
      double const a = random.real(low, high), b = random.chance(0.2) ? a : random.real(low, high);
      return interval<double>{std::fmin(a, b), std::fmax(a, b)};
    };
    auto const xs = range(0.01, 50), ys = range(0.01, 50), zs = random.chance(0.2) ? interval<double>{0} : range(0, 20);
    auto const us = range(-30, 30);
    auto const enclosed = expr::enclose(formula, expr::environment{x = xs, y = ys, z = zs, u = us});
    for (int point = 0; point < 40; ++point) {
      // Ends of the ranges are where bounds are missed.
      auto const within = [&](interval<double> range) {
        return random.one_of(range.low, range.high, std::fmin(range.high, random.real(range.low, range.high)));
      };
      double const value =
          expr::evaluate(formula, expr::environment{x = within(xs), y = within(ys), z = within(zs), u = within(us)});
      CHECK(enclosed.contains(value));
    }
  }
}

TEST_CASE("the number reading at any point of a box lies in the interval reading of the box") {
  generator random{2026};
  std::apply([&](auto... formula) { (check_enclosure(formula, random), ...); }, formulas());
}

TEST_CASE("at a point the enclosure is a few units in the last place wide") {
  generator random{7};
  for (int round = 0; round < 500; ++round) {
    expr::environment const point{x = random.real(0.5, 50), y = random.real(0.5, 50), z = random.real(0.5, 20)};
    auto const check = [&](auto formula) {
      auto const enclosed = expr::enclose(formula, point);
      double const value = expr::evaluate(formula, point);
      CHECK(enclosed.contains(value));
      CHECK(close(enclosed.low, enclosed.high, 1e-13));
    };
    check(x * y * z / (x + y));
    check(x * (10_n + 24_n / y) + max(y, z));
    check(log2(x + y + 2_n) * z);
  }
}

TEST_CASE("mixed environments, dimensions and constants") {
  // Some symbols are numbers, some are ranges.
  constexpr auto time =
      expr::enclose(M / B + 2_n * T, expr::environment{M = interval<double>{100, 200}, B = 10.0, T = 1});
  static_assert(time.low <= 12 && time.low > 11.999999 && time.high >= 22 && time.high < 22.000001);
  // What does not depend on a range stays exact.
  constexpr auto whole = expr::enclose(max(3_n, x), expr::environment{x = interval<double>{1, 2}});
  static_assert(whole.low == 3 && whole.high == 3);
  // An undecided condition keeps both branches, a decided one the right one.
  auto const choice = [](interval<double> condition) {
    return expr::enclose(select(u, x, y), expr::environment{u = condition, x = 1.0, y = 5.0});
  };
  CHECK(choice({1, 2}).high == 1);
  CHECK(choice({-2, 0}).low == 5);
  CHECK(choice({-1, 1}).low == 1);
  CHECK(choice({-1, 1}).high == 5);
}

TEST_CASE("division by a range that may be zero, and infinite ends") {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  auto const general = expr::enclose(u / (x - y), expr::environment{u = 1.0, x = interval<double>{1, 3}, y = 2.0});
  CHECK(general.low == -infinity);
  CHECK(general.high == infinity);
  auto const positive = expr::enclose(x / z, expr::environment{x = 6.0, z = interval<double>{0, 2}});
  CHECK(positive.low == doctest::Approx(3));
  CHECK(positive.high == infinity);
  auto const unbounded = expr::enclose(x * z, expr::environment{x = interval<double>{1, infinity}, z = 0.0});
  CHECK(unbounded.low == 0);
  CHECK(unbounded.high == 0);
  auto const inverse = expr::enclose(y / x, expr::environment{y = 4.0, x = interval<double>{2, infinity}});
  CHECK(inverse.low == 0);
  CHECK(inverse.high == doctest::Approx(2));
}

TEST_CASE("powers, and powers of what may be zero") {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  auto const of = [](auto formula, interval<double> range) {
    return expr::enclose(formula, expr::environment{x = range, z = range, u = range});
  };
  CHECK(of(pow(u, 2_n), {-2, 3}).low == 0);
  CHECK(of(pow(u, 2_n), {-2, 3}).high == doctest::Approx(9));
  CHECK(of(pow(u, 3_n), {-2, 3}).low == doctest::Approx(-8));
  CHECK(of(pow(z, 0.5_n), {0, 4}).low == 0);
  CHECK(of(pow(z, 0.5_n), {0, 4}).high == doctest::Approx(2));
  CHECK(of(pow(z, 0_n - 0.5_n), {0, 4}).low == doctest::Approx(0.5));
  CHECK(of(pow(z, 0_n - 0.5_n), {0, 4}).high == infinity);
  CHECK(of(pow(x, 0_n - 2_n), {2, 4}).low == doctest::Approx(1.0 / 16));
  CHECK(of(pow(x, 0_n - 2_n), {2, 4}).high == doctest::Approx(0.25));
  // Of what is not below zero, an inverse power is not below zero either.
  CHECK(of(pow(z, 0_n - 2_n), {0, 4}).low == doctest::Approx(1.0 / 16));
  CHECK(of(pow(z, 0_n - 2_n), {0, 4}).high == infinity);
}

TEST_CASE("functions: each operand in its direction, nothing known where there is no value") {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  auto const enclosed =
      expr::enclose(contention(x, y), expr::environment{x = interval<double>{1, 2}, y = interval<double>{10, 20},
                                                        contention = opposing{}});
  CHECK(enclosed.low == doctest::Approx(2 * 1 - 3 * 20));
  CHECK(enclosed.high == doctest::Approx(2 * 2 - 3 * 10));
  // infinity / (1 + infinity) is no number
  auto const at_infinity =
      expr::enclose(efficiency(x), expr::environment{x = interval<double>{1, infinity}, efficiency = saturating{}});
  CHECK(at_infinity.low == doctest::Approx(0.5));
  CHECK(at_infinity.high == infinity);
}

TEST_CASE("overflow, and quotients of infinite ends") {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  constexpr double largest = std::numeric_limits<double>::max();
  auto const contains_infinity = [&](interval<double> enclosed) {
    return enclosed.low <= largest && enclosed.high == infinity;
  };
  expr::environment const large{x = 1e300, y = interval<double>{1e300, largest}, u = interval<double>{1e300, largest}};
  CHECK(contains_infinity(expr::enclose(x * y, large)));
  CHECK(contains_infinity(expr::enclose(u * u, large)));
  CHECK(contains_infinity(expr::enclose(pow(u, 3_n), large)));
  CHECK(contains_infinity(expr::enclose(pow(y, x / x + 0.5_n), large)));
  CHECK(contains_infinity(expr::enclose(log2(x * y), large)));
  // An end that overflowed is not infinity for good: the difference has a range.
  auto const difference = expr::enclose(x * y - x * y, large);
  CHECK(difference.contains(0));
  CHECK(expr::enclose(x - x * y, large).low == -infinity);
  auto const quotient = expr::enclose(
      u / x, expr::environment{u = interval<double>{-infinity, infinity}, x = interval<double>{1, infinity}});
  CHECK(quotient.low == -infinity);
  CHECK(quotient.high == infinity);
  auto const negative = expr::enclose(u / (u - 10_n), expr::environment{u = interval<double>{-infinity, 1}});
  CHECK(negative.contains(0.999));
  CHECK(negative.contains(-1.0 / 9));
}

TEST_CASE("products of every pair of ends, zero and infinity among them, lie in the product of the ranges") {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  double const ends[] = {-infinity, -1e200, -2, -1e-200, 0, 4.9e-324, 1, 1e200, infinity};
  for (double const a : ends)
    for (double const b : ends)
      for (double const c : ends)
        for (double const d : ends) {
          if (a > b || c > d)
            continue;
          auto const product = interval<double>{a, b} * interval<double>{c, d};
          CHECK(product.low <= product.high);
          for (double const left : {a, b, 1.5, -1.5})
            for (double const right : {c, d, 1.5, -1.5})
              if (a <= left && left <= b && c <= right && right <= d && left * right == left * right)
                CHECK(product.contains(left * right));
        }
}

TEST_CASE("division by exactly zero, and symbols that are no number") {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  constexpr double nothing = std::numeric_limits<double>::quiet_NaN();
  auto const by_zero = expr::enclose(x / z, expr::environment{x = 2.0, z = 0.0});
  CHECK(by_zero.low > 1e308);
  CHECK(by_zero.high == infinity);
  auto const zero_by_zero = expr::enclose(z / z, expr::environment{z = 0.0});
  CHECK(zero_by_zero.low == 0);
  CHECK(zero_by_zero.high == infinity);
  auto const any_by_zero = expr::enclose(u / (x - x), expr::environment{u = 1.0, x = 2.0});
  CHECK(any_by_zero.low == -infinity);
  CHECK(any_by_zero.high == infinity);
  auto const of_nothing = expr::enclose(x + u, expr::environment{x = 1.0, u = nothing});
  CHECK(!of_nothing.contains(1));
  CHECK(std::isnan(of_nothing.low));
  CHECK(std::isnan(of_nothing.high));
}

TEST_CASE("what is made of no elements") {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  expr::environment const none{x = interval<double>{1, 2}, expr::each<stage> = std::span<stage_values const>{}};
  auto const of = [&](auto formula) { return expr::enclose(formula, none); };
  CHECK(of(expr::over<stage>(expr::sum, T)).high == 0);
  CHECK(of(expr::over<stage>(expr::largest, T)).high == 0);
  CHECK(of(expr::over<stage>(expr::smallest, T)).low == infinity);
  CHECK(of(x / expr::over<stage>(expr::smallest, y)).low == 0);
  CHECK(of(x / expr::over<stage>(expr::smallest, y)).high == 0);
}

}  // namespace
