// One small configuration per family: the keys of the published config.json that matter, and its published count.
#include <cstddef>
#include <string>

#include <doctest/doctest.h>
#include <io/files.hpp>

#include <shardplan/io/model_config.hpp>

namespace {

using namespace shardplan;
using io::named_model;
using test::parameters_of;

named_model read(std::string const& text) {
  test::temporary_folder const folder;
  return io::read_model(folder.write("config.json", text));
}
bool noted(named_model const& model, std::string const& words) {
  for (auto const& note : model.notes)
    if (note.find(words) != std::string::npos)
      return true;
  return false;
}

TEST_CASE("llama: Llama-2-70b-hf, 68 976 648 192 parameters") {
  auto const model = read(R"({"model_type": "llama", "hidden_size": 8192, "intermediate_size": 28672,
      "num_attention_heads": 64, "num_hidden_layers": 80, "num_key_value_heads": 8, "tie_word_embeddings": false,
      "max_position_embeddings": 4096, "rope_scaling": null, "vocab_size": 32000})");
  CHECK(std::string(model.model.family) == "llama");
  CHECK(parameters_of(model.model) == 68976648192);
  CHECK(model.model.layers() == 80);
  CHECK(model.model.longest_sequence == 0);
  CHECK(model.notes.empty());
}

TEST_CASE("llama: Llama-2-7b without key/value heads and without tie_word_embeddings, 6 738 415 616 parameters") {
  auto const model = read(R"({"model_type": "llama", "hidden_size": 4096, "intermediate_size": 11008,
      "num_attention_heads": 32, "num_hidden_layers": 32, "vocab_size": 32000})");
  CHECK(parameters_of(model.model) == 6738415616);
  CHECK(model.model.shapes[0].key_value_heads == 32);
}

TEST_CASE("llama: Llama-3.2-1B, tied, 1 235 814 400 parameters") {
  auto const model = read(R"({"model_type": "llama", "hidden_size": 2048, "intermediate_size": 8192, "head_dim": 64,
      "num_attention_heads": 32, "num_hidden_layers": 16, "num_key_value_heads": 8, "tie_word_embeddings": true,
      "vocab_size": 128256})");
  CHECK(parameters_of(model.model) == 1235814400);
}

TEST_CASE("llama: biases of attention and MLP, head_dim apart from hidden size over heads") {
  auto const model = read(R"({"model_type": "llama", "hidden_size": 8, "intermediate_size": 16, "head_dim": 5,
      "num_attention_heads": 3, "num_hidden_layers": 1, "num_key_value_heads": 1, "attention_bias": true,
      "mlp_bias": true, "attention_dropout": 0.1, "vocab_size": 10})");
  // norms, query, key and value, output, gate and up, down, embedding, final norm, head
  double const expected =
      2 * 8 + (8 + 1) * 15 + 2 * (8 + 1) * 5 + (15 + 1) * 8 + 2 * (8 + 1) * 16 + (16 + 1) * 8 + 10 * 8 + 8 + 8 * 10;
  CHECK(parameters_of(model.model) == expected);
  CHECK(model.model.shapes[0].attention_dropout == 1);
  CHECK(model.model.shapes[0].hidden_dropout == 0);
}

TEST_CASE("mistral: Mistral-7B-v0.1, a window in all layers, 7 241 732 096 parameters") {
  auto const model = read(R"({"model_type": "mistral", "hidden_size": 4096, "intermediate_size": 14336,
      "num_attention_heads": 32, "num_hidden_layers": 32, "num_key_value_heads": 8, "sliding_window": 4096,
      "tie_word_embeddings": false, "vocab_size": 32000})");
  CHECK(parameters_of(model.model) == 7241732096);
  CHECK(model.model.shapes[0].window == 4096);
  CHECK(noted(model, "at most 4096 keys in 32 of 32 layers"));
}

