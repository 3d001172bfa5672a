#pragma once
#include <utility>

#include <shardplan/io/families/common.hpp>

namespace shardplan::io::families {

namespace detail {

/// Windows of Qwen 2 and 3: where `use_sliding_window` is set, the layers from `max_window_layers` on.
inline windows qwen_windows(json_object const& config, std::vector<std::string>& notes) {
  auto const layers = layer_count(config, "num_hidden_layers");
  double window = 0;
  if (config.flag_or("use_sliding_window", false))
    window = config.has("sliding_window") ? size_or(config, "sliding_window", 0)
                                          : family_default("sliding_window", 4096, notes);
  auto const full = window > 0 ? config.whole_or("max_window_layers", 0, most, 28) : 0;
  return windows_by_layer_types(config, layers, window, [&](long long layer) { return window > 0 && layer >= full; });
}

}  // namespace detail

/// Qwen 2 and 2.5, dense (model_type qwen2): transformers' configuration_qwen2.py and modeling_qwen2.py. Query, key and
/// value always have biases.
inline family_model qwen2(json_object const& config) {
  std::vector<std::string> notes;
  auto shape = gated_block(config, notes, {.key_value_heads = 32});
  shape.query_key_value_bias = 1;
  auto const layers = detail::qwen_windows(config, notes);
  return build("qwen2", config, shape, layers, size(config, "vocab_size"), config.flag_or("tie_word_embeddings", false),
               std::move(notes));
}

/// Qwen 3, dense (model_type qwen3): transformers' configuration_qwen3.py and modeling_qwen3.py. Query and key heads
/// are normed.
inline family_model qwen3(json_object const& config) {
  std::vector<std::string> notes;
  auto shape = gated_block(config, notes, {.key_value_heads = 32, .head_dimension = 128});
  double const attention_bias = switched(config.flag_or("attention_bias", false));
  shape.query_key_value_bias = attention_bias;
  shape.attention_output_bias = attention_bias;
  shape.head_norms = 1;
  auto const layers = detail::qwen_windows(config, notes);
  return build("qwen3", config, shape, layers, size(config, "vocab_size"), config.flag_or("tie_word_embeddings", false),
               std::move(notes));
}

}  // namespace shardplan::io::families
