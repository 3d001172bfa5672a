#pragma once
#include <string>
#include <utility>

#include <shardplan/io/families/common.hpp>

namespace shardplan::io::families {

/// What BERT and ViT share: layer norms and biases everywhere, no causal mask.
inline model::block_shape encoder_block(json_object const& config, std::vector<std::string>& notes) {
  model::block_shape shape;
  shape.kind = model::block_kind::plain_mlp;
  read_heads(config, shape, notes);
  shape.feed_forward = size(config, "intermediate_size");
  shape.norm_vectors = 2;
  shape.query_key_value_bias = 1;
  shape.attention_output_bias = 1;
  shape.mlp_bias = 1;
  shape.causal = 0;
  return shape;
}

/// BERT (model_type bert): transformers' configuration_bert.py and modeling_bert.py, the encoder with its pooler. Heads
/// for a task, which `architectures` names, are not counted.
inline family_model bert(json_object const& config) {
  refuse_if_set(config, "is_decoder", "BERT as a decoder is not supported");
  refuse_if_set(config, "add_cross_attention", "cross attention of BERT is not supported");
  if (config.is_set("position_embedding_type"))
    config.name("position_embedding_type", {"absolute"});
  std::vector<std::string> notes;
  auto shape = encoder_block(config, notes);
  shape.hidden_dropout = dropout(config, "hidden_dropout_prob", 0.1);
  shape.attention_dropout = dropout(config, "attention_probs_dropout_prob", 0.1);
  auto result = build("bert", config, shape, same_window(layer_count(config, "num_hidden_layers"), 0),
                      size(config, "vocab_size"), true, std::move(notes));
  result.model.input = model::input_kind::typed_tokens;
  result.model.output = model::output_kind::pooler;
  result.model.learned_positions = size(config, "max_position_embeddings");
  result.model.longest_sequence = result.model.learned_positions;
  result.model.token_types = config.is_set("type_vocab_size") ? size(config, "type_vocab_size")
                                                              : family_default("type_vocab_size", 2, result.notes);
  if (config.is_set("architectures"))
    for (auto const& name : config.texts("architectures"))
      if (name != "BertModel")
        result.notes.push_back("the encoder and its pooler are counted, not the head of " + name);
  return result;
}

}  // namespace shardplan::io::families
