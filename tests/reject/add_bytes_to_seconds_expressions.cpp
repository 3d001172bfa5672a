// A cost in bytes and one in seconds do not add.
// expect-gcc: operands_must_have_the_same_dimension.*operator\+.*Left = symbol<.*size>; Right = symbol<.*duration>
// expect-clang: selected deleted operator '\+'
#include <shardplan/expr.hpp>

#include "../support/symbols.hpp"

using support::M, support::T;

#ifdef SHARDPLAN_ACCEPT
constexpr auto sum = M + M;
#else
constexpr auto sum = M + T;
#endif
