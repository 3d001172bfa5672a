#include <doctest/doctest.h>

#include <shardplan/expr.hpp>

#include <support/numbers.hpp>
#include <support/symbols.hpp>

// What the type of an expression claims about its sign must hold at every point of its symbols' domains.
namespace {

using namespace shardplan;
using namespace expr::literals;
using namespace support;
using expr::sign;

template <class Expression, class Environment> void check_claim(Expression expression, Environment const& values) {
  double const value = expr::evaluate(expression, values).value;
  CAPTURE(value);
  if (Expression::sign == sign::at_least_one)
    CHECK(value >= 1);
  if (Expression::sign == sign::positive)
    CHECK(value > 0);
  if (Expression::sign == sign::non_negative)
    CHECK(value >= 0);
}

TEST_CASE("claims about signs are true") {
  generator random_values{5};
  for (int round = 0; round < 300; ++round) {
    expr::environment const values{x = random_values.real(0.001, 10), y = random_values.real(0.001, 10),
                                   z = random_values.chance(0.3) ? 0.0 : random_values.real(0, 10),
                                   u = random_values.chance(0.2) ? 0.0 : random_values.real(-10, 10)};
    check_claim(x + z, values);
    check_claim(z + z, values);
    check_claim(x * y, values);
    check_claim(x * z, values);
    check_claim(z / x, values);
    check_claim(x / y, values);
    check_claim(min(x, z), values);
    check_claim(max(x, u), values);
    check_claim(max(u, z), values);
    check_claim(max(u, u, z), values);
    check_claim(ceil(x), values);
    check_claim(ceil(z), values);
    check_claim(floor(x), values);
    check_claim(positive_part(u), values);
    check_claim(select(u, x, y), values);
    check_claim(select(u, x, z), values);
    check_claim(log2(ceil(x)), values);
    check_claim(1_n - 1_n / ceil(x), values);
    check_claim(ceil(x) - 1_n, values);
    check_claim(pow(ceil(x), u * u), values);
    check_claim(pow(u, 4_n), values);
    check_claim(x / (y + z) * ceil(x) + positive_part(u), values);
  }
}

TEST_CASE("claims are as strong as the operands allow") {
  auto const of = [](auto expression) { return decltype(expression)::sign; };
  CHECK(of(x) == sign::positive);
  CHECK(of(z) == sign::non_negative);
  CHECK(of(u) == sign::any);
  CHECK(of(x + z) == sign::positive);
  CHECK(of(z + z) == sign::non_negative);
  CHECK(of(x + u) == sign::any);
  CHECK(of(x - y) == sign::any);
  CHECK(of(x * y) == sign::positive);
  CHECK(of(x * z) == sign::non_negative);
  CHECK(of(z * u) == sign::any);
  CHECK(of(z / x) == sign::non_negative);
  CHECK(of(x / u) == sign::any);
  CHECK(of(min(x, y)) == sign::positive);
  CHECK(of(min(x, z)) == sign::non_negative);
  CHECK(of(min(x, u)) == sign::any);
  CHECK(of(max(x, u)) == sign::positive);
  CHECK(of(max(z, u)) == sign::non_negative);
  CHECK(of(max(u, u)) == sign::any);
  CHECK(of(ceil(x)) == sign::at_least_one);
  CHECK(of(floor(x)) == sign::non_negative);
  CHECK(of(log2(x)) == sign::any);
  CHECK(of(positive_part(u)) == sign::non_negative);
  CHECK(of(select(u, x, y)) == sign::positive);
  CHECK(of(select(x, x, u)) == sign::any);
  CHECK(of(1_n) == sign::at_least_one);
  CHECK(of(0.5_n) == sign::positive);
  CHECK(of(0_n) == sign::non_negative);
  CHECK(of(1_n - 2_n) == sign::any);
}

TEST_CASE("what is known of counts and degrees") {
  auto const of = [](auto expression) { return decltype(expression)::sign; };
  constexpr auto n = ceil(x);  // at least one
  CHECK(of(n * n) == sign::at_least_one);
  CHECK(of(n + z) == sign::at_least_one);
  CHECK(of(n * x) == sign::positive);
  CHECK(of(z / n) == sign::non_negative);
  CHECK(of(n / x) == sign::positive);
  CHECK(of(log2(n)) == sign::non_negative);
  CHECK(of(1_n - 1_n / n) == sign::non_negative);
  CHECK(of(n - 1_n) == sign::non_negative);
  CHECK(of(n - 2_n) == sign::any);
  CHECK(of(1_n - 2_n / n) == sign::any);
  CHECK(of(min(n, x)) == sign::positive);
  CHECK(of(max(n, u)) == sign::at_least_one);
  CHECK(of(pow(n, 3_n)) == sign::at_least_one);
  CHECK(of(pow(n, 0_n - 2_n)) == sign::positive);
  CHECK(of(pow(u, 2_n)) == sign::non_negative);
  CHECK(of(pow(x, u)) == sign::positive);
}

}  // namespace
