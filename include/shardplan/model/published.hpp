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

}  // namespace shardplan::model
