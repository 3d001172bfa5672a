// A name for bytes cannot stand for seconds.
// expect-gcc: value_must_have_the_dimension_and_sign_of_its_symbol.*Tag = .*size; Value = symbol<.*duration>
// expect-clang: let<.*size, .*symbol<.*duration>.*value_must_have_the_dimension_and_sign
#include <shardplan/expr.hpp>

#include "../support/symbols.hpp"

using shardplan::expr::let;
using support::B, support::M, support::T;

#ifdef SHARDPLAN_ACCEPT
constexpr auto named = let(M, B* T, M / B);
#else
constexpr auto named = let(M, T, M / B);
#endif
