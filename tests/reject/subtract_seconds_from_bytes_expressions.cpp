// Nor do they subtract.
// expect-gcc: operands_must_have_the_same_dimension.*operator-.*Left = symbol<.*size>; Right = symbol<.*duration>
// expect-clang: selected deleted operator '-'
#include <shardplan/expr.hpp>

#include "../support/symbols.hpp"

using support::M, support::T;

#ifdef SHARDPLAN_ACCEPT
constexpr auto difference = M - M;
#else
constexpr auto difference = M - T;
#endif
