// A symbol of seconds cannot stand for an expression of bytes.
// expect: record entry: the symbol and its expression must have the same dimension
#include <shardplan/expr.hpp>

#include "../support/symbols.hpp"

using support::B, support::M, support::T;

#ifdef SHARDPLAN_ACCEPT
constexpr auto record = shardplan::expr::make_record(define(T, M / B));
#else
constexpr auto record = shardplan::expr::make_record(define(T, M* B));
#endif
