// A reading names the symbol that the environment does not bind.
// expect-gcc: environment_must_bind_the_symbol.*value_of.*Tag = support::tag::y
// expect-clang: call to deleted function 'value_of'
#include <shardplan/expr.hpp>

#include "../support/symbols.hpp"

using shardplan::expr::environment, shardplan::expr::evaluate;
using support::x, support::y;

#ifdef SHARDPLAN_ACCEPT
constexpr auto value = evaluate(x + y, environment{x = 1.0, y = 2.0});
#else
constexpr auto value = evaluate(x + y, environment{x = 1.0});
#endif
