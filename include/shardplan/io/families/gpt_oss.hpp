#pragma once
#include <utility>

#include <shardplan/io/families/experts.hpp>

namespace shardplan::io::families {

/// gpt-oss (model_type gpt_oss): transformers' configuration_gpt_oss.py and modeling_gpt_oss.py. A sink per head;
/// biases in the router and the experts; every other layer sees a window, the first one does.
inline family_model gpt_oss(json_object const& config) {
  std::vector<std::string> notes;
  refuse_contradiction(config, "experts_per_token", "num_experts_per_tok");
  auto shape = with_experts(config, gated_block(config, notes, {.key_value_heads = 8, .head_dimension = 64}),
                            model::block_kind::routed_experts,
                            {.experts = "num_local_experts", .feed_forward = "intermediate_size"});
  double const bias = switched(config.flag_or("attention_bias", true));
  shape.query_key_value_bias = bias;
  shape.attention_output_bias = bias;
  shape.head_parameters = 1;
  shape.router_bias = 1;
  shape.mlp_bias = 1;
  double const window = config.has("sliding_window") ? size_or(config, "sliding_window", 0)
                                                     : family_default("sliding_window", 128, notes);
  auto const layers = windows_by_layer_types(config, layer_count(config, "num_hidden_layers"), window,
                                             [](long long layer) { return layer % 2 == 0; });
  return build("gpt_oss", config, shape, layers, size(config, "vocab_size"),
               config.flag_or("tie_word_embeddings", false), std::move(notes));
}

}  // namespace shardplan::io::families
