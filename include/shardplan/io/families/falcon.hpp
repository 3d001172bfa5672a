#pragma once
#include <utility>

#include <shardplan/io/families/common.hpp>

namespace shardplan::io::families {

/// Falcon (model_type falcon): transformers' configuration_falcon.py and modeling_falcon.py. The new decoder
/// architecture runs attention and MLP side by side, each with a norm of its own unless `num_ln_in_parallel_attn` is 1;
/// the old one may share a norm (`parallel_attn`) or run them in turn. Positions are rotary or ALiBi: no table.
inline family_model falcon(json_object const& config) {
  std::vector<std::string> notes;
  bool const new_architecture = config.flag_or("new_decoder_architecture", false);
  bool const multi_query = config.flag_or("multi_query", true);
  bool const parallel = new_architecture || config.flag_or("parallel_attn", true);
  bool const two_norms = config.whole_or("num_ln_in_parallel_attn", 1, 2, new_architecture ? 2 : 1) == 2;

  model::block_shape shape;
  shape.kind = model::block_kind::plain_mlp;
  read_heads(config, shape, notes, {}, {"hidden_size", "num_attention_heads", "num_kv_heads", "head_dim"});
  if (!new_architecture && multi_query)
    shape.key_value_heads = 1;
  shape.feed_forward = size_or(config, "ffn_hidden_size", 4 * shape.hidden);
  shape.norm_vectors = 2;
  shape.sequential = switched(!parallel);
  shape.mlp_norms = switched(!parallel || two_norms);
  double const bias = switched(config.flag_or("bias", false));
  shape.query_key_value_bias = bias;
  shape.attention_output_bias = bias;
  shape.mlp_bias = bias;
  shape.hidden_dropout = dropout(config, "hidden_dropout");
  shape.attention_dropout = dropout(config, "attention_dropout");
  auto const layers = same_window(layer_count(config, "num_hidden_layers"), 0);
  return build("falcon", config, shape, layers, size(config, "vocab_size"), config.flag_or("tie_word_embeddings", true),
               std::move(notes));
}

}  // namespace shardplan::io::families
