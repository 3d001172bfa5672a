#pragma once
#include <memory>
#include <utility>

#include <nlohmann/json.hpp>

#include <shardplan/io/families/common.hpp>

namespace shardplan::io::families {

namespace detail {

inline double mpt_key_value_heads(json_object const& attention, double heads) {
  std::string const type =
      attention.is_set("attn_type")
          ? attention.name("attn_type", {"multihead_attention", "multiquery_attention", "grouped_query_attention"})
          : "multihead_attention";
  if (type == "multiquery_attention")
    return 1;
  if (type == "multihead_attention" && !attention.is_set("kv_n_heads"))
    return heads;
  double const result = size(attention, "kv_n_heads");
  if (static_cast<long long>(heads) % static_cast<long long>(result) != 0)
    attention.refuse("kv_n_heads", "a divisor of n_heads, which is " + io::detail::number_text(heads));
  return result;
}

inline double mpt_feed_forward(json_object const& config, double hidden) {
  if (config.is_set("ffn_config")) {
    auto const ffn = config.object("ffn_config");
    if (ffn.is_set("ffn_type") && ffn.text("ffn_type") != "mptmlp")
      ffn.refuse("ffn_type", "\"mptmlp\": other kinds of MLP are not supported");
    if (ffn.is_set("ffn_hidden_size"))
      return size(ffn, "ffn_hidden_size");
  }
  double const product = config.number_or("expansion_ratio", 0.001, 1000, 4) * hidden;
  double const whole = static_cast<double>(static_cast<long long>(product));
  if (whole != product || whole < 1)
    config.refuse("expansion_ratio", "a number that gives a whole feed-forward size when multiplied with d_model");
  return whole;
}

}  // namespace detail

/// MPT (model_type mpt): transformers' configuration_mpt.py, and mosaicml/llm-foundry's MPTConfig for the keys that it
/// adds. As there, ALiBi or rotary positions switch the learned table off. Embeddings are tied.
inline family_model mpt(json_object const& config) {
  std::vector<std::string> notes;
  auto const attention =
      config.is_set("attn_config")
          ? config.object("attn_config")
          : json_object(config.file(), std::make_shared<nlohmann::json>(nlohmann::json::object()), "attn_config.");
  refuse_if_set(attention, "qk_ln", "norms over all query or key heads together are not supported");
  refuse_if_set(attention, "qk_gn", "norms of query and key groups are not supported");
  refuse_if_set(attention, "prefix_lm", "attention that is not causal is not supported");

  model::block_shape shape;
  shape.kind = model::block_kind::plain_mlp;
  read_heads(config, shape, notes, {}, {"d_model", "n_heads", "num_key_value_heads", "head_dim"});
  shape.key_value_heads = detail::mpt_key_value_heads(attention, shape.heads);
  shape.feed_forward = detail::mpt_feed_forward(config, shape.hidden);
  bool const biases = !config.flag_or("no_bias", true);
  bool const rms = config.text_or("norm_type", "low_precision_layernorm").find("rms") != std::string::npos;
  shape.norm_vectors = biases && !rms ? 2 : 1;
  shape.query_key_value_bias = switched(biases);
  shape.attention_output_bias = switched(biases);
  shape.mlp_bias = switched(biases);
  shape.hidden_dropout = dropout(config, "resid_pdrop");
  shape.attention_dropout = dropout(attention, "attn_pdrop");

  auto const window = attention.whole_or("sliding_window_size", -1, most, -1);
  auto const layers = same_window(layer_count(config, "n_layers"), window > 0 ? static_cast<double>(window) : 0);
  auto result = build("mpt", config, shape, layers, size(config, "vocab_size"),
                      config.flag_or("tie_word_embeddings", true), std::move(notes));
  bool const alibi = attention.flag_or("alibi", true);
  bool const rotary = attention.flag_or("rope", false);
  if (config.flag_or("learned_pos_emb", true) && !alibi && !rotary) {
    result.model.learned_positions = size(config, "max_seq_len");
    result.model.longest_sequence = result.model.learned_positions;
  }
  return result;
}

}  // namespace shardplan::io::families
