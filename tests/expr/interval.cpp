#include <limits>
#include <tuple>

#include <doctest/doctest.h>

#include <shardplan/expr.hpp>
#include <shardplan/expr/interval.hpp>

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

}  // namespace
