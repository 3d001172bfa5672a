// Mixtures of experts: the keys of the published config.json files that matter, their published counts, and bad files.
// Active parameters: Jiang et al. 2024 (arXiv 2401.04088), 13B; DeepSeek-AI 2024 (arXiv 2412.19437), 37B; Qwen team
// 2025 (arXiv 2505.09388), 3.3B for "3B"; Kimi team 2025 (arXiv 2507.20534), 32B; the model card of gpt-oss, 5.1B
// without the token embedding.
#include <cmath>
#include <string>

#include <doctest/doctest.h>
#include <io/files.hpp>
#include <nlohmann/json.hpp>

#include <shardplan/io/model_config.hpp>

namespace {

using namespace shardplan;
using model::block_kind;
using nlohmann::json;
using test::active_parameters_of;
using test::check_says;
using test::parameters_of;

const json mixtral = {{"model_type", "mixtral"}, {"hidden_size", 4096},         {"intermediate_size", 14336},
                      {"num_hidden_layers", 32}, {"num_attention_heads", 32},   {"num_key_value_heads", 8},
                      {"num_local_experts", 8},  {"num_experts_per_tok", 2},    {"sliding_window", nullptr},
                      {"vocab_size", 32000},     {"router_aux_loss_coef", 0.02}};
const json qwen2_moe = {{"model_type", "qwen2_moe"},
                        {"hidden_size", 3584},
                        {"intermediate_size", 18944},
                        {"num_hidden_layers", 28},
                        {"num_attention_heads", 28},
                        {"num_key_value_heads", 4},
                        {"num_experts", 64},
                        {"num_experts_per_tok", 8},
                        {"moe_intermediate_size", 2560},
                        {"shared_expert_intermediate_size", 20480},
                        {"mlp_only_layers", json::array()},
                        {"decoder_sparse_step", 1},
                        {"vocab_size", 151936},
                        {"use_sliding_window", false}};
const json qwen3_moe = {
    {"model_type", "qwen3_moe"}, {"hidden_size", 2048},          {"intermediate_size", 6144}, {"num_hidden_layers", 48},
    {"num_attention_heads", 32}, {"num_key_value_heads", 4},     {"head_dim", 128},           {"num_experts", 128},
    {"num_experts_per_tok", 8},  {"moe_intermediate_size", 768}, {"vocab_size", 151936}};
const json deepseek_v2_lite = {
    {"model_type", "deepseek_v2"}, {"hidden_size", 2048},       {"intermediate_size", 10944},
    {"num_hidden_layers", 27},     {"num_attention_heads", 16}, {"num_key_value_heads", 16},
    {"q_lora_rank", nullptr},      {"kv_lora_rank", 512},       {"qk_rope_head_dim", 64},
    {"qk_nope_head_dim", 128},     {"v_head_dim", 128},         {"n_routed_experts", 64},
    {"n_shared_experts", 2},       {"num_experts_per_tok", 6},  {"moe_intermediate_size", 1408},
    {"first_k_dense_replace", 1},  {"topk_method", "greedy"},   {"vocab_size", 102400}};
const json deepseek_v3 = {{"model_type", "deepseek_v3"},  {"hidden_size", 7168},        {"intermediate_size", 18432},
                          {"num_hidden_layers", 61},      {"num_attention_heads", 128}, {"num_key_value_heads", 128},
                          {"q_lora_rank", 1536},          {"kv_lora_rank", 512},        {"qk_rope_head_dim", 64},
                          {"qk_nope_head_dim", 128},      {"v_head_dim", 128},          {"n_routed_experts", 256},
                          {"n_shared_experts", 1},        {"num_experts_per_tok", 8},   {"moe_intermediate_size", 2048},
                          {"first_k_dense_replace", 3},   {"topk_method", "noaux_tc"},  {"vocab_size", 129280},
                          {"num_nextn_predict_layers", 1}};
const json gpt_oss = {{"model_type", "gpt_oss"}, {"hidden_size", 2880},       {"intermediate_size", 2880},
                      {"num_hidden_layers", 36}, {"num_attention_heads", 64}, {"num_key_value_heads", 8},
                      {"head_dim", 64},          {"num_local_experts", 128},  {"num_experts_per_tok", 4},
                      {"experts_per_token", 4},  {"sliding_window", 128},     {"attention_bias", true},
                      {"vocab_size", 201088}};
const json llama4_text = {{"model_type", "llama4_text"},
                          {"hidden_size", 5120},
                          {"intermediate_size", 8192},
                          {"intermediate_size_mlp", 16384},
                          {"num_hidden_layers", 48},
                          {"num_attention_heads", 40},
                          {"num_key_value_heads", 8},
                          {"head_dim", 128},
                          {"num_local_experts", 16},
                          {"num_experts_per_tok", 1},
                          {"interleave_moe_layer_step", 1},
                          {"attention_chunk_size", 8192},
                          {"use_qk_norm", true},
                          {"vocab_size", 202048}};

io::named_model read(json const& config) {
  test::temporary_folder const folder;
  return io::read_model(folder.write("config.json", config.dump()));
}
json changed(json config, std::string const& key, json const& value) {
  config[key] = value;
  return config;
}
json without(json config, std::string const& key) {
  config.erase(key);
  return config;
}
std::string complaint_about(json const& config) {
  return test::complaint([&] { read(config); });
}
double billions(double count) { return std::round(count / 1e8) / 10; }

TEST_CASE("mixtral: Mixtral-8x7B, 46 702 792 704 parameters, 12.9 billion active") {
  auto const found = read(mixtral).model;
  CHECK(parameters_of(found) == 46702792704);
  CHECK(billions(active_parameters_of(found)) == 12.9);
  CHECK(found.shape_count == 1);
  CHECK(found.shapes[0].kind == block_kind::routed_experts);
  // Mixtral-8x22B
  auto larger = mixtral;
  larger.update(
      {{"hidden_size", 6144}, {"intermediate_size", 16384}, {"num_hidden_layers", 56}, {"num_attention_heads", 48}});
  CHECK(parameters_of(read(larger).model) == 140620634112);
  CHECK(billions(active_parameters_of(read(larger).model)) == 39.2);
}

TEST_CASE("qwen2_moe: Qwen2-57B-A14B, 57 408 658 944 parameters, a shared expert with a gate") {
  auto const found = read(qwen2_moe).model;
  CHECK(parameters_of(found) == 57408658944);
  CHECK(billions(active_parameters_of(found)) == 14.2);
  CHECK(found.shapes[0].shared_gate == 1);
}

TEST_CASE("qwen2_moe: dense layers by step and by list") {
  auto const found = read(changed(changed(qwen2_moe, "decoder_sparse_step", 2), "mlp_only_layers", {1})).model;
  // Of layers 1, 3, 5, ... all but 1 have experts.
  REQUIRE(found.runs.size() == 26);
  CHECK(found.runs[0].count == 3);
  CHECK(found.shapes[0].kind == block_kind::gated_mlp);
  CHECK(found.shapes[0].feed_forward == 18944);
  CHECK(found.shapes[1].kind == block_kind::routed_experts);
}

TEST_CASE("qwen3_moe: Qwen3-30B-A3B, 30 532 122 624 parameters, 3.3 billion active") {
  auto const found = read(qwen3_moe).model;
  CHECK(parameters_of(found) == 30532122624);
  CHECK(active_parameters_of(found) == 3353032704);
  CHECK(found.shapes[0].head_norms == 1);
  CHECK(found.shapes[0].shared_feed_forward == 0);
}

TEST_CASE("deepseek_v2: DeepSeek-V2-Lite, queries not compressed, 15 706 484 224 parameters, 2.45 billion active "
          "without embedding") {
  auto const found = read(deepseek_v2_lite).model;
  CHECK(parameters_of(found) == 15706484224);
  CHECK(std::round((active_parameters_of(found) - 102400.0 * 2048) / 1e7) == 245);
  REQUIRE(found.runs.size() == 2);
  CHECK(found.runs[0].count == 1);
  CHECK(found.shapes[0].kind == block_kind::latent_gated_mlp);
  CHECK(found.shapes[1].kind == block_kind::latent_routed_experts);
  CHECK(found.shapes[1].shared_feed_forward == 2816);
  CHECK(found.shapes[1].router_bias == 0);
}

TEST_CASE("deepseek_v2: DeepSeek-V2, compressed queries, 235 741 434 880 parameters, 21 billion active") {
  auto config = deepseek_v2_lite;
  config.update({{"hidden_size", 5120},
                 {"intermediate_size", 12288},
                 {"num_hidden_layers", 60},
                 {"num_attention_heads", 128},
                 {"num_key_value_heads", 128},
                 {"q_lora_rank", 1536},
                 {"n_routed_experts", 160},
                 {"moe_intermediate_size", 1536},
                 {"topk_method", "group_limited_greedy"}});
  auto const found = read(config).model;
  CHECK(parameters_of(found) == 235741434880);
  CHECK(billions(active_parameters_of(found)) == 21.4);
}

TEST_CASE("deepseek_v3: 671 026 419 200 parameters, 37 billion active, three dense layers") {
  auto const named = read(deepseek_v3);
  CHECK(parameters_of(named.model) == 671026419200);
  CHECK(billions(active_parameters_of(named.model)) == 37.6);
  CHECK(named.model.runs[0].count == 3);
  CHECK(named.model.shapes[0].kind == block_kind::low_rank_latent_gated_mlp);
  CHECK(named.model.shapes[1].kind == block_kind::low_rank_latent_routed_experts);
  REQUIRE(named.notes.size() == 1);
  CHECK(named.notes[0].find("num_nextn_predict_layers is 1") == 0);
  // Without experts it is dense.
  auto const dense = read(changed(deepseek_v3, "n_routed_experts", nullptr)).model;
  CHECK(dense.shape_count == 1);
  CHECK(parameters_of(dense) == active_parameters_of(dense));
}

TEST_CASE("kimi_k2: 1.03 trillion parameters, 32.9 billion active") {
  auto config = deepseek_v3;
  config.update({{"model_type", "kimi_k2"},
                 {"n_routed_experts", 384},
                 {"first_k_dense_replace", 1},
                 {"num_attention_heads", 64},
                 {"num_key_value_heads", 64},
                 {"vocab_size", 163840},
                 {"num_nextn_predict_layers", 0}});
  auto const named = read(config);
  // one dense layer, 60 with 384 + 1 experts, router and its bias; embedding, head and final norm
  double const h = 7168, a = 64;
  double const attention = h * 1536 + 1536 + 1536 * a * 192 + h * 576 + 512 + 512 * a * 256 + a * 128 * h + 2 * h;
  double const expected =
      61 * attention + 3 * h * 18432 + 60 * (385 * 3 * h * 2048 + 384 * h + 384) + 2 * h * 163840 + h;
  CHECK(parameters_of(named.model) == expected);
  CHECK(billions(active_parameters_of(named.model)) == 32.9);
  CHECK(named.notes.empty());
}

TEST_CASE("gpt_oss: gpt-oss-120b, 116 829 156 672 parameters, 5.13 billion active without the embedding") {
  auto const named = read(gpt_oss);
  CHECK(parameters_of(named.model) == 116829156672);
  CHECK(std::round((active_parameters_of(named.model) - 201088.0 * 2880) / 1e7) == 513);
  // Every other layer has a window, the first one does.
  REQUIRE(named.model.runs.size() == 36);
  CHECK(named.model.shapes[0].window == 128);
  CHECK(named.model.shapes[1].window == 0);
  CHECK(named.model.shapes[0].head_parameters == 1);
}

TEST_CASE("llama4: Scout's text model, 107 769 861 120 parameters, 17.2 billion active, full attention in every fourth "
          "layer") {
  auto const named = read({{"model_type", "llama4"}, {"text_config", llama4_text}});
  CHECK(parameters_of(named.model) == 107769861120);
  CHECK(billions(active_parameters_of(named.model)) == 17.2);
  CHECK(std::string(named.model.family) == "llama4");
  REQUIRE(named.model.runs.size() == 24);
  CHECK(named.model.runs[0].count == 3);
  CHECK(named.model.shapes[0].chunk == 8192);
  CHECK(named.model.shapes[0].head_norms == 1);
  CHECK(named.model.shapes[1].chunk == 0);
  CHECK(named.model.shapes[1].head_norms == 0);
  CHECK(named.notes[0].find("only text_config") == 0);
}

TEST_CASE("llama4: Maverick's text model, dense and routed layers in turn, 400.7 billion parameters, 17.2 active") {
  auto config = llama4_text;
  config.update({{"num_local_experts", 128}, {"interleave_moe_layer_step", 2}});
  auto const found = read(config).model;
  double const h = 5120;
  double const attention = 2 * h * 5120 + 2 * h * 1024 + 2 * h;
  double const expected =
      48 * attention + 24 * 3 * h * 16384 + 24 * (129 * 3 * h * 8192 + 128 * h) + 2 * h * 202048 + h;
  CHECK(parameters_of(found) == expected);
  CHECK(billions(expected) == 400.7);
  CHECK(billions(active_parameters_of(found)) == 17.2);
  // The same by list, and another pattern of rotary layers.
  json listed = json::array(), rotary = json::array();
  for (int layer = 0; layer < 48; ++layer) {
    if (layer % 2 == 1)
      listed.push_back(layer);
    rotary.push_back(layer < 24 ? 1 : 0);
  }
  auto const other = read(changed(changed(config, "moe_layers", listed), "no_rope_layers", rotary)).model;
  CHECK(parameters_of(other) == expected);
  CHECK(other.shape_count == 4);
}

TEST_CASE("what mixtures need is required, whole and in range") {
  struct row {
    json config;
    const char* keys[4];
  };
  row const rows[] = {
      {mixtral, {"num_local_experts", "num_experts_per_tok", "intermediate_size", "num_hidden_layers"}},
      {qwen2_moe, {"num_experts", "num_experts_per_tok", "moe_intermediate_size", "shared_expert_intermediate_size"}},
      {qwen3_moe, {"num_experts", "num_experts_per_tok", "moe_intermediate_size", "intermediate_size"}},
      {deepseek_v3, {"kv_lora_rank", "qk_rope_head_dim", "v_head_dim", "moe_intermediate_size"}},
      {deepseek_v2_lite, {"qk_nope_head_dim", "num_attention_heads", "num_experts_per_tok", "vocab_size"}},
      {gpt_oss, {"num_local_experts", "num_experts_per_tok", "intermediate_size", "vocab_size"}},
      {llama4_text, {"num_local_experts", "num_experts_per_tok", "intermediate_size", "hidden_size"}},
  };
  for (auto const& [config, keys] : rows) {
    CHECK(complaint_about(config) == "");
    for (const char* key : keys) {
      CAPTURE(config["model_type"].get<std::string>());
      CAPTURE(key);
      std::string const quoted = "config.json: key \"" + std::string(key) + "\" is ";
      check_says(complaint_about(without(config, key)), {quoted + "missing", "a whole number from 1 to "});
      for (json const& bad : {json(0), json(-1), json(1.5), json("8"), json(true)})
        check_says(complaint_about(changed(config, key, bad)), {quoted, "a whole number from 1 to "});
    }
  }
  for (const char* key : {"q_lora_rank", "n_routed_experts", "n_shared_experts"})
    check_says(complaint_about(without(deepseek_v3, key)), {std::string("\"") + key + "\" is missing", "or null"});
  check_says(complaint_about(without(deepseek_v3, "first_k_dense_replace")), {"\"first_k_dense_replace\" is missing"});
  check_says(complaint_about(changed(llama4_text, "interleave_moe_layer_step", 2)
                                 .patch(json::array({{{"op", "remove"}, {"path", "/intermediate_size_mlp"}}}))),
             {"\"intermediate_size_mlp\" is missing"});
}

TEST_CASE("keys that contradict each other or the family are refused") {
  check_says(complaint_about(changed(mixtral, "num_experts_per_tok", 9)),
             {"\"num_experts_per_tok\" is 9", "from 1 to num_local_experts, which is 8"});
  check_says(complaint_about(changed(mixtral, "num_experts", 16)),
             {"\"num_experts\" is 16", "missing, or equal to num_local_experts, which is 8"});
  CHECK(complaint_about(changed(mixtral, "num_experts", 8)) == "");
  check_says(complaint_about(changed(gpt_oss, "experts_per_token", 8)),
             {"\"experts_per_token\" is 8", "equal to num_experts_per_tok, which is 4"});
  check_says(complaint_about(changed(deepseek_v3, "num_key_value_heads", 8)),
             {"\"num_key_value_heads\" is 8", "equal to num_attention_heads, which is 128"});
  check_says(complaint_about(changed(deepseek_v3, "moe_layer_freq", 2)), {"\"moe_layer_freq\" is 2", "1: "});
  check_says(complaint_about(changed(deepseek_v3, "topk_method", "greedy")), {"\"topk_method\"", "noaux_tc"});
  check_says(complaint_about(changed(deepseek_v2_lite, "topk_method", "noaux_tc")), {"\"topk_method\"", "greedy"});
  check_says(complaint_about(changed(qwen3_moe, "shared_expert_intermediate_size", 512)),
             {"\"shared_expert_intermediate_size\" is 512", "no shared expert"});
  check_says(complaint_about(changed(qwen2_moe, "use_sliding_window", true)),
             {"\"use_sliding_window\" is true", "layer_types"});
  check_says(complaint_about(changed(qwen2_moe, "mlp_only_layers", {28})),
             {"\"mlp_only_layers\" is an array that holds 28", "from 0 to 27"});
  check_says(complaint_about(changed(qwen2_moe, "mlp_only_layers", 3)),
             {"\"mlp_only_layers\" is 3", "an array of whole"});
  check_says(complaint_about(changed(llama4_text, "no_rope_layers", {1, 0})),
             {"\"no_rope_layers\"", "each of the 48 layers"});
  check_says(complaint_about(changed(changed(llama4_text, "attention_chunk_size", nullptr), "layer_types",
                                     json::array_t(48, "chunked_attention"))),
             {"\"attention_chunk_size\" is null", "layer_types has chunked_attention"});
  check_says(complaint_about({{"model_type", "llama4"}}), {"\"text_config\" is missing", "an object"});
}

}  // namespace
