// The smaller of bytes and seconds means nothing.
// expect-gcc: operands_must_have_the_same_dimension.*min.*Left = symbol<.*size>; Right = symbol<.*duration>
// expect-clang: min<.*symbol<.*size>, .*symbol<.*duration>>.*operands_must_have_the_same_dimension
#include <shardplan/expr.hpp>

#include "../support/symbols.hpp"

using support::M, support::T;

#ifdef SHARDPLAN_ACCEPT
constexpr auto smaller = min(M, M);
#else
constexpr auto smaller = min(M, T);
#endif
