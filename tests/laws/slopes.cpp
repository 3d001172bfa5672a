#include "readings.hpp"

// Laws of the dual reading, over random expressions.
namespace {

using namespace laws;

TEST_CASE("slopes equal finite differences") {
  generator random{104};
  int checked = 0;
  for_each_random_expression<12, 5, everything, 1>(
      [&](auto expression, auto seed) { checked += check_slopes(expression, seed, random); });
  CHECK(checked > 12 * 60);
}

}  // namespace
