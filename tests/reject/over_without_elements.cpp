// A reading names the scope whose elements the environment does not bind.
// expect-gcc: environment_must_bind_the_symbol.*value_of.*Tag = .*elements_of<stage>
// expect-clang: call to deleted function 'value_of'
#include <shardplan/expr.hpp>

#include "../support/symbols.hpp"

using namespace shardplan;
using support::x;

struct stage {
  static constexpr const char* name = "stage";
};
using element = expr::environment<expr::binding<support::tag::x, double>>;
constexpr element elements[]{element{x = 1.0}, element{x = 2.0}};

#ifdef SHARDPLAN_ACCEPT
constexpr expr::environment values{x = 1.0, expr::each<stage> = std::span<element const>{elements}};
#else
constexpr expr::environment values{x = 1.0};
#endif
constexpr auto value = evaluate(expr::over<stage>(expr::sum, x), values);
