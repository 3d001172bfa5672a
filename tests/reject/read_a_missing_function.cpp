// A reading names the function that the environment does not bind.
// expect-gcc: environment_must_bind_the_symbol.*value_of.*Tag = curve
// expect-clang: call to deleted function 'value_of'
#include <shardplan/expr.hpp>

#include "../support/symbols.hpp"

using namespace shardplan;
using support::x;

struct curve : expr::function_tag<unit::count_dimension, expr::sign::positive, unit::count_dimension> {
  static constexpr const char* name = "curve";
  static constexpr const char* meaning = "a measured factor";
};
constexpr expr::function<curve> measured{};
constexpr auto twice = [](double operand) { return 2 * operand; };

#ifdef SHARDPLAN_ACCEPT
constexpr auto value = evaluate(measured(x), expr::environment{x = 1.0, measured = twice});
#else
constexpr auto value = evaluate(measured(x), expr::environment{x = 1.0});
#endif
