// A layer kind takes strategies, not rules.
// expect: layer_kind: with\(...\) takes a strategy_description
#include <shardplan/planner/layer_kind.hpp>

using namespace shardplan;

constexpr planner::layer_kind head{model::head_layer()};
#ifdef SHARDPLAN_ACCEPT
constexpr auto kind = head.with(strategy::data{});
#else
constexpr auto kind = head.with(strategy::rules<>{});
#endif
