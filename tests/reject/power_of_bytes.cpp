// Bytes have whole powers only.
// expect-gcc: base_of_a_power_must_be_dimensionless_and_not_negative.*Base = symbol<.*size>; Exponent = symbol<.*x>
// expect-clang: pow<.*size>, .*tag::x>.*base_of_a_power_must_be_dimensionless_and_not_negative
#include <shardplan/expr.hpp>

#include "../support/symbols.hpp"

using namespace shardplan::expr::literals;
using support::M, support::x, support::y;

#ifdef SHARDPLAN_ACCEPT
constexpr auto power = pow(M, 2_n) * pow(y, x);
#else
constexpr auto power = pow(M, x);
#endif
