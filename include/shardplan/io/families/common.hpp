#pragma once
#include <cstddef>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include <shardplan/io/json_file.hpp>
#include <shardplan/io/named_model.hpp>

/// What the readers of the families share. The keys are those of Hugging Face transformers; a missing key means what it
/// means there (src/transformers/models/*/configuration_*.py), except that sizes of the model are never guessed.
namespace shardplan::io::families {

/// What a family's reader makes of a configuration.
struct family_model {
  run_transformer model;
  std::vector<std::string> notes;
};

inline constexpr long long most = 1'000'000'000;
inline constexpr long long most_layers = 100'000;

/// A size of the model, required.
inline double size(json_object const& config, std::string const& key) {
  return static_cast<double>(config.whole(key, 1, most));
}
inline double size_or(json_object const& config, std::string const& key, double otherwise) {
  return config.is_set(key) ? size(config, key) : otherwise;
}
inline long long layer_count(json_object const& config, std::string const& key) {
  return config.whole(key, 1, most_layers);
}

/// 1 if the probability under `key` is above 0.
inline double dropout(json_object const& config, std::string const& key, double otherwise = 0) {
  return config.number_or(key, 0, 1, otherwise) > 0 ? 1 : 0;
}
inline double switched(bool on) { return on ? 1 : 0; }

/// Refuses a switch that changes the model in a way that is not modelled.
inline void refuse_if_set(json_object const& config, std::string const& key, std::string const& reason) {
  if (config.is_flag(key) && config.flag(key))
    config.refuse(key, "false: " + reason);
}

/// Names of the keys that say how wide attention is.
struct head_keys {
  const char* hidden = "hidden_size";
  const char* heads = "num_attention_heads";
  const char* key_value_heads = "num_key_value_heads";
  const char* head_dimension = "head_dim";
};

/// A missing key for which the family has a number of its own, not one derived from other keys.
inline double family_default(std::string const& key, double value, std::vector<std::string>& notes) {
  notes.push_back(key + " is missing: " + io::detail::number_text(value) + " taken, the default of the family");
  return value;
}

/// Numbers that a family takes for missing keys. 0 for none: then there are as many key/value heads as heads, the head
/// dimension is hidden size over heads, and the number of heads is required.
struct head_defaults {
  double key_value_heads = 0;
  double head_dimension = 0;
  double heads = 0;
};

/// Hidden size and heads of a block.
inline void read_heads(json_object const& config, model::block_shape& shape, std::vector<std::string>& notes,
                       head_defaults const& defaults = {}, head_keys const& keys = {}) {
  shape.hidden = size(config, keys.hidden);
  shape.heads = defaults.heads > 0 && !config.has(keys.heads) ? family_default(keys.heads, defaults.heads, notes)
                                                              : size(config, keys.heads);
  shape.key_value_heads = shape.heads;
  if (config.is_set(keys.key_value_heads))
    shape.key_value_heads = size(config, keys.key_value_heads);
  else if (defaults.key_value_heads > 0 && !config.has(keys.key_value_heads))
    shape.key_value_heads = family_default(keys.key_value_heads, defaults.key_value_heads, notes);
  auto const heads = static_cast<long long>(shape.heads);
  if (heads % static_cast<long long>(shape.key_value_heads) != 0)
    config.refuse(keys.key_value_heads,
                  "a divisor of " + std::string(keys.heads) + ", which is " + std::to_string(heads));

  if (config.is_set(keys.head_dimension)) {
    shape.head_dimension = size(config, keys.head_dimension);
  } else if (defaults.head_dimension > 0) {
    shape.head_dimension = family_default(keys.head_dimension, defaults.head_dimension, notes);
  } else {
    auto const hidden = static_cast<long long>(shape.hidden);
    if (hidden % heads != 0)
      config.refuse(keys.heads, "a divisor of " + std::string(keys.hidden) + ", which is " + std::to_string(hidden) +
                                    ", where the file gives no " + keys.head_dimension);
    shape.head_dimension = shape.hidden / shape.heads;
  }
}

/// The block of Llama and of all that follow it: RMS norms, gated MLP, no biases.
inline model::block_shape gated_block(json_object const& config, std::vector<std::string>& notes,
                                      head_defaults const& defaults = {}) {
  model::block_shape shape;
  shape.kind = model::block_kind::gated_mlp;
  read_heads(config, shape, notes, defaults);
  shape.feed_forward = size(config, "intermediate_size");
  shape.attention_dropout = dropout(config, "attention_dropout");
  return shape;
}

/// The window of each layer, 0 for none.
using windows = std::vector<double>;

inline windows same_window(long long layers, double window) {
  return windows(static_cast<std::size_t>(layers), window);
}

/// What `layer_types` calls layers that do not see everything, and the key that says how much they see.
struct limited_layers {
  const char* type = "sliding_attention";
  const char* key = "sliding_window";
};

/// The windows that `layer_types` gives, or where that is missing `otherwise(layer)` says which layers have one.
template <class Otherwise>
windows windows_by_layer_types(json_object const& config, long long layers, double window, Otherwise otherwise,
                               limited_layers const& limited = {}) {
  auto result = same_window(layers, 0);
  if (!config.is_set("layer_types")) {
    for (std::size_t layer = 0; layer < result.size(); ++layer)
      if (otherwise(static_cast<long long>(layer)))
        result[layer] = window;
    return result;
  }
  std::vector<std::string> const names{"full_attention", limited.type};
  auto const types = config.texts("layer_types");
  if (types.size() != result.size())
    config.refuse("layer_types",
                  "an array with one string for each of the " + std::to_string(result.size()) + " layers");
  for (std::size_t layer = 0; layer < result.size(); ++layer) {
    if (types[layer] != names[0] && types[layer] != names[1])
      throw input_error(config.file(), "layer_types", "an array that holds " + io::detail::shown(types[layer]),
                        one_of(types[layer], names));
    if (types[layer] == names[1] && window == 0)
      config.refuse(limited.key, std::string("a whole number from 1 to 1e9, as layer_types has ") + limited.type);
    if (types[layer] == names[1])
      result[layer] = window;
  }
  return result;
}

/// Adds one layer after the others; equal shapes are stored once.
inline void add_layer(run_transformer& model, model::block_shape const& shape, std::string const& file) {
  std::size_t index = 0;
  while (index < model.shape_count && !(model.shapes[index] == shape))
    ++index;
  if (index == model::max_shapes)
    throw input_error::at(file, "the number of different layers", "above " + std::to_string(model::max_shapes),
                          "at most " + std::to_string(model::max_shapes));
  if (index == model.shape_count)
    model.shapes[model.shape_count++] = shape;
  if (model.runs.empty() || model.runs.back().shape != static_cast<int>(index))
    model.runs.push_back({static_cast<int>(index), 0});
  ++model.runs.back().count;
}

/// What limits attention, in how many of the layers.
inline void note_what_attention_sees(std::vector<model::block_shape> const& layers, std::vector<std::string>& notes) {
  std::map<double, std::size_t> windowed, chunked;
  for (auto const& layer : layers) {
    if (layer.window > 0)
      ++windowed[layer.window];
    if (layer.chunk > 0)
      ++chunked[layer.chunk];
  }
  auto const in_layers = [&](std::size_t count) {
    return " in " + std::to_string(count) + " of " + std::to_string(layers.size()) + " layers";
  };
  for (auto const& [window, count] : windowed)
    notes.push_back("sliding window: attention sees at most " + io::detail::number_text(window) + " keys" +
                    in_layers(count));
  for (auto const& [chunk, count] : chunked)
    notes.push_back("chunks: attention stays inside " + io::detail::number_text(chunk) + " tokens" + in_layers(count));
}

/// A model of these layers, in order.
inline family_model build(const char* family, json_object const& config, std::vector<model::block_shape> const& layers,
                          double vocabulary, bool tied, std::vector<std::string> notes) {
  family_model result;
  result.model.family = family;
  result.model.vocabulary = vocabulary;
  result.model.tied_embeddings = tied;
  for (auto const& layer : layers)
    add_layer(result.model, layer, config.file());
  result.notes = std::move(notes);
  note_what_attention_sees(layers, result.notes);
  return result;
}

/// A model of layers that differ in their windows only.
inline family_model build(const char* family, json_object const& config, model::block_shape const& shape,
                          windows const& seen, double vocabulary, bool tied, std::vector<std::string> notes) {
  std::vector<model::block_shape> layers(seen.size(), shape);
  for (std::size_t layer = 0; layer < layers.size(); ++layer)
    layers[layer].window = seen[layer];
  return build(family, config, layers, vocabulary, tied, std::move(notes));
}

}  // namespace shardplan::io::families
