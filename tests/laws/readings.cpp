#include "readings.hpp"

// Laws between readings, over random expressions.
namespace {

using namespace laws;

TEST_CASE("the column reading gives what the number reading gives") {
  generator random{101};
  int checked = 0;
  for_each_random_expression<14, 5, everything, 1>(
      [&](auto expression, auto seed) { checked += check_column(expression, seed, random); });
  CHECK(checked == 14 * 3 * 56);
}

/// Number and column of a formula of x, z and u.
template <class Expression> void check_both(Expression expression, double x, double z, double u, double expected) {
  CAPTURE(x);
  CAPTURE(z);
  CAPTURE(u);
  expression_values values;
  values.x_value = x;
  values.z_value = z;
  values.u_value = u;
  CHECK(identical(number(expression, values), expected));
  std::vector<expression_values> const configurations(9, values);
  for (double const found : column_values(expression, std::span<expression_values const>(configurations)))
    CHECK(identical(found, expected));
}

TEST_CASE("division by zero, overflow and what is no number are as IEEE 754 has them, in both readings") {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  constexpr double nothing = std::numeric_limits<double>::quiet_NaN();
  using support::u;
  using support::x;
  using support::z;
  check_both(x / z, 2, 0, 0, infinity);
  check_both(u / z, 2, 0, -1, -infinity);
  check_both(z / z, 2, 0, 0, nothing);
  check_both(x * x, 1e200, 0, 0, infinity);
  check_both(x * x - x * x, 1e200, 0, 0, nothing);
  check_both(pow(x, shardplan::expr::literal<3>{}), 1e200, 0, 0, infinity);
  check_both(log2(z), 1, 0, 0, -infinity);
  check_both(log2(u), 1, 0, -1, nothing);
  check_both(pow(z, z), 1, 0, 0, 1);
  check_both(pow(z, u), 1, 0, -1, infinity);
  check_both(x + u, 1, 0, nothing, nothing);
  check_both(ceil(u), 1, 0, nothing, nothing);
  check_both(floor(u), 1, 0, -infinity, -infinity);
  // A minimum or maximum is its first operand unless the second is beyond it; a condition that is no number is not
  // above zero.
  check_both(max(x, u), 1, 0, nothing, 1);
  check_both(max(u, x), 1, 0, nothing, nothing);
  check_both(min(x, u), 1, 0, nothing, 1);
  check_both(min(u, x), 1, 0, nothing, nothing);
  check_both(positive_part(u), 1, 0, nothing, nothing);
  check_both(select(u, x, z), 1, 0, nothing, 0);
  check_both(select(x, u, z), 1, 0, nothing, nothing);
}

TEST_CASE("a column of no configurations is empty") {
  for_each_random_expression<2, 3, everything, 1>(
      [&](auto expression, auto) { CHECK(column_values(expression, std::span<expression_values const>{}).empty()); });
}

}  // namespace
