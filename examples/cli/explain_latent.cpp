#include "explain.hpp"

#include <shardplan/model/kinds.hpp>

using namespace shardplan;

void command_line::explain_latent(model::block_kind kind, planner::attention_kernel kernel,
                                  planner::recomputation again, planner::block_environment const& environment,
                                  planner::explanation& terms) {
  using latent = model::attention::latent<model::query::direct>;
  planner::detail::with_kernel(kernel, [&](auto kernel_kind) {
    if (model::is_mixture(kind))
      planner::explain_layer(model::transformer_block(latent{}, model::mlp::routed{}, kernel_kind), again, environment,
                             terms);
    else
      planner::explain_layer(model::transformer_block(latent{}, model::mlp::gated{}, kernel_kind), again, environment,
                             terms);
  });
}
