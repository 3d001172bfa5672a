#include <array>
#include <limits>
#include <span>
#include <tuple>

#include <doctest/doctest.h>

#include <shardplan/expr.hpp>
#include <shardplan/expr/dual.hpp>

#include "support/elements.hpp"
#include "support/numbers.hpp"
#include "support/symbols.hpp"

// The reading "dual number": derivatives, against finite differences.

namespace {

using namespace shardplan;
using namespace support;
using namespace expr::literals;

constexpr auto smooth_formulas() {
  return std::tuple{x + y * z,
                    x * x - 3_n * x * y,
                    x / y + z / (1_n + y),
                    1_n - 1_n / x,
                    2_n * (1_n - 1_n / x) * y * z / (x + y),
                    log2(x) * y,
                    log2(x + y) / x,
                    x * x * x / (y * y) + 34_n * z * x * (10_n + 24_n / y)};
}

/// The derivative by central differences with two step sizes that must agree; `usable` is false where they do not.
struct difference {
  double slope;
  bool usable;
};
template <class Read> difference differences(Read read, double at) {
  auto const with_step = [&](double step) { return (read(at + step) - read(at - step)) / (2 * step); };
  double const wide = with_step(1e-4 * at), narrow = with_step(5e-5 * at);
  return {(4 * narrow - wide) / 3, std::fabs(wide - narrow) <= 1e-6 * (1 + std::fabs(narrow))};
}

template <class Formula> int check_slopes(Formula formula, generator& random) {
  int checked = 0;
  for (int round = 0; round < 200; ++round) {
    double const a = random.real(0.5, 20), b = random.real(0.5, 20), c = random.real(0.5, 20);
    auto const found = expr::differentiate<tag::x, tag::y, tag::z>(formula, expr::environment{x = a, y = b, z = c});
    auto const value = [&](double by_x, double by_y, double by_z) -> double {
      return expr::evaluate(formula, expr::environment{x = by_x, y = by_y, z = by_z});
    };
    CHECK(found.value == value(a, b, c));
    difference const expected[]{differences([&](double at) { return value(at, b, c); }, a),
                                differences([&](double at) { return value(a, at, c); }, b),
                                differences([&](double at) { return value(a, b, at); }, c)};
    for (std::size_t index = 0; index < 3; ++index)
      if (expected[index].usable) {
        ++checked;
        double const scale = 1 + std::fabs(expected[index].slope) + std::fabs(found.value);
        CHECK(std::fabs(found.slope[index] - expected[index].slope) <= 1e-6 * scale);
      }
  }
  return checked;
}

TEST_CASE("slopes equal finite differences") {
  generator random{11};
  int const checked =
      std::apply([&](auto... formula) { return (0 + ... + check_slopes(formula, random)); }, smooth_formulas());
  CHECK(checked > 4000);
}

TEST_CASE("at kinks the documented side is taken") {
  auto const slope = [](auto formula, double a, double b) {
    return expr::differentiate<tag::x>(formula, expr::environment{x = a, y = b}).slope[0];
  };
  CHECK(slope(max(x, y), 2, 1) == 1);
  CHECK(slope(max(x, y), 1, 2) == 0);
  CHECK(slope(max(x, y), 1, 1) == 1);  // the first of equals
  CHECK(slope(max(y, x), 1, 1) == 0);
  CHECK(slope(min(x, y), 1, 1) == 1);
  CHECK(slope(ceil(x) * y, 1.5, 3) == 0);
  CHECK(slope(floor(x) * y, 2, 3) == 0);
  CHECK(slope(positive_part(x - y), 2, 1) == 1);
  CHECK(slope(positive_part(x - y), 1, 2) == 0);
  CHECK(slope(positive_part(x - y), 1, 1) == 1);
  CHECK(slope(select(x - y, 3_n * x, y), 2, 1) == 3);
  CHECK(slope(select(x - y, 3_n * x, y), 1, 2) == 0);
}

TEST_CASE("what 10 % more bandwidth buys, in a constant expression") {
  constexpr auto time = expr::differentiate<tag::bandwidth>(M / B + T, expr::environment{M = 100.0, B = 10.0, T = 1.0});
  static_assert(time.value == 11);
  static_assert(time.slope[0] == -1);
  // to first order 10 % of 10 bytes/s saves one second
  static_assert(time.slope[0] * 0.1 * 10 == -1);
}

TEST_CASE("powers, named values, elements and functions") {
  std::array<stage_values, 2> const stages{stage_values{y = 2.0, T = 1.0}, stage_values{y = 5.0, T = 4.0}};
  expr::environment const values{x = 3.0,
                                 y = 2.0,
                                 z = 4.0,
                                 expr::each<stage> = std::span<stage_values const>(stages),
                                 efficiency = saturating{},
                                 contention = opposing{}};
  auto const slope = [&](auto formula) { return expr::differentiate<tag::x>(formula, values).slope[0]; };
  CHECK(slope(pow(x, 3_n)) == 27);
  CHECK(slope(pow(x, 0_n - 1_n)) == doctest::Approx(-1.0 / 9));
  CHECK(slope(pow(x, 1.5_n)) == doctest::Approx(1.5 * std::sqrt(3.0)));
  CHECK(slope(pow(z, x)) == doctest::Approx(64 * std::log(4.0)));
  CHECK(slope(let(v, x * z, v * v)) == 2 * 12 * 4);
  CHECK(slope(expr::over<stage>(expr::sum, x * x * y)) == 6 * 7);
  CHECK(slope(expr::over<stage>(expr::largest, x * y - expr::earlier<stage>(x))) == 4);
  CHECK(slope(efficiency(x)) == 1.0 / 16);
  CHECK(slope(contention(x * x, x)) == 2 * 6 - 3);
}

TEST_CASE("a power of zero has slopes by what else is in the formula") {
  auto const found = expr::differentiate<tag::x, tag::z>(x * pow(z, 0.5_n) + x, expr::environment{x = 2.0, z = 0.0});
  CHECK(found.value == 2);
  CHECK(found.slope[0] == 1);
  CHECK(found.slope[1] == std::numeric_limits<double>::infinity());
  CHECK(expr::differentiate<tag::x>(pow(z, x), expr::environment{x = 2.0, z = 0.0}).slope[0] == 0);
}

TEST_CASE("where the value is not finite: division by zero, overflow, no number") {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  constexpr double nothing = std::numeric_limits<double>::quiet_NaN();
  auto const at = [](auto formula, double a, double b) {
    return expr::differentiate<tag::x>(formula, expr::environment{x = a, u = b});
  };
  // The value is that of the number reading; the slope is what the rules give, infinite or no number.
  CHECK(at(x / u, 1, 0).value == infinity);
  CHECK(!std::isfinite(at(x / u, 1, 0).slope[0]));
  CHECK(at(x * x, 1e200, 0).value == infinity);
  CHECK(at(x * x, 1e200, 0).slope[0] == 2e200);
  CHECK(std::isnan(at(x * u, 1, nothing).value));
  CHECK(std::isnan(at(x * u, 1, nothing).slope[0]));
  // As in the number reading a second operand that is no number loses, and so does a condition.
  CHECK(at(max(x, u), 1, nothing).value == 1);
  CHECK(at(max(x, u), 1, nothing).slope[0] == 1);
  CHECK(at(select(u, 3_n * x, x), 1, nothing).slope[0] == 1);
}

}  // namespace