TEST_CASE("mistral: Mistral-Nemo-Base-2407, head_dim 128 and no window, 12 247 782 400 parameters") {
  auto const model = read(R"({"model_type": "mistral", "hidden_size": 5120, "intermediate_size": 14336,
      "head_dim": 128, "num_attention_heads": 32, "num_hidden_layers": 40, "num_key_value_heads": 8,
      "sliding_window": null, "tie_word_embeddings": false, "vocab_size": 131072})");
  CHECK(parameters_of(model.model) == 12247782400);
  CHECK(model.model.shapes[0].window == 0);
  CHECK(model.notes.empty());
}

TEST_CASE("mistral: the defaults of the family are taken and noted") {
  auto const model = read(R"({"model_type": "mistral", "hidden_size": 4096, "intermediate_size": 14336,
      "num_attention_heads": 32, "num_hidden_layers": 32, "vocab_size": 32000})");
  CHECK(parameters_of(model.model) == 7241732096);
  CHECK(noted(model, "num_key_value_heads is missing: 8 taken"));
  CHECK(noted(model, "sliding_window is missing: 4096 taken"));
}

TEST_CASE("qwen2: Qwen2.5-7B-Instruct, biases of query, key and value only, 7 615 616 512 parameters") {
  auto const model = read(R"({"model_type": "qwen2", "hidden_size": 3584, "intermediate_size": 18944,
      "max_window_layers": 28, "num_attention_heads": 28, "num_hidden_layers": 28, "num_key_value_heads": 4,
      "sliding_window": null, "tie_word_embeddings": false, "use_sliding_window": false, "vocab_size": 152064})");
  CHECK(parameters_of(model.model) == 7615616512);
  CHECK(model.notes.empty());
}

TEST_CASE("qwen2: Qwen2.5-0.5B, tied, 494 032 768 parameters") {
  auto const model = read(R"({"model_type": "qwen2", "hidden_size": 896, "intermediate_size": 4864,
      "num_attention_heads": 14, "num_hidden_layers": 24, "num_key_value_heads": 2, "tie_word_embeddings": true,
      "sliding_window": 32768, "use_sliding_window": false, "vocab_size": 151936})");
  CHECK(parameters_of(model.model) == 494032768);
  CHECK(model.model.shapes[0].window == 0);
}

TEST_CASE("qwen2: the layers from max_window_layers on have a window") {
  auto const model = read(R"({"model_type": "qwen2", "hidden_size": 64, "intermediate_size": 64,
      "num_attention_heads": 4, "num_hidden_layers": 10, "num_key_value_heads": 2, "use_sliding_window": true,
      "sliding_window": 512, "max_window_layers": 7, "vocab_size": 100})");
  REQUIRE(model.model.runs.size() == 2);
  CHECK(model.model.runs[0].count == 7);
  CHECK(model.model.runs[1].count == 3);
  CHECK(model.model.shapes[0].window == 0);
  CHECK(model.model.shapes[1].window == 512);
  CHECK(noted(model, "at most 512 keys in 3 of 10 layers"));
}

TEST_CASE("qwen3: Qwen3-0.6B, normed heads of dimension 128, tied, 596 049 920 parameters") {
  auto const model = read(R"({"model_type": "qwen3", "attention_bias": false, "head_dim": 128, "hidden_size": 1024,
      "intermediate_size": 3072, "num_attention_heads": 16, "num_hidden_layers": 28, "num_key_value_heads": 8,
      "sliding_window": null, "use_sliding_window": false, "tie_word_embeddings": true, "vocab_size": 151936})");
  CHECK(parameters_of(model.model) == 596049920);
}

TEST_CASE("gpt2: gpt2-xl, 1 557 611 200 parameters; gpt2 with and without dropout") {
  std::string const start = R"({"model_type": "gpt2", "n_embd": 1600, "n_head": 25, "n_layer": 48, "vocab_size": 50257,
      "n_inner": null, "n_positions": 1024)";
  auto const model = read(start + "}");
  CHECK(parameters_of(model.model) == 1557611200);
  CHECK(model.model.learned_positions == 1024);
  CHECK(model.model.longest_sequence == 1024);
  CHECK(model.model.tied_embeddings);
  CHECK(model.model.shapes[0].hidden_dropout == 1);
  CHECK(model.model.shapes[0].attention_dropout == 1);
  auto const dry = read(start + R"(, "resid_pdrop": 0, "attn_pdrop": 0.0, "embd_pdrop": 0.0})");
  CHECK(dry.model.shapes[0].hidden_dropout == 0);
  CHECK(dry.model.shapes[0].attention_dropout == 0);
}

