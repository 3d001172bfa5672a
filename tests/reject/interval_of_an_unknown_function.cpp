// Of a function that neither encloses nor says in which direction it moves, no interval is known.
// expect: interval reading: a function needs enclose\(interval...\) or monotone directions in its tag
#include <shardplan/expr.hpp>
#include <shardplan/expr/interval.hpp>

#include "../support/symbols.hpp"

using namespace shardplan;
using support::x;

struct curve : expr::function_tag<unit::count_dimension, expr::sign::positive, unit::count_dimension> {
  static constexpr const char* name = "curve";
  static constexpr const char* meaning = "a measured factor";
#ifdef SHARDPLAN_ACCEPT
  static constexpr expr::direction directions[] = {expr::direction::up};
#endif
};
constexpr expr::function<curve> measured{};
constexpr auto twice = [](double operand) { return 2 * operand; };

auto range() {
  return expr::enclose(measured(x), expr::environment{x = expr::interval<double>{1, 2}, measured = twice});
}
