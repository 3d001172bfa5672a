// Sequence parallelism cuts over the tensor-parallel devices, which must be there.
// expect-gcc: strategy_needs_an_earlier_strategy_on_its_mesh_axis.*operator\|.*Strategy = .*sequence
// expect-clang: selected deleted operator '\|'
#include <shardplan/model.hpp>
#include <shardplan/strategy.hpp>

using namespace shardplan;

#ifdef SHARDPLAN_ACCEPT
constexpr auto layout = model::head_layer() | strategy::tensor{} | strategy::sequence{};
#else
constexpr auto layout = model::head_layer() | strategy::sequence{};
#endif
