#pragma once
#include <shardplan/model/cross_attention.hpp>
#include <shardplan/model/decoder.hpp>
#include <shardplan/model/description.hpp>
#include <shardplan/model/encoder_ends.hpp>
#include <shardplan/model/latent_attention.hpp>
#include <shardplan/model/mixture.hpp>

/// From the values of a description to the types of layers.
namespace shardplan::model {

/// What a kind of block is called.
constexpr const char* name_of(block_kind kind) {
  switch (kind) {
  case block_kind::plain_mlp:
    return "decoder block, plain MLP";
  case block_kind::gated_mlp:
    return "decoder block, gated MLP";
  case block_kind::routed_experts:
    return "decoder block, mixture of experts";
  case block_kind::latent_gated_mlp:
  case block_kind::low_rank_latent_gated_mlp:
    return "decoder block, latent attention, gated MLP";
  case block_kind::latent_routed_experts:
  case block_kind::low_rank_latent_routed_experts:
    return "decoder block, latent attention, mixture of experts";
  case block_kind::cross_plain_mlp:
    return "decoder block, cross attention, plain MLP";
  case block_kind::cross_gated_mlp:
    return "decoder block, cross attention, gated MLP";
  }
  return "unknown kind";
}

/// The same for a shape: blocks without a causal mask are those of encoders.
constexpr const char* name_of(block_shape const& shape) {
  if (shape.causal == 0 && shape.kind == block_kind::plain_mlp)
    return "encoder block, plain MLP";
  if (shape.causal == 0 && shape.kind == block_kind::gated_mlp)
    return "encoder block, gated MLP";
  return name_of(shape.kind);
}

/// The block has a mixture of experts.
constexpr bool is_mixture(block_kind kind) {
  return kind == block_kind::routed_experts || kind == block_kind::latent_routed_experts ||
         kind == block_kind::low_rank_latent_routed_experts;
}
/// The block has latent attention.
constexpr bool is_latent(block_kind kind) {
  return kind >= block_kind::latent_gated_mlp && kind <= block_kind::low_rank_latent_routed_experts;
}

/// Calls `visit` with the layer of a built-in kind, for an attention kernel; false if there is no such kind.
template <class Kernel, class Visit> constexpr bool with_block(block_kind kind, Kernel kernel_kind, Visit visit) {
  using direct = attention::latent<query::direct>;
  using low_rank = attention::latent<query::low_rank>;
  switch (kind) {
  case block_kind::plain_mlp:
    visit(decoder_block(mlp::plain{}, kernel_kind));
    return true;
  case block_kind::gated_mlp:
    visit(decoder_block(mlp::gated{}, kernel_kind));
    return true;
  case block_kind::routed_experts:
    visit(transformer_block(attention::grouped{}, mlp::routed{}, kernel_kind));
    return true;
  case block_kind::latent_gated_mlp:
    visit(transformer_block(direct{}, mlp::gated{}, kernel_kind));
    return true;
  case block_kind::latent_routed_experts:
    visit(transformer_block(direct{}, mlp::routed{}, kernel_kind));
    return true;
  case block_kind::low_rank_latent_gated_mlp:
    visit(transformer_block(low_rank{}, mlp::gated{}, kernel_kind));
    return true;
  case block_kind::low_rank_latent_routed_experts:
    visit(transformer_block(low_rank{}, mlp::routed{}, kernel_kind));
    return true;
  case block_kind::cross_plain_mlp:
    visit(transformer_block(attention::grouped_then_cross{}, mlp::plain{}, kernel_kind));
    return true;
  case block_kind::cross_gated_mlp:
    visit(transformer_block(attention::grouped_then_cross{}, mlp::gated{}, kernel_kind));
    return true;
  }
  return false;
}

/// Calls `visit` with the layer that feeds the blocks, or the one that follows them.
template <class Visit> constexpr void with_input(input_kind kind, Visit visit) {
  switch (kind) {
  case input_kind::tokens:
    return visit(embedding_layer());
  case input_kind::typed_tokens:
    return visit(typed_embedding_layer());
  case input_kind::patches:
    return visit(patch_embedding_layer());
  }
}
template <class Visit> constexpr void with_output(output_kind kind, Visit visit) {
  switch (kind) {
  case output_kind::language_head:
    return visit(head_layer());
  case output_kind::pooler:
    return visit(pooler_layer());
  case output_kind::norm_and_pooler:
    return visit(norm_and_pooler_layer());
  case output_kind::classifier:
    return visit(classifier_layer());
  }
}

constexpr const char* name_of(input_kind kind) {
  switch (kind) {
  case input_kind::tokens:
    return "embedding";
  case input_kind::typed_tokens:
    return "embedding with token types";
  case input_kind::patches:
    return "patch embedding";
  }
  return "unknown kind";
}
constexpr const char* name_of(output_kind kind) {
  switch (kind) {
  case output_kind::language_head:
    return "head";
  case output_kind::pooler:
    return "pooler";
  case output_kind::norm_and_pooler:
    return "norm and pooler";
  case output_kind::classifier:
    return "classifier";
  }
  return "unknown kind";
}

}  // namespace shardplan::model
