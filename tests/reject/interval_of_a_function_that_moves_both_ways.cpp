// The ends of a function that moves up and down are not at the ends of its operand.
// expect: interval reading: a function that moves in an unknown direction needs enclose\(interval...\)
#include <shardplan/expr.hpp>
#include <shardplan/expr/interval.hpp>

#include "../support/symbols.hpp"

using namespace shardplan;
using support::x;

struct curve : expr::function_tag<unit::count_dimension, expr::sign::positive, unit::count_dimension> {
  static constexpr const char* name = "curve";
  static constexpr const char* meaning = "a measured factor";
  static constexpr expr::direction directions[] = {expr::direction::unknown};
};
constexpr expr::function<curve> measured{};
struct hill {
  double operator()(double operand) const { return operand * (4 - operand); }
#ifdef SHARDPLAN_ACCEPT
  expr::interval<double> enclose(expr::interval<double>) const { return {0, 4}; }
#endif
};

auto range() {
  return expr::enclose(measured(x), expr::environment{x = expr::interval<double>{1, 3}, measured = hill{}});
}
