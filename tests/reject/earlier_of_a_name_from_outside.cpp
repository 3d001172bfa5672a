// A sum over earlier elements is made where the names that a let gives are not known.
// expect-gcc: e must not use a name that a let around it gives; write the let inside of e
// expect-clang: e must not use a name that a let around it gives; write the let inside of e
#include <shardplan/expr.hpp>

#include "../support/symbols.hpp"

using namespace shardplan;
using support::x;
using support::y;
using support::z;

struct stage {
  static constexpr const char* name = "stage";
};
using element = expr::environment<expr::binding<support::tag::x, double>>;
constexpr element elements[]{element{x = 1.0}, element{x = 2.0}};
constexpr expr::environment values{y = 1.0, expr::each<stage> = std::span<element const>{elements}};

#ifdef SHARDPLAN_ACCEPT
constexpr auto value =
    evaluate(expr::over<stage>(expr::sum, let(z, x* y, z + expr::earlier<stage>(let(z, x* y, z* z)))), values);
#else
constexpr auto value = evaluate(expr::over<stage>(expr::sum, let(z, x* y, z + expr::earlier<stage>(z * z))), values);
#endif
