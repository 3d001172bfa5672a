// A logarithm needs a number, not bytes.
// expect-gcc: operand_must_be_dimensionless.*log2.*Operand = symbol<.*size>
// expect-clang: log2<.*symbol<.*size>>.*operand_must_be_dimensionless
#include <shardplan/expr.hpp>

#include "../support/symbols.hpp"

using support::M, support::x;

#ifdef SHARDPLAN_ACCEPT
constexpr auto steps = log2(x);
#else
constexpr auto steps = log2(M);
#endif