TEST_CASE("gpt2: an old revision says its architecture only") {
  auto const model = read(R"({"architectures": ["GPT2LMHeadModel"], "n_embd": 768, "n_head": 12, "n_layer": 12,
      "n_positions": 1024, "n_ctx": 1024, "vocab_size": 50257})");
  CHECK(parameters_of(model.model) == 124439808);
  CHECK(noted(model, "model_type is missing: gpt2 taken"));
}

TEST_CASE("opt: opt-6.7b, two rows more than positions, 6 658 473 984 parameters") {
  auto const model = read(R"({"model_type": "opt", "attention_dropout": 0.0, "do_layer_norm_before": true,
      "dropout": 0.1, "enable_bias": true, "ffn_dim": 16384, "hidden_size": 4096, "max_position_embeddings": 2048,
      "num_attention_heads": 32, "num_hidden_layers": 32, "vocab_size": 50272, "word_embed_proj_dim": 4096})");
  CHECK(parameters_of(model.model) == 6658473984);
  CHECK(model.model.learned_positions == 2050);
  CHECK(model.model.longest_sequence == 2048);
  CHECK(model.model.shapes[0].hidden_dropout == 1);
  CHECK(model.model.shapes[0].attention_dropout == 0);
}

TEST_CASE("opt: opt-125m, 125 239 296 parameters") {
  auto const model = read(R"({"model_type": "opt", "ffn_dim": 3072, "hidden_size": 768,
      "max_position_embeddings": 2048, "num_attention_heads": 12, "num_hidden_layers": 12, "vocab_size": 50272})");
  CHECK(parameters_of(model.model) == 125239296);
}

TEST_CASE("falcon: falcon-40b, the new architecture with two norms side by side, 41 303 293 952 parameters") {
  auto const model = read(R"({"model_type": "falcon", "alibi": false, "bias": false, "hidden_size": 8192,
      "new_decoder_architecture": true, "num_attention_heads": 128, "num_hidden_layers": 60, "num_kv_heads": 8,
      "parallel_attn": true, "vocab_size": 65024})");
  CHECK(parameters_of(model.model) == 41303293952);
  CHECK(model.model.shapes[0].sequential == 0);
  CHECK(model.model.tied_embeddings);
}

TEST_CASE("falcon: falcon-7b, the old architecture with one norm and one key/value head, 6 921 720 704 parameters") {
  auto const model = read(R"({"model_type": "falcon", "alibi": false, "bias": false, "hidden_size": 4544,
      "multi_query": true, "new_decoder_architecture": false, "num_attention_heads": 71, "num_hidden_layers": 32,
      "num_kv_heads": 71, "parallel_attn": true, "vocab_size": 65024})");
  CHECK(parameters_of(model.model) == 6921720704);
  CHECK(model.model.shapes[0].key_value_heads == 1);
}

TEST_CASE("falcon: falcon-rw-1b, attention and MLP in turn with biases and ALiBi, 1 311 625 216 parameters") {
  auto const model = read(R"({"model_type": "falcon", "alibi": true, "bias": true, "hidden_size": 2048,
      "multi_query": false, "new_decoder_architecture": false, "num_attention_heads": 32, "num_hidden_layers": 24,
      "parallel_attn": false, "vocab_size": 50304})");
  CHECK(parameters_of(model.model) == 1311625216);
  CHECK(model.model.learned_positions == 0);
  CHECK(model.model.shapes[0].sequential == 1);
}

