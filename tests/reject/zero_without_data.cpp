// ZeRO shares out over the data-parallel replicas, which must be there.
// expect-gcc: strategy_needs_an_earlier_strategy_on_its_mesh_axis.*operator\|.*Strategy = .*zero
// expect-clang: selected deleted operator '\|'
#include <shardplan/model.hpp>
#include <shardplan/strategy.hpp>

using namespace shardplan;

#ifdef SHARDPLAN_ACCEPT
constexpr auto layout = model::head_layer() | strategy::data{} | strategy::zero{};
#else
constexpr auto layout = model::head_layer() | strategy::tensor{} | strategy::zero{};
#endif
