// A fractional power of a number that may be negative has no value; a whole power has.
// expect-gcc: base_of_a_power_must_be_dimensionless_and_not_negative.*Base = symbol<.*u>; Exponent = literal<1, 2
// expect-clang: pow<.*tag::u>, .*literal<1, 2.*base_of_a_power_must_be_dimensionless_and_not_negative
#include <shardplan/expr.hpp>

#include "../support/symbols.hpp"

using namespace shardplan::expr::literals;
using support::u;

#ifdef SHARDPLAN_ACCEPT
constexpr auto power = pow(u, 2_n);
#else
constexpr auto power = pow(u, 0.5_n);
#endif
