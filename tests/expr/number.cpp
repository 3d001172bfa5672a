#include <array>
#include <cmath>
#include <concepts>

#include <doctest/doctest.h>

#include <shardplan/expr.hpp>

#include <support/numbers.hpp>
#include <support/symbols.hpp>

// The reading "number". References are the functions of <cmath> and hand-written arithmetic.
namespace {

using namespace shardplan;
using namespace expr::literals;
using namespace support;
using expr::environment;
using expr::evaluate;

template <class Expression> double at(Expression expression, double x_value, double u_value = 0) {
  return evaluate(expression, environment{x = x_value, u = u_value});
}

TEST_CASE("an expression reads as the arithmetic that it spells") {
  environment const values{x = 3.0, y = 4.0, z = 0.0, u = -2.0};
  CHECK(evaluate(x * y + u, values) == 10.0);
  CHECK(evaluate(x - y / 8_n, values) == 2.5);
  CHECK(evaluate(x * (10_n + 24_n / y + 5_n * x), values) == 93.0);
  CHECK(evaluate((x + y) * (x - u), values) == 35.0);
  CHECK(evaluate(min(x, y) + max(x, y), values) == 7.0);
  CHECK(evaluate(max(z, u, x), values) == 3.0);
  CHECK(evaluate(0.125_n * y, values) == 0.5);
}

TEST_CASE("a division by a symbol that is zero is infinite, as in plain arithmetic") {
  environment const values{x = 3.0, z = 0.0};
  CHECK(std::isinf(evaluate(x / z, values).operator double()));
}

TEST_CASE("positive_part, select, ceil and floor at and around their steps") {
  CHECK(at(positive_part(u), 1, -2.5) == 0.0);
  CHECK(at(positive_part(u), 1, 0) == 0.0);
  CHECK(at(positive_part(u), 1, 2.5) == 2.5);
  CHECK(at(select(u, x, 2_n * x), 5, 1) == 5.0);
  CHECK(at(select(u, x, 2_n * x), 5, 0) == 10.0);
  CHECK(at(select(u, x, 2_n * x), 5, -1) == 10.0);
  for (double const value : {-2.5, -2.0, -0.5, 0.0, 0.5, 2.0, 2.5, 1e18, -1e18, 9.5e18, 1e300}) {
    CAPTURE(value);
    CHECK(at(ceil(u), 1, value) == std::ceil(value));
    CHECK(at(floor(u), 1, value) == std::floor(value));
  }
}

TEST_CASE("the result carries the dimension of the expression") {
  environment const values{x = 3.0, M = 6e9, B = 2e9, T = 0.5, W = 4e12};
  CHECK(std::same_as<decltype(evaluate(M / B, values)), unit::seconds>);
  CHECK(evaluate(M / B + T, values) == unit::seconds{3.5});
  CHECK(evaluate(W / T, values) == unit::flop_per_second{8e12});
  CHECK(evaluate(x * M, values) == unit::bytes{18e9});
  CHECK(evaluate(2_n * expr::byte, values) == unit::bytes{2});
  CHECK(std::same_as<decltype(evaluate<float>(M, values)), unit::quantity<unit::byte_dimension, float>>);
}

TEST_CASE("values may be of any number type") {
  environment const values{x = 3, y = 4.0F};
  CHECK(evaluate(x / y, values) == 0.75);
  CHECK(evaluate<float>(x / y, values) == 0.75F);
}

// Compile-time values of the library's own ceil, floor and log2.
constexpr double arguments[] = {1e-300, 1e-9, 0.1, 0.5, 0.999999, 1.0, 1.0000001, 1.5, 2.0, 3.0, 1000.0, 1e15, 1e300};
constexpr double steps[] = {-2.5, -2.0, -0.5, 0.0, 0.5, 0.999, 2.0, 2.5, 9.1e18, -9.1e18, 1e300};
constexpr auto logarithms = [] {
  std::array<double, std::size(arguments)> result{};
  for (std::size_t index = 0; index < result.size(); ++index)
    result[index] = evaluate(log2(x), environment{x = arguments[index]});
  return result;
}();
constexpr auto rounded = [](auto expression) {
  std::array<double, std::size(steps)> result{};
  for (std::size_t index = 0; index < result.size(); ++index)
    result[index] = evaluate(expression, environment{u = steps[index]});
  return result;
};
constexpr auto rounded_up = rounded(ceil(u));
constexpr auto rounded_down = rounded(floor(u));

TEST_CASE("functions in constant expressions agree with those of the C library") {
  for (std::size_t index = 0; index < logarithms.size(); ++index) {
    CAPTURE(arguments[index]);
    double const reference = std::log2(arguments[index]);
    CHECK(std::fabs(logarithms[index] - reference) <= 4e-16 * std::fabs(reference));
  }
  for (std::size_t index = 0; index < rounded_up.size(); ++index) {
    CAPTURE(steps[index]);
    CHECK(rounded_up[index] == std::ceil(steps[index]));
    CHECK(rounded_down[index] == std::floor(steps[index]));
  }
}

}  // namespace
