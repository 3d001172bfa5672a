#pragma once
#include <shardplan/config.hpp>
#include <shardplan/expr/expression.hpp>
#include <shardplan/expr/symbol.hpp>

namespace shardplan::expr {

/// A reading: how literals, symbols and operations become values. Write one to read expressions in a new way.
///
///     struct reader {
///       using value_type = ...;
///       template <class Literal> value_type literal() const;
///       template <class Tag> value_type symbol() const;
///       template <class Node, class... Operands> value_type apply(Operands... operands) const;
///     };
///
/// `apply` is told the node that it reads, with the operation and the types of the operands (dimension and sign).
/// A reader whose value type has the arithmetic operators derives `apply` from `arithmetic_reader`.
///
/// To read `let`, `over` and `earlier` a reader also gives the type of a plain number of its (`number_type`), its
/// `environment()`, and `in(inner)`, the same reader with another environment; or it reads these nodes itself, by
/// members `let<Node>()`, `over<Node>()` and `earlier<Node>()`. To read functions it has `call<Node>(operands...)`.
template <class Reader>
concept reading = requires { typename Reader::value_type; };

/// A reader of values that are dear to move or make (text, trees) says `static constexpr bool inlines = false`: its
/// walk then is ordinary calls, which compile faster.
template <class Reader>
concept inlining_reading = reading<Reader> && !(requires { requires !Reader::inlines; });

/// Walks the expression once and returns what the reader makes of it.
template <reading Reader, long long Numerator, long long Denominator, class Dimension>
SHARDPLAN_FORCE_INLINE constexpr auto read(literal<Numerator, Denominator, Dimension>, Reader const& reader) {
  return reader.template literal<literal<Numerator, Denominator, Dimension>>();
}
template <reading Reader, class Tag> SHARDPLAN_FORCE_INLINE constexpr auto read(symbol<Tag>, Reader const& reader) {
  return reader.template symbol<Tag>();
}
template <inlining_reading Reader, class Operation, class... Operands>
SHARDPLAN_FORCE_INLINE constexpr auto read(node<Operation, Operands...>, Reader const& reader) {
  return reader.template apply<node<Operation, Operands...>>(read(Operands{}, reader)...);
}
template <reading Reader, class Operation, class... Operands>
  requires(!inlining_reading<Reader>)
constexpr auto read(node<Operation, Operands...>, Reader const& reader) {
  return reader.template apply<node<Operation, Operands...>>(read(Operands{}, reader)...);
}

/// Base of readers whose values have the operators and functions of the language.
template <class Value> struct arithmetic_reader {
  using value_type = Value;
  template <class Node, class... Operands>
  SHARDPLAN_FORCE_INLINE constexpr Value apply(Operands const&... operands) const {
    return typename Node::operation{}(operands...);
  }
};

}  // namespace shardplan::expr
