// Encoders and encoder-decoders: the keys of the published config.json files that matter, their published counts, and
// bad files.
#include <string>

#include <doctest/doctest.h>
#include <io/files.hpp>
#include <nlohmann/json.hpp>

#include <shardplan/io/model_config.hpp>

namespace {

using namespace shardplan;
using model::block_kind;
using nlohmann::json;
using test::check_says;
using test::parameters_of;

const json t5_large = {{"model_type", "t5"},
                       {"is_encoder_decoder", true},
                       {"d_model", 1024},
                       {"d_kv", 64},
                       {"d_ff", 4096},
                       {"num_layers", 24},
                       {"num_heads", 16},
                       {"dropout_rate", 0.1},
                       {"vocab_size", 32128},
                       {"num_decoder_layers", 24},
                       {"feed_forward_proj", "relu"},
                       {"relative_attention_num_buckets", 32}};
const json bert_large = {{"model_type", "bert"},    {"hidden_size", 1024},       {"intermediate_size", 4096},
                         {"num_hidden_layers", 24}, {"num_attention_heads", 16}, {"max_position_embeddings", 512},
                         {"type_vocab_size", 2},    {"vocab_size", 30522},       {"hidden_dropout_prob", 0.1}};
const json vit_large = {{"model_type", "vit"},     {"hidden_size", 1024},       {"intermediate_size", 4096},
                        {"num_hidden_layers", 24}, {"num_attention_heads", 16}, {"image_size", 224},
                        {"patch_size", 16},        {"num_channels", 3},         {"qkv_bias", true}};

io::named_model read(json const& config) {
  test::temporary_folder const folder;
  return io::read_model(folder.write("config.json", config.dump()));
}
json changed(json config, std::string const& key, json const& value) {
  config[key] = value;
  return config;
}
std::string complaint_about(json const& config) {
  return test::complaint([&] { read(config); });
}
std::string complaint_without(json config, std::string const& key) {
  config.erase(key);
  return complaint_about(config);
}

TEST_CASE("t5: t5-large, 737 668 096 parameters in two stacks") {
  auto const found = read(t5_large).model;
  CHECK(parameters_of(found) == 737668096);
  CHECK(found.layers() == 48);
  CHECK(found.encoder_layers == 24);
  CHECK(found.tied_embeddings);
  // The first layer of each stack has the table of relative positions.
  REQUIRE(found.runs.size() == 4);
  CHECK(found.shapes[0].head_parameters == 32);
  CHECK(found.shapes[0].causal == 0);
  CHECK(found.shapes[1].head_parameters == 0);
  CHECK(found.shapes[2].kind == block_kind::cross_plain_mlp);
  CHECK(found.shapes[2].causal == 1);
  CHECK(found.shapes[0].hidden_dropout == 1);
}

TEST_CASE("t5: t5-v1_1-large, gated and with a head of its own, 783 150 080 parameters; mt5 has that as its default") {
  auto config = t5_large;
  config.update({{"d_ff", 2816}, {"feed_forward_proj", "gated-gelu"}, {"tie_word_embeddings", false}});
  CHECK(parameters_of(read(config).model) == 783150080);
  config["model_type"] = "mt5";
  config.erase("feed_forward_proj");
  config.erase("tie_word_embeddings");
  config.erase("num_decoder_layers");
  CHECK(parameters_of(read(config).model) == 783150080);
}

TEST_CASE("bert: bert-large-uncased, encoder and pooler, 335 141 888 parameters; bert-base, 109 482 240") {
  auto const found = read(bert_large).model;
  CHECK(parameters_of(found) == 335141888);
  CHECK(found.longest_sequence == 512);
  CHECK(found.output == model::output_kind::pooler);
  auto base = bert_large;
  base.update({{"hidden_size", 768},
               {"intermediate_size", 3072},
               {"num_hidden_layers", 12},
               {"num_attention_heads", 12},
               {"architectures", {"BertForMaskedLM"}}});
  auto const named = read(base);
  CHECK(parameters_of(named.model) == 109482240);
  REQUIRE(named.notes.size() == 1);
  CHECK(named.notes[0] == "the encoder and its pooler are counted, not the head of BertForMaskedLM");
}

TEST_CASE(
    "vit: vit-large-patch16-224-in21k with pooler, 304 351 232 parameters; vit-base with 1000 labels, 86 567 656") {
  auto const found = read(changed(vit_large, "architectures", {"ViTModel"})).model;
  CHECK(parameters_of(found) == 304351232);
  CHECK(found.longest_sequence == 197);
  auto base = vit_large;
  base.update({{"hidden_size", 768},
               {"intermediate_size", 3072},
               {"num_hidden_layers", 12},
               {"num_attention_heads", 12},
               {"architectures", {"ViTForImageClassification"}},
               {"num_labels", 1000}});
  CHECK(parameters_of(read(base).model) == 86567656);
  base.erase("num_labels");
  base["id2label"] = json::object();
  for (int label = 0; label < 1000; ++label)
    base["id2label"][std::to_string(label)] = "label " + std::to_string(label);
  CHECK(parameters_of(read(base).model) == 86567656);
}

TEST_CASE("what encoders need is required") {
  for (const char* key : {"d_model", "d_kv", "d_ff", "num_heads", "num_layers", "vocab_size"})
    check_says(complaint_without(t5_large, key), {"config.json: key \"" + std::string(key) + "\" is missing", "whole"});
  for (const char* key : {"hidden_size", "max_position_embeddings", "vocab_size", "intermediate_size"})
    check_says(complaint_without(bert_large, key),
               {"config.json: key \"" + std::string(key) + "\" is missing", "whole"});
  for (const char* key : {"image_size", "patch_size", "num_channels", "hidden_size"})
    check_says(complaint_without(vit_large, key),
               {"config.json: key \"" + std::string(key) + "\" is missing", "whole"});
}

TEST_CASE("what changes the model is refused by key") {
  check_says(complaint_about(changed(t5_large, "is_encoder_decoder", false)),
             {"\"is_encoder_decoder\" is false", "true"});
  check_says(complaint_about(changed(t5_large, "feed_forward_proj", "swish")), {"\"feed_forward_proj\"", "gated-gelu"});
  check_says(complaint_about(changed(t5_large, "is_gated_act", true)), {"\"is_gated_act\" is true", "\"relu\""});
  check_says(complaint_about(changed(t5_large, "num_experts", 8)), {"\"num_experts\" is 8", "t5 has no experts"});
  check_says(complaint_about(changed(bert_large, "is_decoder", true)), {"\"is_decoder\" is true", "false"});
  check_says(complaint_about(changed(bert_large, "position_embedding_type", "relative_key")),
             {"\"position_embedding_type\" is \"relative_key\"", "absolute"});
  check_says(complaint_about(changed(bert_large, "is_encoder_decoder", true)), {"\"is_encoder_decoder\" is true"});
  check_says(complaint_about(changed(vit_large, "patch_size", 15)),
             {"\"patch_size\" is 15", "image_size, which is 224"});
  check_says(complaint_about(changed(vit_large, "architectures", {"ViTForMaskedImageModeling"})),
             {"\"architectures\"", "ViTForMaskedImageModeling", "ViTModel"});
}

}  // namespace
