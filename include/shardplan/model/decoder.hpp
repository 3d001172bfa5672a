#pragma once
#include <shardplan/model/attention.hpp>
#include <shardplan/model/block.hpp>
#include <shardplan/model/ends.hpp>
#include <shardplan/model/mlp.hpp>

/// The layers of a dense decoder: embedding, block, head. The lists of kept tensors are those of Korthikanti et al.
/// 2022 (arXiv 2205.05198, section 4.1) for the block with plain attention, dropout and a plain MLP: 34 sbh + 5 a s^2 b
/// bytes; grouped key/value heads, fused attention, gated MLPs and blocks without dropout follow by counting their
/// tensors.
namespace shardplan::model {

/// A transformer block: grouped attention and MLP, each with a norm before it and its result added to the residual
/// stream.
template <class Mlp, class Kernel> constexpr auto decoder_block(Mlp mlp_kind, Kernel kernel_kind) {
  return transformer_block(attention::grouped{}, mlp_kind, kernel_kind);
}

}  // namespace shardplan::model
