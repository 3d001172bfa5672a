#include "readings.hpp"

// Laws of the interval reading, over random expressions.
namespace {

using namespace laws;

TEST_CASE("the interval reading of a box holds the number reading at its points") {
  generator random{102};
  int checked = 0;
  for_each_random_expression<10, 5, everything, 1>(
      [&](auto expression, auto seed) { checked += check_enclosure(expression, seed, random); });
  CHECK(checked > 10 * 300);
}

TEST_CASE("the interval reading of a part of a box lies in that of the box") {
  constexpr expression_kinds monotonously_rounding{.logarithms_and_powers = false, .calls = false};
  generator random{103};
  int checked = 0;
  for_each_random_expression<8, 5, monotonously_rounding, 1>(
      [&](auto expression, auto seed) { checked += check_parts(expression, seed, random); });
  CHECK(checked == 8 * 200);
}

}  // namespace
