#pragma once
#include <shardplan/model/description.hpp>

/// Published models as compile-time values, for programs that read no files. Shapes are those of the models' own
/// config.json files; the tests compare their parameter counts with the published ones.
namespace shardplan::model {

constexpr block_shape llama_block(double hidden, double feed_forward, double heads, double key_value_heads) {
  return {.kind = block_kind::gated_mlp,
          .hidden = hidden,
          .feed_forward = feed_forward,
          .heads = heads,
          .key_value_heads = key_value_heads,
          .head_dimension = hidden / heads};
}

inline constexpr auto llama_2_7b = uniform_decoder("llama", llama_block(4096, 11008, 32, 32), 32, 32000);
inline constexpr auto llama_3_1_8b = uniform_decoder("llama", llama_block(4096, 14336, 32, 8), 32, 128256);
inline constexpr auto llama_3_1_70b = uniform_decoder("llama", llama_block(8192, 28672, 64, 8), 80, 128256);
inline constexpr auto llama_3_1_405b = uniform_decoder("llama", llama_block(16384, 53248, 128, 8), 126, 128256);

/// Mixtral 8x7B: 8 experts, 2 for each token.
constexpr auto make_mixtral_8x7b() {
  auto block = llama_block(4096, 0, 32, 8);
  block.kind = block_kind::routed_experts;
  block.experts = 8;
  block.experts_per_token = 2;
  block.expert_feed_forward = 14336;
  return uniform_decoder("mixtral", block, 32, 32000);
}
inline constexpr auto mixtral_8x7b = make_mixtral_8x7b();

/// DeepSeek V3 without the module that predicts a second token: 3 dense layers, 58 of 256 experts, 8 for each token.
constexpr auto make_deepseek_v3() {
  decoder<std::array<block_run, 2>> result;
  auto& dense = result.shapes[0];
  dense.kind = block_kind::low_rank_latent_gated_mlp;
  dense.hidden = 7168;
  dense.feed_forward = 18432;
  dense.heads = dense.key_value_heads = 128;
  dense.query_rank = 1536;
  dense.key_value_rank = 512;
  dense.rotary_dimension = 64;
  dense.plain_dimension = dense.value_dimension = 128;
  dense.head_dimension = (64 + 128 + 128) / 2;
  auto& routed = result.shapes[1];
  routed = dense;
  routed.kind = block_kind::low_rank_latent_routed_experts;
  routed.feed_forward = 0;
  routed.experts = 256;
  routed.experts_per_token = 8;
  routed.expert_feed_forward = routed.shared_feed_forward = 2048;
  routed.router_bias = 1;
  result.family = "deepseek_v3";
  result.shape_count = 2;
  result.runs = {block_run{0, 3}, block_run{1, 58}};
  result.vocabulary = 129280;
  return result;
}
inline constexpr auto deepseek_v3 = make_deepseek_v3();

}  // namespace shardplan::model
