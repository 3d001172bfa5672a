#pragma once
#include <utility>

#include <shardplan/io/families/common.hpp>

namespace shardplan::io::families {

/// Llama 2, 3, 3.1 (model_type llama): transformers' configuration_llama.py and modeling_llama.py.
inline family_model llama(json_object const& config) {
  std::vector<std::string> notes;
  auto shape = gated_block(config, notes);
  double const attention_bias = switched(config.flag_or("attention_bias", false));
  shape.query_key_value_bias = attention_bias;
  shape.attention_output_bias = attention_bias;
  shape.mlp_bias = switched(config.flag_or("mlp_bias", false));
  auto const layers = same_window(layer_count(config, "num_hidden_layers"), 0);
  return build("llama", config, shape, layers, size(config, "vocab_size"), config.flag_or("tie_word_embeddings", false),
               std::move(notes));
}

}  // namespace shardplan::io::families
