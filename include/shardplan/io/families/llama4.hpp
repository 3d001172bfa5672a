#pragma once
#include <algorithm>
#include <string>
#include <utility>

#include <shardplan/io/families/experts.hpp>

namespace shardplan::io::families {

namespace detail {

/// Which layers have rotary positions: `no_rope_layers` says it with a 1, strangely; else all but every fourth.
inline std::vector<bool> rotary_layers(json_object const& config, long long count) {
  std::vector<bool> result;
  if (config.is_set("no_rope_layers")) {
    auto const given = config.whole_numbers("no_rope_layers", 0, 1);
    if (!given.empty() && given.size() != static_cast<std::size_t>(count))
      config.refuse("no_rope_layers", "an array with one number for each of the " + std::to_string(count) + " layers");
    for (long long const rotary : given)
      result.push_back(rotary == 1);
  }
  auto const interval = config.whole_or("no_rope_layer_interval", 1, most_layers, 4);
  for (long long layer = 0; result.size() < static_cast<std::size_t>(count); ++layer)
    result.push_back((layer + 1) % interval != 0);
  return result;
}

/// Which layers have experts: those that `moe_layers` lists, else every `interleave_moe_layer_step`-th.
inline std::vector<bool> routed_layers(json_object const& config, long long count) {
  std::vector<bool> result(static_cast<std::size_t>(count), false);
  if (config.is_set("moe_layers")) {
    for (long long const layer : config.whole_numbers("moe_layers", 0, count - 1))
      result[static_cast<std::size_t>(layer)] = true;
    return result;
  }
  auto const step = config.whole_or("interleave_moe_layer_step", 1, most_layers, 1);
  for (long long layer = step - 1; layer < count; layer += step)
    result[static_cast<std::size_t>(layer)] = true;
  return result;
}

}  // namespace detail

/// The text model of Llama 4 (model_type llama4_text): transformers' configuration_llama4.py and modeling_llama4.py. A
/// shared expert of the size of the routed ones; norms without scale on query and key heads, and attention in chunks,
/// in layers with rotary positions.
inline family_model llama4_text(json_object const& config) {
  std::vector<std::string> notes;
  auto shape = gated_block(config, notes, {.key_value_heads = 8, .head_dimension = 128});
  double const bias = switched(config.flag_or("attention_bias", false));
  shape.query_key_value_bias = bias;
  shape.attention_output_bias = bias;
  shape.head_norm_vectors = 0;
  auto routed = with_experts(config, shape, model::block_kind::routed_experts,
                             {.experts = "num_local_experts", .feed_forward = "intermediate_size"});
  routed.shared_feed_forward = routed.expert_feed_forward;
  auto dense = shape;

  auto const count = layer_count(config, "num_hidden_layers");
  auto const rotary = detail::rotary_layers(config, count);
  auto const is_routed = detail::routed_layers(config, count);
  if (std::find(is_routed.begin(), is_routed.end(), false) != is_routed.end())
    dense.feed_forward = size(config, "intermediate_size_mlp");
  double const chunk = config.has("attention_chunk_size") ? size_or(config, "attention_chunk_size", 0)
                                                          : family_default("attention_chunk_size", 8192, notes);
  auto const chunks = windows_by_layer_types(config, count, chunk,
                                             [&](long long layer) { return rotary[static_cast<std::size_t>(layer)]; },
                                             {.type = "chunked_attention", .key = "attention_chunk_size"});
  double const normed = switched(config.flag_or("use_qk_norm", true));
  std::vector<model::block_shape> layers;
  for (std::size_t layer = 0; layer < chunks.size(); ++layer) {
    layers.push_back(is_routed[layer] ? routed : dense);
    layers.back().chunk = chunks[layer];
    layers.back().head_norms = rotary[layer] ? normed : 0;
  }
  return build("llama4_text", config, layers, size(config, "vocab_size"), config.flag_or("tie_word_embeddings", false),
               std::move(notes));
}

/// Llama 4 with its text model nested (model_type llama4). The vision part is not counted, with a note.
inline family_model llama4(json_object const& config) {
  auto result = llama4_text(config.object("text_config"));
  result.model.family = "llama4";
  result.notes.insert(result.notes.begin(), "only text_config is counted and planned: the vision part is not modelled");
  return result;
}

}  // namespace shardplan::io::families