TEST_CASE("falcon: one shared norm and a feed-forward size of its own") {
  auto const model = read(R"({"model_type": "falcon", "hidden_size": 64, "new_decoder_architecture": true,
      "num_attention_heads": 4, "num_hidden_layers": 2, "num_kv_heads": 2, "num_ln_in_parallel_attn": 1,
      "ffn_hidden_size": 100, "vocab_size": 10})");
  CHECK(model.model.shapes[0].mlp_norms == 0);
  CHECK(model.model.shapes[0].feed_forward == 100);
}

TEST_CASE("mpt: mpt-7b, ALiBi switches the table off, 6 649 286 656 parameters") {
  auto const model = read(R"({"model_type": "mpt", "attn_config": {"alibi": true, "attn_pdrop": 0,
      "attn_type": "multihead_attention", "qk_ln": false}, "d_model": 4096, "expansion_ratio": 4,
      "learned_pos_emb": true, "max_seq_len": 2048, "n_heads": 32, "n_layers": 32, "no_bias": true,
      "norm_type": "low_precision_layernorm", "resid_pdrop": 0, "vocab_size": 50432})");
  CHECK(parameters_of(model.model) == 6649286656);
  CHECK(model.model.learned_positions == 0);
  CHECK(model.model.longest_sequence == 0);
}

TEST_CASE("mpt: mpt-30b-chat, 29 957 200 896 parameters") {
  auto const model = read(R"({"model_type": "mpt", "attn_config": {"alibi": true}, "d_model": 7168,
      "expansion_ratio": 4, "learned_pos_emb": true, "max_seq_len": 2048, "n_heads": 64, "n_layers": 48,
      "no_bias": true, "vocab_size": 50432})");
  CHECK(parameters_of(model.model) == 29957200896);
}

TEST_CASE("mpt: learned positions, grouped and single key/value heads, biases") {
  std::string const start = R"({"model_type": "mpt", "d_model": 64, "n_heads": 4, "n_layers": 1, "vocab_size": 10,
      "max_seq_len": 128, "expansion_ratio": 2.5, "no_bias": false, "attn_config": )";
  auto const grouped = read(start + R"({"alibi": false, "attn_type": "grouped_query_attention", "kv_n_heads": 2}})");
  CHECK(grouped.model.learned_positions == 128);
  CHECK(grouped.model.longest_sequence == 128);
  CHECK(grouped.model.shapes[0].key_value_heads == 2);
  CHECK(grouped.model.shapes[0].feed_forward == 160);
  CHECK(grouped.model.shapes[0].norm_vectors == 2);
  CHECK(grouped.model.shapes[0].mlp_bias == 1);
  auto const single = read(start + R"({"alibi": false, "rope": true, "attn_type": "multiquery_attention"}})");
  CHECK(single.model.shapes[0].key_value_heads == 1);
  CHECK(single.model.learned_positions == 0);
}

TEST_CASE("phi3: Phi-3-mini-4k-instruct, 3 821 079 552 parameters") {
  auto const model = read(R"({"model_type": "phi3", "hidden_size": 3072, "intermediate_size": 8192,
      "num_attention_heads": 32, "num_hidden_layers": 32, "num_key_value_heads": 32, "resid_pdrop": 0.0,
      "sliding_window": 2047, "tie_word_embeddings": false, "vocab_size": 32064})");
  CHECK(parameters_of(model.model) == 3821079552);
  CHECK(model.model.shapes[0].window == 2047);
}

TEST_CASE("phi3: Phi-4-mini-instruct, tied, 3 836 021 760 parameters") {
  auto const model = read(R"({"model_type": "phi3", "hidden_size": 3072, "intermediate_size": 8192,
      "num_attention_heads": 24, "num_hidden_layers": 32, "num_key_value_heads": 8, "sliding_window": null,
      "tie_word_embeddings": true, "vocab_size": 200064})");
  CHECK(parameters_of(model.model) == 3836021760);
}

TEST_CASE("gemma: gemma-7b, head_dim 256 and tied by default, 8 537 680 896 parameters") {
  auto const model = read(R"({"model_type": "gemma", "hidden_size": 3072, "intermediate_size": 24576,
      "num_attention_heads": 16, "num_hidden_layers": 28, "num_key_value_heads": 16, "vocab_size": 256000})");
  CHECK(parameters_of(model.model) == 8537680896);
  CHECK(noted(model, "head_dim is missing: 256 taken"));
}

