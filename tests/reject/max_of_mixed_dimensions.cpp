// Nor does the larger.
// expect-gcc: operands_must_have_the_same_dimension.*max.*Left = symbol<.*size>; Right = symbol<.*duration>
// expect-clang: max<.*symbol<.*size>, .*symbol<.*duration>>.*operands_must_have_the_same_dimension
#include <shardplan/expr.hpp>

#include "../support/symbols.hpp"

using support::M, support::T;

#ifdef SHARDPLAN_ACCEPT
constexpr auto larger = max(M, M);
#else
constexpr auto larger = max(M, T);
#endif
