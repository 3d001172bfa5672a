// A choice between bytes and seconds has no dimension.
// expect-gcc: select_needs_a_dimensionless_condition_and_branches_of_the_same_dimension
// expect-gcc: Condition = symbol<.*x>; Value = symbol<.*size>; Otherwise = symbol<.*duration>
// expect-clang: select<.*symbol<.*size>, .*symbol<.*duration>>.*select_needs_a_dimensionless_condition
#include <shardplan/expr.hpp>

#include "../support/symbols.hpp"

using support::M, support::T, support::x;

#ifdef SHARDPLAN_ACCEPT
constexpr auto chosen = select(x, M, M);
#else
constexpr auto chosen = select(x, M, T);
#endif
