#pragma once
#include <array>
#include <cstddef>

/// A model as values: the shapes of its blocks, how often each repeats, and its ends. The *kind* of a layer is a type
/// (model/kinds.hpp); here it is an index into the kinds that the library or a planner knows.
namespace shardplan::model {

/// Index of a layer kind. The built-in blocks come first; `decoder_block(mlp, kernel)` is the first two.
enum class block_kind : int {
  plain_mlp = 0,
  gated_mlp,
  /// Attention with grouped heads, then a mixture of gated experts.
  routed_experts,
  /// Multi-head latent attention, with the query projected directly or through a low rank.
  latent_gated_mlp,
  latent_routed_experts,
  low_rank_latent_gated_mlp,
  low_rank_latent_routed_experts,
  /// Self-attention, cross attention to an encoder, then the MLP.
  cross_plain_mlp,
  cross_gated_mlp
};
/// How many of them there are.
inline constexpr std::size_t block_kind_count = 9;

/// What feeds the first block.
enum class input_kind : int {
  /// Token embeddings, with learned positions where there are some.
  tokens,
  /// Token embeddings with learned positions, token types and a norm (BERT).
  typed_tokens,
  /// Patches of an image and a class token (ViT).
  patches
};

/// What follows the last block.
enum class output_kind : int {
  /// A norm and the projection onto the vocabulary.
  language_head,
  /// A projection of the first token (BERT).
  pooler,
  /// A norm, then that (ViT).
  norm_and_pooler,
  /// A norm and the projection of the first token onto labels.
  classifier
};

/// The values of a block's symbols.
struct block_shape {
  block_kind kind = block_kind::gated_mlp;
  double hidden = 0;
  double feed_forward = 0;
  double heads = 0;
  double key_value_heads = 0;
  double head_dimension = 0;
  /// Keys that a query sees at most; 0 for all.
  double window = 0;
  double mlp_norms = 1;
  double post_norms = 0;
  double norm_vectors = 1;
  /// 1 if query and key heads are normalised.
  double head_norms = 0;
  double query_key_value_bias = 0;
  double attention_output_bias = 0;
  double mlp_bias = 0;
  double sequential = 1;
  double hidden_dropout = 0;
  double attention_dropout = 0;

  /// 1 if a query sees no later key, 0 in encoders.
  double causal = 1;
  /// Attention stays inside chunks of so many tokens; 0 for no chunks.
  double chunk = 0;
  /// 1 if the norm of query and key heads has a scale.
  double head_norm_vectors = 1;
  /// Parameters of the attention core per head: a sink, or buckets of relative positions.
  double head_parameters = 0;

  // Mixtures of experts; `feed_forward` and `mlp_bias` of the others, `mlp_bias` of the experts too.
  double experts = 0;
  double experts_per_token = 0;
  double expert_feed_forward = 0;
  /// Of all shared experts together; 0 for none.
  double shared_feed_forward = 0;
  double router_bias = 0;
  double shared_gate = 0;

  // Latent attention; `head_dimension` is then the mean of the sizes of keys and values.
  double query_rank = 0;
  double key_value_rank = 0;
  double rotary_dimension = 0;
  double plain_dimension = 0;
  double value_dimension = 0;

  friend constexpr bool operator==(block_shape const&, block_shape const&) = default;
};

/// Parameters of a block that a token does not meet: of the experts that it is not sent to.
constexpr double idle_parameters(block_shape const& shape) {
  double const expert =
      3 * shape.hidden * shape.expert_feed_forward + shape.mlp_bias * (2 * shape.expert_feed_forward + shape.hidden);
  return (shape.experts - shape.experts_per_token) * expert;
}

/// `count` consecutive blocks of the shape with this index.
struct block_run {
  int shape = 0;
  long long count = 0;
};

/// Models hold at most this many different shapes.
inline constexpr std::size_t max_shapes = 16;

/// A transformer. `Runs` is a range of `block_run`, in order: an array for models known at compile time, a vector for
/// models read from files.
template <class Runs> struct transformer {
  const char* family = "";
  std::array<block_shape, max_shapes> shapes{};
  std::size_t shape_count = 0;
  Runs runs{};
  double vocabulary = 0;
  /// Rows of a learned position table, 0 for none.
  double learned_positions = 0;
  /// Longest sequence that the model can see, 0 if nothing in it limits the length.
  double longest_sequence = 0;
  bool tied_embeddings = false;

  input_kind input = input_kind::tokens;
  output_kind output = output_kind::language_head;
  /// The first so many layers are an encoder, whose normed output the others read by cross attention; 0 in models of
  /// one stack.
  long long encoder_layers = 0;
  /// Rows of a table of token types.
  double token_types = 0;
  /// Patches of an image, and the numbers in one. The sequence then has one token more than there are patches.
  double patches = 0;
  double patch_pixels = 0;
  double labels = 0;

  constexpr long long layers() const {
    long long total = 0;
    for (block_run const& run : runs)
      total += run.count;
    return total;
  }
  constexpr double hidden() const { return shapes[0].hidden; }
};

/// A transformer that is a decoder.
template <class Runs> using decoder = transformer<Runs>;

/// A decoder of equal blocks.
constexpr decoder<std::array<block_run, 1>> uniform_decoder(const char* family, block_shape const& shape,
                                                            long long layers, double vocabulary) {
  decoder<std::array<block_run, 1>> result;
  result.family = family;
  result.shapes[0] = shape;
  result.shape_count = 1;
  result.runs = {block_run{0, layers}};
  result.vocabulary = vocabulary;
  return result;
}

}  // namespace shardplan::model
