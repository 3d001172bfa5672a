#pragma once
#include <array>
#include <cstddef>

/// A model as values: the shapes of its blocks, how often each repeats, and its ends. The *kind* of a block is a type
/// (model/decoder.hpp); here it is an index into the kinds that a planner knows.
namespace shardplan::model {

/// Index of a layer kind. The built-in decoder blocks come first.
enum class block_kind : int { plain_mlp = 0, gated_mlp = 1 };

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

  friend constexpr bool operator==(block_shape const&, block_shape const&) = default;
};

/// `count` consecutive blocks of the shape with this index.
struct block_run {
  int shape = 0;
  long long count = 0;
};

/// Models hold at most this many different shapes.
inline constexpr std::size_t max_shapes = 16;

/// A decoder. `Runs` is a range of `block_run`, in order: an array for models known at compile time, a vector for
/// models read from files.
template <class Runs> struct decoder {
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

  constexpr long long layers() const {
    long long total = 0;
    for (block_run const& run : runs)
      total += run.count;
    return total;
  }
  constexpr double hidden() const { return shapes[0].hidden; }
};

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
