#pragma once
#include <shardplan/expr/symbol.hpp>

/// The symbols of a layer: its shape, the batch it sees, and how it keeps numbers. Each stands in formulas by its
/// `name`.
namespace shardplan::model {

namespace tag {
using expr::sign;
using expr::symbol_tag;
using unit::byte_dimension;
using unit::count_dimension;

struct sequence_length : symbol_tag<count_dimension, sign::at_least_one> {
  static constexpr const char* name = "s";
  static constexpr const char* meaning = "sequence length in tokens";
};
struct micro_batch : symbol_tag<count_dimension, sign::at_least_one> {
  static constexpr const char* name = "b";
  static constexpr const char* meaning = "sequences in a micro-batch";
};
struct hidden : symbol_tag<count_dimension, sign::at_least_one> {
  static constexpr const char* name = "h";
  static constexpr const char* meaning = "hidden size";
};
struct feed_forward : symbol_tag<> {
  static constexpr const char* name = "f";
  static constexpr const char* meaning = "feed-forward size";
};
struct heads : symbol_tag<count_dimension, sign::at_least_one> {
  static constexpr const char* name = "a";
  static constexpr const char* meaning = "attention heads";
};
struct key_value_heads : symbol_tag<count_dimension, sign::at_least_one> {
  static constexpr const char* name = "a_kv";
  static constexpr const char* meaning = "key/value heads; g = a_kv*d_h/h";
};
struct head_dimension : symbol_tag<count_dimension, sign::at_least_one> {
  static constexpr const char* name = "d_h";
  static constexpr const char* meaning = "size of one head";
};
struct vocabulary : symbol_tag<> {
  static constexpr const char* name = "V";
  static constexpr const char* meaning = "vocabulary, padded as the framework does";
};
struct learned_positions : symbol_tag<count_dimension, sign::non_negative> {
  static constexpr const char* name = "n_pos";
  static constexpr const char* meaning = "rows of a learned position table (0 where positions are not learned)";
};

// How a block is built. Counts and switches are values, so that one layer kind serves all families that share it.
struct mlp_norms : symbol_tag<count_dimension, sign::non_negative> {
  static constexpr const char* name = "n_mlp";
  static constexpr const char* meaning = "1 if the MLP has a norm of its own, 0 if it shares the one of attention";
};
struct post_norms : symbol_tag<count_dimension, sign::non_negative> {
  static constexpr const char* name = "n_post";
  static constexpr const char* meaning = "norms after attention and MLP, before the residual is added";
};
struct norm_vectors : symbol_tag<> {
  static constexpr const char* name = "v_n";
  static constexpr const char* meaning = "parameter vectors of a norm: 1 (scale) or 2 (scale and bias)";
};
struct head_norms : symbol_tag<count_dimension, sign::non_negative> {
  static constexpr const char* name = "n_qk";
  static constexpr const char* meaning = "1 if query and key heads are normalised, each kind by one vector";
};
struct query_key_value_bias : symbol_tag<count_dimension, sign::non_negative> {
  static constexpr const char* name = "bias_qkv";
  static constexpr const char* meaning = "1 if the query, key and value projections have a bias";
};
struct attention_output_bias : symbol_tag<count_dimension, sign::non_negative> {
  static constexpr const char* name = "bias_o";
  static constexpr const char* meaning = "1 if the attention output projection has a bias";
};
struct mlp_bias : symbol_tag<count_dimension, sign::non_negative> {
  static constexpr const char* name = "bias_mlp";
  static constexpr const char* meaning = "1 if the MLP projections have a bias";
};
struct sequential : symbol_tag<count_dimension, sign::non_negative> {
  static constexpr const char* name = "seq_res";
  static constexpr const char* meaning = "1 if the MLP follows attention, 0 if both read the same residual stream";
};
struct hidden_dropout : symbol_tag<count_dimension, sign::non_negative> {
  static constexpr const char* name = "drop_h";
  static constexpr const char* meaning = "1 if dropout follows attention and MLP";
};
struct attention_dropout : symbol_tag<count_dimension, sign::non_negative> {
  static constexpr const char* name = "drop_a";
  static constexpr const char* meaning = "1 if dropout follows the softmax";
};
struct head_weights : symbol_tag<count_dimension, sign::non_negative> {
  static constexpr const char* name = "own_head";
  static constexpr const char* meaning = "1 if the output head has weights of its own, 0 if it uses the embedding's";
};

// What attention looks at.
struct keys_computed : symbol_tag<> {
  static constexpr const char* name = "k_c";
  static constexpr const char* meaning = "keys per query that the attention kernel computes, on average";
};
struct keys_counted : symbol_tag<> {
  static constexpr const char* name = "k_m";
  static constexpr const char* meaning = "keys per query that the FLOP convention counts, on average";
};

// How numbers are kept.
struct activation_bytes : symbol_tag<byte_dimension> {
  static constexpr const char* name = "e_a";
  static constexpr const char* meaning = "bytes of an activation element";
};
struct logit_bytes : symbol_tag<byte_dimension> {
  static constexpr const char* name = "e_l";
  static constexpr const char* meaning = "bytes alive per logit while the loss is computed";
};
}  // namespace tag

namespace symbols {
inline constexpr expr::symbol<tag::sequence_length> s{};
inline constexpr expr::symbol<tag::micro_batch> b{};
inline constexpr expr::symbol<tag::hidden> h{};
inline constexpr expr::symbol<tag::feed_forward> f{};
inline constexpr expr::symbol<tag::heads> a{};
inline constexpr expr::symbol<tag::key_value_heads> a_kv{};
inline constexpr expr::symbol<tag::head_dimension> d_h{};
inline constexpr expr::symbol<tag::vocabulary> V{};
inline constexpr expr::symbol<tag::learned_positions> n_pos{};
inline constexpr expr::symbol<tag::mlp_norms> n_mlp{};
inline constexpr expr::symbol<tag::post_norms> n_post{};
inline constexpr expr::symbol<tag::norm_vectors> v_n{};
inline constexpr expr::symbol<tag::head_norms> n_qk{};
inline constexpr expr::symbol<tag::query_key_value_bias> bias_qkv{};
inline constexpr expr::symbol<tag::attention_output_bias> bias_o{};
inline constexpr expr::symbol<tag::mlp_bias> bias_mlp{};
inline constexpr expr::symbol<tag::sequential> seq_res{};
inline constexpr expr::symbol<tag::hidden_dropout> drop_h{};
inline constexpr expr::symbol<tag::attention_dropout> drop_a{};
inline constexpr expr::symbol<tag::head_weights> own_head{};
inline constexpr expr::symbol<tag::keys_computed> k_c{};
inline constexpr expr::symbol<tag::keys_counted> k_m{};
inline constexpr expr::symbol<tag::activation_bytes> e_a{};
inline constexpr expr::symbol<tag::logit_bytes> e_l{};
}  // namespace symbols

}  // namespace shardplan::model
