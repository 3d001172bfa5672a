// Kept tensors are bytes: a coefficient without the bytes of an element is a mistake.
// expect: term: the coefficient must have the dimension of the role
#include <shardplan/expr.hpp>
#include <shardplan/model.hpp>

using namespace shardplan::model;
using kept = role::kept<reason::operand>;
using elements = axes<axis::batch, axis::sequence, axis::hidden>;

#ifdef SHARDPLAN_ACCEPT
constexpr auto tensor = make_term<kept>(symbols::e_a, elements{});
#else
constexpr auto tensor = make_term<kept>(symbols::b, elements{});
#endif
