#pragma once
#include <string>
#include <utility>

#include <shardplan/io/families/experts.hpp>

namespace shardplan::io::families {

namespace detail {

/// A block with latent attention and a gated MLP.
inline model::block_shape latent_block(json_object const& config) {
  using model::block_kind;
  model::block_shape shape;
  shape.hidden = size(config, "hidden_size");
  shape.heads = size(config, "num_attention_heads");
  shape.key_value_heads = shape.heads;
  if (config.is_set("num_key_value_heads") && size(config, "num_key_value_heads") != shape.heads)
    config.refuse("num_key_value_heads", "missing, or equal to num_attention_heads, which is " +
                                             io::detail::number_text(shape.heads) +
                                             ": latent attention has keys and values for every head");
  if (!config.has("q_lora_rank"))
    config.refuse("q_lora_rank", "a whole number from 1 to 1e9, or null for queries that are not compressed");
  shape.query_rank = size_or(config, "q_lora_rank", 0);
  shape.kind = shape.query_rank > 0 ? block_kind::low_rank_latent_gated_mlp : block_kind::latent_gated_mlp;
  shape.key_value_rank = size(config, "kv_lora_rank");
  shape.rotary_dimension = size(config, "qk_rope_head_dim");
  shape.plain_dimension = size(config, "qk_nope_head_dim");
  shape.value_dimension = size(config, "v_head_dim");
  shape.head_dimension = (shape.rotary_dimension + shape.plain_dimension + shape.value_dimension) / 2;
  shape.feed_forward = size(config, "intermediate_size");
  shape.attention_dropout = dropout(config, "attention_dropout");
  double const bias = switched(config.flag_or("attention_bias", false));
  shape.query_key_value_bias = bias;
  shape.attention_output_bias = bias;
  return shape;
}

/// DeepSeek V2, V3 and what follows them: dense layers first, then mixtures with shared experts, which are as large as
/// the routed ones.
inline family_model deepseek(const char* family, json_object const& config, double router_bias) {
  std::vector<std::string> notes;
  auto const dense = latent_block(config);
  auto const count = layer_count(config, "num_hidden_layers");
  if (!config.has("n_routed_experts"))
    config.refuse("n_routed_experts", "a whole number from 1 to 1e9, or null for a model without experts");
  if (config.whole_or("moe_layer_freq", 1, most, 1) != 1)
    config.refuse("moe_layer_freq", "1: transformers ignores other values, the model's own code does not");

  long long first_routed = count;
  model::block_shape routed = dense;
  if (config.is_set("n_routed_experts")) {
    first_routed = config.whole("first_k_dense_replace", 0, most_layers);
    routed = with_experts(config, dense,
                          dense.query_rank > 0 ? model::block_kind::low_rank_latent_routed_experts
                                               : model::block_kind::latent_routed_experts,
                          {.experts = "n_routed_experts"});
    if (!config.has("n_shared_experts"))
      config.refuse("n_shared_experts", "a whole number from 0 to 1e9, or null for no shared experts");
    routed.shared_feed_forward =
        static_cast<double>(config.whole_or("n_shared_experts", 0, most, 0)) * routed.expert_feed_forward;
    routed.router_bias = router_bias;
  }
  std::vector<model::block_shape> layers;
  for (long long layer = 0; layer < count; ++layer)
    layers.push_back(layer < first_routed ? dense : routed);
  auto const predicted = config.whole_or("num_nextn_predict_layers", 0, most_layers, 0);
  if (predicted > 0)
    notes.push_back("num_nextn_predict_layers is " + std::to_string(predicted) +
                    ": modules that predict more than one token are not modelled, and not counted");
  return build(family, config, layers, size(config, "vocab_size"), config.flag_or("tie_word_embeddings", false),
               std::move(notes));
}

/// The correction bias of a router that balances load without a loss.
inline double corrected_router(json_object const& config) {
  if (config.is_set("topk_method"))
    config.name("topk_method", {"noaux_tc"});
  return 1;
}

}  // namespace detail

/// DeepSeek V2 (model_type deepseek_v2): modeling_deepseek.py of the published models, and transformers'
/// configuration_deepseek_v2.py.
inline family_model deepseek_v2(json_object const& config) {
  if (config.is_set("topk_method"))
    config.name("topk_method", {"greedy", "group_limited_greedy"});
  return detail::deepseek("deepseek_v2", config, 0);
}

/// DeepSeek V3 (model_type deepseek_v3): as V2, and a correction bias in the router, which the published count
/// includes.
inline family_model deepseek_v3(json_object const& config) {
  return detail::deepseek("deepseek_v3", config, detail::corrected_router(config));
}

/// Kimi K2 (model_type kimi_k2): DeepSeek V3 of other sizes.
inline family_model kimi_k2(json_object const& config) {
  return detail::deepseek("kimi_k2", config, detail::corrected_router(config));
}

}  // namespace shardplan::io::families
