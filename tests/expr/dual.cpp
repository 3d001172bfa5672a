#include <tuple>

#include <doctest/doctest.h>

#include <shardplan/expr.hpp>
#include <shardplan/expr/dual.hpp>

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

}  // namespace
