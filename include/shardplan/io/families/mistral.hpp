#pragma once
#include <utility>

#include <shardplan/io/families/common.hpp>

namespace shardplan::io::families {

/// Mistral (model_type mistral): transformers' configuration_mistral.py and modeling_mistral.py. All layers have the
/// same window; transformers does not look at `layer_types`.
inline family_model mistral(json_object const& config) {
  std::vector<std::string> notes;
  auto const shape = gated_block(config, notes, {.key_value_heads = 8});
  double const window = config.has("sliding_window") ? size_or(config, "sliding_window", 0)
                                                     : family_default("sliding_window", 4096, notes);
  if (config.is_set("layer_types"))
    notes.push_back("layer_types is ignored, as transformers does for mistral: all layers have the same window");
  auto const layers = same_window(layer_count(config, "num_hidden_layers"), window);
  return build("mistral", config, shape, layers, size(config, "vocab_size"),
               config.flag_or("tie_word_embeddings", false), std::move(notes));
}

}  // namespace shardplan::io::families
