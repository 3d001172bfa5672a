// The project's own decoder file.
#include <string>

#include <doctest/doctest.h>
#include <io/files.hpp>
#include <nlohmann/json.hpp>

#include <shardplan/io/model_config.hpp>

namespace {

using namespace shardplan;
using nlohmann::json;
using test::check_says;

const json good = {{"model_type", "shardplan-decoder"},
                   {"layers", 32},
                   {"hidden", 4096},
                   {"ffn", 14336},
                   {"heads", 32},
                   {"kv_heads", 8},
                   {"gated", true},
                   {"positions", "rotary"},
                   {"vocab", 128256},
                   {"tied", false}};

io::named_model read(json const& config) {
  test::temporary_folder const folder;
  return io::read_model(folder.write("mine.json", config.dump()));
}
io::named_model read_with(std::string const& key, json const& value) {
  json config = good;
  config[key] = value;
  return read(config);
}
std::string complaint_with(std::string const& key, json const& value) {
  return test::complaint([&] { read_with(key, value); });
}
model::block_shape shape_with(std::string const& key, json const& value) {
  return read_with(key, value).model.shapes[0];
}

TEST_CASE("Llama-3.1-8B in the project's own format, 8 030 261 248 parameters") {
  auto const model = read(good);
  CHECK(test::parameters_of(model.model) == 8030261248);
  CHECK(model.name == "mine");
  CHECK(std::string(model.model.family) == "shardplan-decoder");
  CHECK(model.notes.empty());
  CHECK(read_with("name", "my model").name == "my model");
}

TEST_CASE("defaults") {
  json config = good;
  config.erase("kv_heads");
  auto const shape = read(config).model.shapes[0];
  CHECK(shape.key_value_heads == 32);
  CHECK(shape.head_dimension == 128);
  CHECK(shape.norm_vectors == 1);
  CHECK(shape.query_key_value_bias == 0);
  CHECK(shape.hidden_dropout == 0);
  CHECK(shape.sequential == 1);
  CHECK(shape.mlp_norms == 1);
  CHECK(shape.window == 0);
}

TEST_CASE("every key does what it says") {
  CHECK(shape_with("gated", false).kind == model::block_kind::plain_mlp);
  CHECK(shape_with("head_dim", 256).head_dimension == 256);
  CHECK(shape_with("norm", "layer").norm_vectors == 2);
  CHECK(shape_with("norm", "rms").norm_vectors == 1);
  CHECK(shape_with("qk_norm", true).head_norms == 1);
  CHECK(shape_with("post_norms", true).post_norms == 2);
  CHECK(read_with("tied", true).model.tied_embeddings);
  auto const biased = shape_with("bias", true);
  CHECK(biased.query_key_value_bias == 1);
  CHECK(biased.attention_output_bias == 1);
  CHECK(biased.mlp_bias == 1);
  auto const some = shape_with("bias", {{"qkv", true}, {"mlp", false}});
  CHECK(some.query_key_value_bias == 1);
  CHECK(some.attention_output_bias == 0);
  CHECK(some.mlp_bias == 0);
  auto const wet = shape_with("dropout", true);
  CHECK(wet.hidden_dropout == 1);
  CHECK(wet.attention_dropout == 0);
  auto const attention = shape_with("dropout", {{"attention", true}});
  CHECK(attention.hidden_dropout == 0);
  CHECK(attention.attention_dropout == 1);
  auto const parallel = shape_with("parallel_residual", true);
  CHECK(parallel.sequential == 0);
  CHECK(parallel.mlp_norms == 1);
  json shared = good;
  shared["parallel_residual"] = true;
  shared["shared_norm"] = true;
  CHECK(read(shared).model.shapes[0].mlp_norms == 0);
  auto const windowed = read_with("window", 4096);
  CHECK(windowed.model.shapes[0].window == 4096);
  REQUIRE(windowed.notes.size() == 1);
  CHECK(windowed.notes[0].find("4096 keys in 32 of 32 layers") != std::string::npos);
  auto const learned = read_with("positions", 8192);
  CHECK(learned.model.learned_positions == 8192);
  CHECK(learned.model.longest_sequence == 8192);
  CHECK(read_with("positions", "none").model.learned_positions == 0);
}

TEST_CASE("the Megatron-LM functional test gpt3_7b_tp4_pp1_memory_speed") {
  auto const model = io::read_model("examples/models/gpt-7b-gqa.json");
  auto const& shape = model.model.shapes[0];
  CHECK(model.model.layers() == 32);
  CHECK(shape.hidden == 4096);
  CHECK(shape.feed_forward == 16384);
  CHECK(shape.heads == 32);
  CHECK(shape.key_value_heads == 8);
  CHECK(shape.norm_vectors == 2);
  CHECK(shape.mlp_bias == 1);
  CHECK(shape.hidden_dropout == 1);
  CHECK(shape.attention_dropout == 1);
  CHECK(model.model.vocabulary == 131073);
  CHECK(model.model.learned_positions == 8192);
  CHECK(!model.model.tied_embeddings);
}

TEST_CASE("bad values and keys") {
  std::string const whole = "a whole number from 1 to 1e9";
  for (auto const& item : good.items()) {
    if (item.key() == "model_type" || item.key() == "kv_heads")
      continue;
    json config = good;
    config.erase(item.key());
    check_says(test::complaint([&] { read(config); }), {"mine.json: key \"" + item.key() + "\" is missing"});
  }
  check_says(complaint_with("layers", 1.5), {"mine.json: key \"layers\" is 1.5", "a whole number from 1 to 100000"});
  check_says(complaint_with("hidden", "big"), {"key \"hidden\" is \"big\"", whole});
  check_says(complaint_with("ffn", -1), {"key \"ffn\" is -1", whole});
  check_says(complaint_with("kv_heads", 5), {"key \"kv_heads\" is 5", "a divisor of heads, which is 32"});
  check_says(complaint_with("heads", 33), {"key \"kv_heads\" is 8", "a divisor of heads, which is 33"});
  check_says(complaint_with("hidden", 4100), {"key \"heads\" is 32", "a divisor of hidden, which is 4100", "head_dim"});
  check_says(complaint_with("gated", "yes"), {"key \"gated\" is \"yes\"", "true or false"});
  check_says(complaint_with("positions", "alibi"), {"key \"positions\" is \"alibi\"", "\"rotary\", \"none\""});
  check_says(complaint_with("positions", 0), {"key \"positions\" is 0", "1 to 1e9"});
  check_says(complaint_with("positions", 2.5), {"key \"positions\" is 2.5", "1 to 1e9"});
  check_says(complaint_with("norm", "batch"), {"key \"norm\" is \"batch\"", "one of rms, layer"});
  check_says(complaint_with("bias", 1), {"key \"bias\" is 1", "true, false or an object with qkv, output, mlp"});
  check_says(complaint_with("bias", {{"qvk", true}}), {"key \"bias.qvk\" is unknown", "did you mean qkv?"});
  check_says(complaint_with("dropout", 0.1), {"key \"dropout\" is 0.1", "true, false or an object"});
  check_says(complaint_with("dropout", {{"hidden", 0.1}}), {"key \"dropout.hidden\" is 0.1", "true or false"});
  check_says(complaint_with("shared_norm", true), {"key \"shared_norm\" is true", "parallel_residual"});
  check_says(complaint_with("window", 0), {"key \"window\" is 0", whole});
  check_says(complaint_with("vocabulary", 10), {"key \"vocabulary\" is unknown", "one of model_type, "});
  check_says(complaint_with("head_dims", 10), {"key \"head_dims\" is unknown", "did you mean head_dim?"});
  check_says(complaint_with("name", 10), {"key \"name\" is 10", "a string"});
}

}  // namespace
