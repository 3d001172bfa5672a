// Numbers of formulas are exact fractions.
// expect: literal _n: a number in a formula is written with digits and a decimal point
#include <shardplan/expr.hpp>

using namespace shardplan::expr::literals;

#ifdef SHARDPLAN_ACCEPT
constexpr auto thousand = 1000_n;
#else
constexpr auto thousand = 1e3_n;
#endif
