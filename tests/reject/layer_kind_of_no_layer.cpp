// A layer kind is made of a layer, or of a function that makes one for a kernel.
// expect: layer_kind: neither a layer_description .* nor a function that makes one of a kernel
#include <shardplan/planner/layer_kind.hpp>

using namespace shardplan;

#ifdef SHARDPLAN_ACCEPT
constexpr auto make = [](auto kernel) { return model::decoder_block(model::mlp::plain{}, kernel); };
#else
constexpr auto make = [](auto) { return model::block_shape{}; };
#endif
constexpr planner::layer_kind kind{make};
