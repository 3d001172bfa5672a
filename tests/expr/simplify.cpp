#include <concepts>
#include <string>

#include <doctest/doctest.h>

#include <shardplan/expr.hpp>
#include <shardplan/expr/function.hpp>
#include <shardplan/expr/interval.hpp>
#include <shardplan/expr/let.hpp>
#include <shardplan/expr/over.hpp>
#include <shardplan/expr/simplify.hpp>
#include <shardplan/expr/text.hpp>

#include "support/numbers.hpp"
#include "support/simplify.hpp"
#include "support/symbols.hpp"

// What `simplify` makes of formulas. Most are compared as text; dimensions and signs are in the types.

namespace {

using namespace shardplan;
using namespace support;
using namespace expr::literals;
using expr::equation, expr::simplify;

template <class Left, class Right> constexpr bool same(Left, Right) { return std::same_as<Left, Right>; }
template <class Expression> std::string simple(Expression expression) { return expr::text(simplify(expression)); }
template <class Expression> std::string simple_with_equations(Expression expression) {
  return expr::text(simplify(expression, devices_in_all, global_batch));
}

TEST_CASE("equal terms add up, zeros vanish, numbers fold") {
  static_assert(same(simplify(x), x));
  static_assert(same(simplify(3_n), 3_n));
  static_assert(same(simplify(x - x), expr::literal<0>{}));
  static_assert(same(simplify(M - M), expr::literal<0, 1, unit::byte_dimension>{}));
  CHECK(simple(x + x) == "2*x");
  CHECK(simple(x * 2_n + y - x) == "x + y");
  CHECK(simple(0.5_n * x * 4_n) == "2*x");
  CHECK(simple(x / 3_n + x / 6_n) == "0.5*x");
  CHECK(simple(x / 3_n) == "x/3");
  CHECK(simple(u - 2_n * u) == "-1*u");
  CHECK(simple(ceil(7_n / 2_n) + floor(x / x / 3_n) + log2(8_n) + log2(1_n / 4_n)) == "5");
}

TEST_CASE("a quotient cancels where the divisor is known not to be zero") {
  static_assert(same(simplify(x * y / x), y));
  static_assert(same(simplify(pow(x, 3_n) / x / x), x));
  static_assert(same(simplify((x + y) / (y + x)), 1_n));
  CHECK(simple((2_n * x + 2_n * y) / (x * t + y * t)) == "2/t");
  CHECK(simple(z / z) == "z/z");
  CHECK(simple(u * x / u / x) == "u/u");
  CHECK(simple(x / (y * z) * y) == "x/z");
  CHECK(simple((x - y) / (x - y)) == "(x - y)/(x - y)");
  CHECK(simple(x / (y - y)) == "x/0");
}

TEST_CASE("dimensions stay, units included") {
  static_assert(same(simplify(M * B / B), M));
  constexpr auto bytes = simplify(2_n * x * expr::byte + M - x * expr::byte);
  static_assert(std::same_as<decltype(bytes)::dimension, unit::byte_dimension>);
  CHECK(expr::text(bytes) == "M + x");
  constexpr auto rate = simplify(M / (2_n * expr::second) + 3_n * B);
  static_assert(std::same_as<decltype(rate)::dimension, unit::bandwidth_dimension>);
  CHECK(expr::evaluate(rate, expr::environment{M = 8, B = 1}).value == 7);
  constexpr auto factored = simplify(x * expr::byte + 2_n * y * expr::byte);
  static_assert(std::same_as<decltype(factored)::dimension, unit::byte_dimension>);
  constexpr auto squared = simplify(pow(M, 2_n) * x / M);
  static_assert(std::same_as<decltype(squared)::dimension, unit::byte_dimension>);
}

TEST_CASE("sums of one sign are multiplied out, what terms share is put before them") {
  CHECK(simple((x + y) * (x + y)) == "pow(x, 2) + 2*x*y + pow(y, 2)");
  CHECK(simple(x * y + x * t) == "x*(t + y)");
  CHECK(simple(3_n * x - 3_n * y) == "3*(x - y)");
  CHECK(simple((x + y) * t / (x * y)) == "t*(1/x + 1/y)");
}

TEST_CASE("a sum whose signs differ stays a factor unless something cancels") {
  CHECK(simple((1_n - x) * (y + t)) == "(1 - x)*(t + y)");
  CHECK(simple((x - y) * (x - y)) == "pow(x - y, 2)");
  CHECK(simple((x - y) / x) == "1 - y/x");
  CHECK(simple((x - y) + (y - t)) == "x - t");
}

TEST_CASE("n - 1 is known not to be negative where n is at least one") {
  constexpr auto others = simplify((t - 1_n) * x);
  static_assert(expr::non_negative<decltype(others)>);
  CHECK(expr::text(others) == "(t - 1)*x");
  CHECK(simple(x - x / t) == "x*(1 - 1/t)");
  CHECK(simple((t - 1_n) + 1_n) == "t");
  CHECK(simple((1_n - 1_n / t) * x + x / t) == "x");
  CHECK(simple(t * p - 1_n) == "p*t - 1");
  static_assert(expr::non_negative<decltype(simplify(t * p - 1_n))>);
  static_assert(expr::implies(decltype(simplify(t + p - 1_n))::sign, expr::sign::at_least_one));
  // x may be below one.
  CHECK(simple(x - 1_n) == "x - 1");
  static_assert(!expr::non_negative<decltype(simplify(x - 1_n))>);
}

TEST_CASE("factors move into max, min, positive_part and select, and cancel there") {
  CHECK(simple(t * max(x / t, y)) == "max(t*y, x)");
  CHECK(simple(t * min(x / t, y / t)) == "min(x, y)");
  CHECK(simple(t * positive_part(u / t)) == "positive_part(u)");
  CHECK(simple(u * select(x - y, x / t, y) * t) == "u*select(x - y, x, t*y)");
  // What all operands share comes out again; a factor of unknown sign never goes in.
  CHECK(simple(x * max(t, y)) == "x*max(t, y)");
  CHECK(simple(u * max(t, y)) == "u*max(t, y)");
  CHECK(simple(0_n - 2_n * max(x, y)) == "-2*max(x, y)");
  CHECK(simple(u * x * max(t / x, y)) == "u*max(t, x*y)");
  CHECK(simple(x * positive_part(u - x) * max(y, t / x)) == "max(t*positive_part(u - x), x*y*positive_part(u - x))");
  CHECK(simple(positive_part(u) * positive_part(u - x) * y) == "y*positive_part(u)*positive_part(u - x)");
  CHECK(simple(y / max(x * y, t * y)) == "1/max(t, x)");
}

TEST_CASE("max and min: nested, equal and dominated operands") {
  CHECK(simple(max(max(x, y), max(y, t))) == "max(t, x, y)");
  static_assert(same(simplify(max(x * y, y * x)), simplify(x * y)));
  CHECK(simple(max(x, 3_n * x)) == "3*x");
  CHECK(simple(min(x, 3_n * x)) == "x");
  CHECK(simple(max(2_n, 3_n)) == "3");
  CHECK(simple(max(0_n - 2_n * x, 0_n - x)) == "-1*x");
  CHECK(simple(max(u, 2_n * u)) == "max(u, 2*u)");
  CHECK(simple(min(x, 0_n * y)) == "0");
  CHECK(simple(2_n * max(x, y) + max(3_n * y, 3_n * x)) == "5*max(x, y)");
  CHECK(simple(positive_part(0_n - x)) == "0");
}

TEST_CASE("selects with one condition are one") {
  CHECK(simple(select(u, x, y) * select(u, y, x)) == "x*y");
  CHECK(simple(select(u, x, y) + select(u, y, t)) == "select(u, x + y, t + y)");
  CHECK(simple(x / select(u, x, y)) == "select(u, 1, x/y)");
  CHECK(simple(select(u, x, y) / select(u, x, t)) == "select(u, 1, y/t)");
  CHECK(simple(x / select(u, z, y)) == "x/select(u, z, y)");
  CHECK(simple(select(u, x, x)) == "x");
  CHECK(simple(select(t, x, y)) == "x");
  CHECK(simple(select(0_n - x, x, y)) == "y");
  CHECK(simple(select(u, x, y) + select(z, x, y)) == "select(u, x, y) + select(z, x, y)");
}

TEST_CASE("other nodes keep simplified operands") {
  CHECK(simple(log2(t * p / p)) == "log2(t)");
  CHECK(simple(ceil(x * y / x) + ceil(y)) == "2*ceil(y)");
  static_assert(same(simplify(pow(x * y / x, u)), pow(y, u)));
  static_assert(same(simplify(bend(x * y / x, M + M)), bend(y, 2_n * M)));
  static_assert(same(simplify(let(y, x * t / t, y * y * x / y)), let(y, x, x * y)));
  static_assert(same(simplify(expr::over<stage>(expr::sum, x * y / x + expr::earlier<stage>(t * y / t))),
                     expr::over<stage>(expr::sum, simplify(y + expr::earlier<stage>(y)))));
  // The sign of the body says what the largest of no values is, so it stays as it was.
  static_assert(
      same(simplify(expr::over<stage>(expr::largest, x - y + y)), expr::over<stage>(expr::largest, x - y + y)));
}

TEST_CASE("equations exchange products for shorter ones") {
  static_assert(same(simplify(t * p * d, devices_in_all), N));
  CHECK(simple_with_equations(m * b / (t * p)) == "G/N");
  CHECK(simple_with_equations(log2(t * p * d * d)) == "log2(N*d)");
  CHECK(simple_with_equations(m / p * max(b * x / t, y)) == "max(G*x/N, m*y/p)");
  CHECK(simple_with_equations(t * p) == "p*t");
  CHECK(expr::text(simplify(pow(t * p * d, 3_n) * x, devices_in_all)) == "pow(N, 3)*x");
  CHECK(expr::text(simplify(M * x, equation(M, B * T))) == "M*x");
  CHECK(expr::text(simplify(x / (B * T), equation(M, B * T))) == "x/M");
  // In a body the name stands for something else, and an element may bind any symbol.
  static_assert(same(simplify(let(t, p, t * p * d), devices_in_all), let(t, p, simplify(t * p * d))));
  static_assert(same(simplify(expr::over<stage>(expr::sum, t * p * d), devices_in_all),
                     expr::over<stage>(expr::sum, simplify(t * p * d))));
}

TEST_CASE("the share of the pipeline bubble") {
  // Total work over all devices, and the stages before and after.
  CHECK(simple_with_equations((m + p - 1_n) * (x / p) * b * y / t) == "x*y*(G/N + b*(1 - 1/p)/t)");
}

TEST_CASE("numbers that do not fit stay factors") {
  constexpr expr::literal<9'000'000'000'000'000'000> large{};
  constexpr auto product = simplify(large * (x / (1_n / large)) * large);
  CHECK(close(expr::evaluate(product, expr::environment{x = 2.0}).value, 2.0 * 9e18 * 9e18 * 9e18));
  constexpr auto sum = simplify(large * x + large * x);
  CHECK(close(expr::evaluate(sum, expr::environment{x = 2.0}).value, 36e18));
  constexpr expr::literal<-9'223'372'036'854'775'807 - 1> smallest{};
  CHECK(close(expr::evaluate(simplify(smallest * x), expr::environment{x = 2.0}).value, -0x1p64));
}

TEST_CASE("records are simplified entry by entry") {
  constexpr auto record = expr::make_record(expr::define(x, y * t / t), expr::define(M, M * x / x));
  static_assert(same(simplify(record), expr::make_record(expr::define(x, y), expr::define(M, M))));
  static_assert(same(simplify(expr::make_record(expr::define(x, t * p * d)), devices_in_all),
                     expr::make_record(expr::define(x, N))));
}

}  // namespace
