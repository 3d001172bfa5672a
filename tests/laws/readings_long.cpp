#include "readings.hpp"

// The laws between readings over more and deeper random expressions.
namespace {

using namespace laws;

TEST_CASE("columns of many expressions") {
  generator random{111};
  int checked = 0;
  for_each_random_expression<12, 6, everything, 10001>(
      [&](auto expression, auto seed) { checked += check_column(expression, seed, random); });
  CHECK(checked == 12 * 3 * 56);
}

TEST_CASE("enclosures of many expressions") {
  generator random{112};
  int checked = 0;
  for_each_random_expression<12, 6, everything, 10001>([&](auto expression, auto seed) {
    for (int round = 0; round < 20; ++round)
      checked += check_enclosure(expression, seed, random);
  });
  CHECK(checked > 12 * 20 * 200);
}

TEST_CASE("parts of boxes of many expressions") {
  constexpr expression_kinds monotonously_rounding{.logarithms_and_powers = false, .calls = false};
  generator random{113};
  int checked = 0;
  for_each_random_expression<8, 6, monotonously_rounding, 10001>([&](auto expression, auto seed) {
    for (int round = 0; round < 20; ++round)
      checked += check_parts(expression, seed, random);
  });
  CHECK(checked == 8 * 20 * 200);
}

TEST_CASE("slopes of many expressions") {
  generator random{114};
  int checked = 0;
  for_each_random_expression<12, 5, everything, 10001>(
      [&](auto expression, auto seed) { checked += check_slopes(expression, seed, random); });
  CHECK(checked > 12 * 60);
}

}  // namespace
