#pragma once
#include <concepts>

#include <shardplan/expr/expression.hpp>
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
}  // namespace axis

/// A list of axes.
template <named_axis... Axes> struct axes {};

template <class... Left, class... Right> constexpr axes<Left..., Right...> operator+(axes<Left...>, axes<Right...>) {
  return {};
}

}  // namespace shardplan::model
