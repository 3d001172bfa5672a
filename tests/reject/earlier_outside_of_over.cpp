// Outside of a reduction there are no elements before.
// expect-gcc: environment_must_bind_the_symbol.*value_of.*Tag = .*sum_so_far<stage
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
constexpr expr::environment values{x = 1.0, expr::each<stage> = std::span<element const>{elements}};

#ifdef SHARDPLAN_ACCEPT
constexpr auto value = evaluate(expr::over<stage>(expr::sum, expr::earlier<stage>(x)), values);
#else
constexpr auto value = evaluate(expr::earlier<stage>(x), values);
#endif
