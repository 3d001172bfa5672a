#pragma once
#include <utility>

#include <shardplan/io/families/common.hpp>

namespace shardplan::io::families {

/// Phi-3 and Phi-4-mini (model_type phi3): transformers' configuration_phi3.py and modeling_phi3.py. Query, key and
/// value are one projection, gate and up another; the counts are the same.
inline family_model phi3(json_object const& config) {
  std::vector<std::string> notes;
  auto shape = gated_block(config, notes);
  shape.hidden_dropout = dropout(config, "resid_pdrop");
  auto const layers = same_window(layer_count(config, "num_hidden_layers"), size_or(config, "sliding_window", 0));
  return build("phi3", config, shape, layers, size(config, "vocab_size"), config.flag_or("tie_word_embeddings", false),
               std::move(notes));
}

}  // namespace shardplan::io::families
