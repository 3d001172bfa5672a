#include "explain.hpp"

#include <shardplan/model/mixture.hpp>

using namespace shardplan;

void command_line::explain_mixture(planner::attention_kernel kernel, planner::recomputation again,
                                   planner::block_environment const& environment, planner::explanation& terms) {
  planner::detail::with_kernel(kernel, [&](auto kernel_kind) {
    planner::explain_layer(model::transformer_block(model::attention::grouped{}, model::mlp::routed{}, kernel_kind),
                           again, environment, terms);
  });
}
