#pragma once
#include <utility>

#include <shardplan/io/families/common.hpp>

namespace shardplan::io::families {

/// GPT-2 (model_type gpt2, or none and an architecture GPT2...): transformers' configuration_gpt2.py and
/// modeling_gpt2.py. Layer norms and biases everywhere, learned positions, embeddings tied.
inline family_model gpt2(json_object const& config) {
  refuse_if_set(config, "add_cross_attention", "cross attention is not supported");
  std::vector<std::string> notes;
  model::block_shape shape;
  shape.kind = model::block_kind::plain_mlp;
  read_heads(config, shape, notes, {}, {"n_embd", "n_head", "num_key_value_heads", "head_dim"});
  shape.feed_forward = size_or(config, "n_inner", 4 * shape.hidden);
  shape.norm_vectors = 2;
  shape.query_key_value_bias = 1;
  shape.attention_output_bias = 1;
  shape.mlp_bias = 1;
  shape.hidden_dropout = dropout(config, "resid_pdrop", 0.1);
  shape.attention_dropout = dropout(config, "attn_pdrop", 0.1);
  auto const layers = same_window(layer_count(config, "n_layer"), 0);
  auto result = build("gpt2", config, shape, layers, size(config, "vocab_size"),
                      config.flag_or("tie_word_embeddings", true), std::move(notes));
  result.model.learned_positions = size(config, "n_positions");
  result.model.longest_sequence = result.model.learned_positions;
  return result;
}

}  // namespace shardplan::io::families
