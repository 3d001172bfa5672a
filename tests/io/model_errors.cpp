// Bad model files: every complaint names the file, the key, the value and what would be right.
#include <string>
#include <vector>

#include <doctest/doctest.h>
#include <io/files.hpp>
#include <nlohmann/json.hpp>

#include <shardplan/io/model_config.hpp>

namespace {

using namespace shardplan;
using nlohmann::json;
using test::check_says;

const std::string whole = "a whole number from 1 to 1e9";

std::string complaint_about(std::string const& text) {
  test::temporary_folder const folder;
  return test::complaint([&] { io::read_model(folder.write("config.json", text)); });
}
/// A good file with one key replaced; `nullptr` removes it.
std::string complaint_about(json good, std::string const& key, const char* value) {
  if (value)
    good[key] = json::parse(value);
  else
    good.erase(key);
  return complaint_about(good.dump());
}

const json llama = {{"model_type", "llama"},   {"hidden_size", 4096},       {"intermediate_size", 14336},
                    {"num_hidden_layers", 32}, {"num_attention_heads", 32}, {"num_key_value_heads", 8},
                    {"vocab_size", 128256}};
const json gpt2 = {{"model_type", "gpt2"}, {"n_embd", 1024},      {"n_layer", 24},
                   {"n_head", 16},         {"vocab_size", 50257}, {"n_positions", 1024}};
const json opt = {{"model_type", "opt"},
                  {"hidden_size", 4096},
                  {"ffn_dim", 16384},
                  {"num_hidden_layers", 32},
                  {"vocab_size", 50272},
                  {"num_attention_heads", 32},
                  {"max_position_embeddings", 2048}};
const json falcon = {{"model_type", "falcon"},
                     {"hidden_size", 64},
                     {"num_hidden_layers", 2},
                     {"num_attention_heads", 4},
                     {"vocab_size", 100}};
const json mpt = {{"model_type", "mpt"}, {"d_model", 64},     {"n_layers", 2},
                  {"n_heads", 4},        {"vocab_size", 100}, {"max_seq_len", 64}};
const json gemma3 = {{"model_type", "gemma3_text"}, {"hidden_size", 640},       {"intermediate_size", 2048},
                     {"num_hidden_layers", 3},      {"num_attention_heads", 4}, {"num_key_value_heads", 1},
                     {"sliding_window", 512},       {"vocab_size", 1000},       {"head_dim", 256}};

TEST_CASE("the files that the errors are made from are good") {
  for (auto const& good : {llama, gpt2, opt, falcon, mpt, gemma3})
    CHECK(complaint_about(good.dump()) == "");
}

TEST_CASE("every size is required, whole and in range") {
  for (auto const& good : {llama, gpt2, opt, falcon, mpt, gemma3})
    for (auto const& item : good.items()) {
      if (!item.value().is_number())
        continue;
      auto const& key = item.key();
      CAPTURE(good["model_type"].get<std::string>());
      CAPTURE(key);
      std::string const quoted = "key \"" + key + "\" is ";
      bool const table = key == "max_seq_len";  // read where positions are learned only
      if (table)
        continue;
      for (const char* bad : {"-4", "0", "1.5", "\"32\"", "true", "[32]", "{}", "1e30", "1000000001"}) {
        CAPTURE(bad);
        check_says(complaint_about(good, key, bad), {"config.json: ", quoted, "a whole number from 1 to "});
      }
      check_says(complaint_about(good, key, "-4"), {quoted + "-4"});
      check_says(complaint_about(good, key, "\"32\""), {quoted + "\"32\""});
    }
  for (const char* key : {"hidden_size", "intermediate_size", "num_attention_heads", "vocab_size"}) {
    check_says(complaint_about(llama, key, nullptr),
               {"config.json: key \"" + std::string(key) + "\" is missing", whole});
    check_says(complaint_about(llama, key, "null"), {"key \"" + std::string(key) + "\" is null", whole});
  }
  check_says(complaint_about(llama, "num_hidden_layers", nullptr), {"\"num_hidden_layers\" is missing", "1 to 100000"});
}

TEST_CASE("a mistyped key is found") {
  json config = llama;
  config.erase("hidden_size");
  config["hiden_size"] = 4096;
  check_says(complaint_about(config.dump()), {"key \"hidden_size\" is missing", whole, "\"hiden_size\""});
}

TEST_CASE("switches and probabilities") {
  check_says(complaint_about(llama, "tie_word_embeddings", "1"),
             {"\"tie_word_embeddings\" is 1; it must be true or false"});
  check_says(complaint_about(llama, "attention_bias", "\"no\""), {"\"attention_bias\" is \"no\"", "true or false"});
  check_says(complaint_about(llama, "attention_dropout", "-0.1"), {"\"attention_dropout\" is -0.1", "from 0 to 1"});
  check_says(complaint_about(gpt2, "resid_pdrop", "10"), {"\"resid_pdrop\" is 10", "a number from 0 to 1"});
  check_says(complaint_about(gpt2, "attn_pdrop", "\"0.1\""), {"\"attn_pdrop\" is \"0.1\"", "a number from 0 to 1"});
}

TEST_CASE("heads that do not divide") {
  check_says(complaint_about(llama, "num_key_value_heads", "7"),
             {"\"num_key_value_heads\" is 7", "a divisor of num_attention_heads, which is 32"});
  check_says(complaint_about(llama, "num_attention_heads", "24"),
             {"\"num_attention_heads\" is 24", "a divisor of hidden_size, which is 4096", "no head_dim"});
  check_says(complaint_about(llama, "head_dim", "-128"), {"\"head_dim\" is -128", whole});
  check_says(complaint_about(gpt2, "n_head", "5"), {"\"n_head\" is 5", "a divisor of n_embd, which is 1024"});
}

TEST_CASE("model_type: missing, no string, unknown, nearly known") {
  check_says(complaint_about(llama, "model_type", nullptr), {"\"model_type\" is missing", "one of ", "llama", "qwen3"});
  check_says(complaint_about(llama, "model_type", "3"), {"\"model_type\" is 3", "one of ", "llama"});
  check_says(complaint_about(llama, "model_type", "\"resnet\""),
             {"\"model_type\" is \"resnet\", a family that is not known", "one of ", "shardplan-decoder"});
  check_says(complaint_about(llama, "model_type", "\"lama\""), {"\"lama\"", "did you mean llama?"});
  check_says(complaint_about(R"({"architectures": ["ResNetForImageClassification"]})"), {"\"model_type\" is missing"});
  check_says(complaint_about(R"({"architectures": "GPT2LMHeadModel"})"),
             {"\"architectures\" is \"GPT2LMHeadModel\"", "an array of strings"});
}

TEST_CASE("families that are known and not supported yet are refused by name") {
  for (const char* type : {"qwen3_next", "olmoe", "jamba", "bart", "roberta", "clip", "llava", "mamba", "bloom"}) {
    CAPTURE(type);
    check_says(complaint_about(llama, "model_type", ("\"" + std::string(type) + "\"").c_str()),
               {"config.json: key \"model_type\" is \"" + std::string(type) + "\"", "not supported yet",
                "it must be one of ", "llama", "gemma2", "shardplan-decoder"});
  }
  check_says(complaint_about(llama, "model_type", "\"olmoe\""), {"a mixture of experts"});
  check_says(complaint_about(llama, "model_type", "\"bart\""), {"an encoder-decoder"});
  check_says(complaint_about(llama, "model_type", "\"mamba\""), {"a state-space model"});
}

TEST_CASE("keys that make something else of a family are refused") {
  check_says(complaint_about(llama, "num_local_experts", "8"),
             {"\"num_local_experts\" is 8", "missing or at most 1", "llama has no experts"});
  check_says(complaint_about(gpt2, "is_encoder_decoder", "true"), {"\"is_encoder_decoder\" is true", "gpt2 is no"});
  check_says(complaint_about({{"model_type", "gemma3"}, {"text_config", {{"num_experts", 4}}}}, "architectures", "[]"),
             {"\"text_config.num_experts\" is 4", "gemma3 has no experts"});
}

TEST_CASE("what a family can have and the planner cannot is refused by key") {
  check_says(complaint_about(opt, "word_embed_proj_dim", "512"), {"\"word_embed_proj_dim\" is 512", "4096"});
  check_says(complaint_about(opt, "do_layer_norm_before", "false"), {"\"do_layer_norm_before\" is false", "true"});
  check_says(complaint_about(opt, "layer_norm_elementwise_affine", "false"), {"\"layer_norm_elementwise_affine\""});
  check_says(complaint_about(opt, "_remove_final_layer_norm", "true"), {"\"_remove_final_layer_norm\" is true"});
  check_says(complaint_about(gpt2, "add_cross_attention", "true"), {"\"add_cross_attention\" is true", "false"});
  check_says(complaint_about(gemma3, "use_bidirectional_attention", "true"), {"\"use_bidirectional_attention\""});
  check_says(complaint_about(falcon, "num_ln_in_parallel_attn", "3"), {"\"num_ln_in_parallel_attn\" is 3", "1 to 2"});
  check_says(complaint_about(mpt, "attn_config", R"({"qk_ln": true})"), {"\"attn_config.qk_ln\" is true", "false"});
  check_says(complaint_about(mpt, "attn_config", R"({"attn_type": "multihead"})"),
             {"\"attn_config.attn_type\" is \"multihead\"", "one of ", "did you mean multihead_attention"});
  check_says(complaint_about(mpt, "attn_config", R"({"attn_type": "grouped_query_attention"})"),
             {"\"attn_config.kv_n_heads\" is missing", whole});
  check_says(complaint_about(mpt, "attn_config", R"({"kv_n_heads": 3})"), {"\"attn_config.kv_n_heads\" is 3", "4"});
  check_says(complaint_about(mpt, "attn_config", "3"), {"\"attn_config\" is 3", "an object"});
  check_says(complaint_about(mpt, "expansion_ratio", "2.01"), {"\"expansion_ratio\" is 2.01", "whole"});
  check_says(complaint_about(mpt, "ffn_config", R"({"ffn_type": "mb_moe"})"), {"\"ffn_config.ffn_type\"", "mptmlp"});
  json const learned = {{"alibi", false}};
  json positions = mpt;
  positions["attn_config"] = learned;
  check_says(complaint_about(positions, "max_seq_len", nullptr), {"\"max_seq_len\" is missing", whole});
}

TEST_CASE("windows by layer") {
  check_says(complaint_about(gemma3, "layer_types", R"(["full_attention"])"),
             {"\"layer_types\" is an array of 1 value", "each of the 3 layers"});
  check_says(complaint_about(gemma3, "layer_types", R"(["full_attention", "sliding", "full_attention"])"),
             {"\"layer_types\"", "\"sliding\"", "one of full_attention, sliding_attention"});
  check_says(complaint_about(gemma3, "layer_types", "\"full_attention\""), {"\"layer_types\"", "an array of strings"});
  check_says(complaint_about(gemma3, "sliding_window_pattern", "0"), {"\"sliding_window_pattern\" is 0", whole});
  json no_window = gemma3;
  no_window["sliding_window"] = nullptr;
  check_says(complaint_about(no_window, "layer_types", R"(["full_attention", "sliding_attention", "full_attention"])"),
             {"\"sliding_window\" is null", whole, "layer_types"});
}

TEST_CASE("gemma3 with a vision part is refused, naming it") {
  json config = {{"model_type", "gemma3"}, {"text_config", gemma3}};
  CHECK(complaint_about(config.dump()) == "");
  check_says(complaint_about(config, "vision_config", R"({"hidden_size": 1152})"),
             {"\"vision_config\" is an object", "the vision part is not supported", "gemma3_text"});
  check_says(complaint_about(config, "architectures", R"(["Gemma3ForConditionalGeneration"])"),
             {"\"architectures\"", "Gemma3ForConditionalGeneration", "vision part"});
  check_says(complaint_about(config, "text_config", nullptr), {"\"text_config\" is missing", "an object"});
  json bad = gemma3;
  bad["num_key_value_heads"] = 3;
  check_says(complaint_about(config, "text_config", bad.dump().c_str()),
             {"\"text_config.num_key_value_heads\" is 3", "a divisor"});
}

TEST_CASE("an absurd model is refused as a whole") {
  json config = llama;
  config["hidden_size"] = 1000000000;
  config["head_dim"] = 128;
  config["intermediate_size"] = 1000000000;
  check_says(complaint_about(config.dump()), {"config.json", "the number of parameters is about ", "at most 1e15"});
}

TEST_CASE("files and folders") {
  test::temporary_folder const folder;
  check_says(test::complaint([&] { io::read_model(folder.path()); }), {"config.json", "missing", "a JSON file"});
  check_says(test::complaint([] { io::read_model("meta-llama/Llama-3.1-8B"); }),
             {"meta-llama/Llama-3.1-8B", "missing", "a JSON file that exists"});
  check_says(complaint_about(""), {"config.json", "empty"});
  folder.write("config.json", llama.dump());
  CHECK(io::read_model(folder.path()).name == std::filesystem::path(folder.path()).filename().string());
  CHECK(io::read_model(folder.write("org--model.config.json", llama.dump())).name == "org--model");
}

}  // namespace
