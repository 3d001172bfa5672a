#pragma once
#include <utility>

#include <shardplan/io/families/common.hpp>

namespace shardplan::io::families {

/// OPT (model_type opt): transformers' configuration_opt.py and modeling_opt.py. Learned positions are looked up at an
/// offset of 2, so the table has two more rows than the longest sequence. OPT-350m norms after attention and MLP and
/// has a smaller embedding: both are refused.
inline family_model opt(json_object const& config) {
  std::vector<std::string> notes;
  model::block_shape shape;
  shape.kind = model::block_kind::plain_mlp;
  read_heads(config, shape, notes);
  shape.feed_forward = size(config, "ffn_dim");
  shape.norm_vectors = 2;
  double const bias = switched(config.flag_or("enable_bias", true));
  shape.query_key_value_bias = bias;
  shape.attention_output_bias = bias;
  shape.mlp_bias = bias;
  shape.hidden_dropout = dropout(config, "dropout", 0.1);
  shape.attention_dropout = dropout(config, "attention_dropout");
  if (size_or(config, "word_embed_proj_dim", shape.hidden) != shape.hidden)
    config.refuse("word_embed_proj_dim", io::detail::number_text(shape.hidden) +
                                             ", the hidden_size: a projection of the embedding is not supported");
  if (!config.flag_or("do_layer_norm_before", true))
    config.refuse("do_layer_norm_before", "true: norms after attention and MLP only are not supported");
  if (!config.flag_or("layer_norm_elementwise_affine", true))
    config.refuse("layer_norm_elementwise_affine", "true: norms without parameters are not supported");
  refuse_if_set(config, "_remove_final_layer_norm", "a model without final norm is not supported");
  auto const layers = same_window(layer_count(config, "num_hidden_layers"), 0);
  auto result = build("opt", config, shape, layers, size(config, "vocab_size"),
                      config.flag_or("tie_word_embeddings", true), std::move(notes));
  result.model.longest_sequence = size(config, "max_position_embeddings");
  result.model.learned_positions = result.model.longest_sequence + 2;
  return result;
}

}  // namespace shardplan::io::families
