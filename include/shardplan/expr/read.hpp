#pragma once
#include <concepts>
#include <type_traits>

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
/// A reader whose value type has the arithmetic operators derives `apply` from `arithmetic_reader`. Where a reader
/// makes the same of an operation whatever the node is, it says so by naming itself in `using operates = reader;` and
/// has `operate<Operation>(operands...)` beside `apply`: less is compiled.
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

/// Of a class derived from such a reader `apply` may be its own.
template <class Reader>
concept operating_reading = reading<Reader> && std::same_as<typename Reader::operates, Reader>;

namespace detail {

/// The operands of a sum of sums, or a product of products, from the left: read in one function, as each step has a
/// type of its own.
template <class... Operands> struct operand_chain {};

template <class Operation, class First, class...> inline constexpr bool is_chained = false;
template <class Operation, class... Inner, class Second>
inline constexpr bool is_chained<Operation, node<Operation, Inner...>, Second> = true;

template <class Operation, class Operand> struct chain {
  template <class... After> using with = operand_chain<Operand, After...>;
};
template <class Operation, class Left, class Right> struct chain<Operation, node<Operation, Left, Right>> {
  template <class... After> using with = typename chain<Operation, Left>::template with<Right, After...>;
};
template <class Operation, class Node> consteval auto chain_of(Node) {
  return typename chain<Operation, Node>::template with<>{};
}

/// A value on its way through a chain.
template <class Operation, class Reader, class Value> struct chain_value {
  Reader const& reader;
  Value value;
};
template <class Operation, class Reader, class Left, class Right>
SHARDPLAN_FORCE_INLINE constexpr auto operator+(chain_value<Operation, Reader, Left> const& left, Right const& right) {
  auto const value = left.reader.template operate<Operation>(left.value, right);
  return chain_value<Operation, Reader, std::remove_cv_t<decltype(value)>>{left.reader, value};
}

template <class Operation, class First, class... More, class Reader>
constexpr auto read_chain(operand_chain<First, More...>, Reader const& reader);

}  // namespace detail

/// Walks the expression once and returns what the reader makes of it.
template <reading Reader, long long Numerator, long long Denominator, class Dimension>
SHARDPLAN_FORCE_INLINE constexpr auto read(literal<Numerator, Denominator, Dimension>, Reader const& reader) {
  return reader.template literal<literal<Numerator, Denominator, Dimension>>();
}
template <reading Reader, class Tag> SHARDPLAN_FORCE_INLINE constexpr auto read(symbol<Tag>, Reader const& reader) {
  return reader.template symbol<Tag>();
}
template <inlining_reading Reader, class Operation, class... Operands>
SHARDPLAN_FORCE_INLINE constexpr auto read(node<Operation, Operands...> whole, Reader const& reader) {
  if constexpr (!operating_reading<Reader>)
    return reader.template apply<node<Operation, Operands...>>(read(Operands{}, reader)...);
  else if constexpr (detail::is_chained<Operation, Operands...>)
    return detail::read_chain<Operation>(detail::chain_of<Operation>(whole), reader);
  else
    return reader.template operate<Operation>(read(Operands{}, reader)...);
}
template <reading Reader, class Operation, class... Operands>
  requires(!inlining_reading<Reader>)
constexpr auto read(node<Operation, Operands...>, Reader const& reader) {
  return reader.template apply<node<Operation, Operands...>>(read(Operands{}, reader)...);
}

namespace detail {
template <class Operation, class First, class... More, class Reader>
SHARDPLAN_FORCE_INLINE constexpr auto read_chain(operand_chain<First, More...>, Reader const& reader) {
  auto const first = read(First{}, reader);
  return (chain_value<Operation, Reader, std::remove_cv_t<decltype(first)>>{reader, first} + ... + read(More{}, reader))
      .value;
}
}  // namespace detail

/// Base of readers whose values have the operators and functions of the language.
template <class Value> struct arithmetic_reader {
  using value_type = Value;
  template <class Node, class... Operands>
  SHARDPLAN_FORCE_INLINE constexpr Value apply(Operands const&... operands) const {
    return typename Node::operation{}(operands...);
  }
  template <class Operation, class... Operands>
  SHARDPLAN_FORCE_INLINE constexpr Value operate(Operands const&... operands) const {
    return Operation{}(operands...);
  }
};

}  // namespace shardplan::expr
