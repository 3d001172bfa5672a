// In place of a mechanism stands another one.
// expect: layer_kind: with_mechanisms<...> takes recomputation_mechanisms
#include <shardplan/planner/layer_kind.hpp>

using namespace shardplan;
using strategy::attention_core_again;

constexpr planner::layer_kind head{model::head_layer()};
#ifdef SHARDPLAN_ACCEPT
using own = strategy::block_again;
#else
using own = strategy::sequence;
#endif
constexpr auto kind = head.with_mechanisms<planner::in_place_of<attention_core_again, own>>();
