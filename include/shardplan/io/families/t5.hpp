#pragma once
#include <string>
#include <utility>

#include <shardplan/io/families/common.hpp>

namespace shardplan::io::families {

namespace detail {

/// What the families of T5 take for missing keys.
struct t5_defaults {
  const char* feed_forward;
  bool tied;
};

/// T5: RMS norms, no biases, buckets of relative positions in the first layer of each stack, one embedding for both.
inline family_model t5_model(const char* family, json_object const& config, t5_defaults const& defaults) {
  std::vector<std::string> notes;
  if (config.is_set("is_encoder_decoder") && !config.flag("is_encoder_decoder"))
    config.refuse("is_encoder_decoder", "true: T5 without its encoder or decoder is not supported");
  auto const projection =
      config.is_set("feed_forward_proj")
          ? config.name("feed_forward_proj", {"relu", "gelu", "gated-gelu", "gated-relu", "gated-silu"})
          : std::string(defaults.feed_forward);
  bool const gated = projection.starts_with("gated");
  if (config.is_set("is_gated_act") && config.flag("is_gated_act") != gated)
    config.refuse("is_gated_act", "missing, or what feed_forward_proj says, which is \"" + projection + "\"");

  model::block_shape encoder;
  encoder.kind = gated ? model::block_kind::gated_mlp : model::block_kind::plain_mlp;
  encoder.hidden = size(config, "d_model");
  encoder.heads = size(config, "num_heads");
  encoder.key_value_heads = encoder.heads;
  encoder.head_dimension = size(config, "d_kv");
  encoder.feed_forward = size(config, "d_ff");
  encoder.causal = 0;
  encoder.hidden_dropout = dropout(config, "dropout_rate", 0.1);
  encoder.attention_dropout = encoder.hidden_dropout;
  auto decoder = encoder;
  decoder.kind = gated ? model::block_kind::cross_gated_mlp : model::block_kind::cross_plain_mlp;
  decoder.causal = 1;

  double const buckets = config.is_set("relative_attention_num_buckets")
                             ? size(config, "relative_attention_num_buckets")
                             : family_default("relative_attention_num_buckets", 32, notes);
  auto const encoders = layer_count(config, "num_layers");
  auto const decoders = config.is_set("num_decoder_layers") ? layer_count(config, "num_decoder_layers") : encoders;
  std::vector<model::block_shape> layers;
  for (long long layer = 0; layer < encoders + decoders; ++layer) {
    layers.push_back(layer < encoders ? encoder : decoder);
    if (layer == 0 || layer == encoders)
      layers.back().head_parameters = buckets;
  }
  auto result = build(family, config, layers, size(config, "vocab_size"),
                      config.flag_or("tie_word_embeddings", defaults.tied), std::move(notes));
  result.model.encoder_layers = encoders;
  return result;
}

}  // namespace detail

/// T5, T5 1.1 and Flan-T5 (model_type t5): transformers' configuration_t5.py and modeling_t5.py.
inline family_model t5(json_object const& config) { return detail::t5_model("t5", config, {"relu", true}); }

/// mT5 (model_type mt5): transformers' configuration_mt5.py.
inline family_model mt5(json_object const& config) { return detail::t5_model("mt5", config, {"gated-gelu", false}); }

}  // namespace shardplan::io::families
