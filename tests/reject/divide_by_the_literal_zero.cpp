// Division by a zero that stands in the formula.
// expect-gcc: divisor_must_not_be_the_literal_zero.*operator/.*Left = symbol<.*x>; Right = literal<0
// expect-clang: selected deleted operator '/'
#include <shardplan/expr.hpp>

#include "../support/symbols.hpp"

using namespace shardplan::expr::literals;
using support::x, support::y;

#ifdef SHARDPLAN_ACCEPT
constexpr auto quotient = x / (1_n * y);
#else
constexpr auto quotient = x / (0_n * y);
#endif
