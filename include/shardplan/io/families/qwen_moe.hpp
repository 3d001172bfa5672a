#pragma once
#include <algorithm>
#include <utility>

#include <shardplan/io/families/experts.hpp>

namespace shardplan::io::families {

namespace detail {

/// Mixtures of Qwen: every `decoder_sparse_step`-th layer but those in `mlp_only_layers`, the others dense.
inline family_model qwen_mixture(const char* family, json_object const& config, model::block_shape const& dense,
                                 model::block_shape const& routed, std::vector<std::string> notes) {
  auto const count = layer_count(config, "num_hidden_layers");
  auto const step = config.whole_or("decoder_sparse_step", 1, most_layers, 1);
  auto const plain = config.is_set("mlp_only_layers") ? config.whole_numbers("mlp_only_layers", 0, count - 1)
                                                      : std::vector<long long>{};
  // Which layers slide differs between versions of transformers where the file does not say.
  bool const slides = config.flag_or("use_sliding_window", false);
  if (slides && !config.is_set("layer_types"))
    config.refuse("use_sliding_window", "false, or the file must have layer_types");
  auto const seen = windows_by_layer_types(config, count, slides ? size_or(config, "sliding_window", 0) : 0,
                                           [](long long) { return false; });
  std::vector<model::block_shape> layers;
  for (long long layer = 0; layer < count; ++layer) {
    bool const is_routed = (layer + 1) % step == 0 && std::find(plain.begin(), plain.end(), layer) == plain.end();
    layers.push_back(is_routed ? routed : dense);
    layers.back().window = seen[static_cast<std::size_t>(layer)];
  }
  return build(family, config, layers, size(config, "vocab_size"), config.flag_or("tie_word_embeddings", false),
               std::move(notes));
}

}  // namespace detail

/// Qwen 1.5 and 2 with experts (model_type qwen2_moe): transformers' configuration_qwen2_moe.py and
/// modeling_qwen2_moe.py. Biases of query, key and value; a shared expert with a gate of its own.
inline family_model qwen2_moe(json_object const& config) {
  std::vector<std::string> notes;
  auto dense = gated_block(config, notes, {.key_value_heads = 16});
  dense.query_key_value_bias = switched(config.flag_or("qkv_bias", true));
  auto routed = with_experts(config, dense, model::block_kind::routed_experts, {});
  routed.shared_feed_forward = size(config, "shared_expert_intermediate_size");
  routed.shared_gate = 1;
  return detail::qwen_mixture("qwen2_moe", config, dense, routed, std::move(notes));
}

/// Qwen 3 with experts (model_type qwen3_moe): transformers' configuration_qwen3_moe.py and modeling_qwen3_moe.py.
/// Normed query and key heads, no shared expert.
inline family_model qwen3_moe(json_object const& config) {
  std::vector<std::string> notes;
  if (config.find_whole("shared_expert_intermediate_size").value_or(0) > 0)
    config.refuse("shared_expert_intermediate_size", "missing or 0: qwen3_moe has no shared expert");
  auto dense = gated_block(config, notes, {.key_value_heads = 4});
  double const bias = switched(config.flag_or("attention_bias", false));
  dense.query_key_value_bias = bias;
  dense.attention_output_bias = bias;
  dense.head_norms = 1;
  auto const routed = with_experts(config, dense, model::block_kind::routed_experts, {});
  return detail::qwen_mixture("qwen3_moe", config, dense, routed, std::move(notes));
}

}  // namespace shardplan::io::families
