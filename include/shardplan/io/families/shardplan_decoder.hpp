#pragma once
#include <utility>

#include <shardplan/io/families/common.hpp>

namespace shardplan::io::families {

namespace detail {

/// A switch that is one boolean for all parts, or an object with a boolean per part.
struct switches {
  json_object const& config;
  std::string key;

  double operator()(std::string const& part, bool single) const {
    if (config.is_object(key))
      return switched(config.object(key).flag_or(part, false));
    return switched(single && config.flag_or(key, false));
  }
};

inline switches switches_of(json_object const& config, std::string const& key, std::vector<std::string> const& parts) {
  if (config.is_object(key))
    config.object(key).allow_only(parts);
  else if (config.is_set(key) && !config.is_flag(key))
    config.refuse(key, "true, false or an object with " + listed(parts));
  return {config, key};
}

/// Rows of the position table, 0 for none.
inline double learned_rows(json_object const& config) {
  std::string const expected = "\"rotary\", \"none\" (also for ALiBi) or a whole number of learned positions from 1 to "
                               "1e9";
  if (config.is_text("positions")) {
    auto const kind = config.text("positions");
    if (kind != "rotary" && kind != "none")
      config.refuse("positions", expected);
    return 0;
  }
  // Zero, which is no number of positions, stands for what is not a whole number.
  long long const number = config.is_set("positions") ? config.find_whole("positions").value_or(0) : 0;
  if (number < 1 || number > most)
    config.refuse("positions", expected);
  return static_cast<double>(number);
}

}  // namespace detail

/// The project's own decoder file, for models that have no config.json of a family known here. The reference page
/// docs/reference/model-file.md has all keys.
inline family_model shardplan_decoder(json_object const& config) {
  config.allow_only(
      {"model_type",        "name",        "source",    "layers",     "hidden", "ffn",  "heads", "kv_heads",
       "head_dim",          "gated",       "positions", "vocab",      "tied",   "norm", "bias",  "dropout",
       "parallel_residual", "shared_norm", "qk_norm",   "post_norms", "window"});
  std::vector<std::string> notes;
  model::block_shape shape;
  auto const layers = layer_count(config, "layers");
  read_heads(config, shape, notes, {}, {"hidden", "heads", "kv_heads", "head_dim"});
  shape.feed_forward = size(config, "ffn");
  shape.kind = config.flag("gated") ? model::block_kind::gated_mlp : model::block_kind::plain_mlp;
  double const rows = detail::learned_rows(config);
  double const vocabulary = size(config, "vocab");
  bool const tied = config.flag("tied");

  config.text_or("source", "");
  shape.norm_vectors = config.is_set("norm") && config.name("norm", {"rms", "layer"}) == "layer" ? 2 : 1;
  auto const bias = detail::switches_of(config, "bias", {"qkv", "output", "mlp"});
  shape.query_key_value_bias = bias("qkv", true);
  shape.attention_output_bias = bias("output", true);
  shape.mlp_bias = bias("mlp", true);
  auto const dropped = detail::switches_of(config, "dropout", {"hidden", "attention"});
  shape.hidden_dropout = dropped("hidden", true);
  shape.attention_dropout = dropped("attention", false);
  bool const parallel = config.flag_or("parallel_residual", false);
  bool const shared = config.flag_or("shared_norm", false);
  if (shared && !parallel)
    config.refuse("shared_norm", "false where parallel_residual is not true");
  shape.sequential = switched(!parallel);
  shape.mlp_norms = switched(!shared);
  shape.head_norms = config.flag_or("qk_norm", false) ? 1 : 0;
  shape.post_norms = config.flag_or("post_norms", false) ? 2 : 0;

  auto result = build("shardplan-decoder", config, shape, same_window(layers, size_or(config, "window", 0)), vocabulary,
                      tied, std::move(notes));
  result.model.learned_positions = rows;
  result.model.longest_sequence = rows;
  return result;
}

}  // namespace shardplan::io::families
