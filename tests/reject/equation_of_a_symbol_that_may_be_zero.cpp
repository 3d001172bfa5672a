// Simplifying divides by the sides of an equation, so their symbols must be known not to be zero.
// expect: sides_must_be_products_of_positive_symbols
// expect: symbol<.*z>
#include <shardplan/expr.hpp>
#include <shardplan/expr/simplify.hpp>

#include "../support/symbols.hpp"

using support::x, support::y, support::z;

#ifdef SHARDPLAN_ACCEPT
constexpr auto known = shardplan::expr::equation(x * x, y);
#else
constexpr auto known = shardplan::expr::equation(x * z, y);
#endif
