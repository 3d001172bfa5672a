// The tensor-parallel degree is the plan's; a kind may replace values of a block's shape.
// expect: layer_kind: with_values\(...\) replaces no value that plans decide
#include <shardplan/planner/layer_kind.hpp>

using namespace shardplan;

constexpr planner::layer_kind head{model::head_layer()};
#ifdef SHARDPLAN_ACCEPT
constexpr auto kind = head.with_values(expr::environment{model::symbols::h = 64.0});
#else
constexpr auto kind = head.with_values(expr::environment{strategy::symbols::t = 1.0});
#endif
