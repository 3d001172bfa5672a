#pragma once
#include <concepts>

#include <shardplan/expr/operators.hpp>
#include <shardplan/model/symbol.hpp>

/// Named axes of tensors and of work. A strategy says which mesh axis an axis is cut over.
namespace shardplan::model {

/// An axis has a name and an extent, which is a dimensionless expression.
template <class Type>
concept named_axis = requires {
  { Type::name } -> std::convertible_to<const char*>;
  Type::extent;
} && expr::expression<std::remove_cv_t<decltype(Type::extent)>> && expr::dimensionless<decltype(Type::extent)>;

namespace axis {
struct batch {
  static constexpr const char* name = "batch";
  static constexpr auto extent = symbols::b;
};
/// Tokens of a sequence, as rows: of activations, and of queries.
struct sequence {
  static constexpr const char* name = "sequence";
  static constexpr auto extent = symbols::s;
};
/// Tokens of a sequence as columns of the attention scores.
struct score {
  static constexpr const char* name = "score";
  static constexpr auto extent = symbols::s;
};
struct hidden {
  static constexpr const char* name = "hidden";
  static constexpr auto extent = symbols::h;
};
struct head {
  static constexpr const char* name = "head";
  static constexpr auto extent = symbols::a;
};
struct key_value_head {
  static constexpr const char* name = "key_value_head";
  static constexpr auto extent = symbols::a_kv;
};
struct head_dimension {
  static constexpr const char* name = "head_dimension";
  static constexpr auto extent = symbols::d_h;
};
struct feed_forward {
  static constexpr const char* name = "feed_forward";
  static constexpr auto extent = symbols::f;
};
struct vocabulary {
  static constexpr const char* name = "vocabulary";
  static constexpr auto extent = symbols::V;
};
struct position {
  static constexpr const char* name = "position";
  static constexpr auto extent = symbols::n_pos;
};
/// The experts that a layer owns.
struct expert {
  static constexpr const char* name = "expert";
  static constexpr auto extent = symbols::E;
};
/// The experts as columns of the router's scores, which every device that routes has all of.
struct candidate {
  static constexpr const char* name = "candidate";
  static constexpr auto extent = symbols::E;
};
/// The tokens of a sequence as the experts see them: each k times, on a device for every expert that it was sent to.
/// Where experts are cut inside, every part sees all of them.
struct assignment {
  static constexpr const char* name = "assignment";
  static constexpr auto extent = symbols::k * symbols::s;
};
struct expert_feed_forward {
  static constexpr const char* name = "expert_feed_forward";
  static constexpr auto extent = symbols::f_e;
};
struct shared_feed_forward {
  static constexpr const char* name = "shared_feed_forward";
  static constexpr auto extent = symbols::f_s;
};
struct query_rank {
  static constexpr const char* name = "query_rank";
  static constexpr auto extent = symbols::r_q;
};
struct key_value_rank {
  static constexpr const char* name = "key_value_rank";
  static constexpr auto extent = symbols::r_kv;
};
/// What latent attention compresses keys and values to, and the part of the keys that all heads share.
struct compressed {
  static constexpr const char* name = "compressed";
  static constexpr auto extent = symbols::r_kv + symbols::d_r;
};
/// Sizes of heads where keys and values differ in size.
struct query_key_dimension {
  static constexpr const char* name = "query_key_dimension";
  static constexpr auto extent = symbols::d_n + symbols::d_r;
};
/// What latent attention makes of the compressed part for a head: its key without positions, and its value.
struct key_value_dimension {
  static constexpr const char* name = "key_value_dimension";
  static constexpr auto extent = symbols::d_n + symbols::d_v;
};
struct value_dimension {
  static constexpr const char* name = "value_dimension";
  static constexpr auto extent = symbols::d_v;
};
/// Tokens of the encoder's sequence, as a decoder sees them.
struct source {
  static constexpr const char* name = "source";
  static constexpr auto extent = symbols::s_x;
};
struct token_type {
  static constexpr const char* name = "token_type";
  static constexpr auto extent = symbols::n_type;
};
struct patch {
  static constexpr const char* name = "patch";
  static constexpr auto extent = symbols::n_patch;
};
struct pixel {
  static constexpr const char* name = "pixel";
  static constexpr auto extent = symbols::n_px;
};
struct label {
  static constexpr const char* name = "label";
  static constexpr auto extent = symbols::n_label;
};
}  // namespace axis

/// A list of axes.
template <named_axis... Axes> struct axes {};

template <class... Left, class... Right> constexpr axes<Left..., Right...> operator+(axes<Left...>, axes<Right...>) {
  return {};
}

}  // namespace shardplan::model
