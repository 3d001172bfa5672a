#pragma once
#include <algorithm>
#include <filesystem>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include <shardplan/io/families/bert.hpp>
#include <shardplan/io/families/deepseek.hpp>
#include <shardplan/io/families/falcon.hpp>
#include <shardplan/io/families/gemma.hpp>
#include <shardplan/io/families/gpt2.hpp>
#include <shardplan/io/families/gpt_oss.hpp>
#include <shardplan/io/families/llama.hpp>
#include <shardplan/io/families/llama4.hpp>
#include <shardplan/io/families/mistral.hpp>
#include <shardplan/io/families/mixtral.hpp>
#include <shardplan/io/families/mpt.hpp>
#include <shardplan/io/families/opt.hpp>
#include <shardplan/io/families/phi3.hpp>
#include <shardplan/io/families/qwen.hpp>
#include <shardplan/io/families/qwen_moe.hpp>
#include <shardplan/io/families/shardplan_decoder.hpp>
#include <shardplan/io/families/t5.hpp>
#include <shardplan/io/families/unsupported.hpp>
#include <shardplan/io/families/vit.hpp>
#include <shardplan/io/json_file.hpp>
#include <shardplan/io/named_model.hpp>

/// Models from files: a Hugging Face config.json or the project's own decoder file.
namespace shardplan::io {

/// A family that can be read: the `model_type` of its files, the start of its architecture names, its reader.
struct model_family {
  const char* model_type;
  /// Files of old revisions name an architecture ("GPT2LMHeadModel") and no model_type; empty where that never was so.
  const char* architecture;
  families::family_model (*read)(json_object const&);
  /// The key that counts the experts of its mixtures; null where it has none.
  const char* experts = nullptr;
  bool encoder_decoder = false;
};

inline constexpr model_family model_families[] = {
    {"bert", "", families::bert},
    {"deepseek_v2", "DeepseekV2ForCausalLM", families::deepseek_v2, "n_routed_experts"},
    {"deepseek_v3", "DeepseekV3ForCausalLM", families::deepseek_v3, "n_routed_experts"},
    {"falcon", "FalconForCausalLM", families::falcon},
    {"gemma", "GemmaForCausalLM", families::gemma},
    {"gemma2", "Gemma2ForCausalLM", families::gemma2},
    {"gemma3", "", families::gemma3},
    {"gemma3_text", "Gemma3ForCausalLM", families::gemma3_text},
    {"gpt2", "GPT2LMHeadModel", families::gpt2},
    {"gpt_oss", "GptOssForCausalLM", families::gpt_oss, "num_local_experts"},
    {"kimi_k2", "", families::kimi_k2, "n_routed_experts"},
    {"llama", "LlamaForCausalLM", families::llama},
    {"llama4", "Llama4ForConditionalGeneration", families::llama4, "num_local_experts"},
    {"llama4_text", "Llama4ForCausalLM", families::llama4_text, "num_local_experts"},
    {"mistral", "MistralForCausalLM", families::mistral},
    {"mixtral", "MixtralForCausalLM", families::mixtral, "num_local_experts"},
    {"mpt", "MPTForCausalLM", families::mpt},
    {"mt5", "MT5ForConditionalGeneration", families::mt5, nullptr, true},
    {"opt", "OPTForCausalLM", families::opt},
    {"phi3", "Phi3ForCausalLM", families::phi3},
    {"qwen2", "Qwen2ForCausalLM", families::qwen2},
    {"qwen2_moe", "Qwen2MoeForCausalLM", families::qwen2_moe, "num_experts"},
    {"qwen3", "Qwen3ForCausalLM", families::qwen3},
    {"qwen3_moe", "Qwen3MoeForCausalLM", families::qwen3_moe, "num_experts"},
    {"shardplan-decoder", "", families::shardplan_decoder},
    {"t5", "T5ForConditionalGeneration", families::t5, nullptr, true},
    {"vit", "", families::vit},
};

/// The values of `model_type` that `read_model` knows.
inline std::vector<std::string> supported_model_types() {
  std::vector<std::string> names;
  for (auto const& family : model_families)
    names.emplace_back(family.model_type);
  return names;
}

namespace detail {

inline std::vector<std::string> architectures_of(json_object const& config) {
  return config.is_set("architectures") ? config.texts("architectures") : std::vector<std::string>{};
}

/// The reader of a file's family.
inline model_family const& family_of(json_object const& config, std::vector<std::string>& notes) {
  auto const names = supported_model_types();
  if (!config.is_set("model_type")) {
    for (auto const& architecture : architectures_of(config))
      for (auto const& family : model_families)
        if (architecture == family.architecture) {
          notes.push_back(std::string("model_type is missing: ") + family.model_type + " taken, as architectures has " +
                          architecture);
          return family;
        }
    config.refuse("model_type", "one of " + listed(names));
  }
  std::string const type = config.text("model_type", "one of " + listed(names));
  for (auto const& family : model_families)
    if (type == family.model_type)
      return family;
  for (auto const& family : families::unsupported)
    if (type == family.model_type)
      throw input_error(config.file(), "model_type",
                        "\"" + type + "\", " + std::string(family.kind) + " that is not supported yet",
                        "one of " + listed(names));
  throw input_error(config.file(), "model_type", shown(type) + ", a family that is not known", one_of(type, names));
}

/// Keys that make something else of the model than its family says.
inline void refuse_other_kinds(json_object const& config, model_family const& family) {
  long long const own = family.experts ? config.find_whole(family.experts).value_or(0) : 0;
  for (std::string const key : {"num_experts", "num_local_experts", "n_routed_experts"}) {
    auto const found = config.find_whole(key).value_or(0);
    if (!family.experts && found > 1)
      config.refuse(key, std::string("missing or at most 1: the family ") + family.model_type + " has no experts");
    if (family.experts && key != family.experts && found > 0 && found != own)
      config.refuse(key, std::string("missing, or equal to ") + family.experts + ", which is " + std::to_string(own));
  }
  if (!family.encoder_decoder)
    families::refuse_if_set(config, "is_encoder_decoder",
                            std::string("the family ") + family.model_type + " is no encoder-decoder");
}

inline void note_what_is_not_modelled(json_object const& config, run_transformer const& model,
                                      std::vector<std::string>& notes) {
  if (config.is_object("quantization_config")) {
    auto const quantization = config.object("quantization_config");
    notes.push_back("quantization_config" +
                    (quantization.is_text("quant_method") ? " (" + quantization.text("quant_method") + ")" : "") +
                    " is not modelled: weights count in the number format of the training job");
  }
  if (model.output != model::output_kind::language_head)
    return;
  auto const names = architectures_of(config);
  bool const language_model = std::any_of(names.begin(), names.end(), [](std::string const& name) {
    return name.ends_with("ForCausalLM") || name.ends_with("LMHeadModel") || name.ends_with("ForConditionalGeneration");
  });
  if (!names.empty() && !language_model)
    notes.push_back("architectures is " + listed(names) + ": planned as a language model, with an output head");
}

/// Above this many parameters counts are not exact in double precision, and no such model exists.
inline constexpr double most_parameters = 1e15;

/// Parameters without norms and biases: for refusing absurd files.
inline double about_parameters(run_transformer const& model) {
  double total = model.hidden() * (2 * model.vocabulary + model.learned_positions + model.patch_pixels + model.labels);
  for (auto const& run : model.runs) {
    auto const& shape = model.shapes[static_cast<std::size_t>(run.shape)];
    double const attention = 4 * shape.head_dimension * (shape.heads + shape.key_value_heads) + shape.query_rank +
                             shape.key_value_rank + shape.rotary_dimension;
    double const experts = shape.experts * shape.expert_feed_forward + shape.shared_feed_forward;
    total += static_cast<double>(run.count) * shape.hidden * (attention + 3 * (shape.feed_forward + experts));
  }
  return total;
}

/// "llama-3.1-8b" for llama-3.1-8b/config.json, "gpt-7b-gqa" for gpt-7b-gqa.json.
inline std::string model_name(std::string const& file) {
  namespace fs = std::filesystem;
  fs::path const path(file);
  if (path.filename() == "config.json") {
    std::error_code error;
    auto const folder = fs::absolute(path, error).lexically_normal().parent_path().filename().string();
    return folder.empty() ? "model" : folder;
  }
  std::string name = path.filename().string();
  for (std::string const ending : {".json", ".config"})
    if (name.size() > ending.size() && name.ends_with(ending))
      name.resize(name.size() - ending.size());
  return name;
}

}  // namespace detail

/// Reads a model from a config.json, from a folder that holds one, or from a decoder file. Throws `input_error`.
inline named_model read_model(std::string const& path) {
  std::error_code error;
  std::string const file =
      std::filesystem::is_directory(path, error) ? (std::filesystem::path(path) / "config.json").string() : path;
  auto const config = read_json_object(file);

  named_model result{.name = detail::model_name(file), .file = file, .model = {}, .notes = {}};
  auto const& family = detail::family_of(config, result.notes);
  detail::refuse_other_kinds(config, family);
  // A text model may be nested.
  if (config.is_object("text_config"))
    detail::refuse_other_kinds(config.object("text_config"), family);
  auto read = family.read(config);
  if (detail::about_parameters(read.model) > detail::most_parameters)
    throw input_error::at(file, "the number of parameters",
                          "about " + detail::number_text(detail::about_parameters(read.model)), "at most 1e15");
  result.model = std::move(read.model);
  result.notes.insert(result.notes.end(), read.notes.begin(), read.notes.end());
  detail::note_what_is_not_modelled(config, result.model, result.notes);
  if (std::string(family.model_type) == "shardplan-decoder")
    result.name = config.text_or("name", result.name);
  return result;
}

}  // namespace shardplan::io
