// A scope views its environments, so they must outlive it.
// expect-gcc: deleted function.*scope<.*Inner&&.*Inner = .*environment<
// expect-clang: call to deleted constructor of .const scope<environment<
#include <shardplan/expr.hpp>

#include "../support/symbols.hpp"

using shardplan::expr::environment, shardplan::expr::scope;
using support::x, support::y;

constexpr environment outer{x = 1.0};
constexpr environment inner{y = 1.0};

#ifdef SHARDPLAN_ACCEPT
constexpr scope both{inner, outer};
#else
constexpr scope both{environment{y = 1.0}, outer};
#endif
