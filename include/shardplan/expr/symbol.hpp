#pragma once
#include <concepts>

#include <shardplan/expr/expression.hpp>

namespace shardplan::expr {

/// The value of one symbol in an environment.
template <class Tag, class Value> struct binding {
  Value value;
};

/// Base of a symbol's tag. A tag derives from it and adds `name` (as in formulas) and `meaning` (a few words with
/// unit).
template <class Dimension = unit::count_dimension, sign Sign = sign::positive> struct symbol_tag {
  using dimension = Dimension;
  static constexpr expr::sign sign = Sign;
};

template <class Tag>
concept symbol_description = requires {
  typename Tag::dimension;
  { Tag::sign } -> std::convertible_to<sign>;
  { Tag::name } -> std::convertible_to<const char*>;
  { Tag::meaning } -> std::convertible_to<const char*>;
};

/// A symbol: a quantity whose value the environment gives. `s = 8192.0` makes the binding.
template <symbol_description Tag> struct symbol : expression_base {
  using tag = Tag;
  using dimension = typename Tag::dimension;
  static constexpr expr::sign sign = Tag::sign;

  template <class Value> constexpr binding<Tag, Value> operator=(Value value) const { return {value}; }
};

}  // namespace shardplan::expr
