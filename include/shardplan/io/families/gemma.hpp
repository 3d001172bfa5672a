#pragma once
#include <algorithm>
#include <utility>

#include <shardplan/io/families/common.hpp>

namespace shardplan::io::families {

namespace detail {

/// What all Gemma blocks share: a switch for the biases of attention.
inline model::block_shape gemma_block(json_object const& config, std::vector<std::string>& notes,
                                      head_defaults const& defaults) {
  refuse_if_set(config, "use_bidirectional_attention", "attention that is not causal is not supported");
  auto shape = gated_block(config, notes, defaults);
  double const bias = switched(config.flag_or("attention_bias", false));
  shape.query_key_value_bias = bias;
  shape.attention_output_bias = bias;
  return shape;
}

inline double gemma_window(json_object const& config, std::vector<std::string>& notes) {
  return config.has("sliding_window") ? size_or(config, "sliding_window", 0)
                                      : family_default("sliding_window", 4096, notes);
}

/// Every `pattern`-th layer sees everything, the others a window.
inline windows gemma_windows(json_object const& config, double window, long long pattern) {
  auto const layers = layer_count(config, "num_hidden_layers");
  return windows_by_layer_types(config, layers, window, [&](long long layer) { return (layer + 1) % pattern != 0; });
}

}  // namespace detail

/// Gemma (model_type gemma): transformers' configuration_gemma.py and modeling_gemma.py.
inline family_model gemma(json_object const& config) {
  std::vector<std::string> notes;
  auto const shape = detail::gemma_block(config, notes, {.key_value_heads = 16, .head_dimension = 256});
  auto const layers = same_window(layer_count(config, "num_hidden_layers"), 0);
  return build("gemma", config, shape, layers, size(config, "vocab_size"), config.flag_or("tie_word_embeddings", true),
               std::move(notes));
}

/// Gemma 2 (model_type gemma2): transformers' configuration_gemma2.py and modeling_gemma2.py. Norms before and after
/// attention and MLP; every other layer sees a window, the first one does.
inline family_model gemma2(json_object const& config) {
  std::vector<std::string> notes;
  auto shape = detail::gemma_block(config, notes, {.key_value_heads = 4, .head_dimension = 256});
  shape.post_norms = 2;
  auto const layers = detail::gemma_windows(config, detail::gemma_window(config, notes), 2);
  return build("gemma2", config, shape, layers, size(config, "vocab_size"), config.flag_or("tie_word_embeddings", true),
               std::move(notes));
}

/// The text model of Gemma 3 (model_type gemma3_text): transformers' configuration_gemma3.py and modeling_gemma3.py. As
/// Gemma 2 with normed query and key heads; every sixth layer sees everything. The published
/// files nest it without the keys that have the family's defaults, heads and vocabulary among them.
inline family_model gemma3_text(json_object const& config) {
  std::vector<std::string> notes;
  auto shape = detail::gemma_block(config, notes, {.key_value_heads = 4, .head_dimension = 256, .heads = 8});
  shape.post_norms = 2;
  shape.head_norms = 1;
  std::string const pattern_key =
      config.is_set("sliding_window_pattern") ? "sliding_window_pattern" : "_sliding_window_pattern";
  auto const pattern = config.whole_or(pattern_key, 1, most, 6);
  auto const layers = detail::gemma_windows(config, detail::gemma_window(config, notes), pattern);
  double const vocabulary =
      config.has("vocab_size") ? size(config, "vocab_size") : family_default("vocab_size", 262208, notes);
  return build("gemma3_text", config, shape, layers, vocabulary, config.flag_or("tie_word_embeddings", true),
               std::move(notes));
}

/// Gemma 3 with its text model nested (model_type gemma3). With a vision part it is refused.
inline family_model gemma3(json_object const& config) {
  std::string const advice =
      "missing or null: the vision part is not supported; for the text model alone give a file with the keys of "
      "text_config and \"model_type\": \"gemma3_text\"";
  if (config.is_set("vision_config"))
    config.refuse("vision_config", advice);
  if (config.is_set("architectures")) {
    auto const names = config.texts("architectures");
    if (std::find(names.begin(), names.end(), "Gemma3ForConditionalGeneration") != names.end())
      throw input_error(config.file(), "architectures", "\"Gemma3ForConditionalGeneration\", which has a vision part",
                        "\"Gemma3ForCausalLM\": the vision part is not supported");
  }
  return gemma3_text(config.object("text_config"));
}

}  // namespace shardplan::io::families
