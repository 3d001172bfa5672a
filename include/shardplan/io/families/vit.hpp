#pragma once
#include <algorithm>
#include <string>
#include <utility>

#include <shardplan/io/families/bert.hpp>

namespace shardplan::io::families {

namespace detail {

/// How many labels a classifier tells apart: `num_labels`, or as many as `id2label` has; 2 in transformers otherwise.
inline double labels(json_object const& config, std::vector<std::string>& notes) {
  if (config.is_set("num_labels"))
    return size(config, "num_labels");
  if (config.is_set("id2label") && !config.object("id2label").keys().empty())
    return static_cast<double>(config.object("id2label").keys().size());
  return family_default("id2label", 2, notes);
}

}  // namespace detail

/// ViT (model_type vit): transformers' configuration_vit.py and modeling_vit.py: the encoder with its pooler
/// (ViTModel), or with a classifier (ViTForImageClassification). A sequence has a token for each patch and one for the
/// class.
inline family_model vit(json_object const& config) {
  std::vector<std::string> notes;
  auto shape = encoder_block(config, notes);
  shape.query_key_value_bias = switched(config.flag_or("qkv_bias", true));
  shape.hidden_dropout = dropout(config, "hidden_dropout_prob");
  shape.attention_dropout = dropout(config, "attention_probs_dropout_prob");
  auto const layers = same_window(layer_count(config, "num_hidden_layers"), 0);

  auto const image = config.whole("image_size", 1, 1'000'000);
  auto const patch = config.whole("patch_size", 1, 1'000'000);
  if (image % patch != 0)
    config.refuse("patch_size", "a divisor of image_size, which is " + std::to_string(image));
  double const side = static_cast<double>(image / patch);
  auto result = build("vit", config, shape, layers, 0, false, std::move(notes));
  auto& model = result.model;
  model.input = model::input_kind::patches;
  model.patches = side * side;
  model.patch_pixels = size(config, "num_channels") * static_cast<double>(patch) * static_cast<double>(patch);
  model.learned_positions = model.patches + 1;
  model.longest_sequence = model.learned_positions;
  model.output = model::output_kind::norm_and_pooler;
  if (config.is_set("architectures")) {
    auto const names = config.texts("architectures");
    if (std::find(names.begin(), names.end(), "ViTForImageClassification") != names.end()) {
      model.output = model::output_kind::classifier;
      model.labels = detail::labels(config, result.notes);
    } else if (std::find(names.begin(), names.end(), "ViTModel") == names.end() && !names.empty()) {
      throw input_error(config.file(), "architectures", io::detail::shown(names.front()),
                        one_of(names.front(), {"ViTModel", "ViTForImageClassification"}));
    }
  }
  return result;
}

}  // namespace shardplan::io::families
