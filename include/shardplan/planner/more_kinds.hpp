#pragma once
#include <shardplan/model/kinds.hpp>
#include <shardplan/planner/registry.hpp>

/// Records of the library's kinds beyond the dense decoder blocks. Apart, and by group, so that a program compiles the
/// records that it needs: `add_mixtures(registry)`.
namespace shardplan::planner {

/// Grouped attention with a mixture of experts.
template <class Registry> void add_mixtures(Registry& registry) {
  registry.replace(model::block_kind::routed_experts, layer_kind{[](auto kernel) {
                     return model::transformer_block(model::attention::grouped{}, model::mlp::routed{}, kernel);
                   }});
}

/// Latent attention with queries projected directly, dense and with a mixture of experts.
template <class Registry> void add_latent_attention(Registry& registry) {
  using latent = model::attention::latent<model::query::direct>;
  registry.replace(model::block_kind::latent_gated_mlp, layer_kind{[](auto kernel) {
                     return model::transformer_block(latent{}, model::mlp::gated{}, kernel);
                   }});
  registry.replace(model::block_kind::latent_routed_experts, layer_kind{[](auto kernel) {
                     return model::transformer_block(latent{}, model::mlp::routed{}, kernel);
                   }});
}

/// The same with queries through a low rank.
template <class Registry> void add_low_rank_latent_attention(Registry& registry) {
  using latent = model::attention::latent<model::query::low_rank>;
  registry.replace(model::block_kind::low_rank_latent_gated_mlp, layer_kind{[](auto kernel) {
                     return model::transformer_block(latent{}, model::mlp::gated{}, kernel);
                   }});
  registry.replace(model::block_kind::low_rank_latent_routed_experts, layer_kind{[](auto kernel) {
                     return model::transformer_block(latent{}, model::mlp::routed{}, kernel);
                   }});
}

}  // namespace shardplan::planner
