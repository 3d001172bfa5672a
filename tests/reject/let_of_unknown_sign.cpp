// A name for positive numbers cannot stand for a difference, which may be negative.
// expect-gcc: value_must_have_the_dimension_and_sign_of_its_symbol.*Tag = .*tag::x; Value = node<.*subtract
// expect-clang: let<.*tag::x, .*subtract.*value_must_have_the_dimension_and_sign
#include <shardplan/expr.hpp>

#include "../support/symbols.hpp"

using shardplan::expr::let;
using support::u, support::x, support::y;

#ifdef SHARDPLAN_ACCEPT
constexpr auto named = let(u, y - x, u + x);
#else
constexpr auto named = let(x, y - x, u + x);
#endif
