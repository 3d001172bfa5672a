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
  static constexpr const char* meaning = "1 if query and key heads are normalised";
};
struct head_norm_vectors : symbol_tag<count_dimension, sign::non_negative> {
  static constexpr const char* name = "v_qk";
  static constexpr const char* meaning = "parameter vectors of the norm of query or key heads: 1, or 0 without a scale";
};
struct head_parameters : symbol_tag<count_dimension, sign::non_negative> {
  static constexpr const char* name = "p_a";
  static constexpr const char* meaning =
      "parameters of the attention core per head: 1 with a sink, or the buckets of a table of relative positions";
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

// Mixtures of experts.
struct experts : symbol_tag<count_dimension, sign::at_least_one> {
  static constexpr const char* name = "E";
  static constexpr const char* meaning = "experts of a layer";
};
struct experts_per_token : symbol_tag<count_dimension, sign::at_least_one> {
  static constexpr const char* name = "k";
  static constexpr const char* meaning = "experts that a token is sent to";
};
struct expert_feed_forward : symbol_tag<> {
  static constexpr const char* name = "f_e";
  static constexpr const char* meaning = "feed-forward size of an expert";
};
struct shared_feed_forward : symbol_tag<count_dimension, sign::non_negative> {
  static constexpr const char* name = "f_s";
  static constexpr const char* meaning = "feed-forward size of the shared experts together (0 for none)";
};
struct router_bias : symbol_tag<count_dimension, sign::non_negative> {
  static constexpr const char* name = "bias_r";
  static constexpr const char* meaning = "1 if the router has a bias per expert";
};
struct shared_gate : symbol_tag<count_dimension, sign::non_negative> {
  static constexpr const char* name = "gate_s";
  static constexpr const char* meaning = "1 if a gate per token weighs the shared experts";
};

// Multi-head latent attention.
struct query_rank : symbol_tag<> {
  static constexpr const char* name = "r_q";
  static constexpr const char* meaning = "size of the compressed query";
};
struct key_value_rank : symbol_tag<> {
  static constexpr const char* name = "r_kv";
  static constexpr const char* meaning = "size of the compressed keys and values";
};
struct rotary_dimension : symbol_tag<> {
  static constexpr const char* name = "d_r";
  static constexpr const char* meaning = "part of a query or key head with rotary positions";
};
struct plain_dimension : symbol_tag<> {
  static constexpr const char* name = "d_n";
  static constexpr const char* meaning = "part of a query or key head without positions";
};
struct value_dimension : symbol_tag<> {
  static constexpr const char* name = "d_v";
  static constexpr const char* meaning = "size of a value head";
};

// Encoders, and decoders that read one.
struct source_length : symbol_tag<count_dimension, sign::at_least_one> {
  static constexpr const char* name = "s_x";
  static constexpr const char* meaning = "tokens of the sequence that cross attention reads";
};
struct token_types : symbol_tag<count_dimension, sign::non_negative> {
  static constexpr const char* name = "n_type";
  static constexpr const char* meaning = "rows of a table of token types";
};
struct patches : symbol_tag<> {
  static constexpr const char* name = "n_patch";
  static constexpr const char* meaning = "patches of an image";
};
struct patch_pixels : symbol_tag<> {
  static constexpr const char* name = "n_px";
  static constexpr const char* meaning = "numbers in a patch: channels times height times width";
};
struct labels : symbol_tag<> {
  static constexpr const char* name = "n_label";
  static constexpr const char* meaning = "labels that a classifier tells apart";
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
inline constexpr expr::symbol<tag::head_norm_vectors> v_qk{};
inline constexpr expr::symbol<tag::head_parameters> p_a{};
inline constexpr expr::symbol<tag::query_key_value_bias> bias_qkv{};
inline constexpr expr::symbol<tag::attention_output_bias> bias_o{};
inline constexpr expr::symbol<tag::mlp_bias> bias_mlp{};
inline constexpr expr::symbol<tag::sequential> seq_res{};
inline constexpr expr::symbol<tag::hidden_dropout> drop_h{};
inline constexpr expr::symbol<tag::attention_dropout> drop_a{};
inline constexpr expr::symbol<tag::head_weights> own_head{};
inline constexpr expr::symbol<tag::experts> E{};
inline constexpr expr::symbol<tag::experts_per_token> k{};
inline constexpr expr::symbol<tag::expert_feed_forward> f_e{};
inline constexpr expr::symbol<tag::shared_feed_forward> f_s{};
inline constexpr expr::symbol<tag::router_bias> bias_r{};
inline constexpr expr::symbol<tag::shared_gate> gate_s{};
inline constexpr expr::symbol<tag::query_rank> r_q{};
inline constexpr expr::symbol<tag::key_value_rank> r_kv{};
inline constexpr expr::symbol<tag::rotary_dimension> d_r{};
inline constexpr expr::symbol<tag::plain_dimension> d_n{};
inline constexpr expr::symbol<tag::value_dimension> d_v{};
inline constexpr expr::symbol<tag::source_length> s_x{};
inline constexpr expr::symbol<tag::token_types> n_type{};
inline constexpr expr::symbol<tag::patches> n_patch{};
inline constexpr expr::symbol<tag::patch_pixels> n_px{};
inline constexpr expr::symbol<tag::labels> n_label{};
inline constexpr expr::symbol<tag::keys_computed> k_c{};
inline constexpr expr::symbol<tag::keys_counted> k_m{};
inline constexpr expr::symbol<tag::activation_bytes> e_a{};
inline constexpr expr::symbol<tag::logit_bytes> e_l{};
}  // namespace symbols

}  // namespace shardplan::model
