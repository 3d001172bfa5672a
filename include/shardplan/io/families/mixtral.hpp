#pragma once
#include <utility>

#include <shardplan/io/families/experts.hpp>

namespace shardplan::io::families {

/// Mixtral (model_type mixtral): transformers' configuration_mixtral.py and modeling_mixtral.py. Mistral's attention
/// and a mixture of experts in every layer.
inline family_model mixtral(json_object const& config) {
  std::vector<std::string> notes;
  auto const shape =
      with_experts(config, gated_block(config, notes, {.key_value_heads = 8}), model::block_kind::routed_experts,
                   {.experts = "num_local_experts", .feed_forward = "intermediate_size"});
  auto const layers = same_window(layer_count(config, "num_hidden_layers"), size_or(config, "sliding_window", 0));
  return build("mixtral", config, shape, layers, size(config, "vocab_size"),
               config.flag_or("tie_word_embeddings", false), std::move(notes));
}

}  // namespace shardplan::io::families