TEST_CASE("gemma: gemma-2b, one key/value head, 2 506 172 416 parameters") {
  auto const model = read(R"({"model_type": "gemma", "head_dim": 256, "hidden_size": 2048, "intermediate_size": 16384,
      "num_attention_heads": 8, "num_hidden_layers": 18, "num_key_value_heads": 1, "vocab_size": 256000})");
  CHECK(parameters_of(model.model) == 2506172416);
}

TEST_CASE("gemma2: gemma-2-9b, every other layer has a window, the first one too, 9 241 705 984 parameters") {
  auto const model = read(R"({"model_type": "gemma2", "attention_bias": false, "head_dim": 256, "hidden_size": 3584,
      "intermediate_size": 14336, "num_attention_heads": 16, "num_hidden_layers": 42, "num_key_value_heads": 8,
      "sliding_window": 4096, "vocab_size": 256000})");
  CHECK(parameters_of(model.model) == 9241705984);
  CHECK(model.model.runs.size() == 42);
  CHECK(model.model.shape_count == 2);
  CHECK(model.model.shapes[0].window == 4096);
  CHECK(model.model.shapes[1].window == 0);
  CHECK(noted(model, "at most 4096 keys in 21 of 42 layers"));
}

std::string gemma3(std::string const& more) {
  return R"({"model_type": "gemma3_text", "head_dim": 256, "hidden_size": 640, "intermediate_size": 2048,
      "num_attention_heads": 4, "num_hidden_layers": 18, "num_key_value_heads": 1, "sliding_window": 512,
      "vocab_size": 262144)" +
         more + "}";
}

TEST_CASE("gemma3_text: gemma-3-270m by either way to say which layers slide, 268 098 176 parameters") {
  std::string types = R"(, "layer_types": [)";
  for (int layer = 1; layer <= 18; ++layer)
    types += std::string(layer > 1 ? ", " : "") + (layer % 6 == 0 ? R"("full_attention")" : R"("sliding_attention")");
  for (auto const& more : {std::string(), types + "]", std::string(R"(, "sliding_window_pattern": 6)"),
                           std::string(R"(, "_sliding_window_pattern": 6)")}) {
    CAPTURE(more);
    auto const model = read(gemma3(more));
    CHECK(parameters_of(model.model) == 268098176);
    CHECK(model.model.runs.size() == 6);
    CHECK(model.model.runs[0].count == 5);
    CHECK(model.model.shapes[0].window == 512);
    CHECK(noted(model, "at most 512 keys in 15 of 18 layers"));
  }
}

TEST_CASE("gemma3: the text model may be nested, its missing keys have the defaults of the family") {
  auto const model = read(R"({"model_type": "gemma3", "text_config": {"model_type": "gemma3_text",
      "hidden_size": 2560, "intermediate_size": 10240, "num_hidden_layers": 34, "sliding_window": 1024}})");
  // gemma-3-4b without its vision part: 262208 2560 + 34 (4 2560 + 2 256 + 2560 256 (2 8 + 2 4) + 3 2560 10240) + 2560
  CHECK(parameters_of(model.model) == 3880263168);
  CHECK(noted(model, "num_attention_heads is missing: 8 taken"));
  CHECK(noted(model, "vocab_size is missing: 262208 taken"));
}

TEST_CASE("what is not modelled is noted") {
  auto const model = read(R"({"model_type": "llama", "hidden_size": 64, "intermediate_size": 64,
      "num_attention_heads": 4, "num_hidden_layers": 2, "vocab_size": 100,
      "architectures": ["LlamaForSequenceClassification"],
      "quantization_config": {"quant_method": "gptq", "bits": 4}})");
  CHECK(noted(model, "quantization_config (gptq) is not modelled"));
  CHECK(noted(model, "LlamaForSequenceClassification"));
}

}  // namespace
