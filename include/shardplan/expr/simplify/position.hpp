#pragma once
#include <type_traits>

#include <shardplan/expr/function.hpp>
#include <shardplan/expr/let.hpp>
#include <shardplan/expr/operation.hpp>
#include <shardplan/expr/over.hpp>
#include <shardplan/expr/simplify/equation.hpp>
#include <shardplan/expr/simplify/symbols.hpp>

/// The nodes of an expression by number, in the order in which they are written: a node, then its operands.
namespace shardplan::expr::simplification {

template <class...> struct expressions {};

/// The operands of a node, how many nodes it and they are, and the same node with other operands.
template <class Expression> struct parts {
  using operands = expressions<>;
  static constexpr int count = 1;
  /// Adds the symbols, where `position` is that of the expression.
  static consteval void add_symbols(symbol_list&, int) {}
};
template <class Tag> struct parts<symbol<Tag>> {
  using operands = expressions<>;
  static constexpr int count = 1;
  static consteval void add_symbols(symbol_list& into, int position) {
    into.add(
        named_atom(kind::symbol, &identity<symbol<Tag>>, Tag::name, Tag::sign, dimension_of<symbol<Tag>>, position));
  }
};

template <class Operation, class... Operands> struct parts<node<Operation, Operands...>> {
  using operands = expressions<Operands...>;
  static constexpr int count = (1 + ... + parts<Operands>::count);
  static consteval void add_symbols(symbol_list& into, int position) {
    if (into.has_seen(&identity<parts>, count))
      return;
    ++position;
    ((parts<Operands>::add_symbols(into, position), position += parts<Operands>::count), ...);
  }
  template <class... Others> struct with {
    using type = node<Operation, Others...>;
  };
};
template <class Tag, class... Operands> struct parts<call_node<Tag, Operands...>> {
  using operands = expressions<Operands...>;
  static constexpr int count = (1 + ... + parts<Operands>::count);
  static consteval void add_symbols(symbol_list& into, int position) {
    if (into.has_seen(&identity<parts>, count))
      return;
    ++position;
    ((parts<Operands>::add_symbols(into, position), position += parts<Operands>::count), ...);
  }
  template <class... Others> struct with {
    using type = call_node<Tag, Others...>;
  };
};
template <class Tag, class Value, class Body> struct parts<let_node<Tag, Value, Body>> {
  using operands = expressions<Value, Body>;
  static constexpr int count = 1 + parts<Value>::count + parts<Body>::count;
  static consteval void add_symbols(symbol_list& into, int position) {
    parts<Value>::add_symbols(into, position + 1);
    parts<Body>::add_symbols(into, position + 1 + parts<Value>::count);
  }
  template <class NewValue, class NewBody> struct with {
    using type = let_node<Tag, NewValue, NewBody>;
  };
};
/// The largest of no values depends on what the type of the body says about its sign, so a body that says something
/// else is not taken.
template <class Scope, class Reduction, class Body> struct parts<over_node<Scope, Reduction, Body>> {
  using operands = expressions<Body>;
  static constexpr int count = 1 + parts<Body>::count;
  static consteval void add_symbols(symbol_list& into, int position) { parts<Body>::add_symbols(into, position + 1); }
  template <class Other> struct with {
    using type =
        over_node<Scope, Reduction, std::conditional_t<non_negative<Other> == non_negative<Body>, Other, Body>>;
  };
};
template <class Scope, class Body> struct parts<earlier_node<Scope, Body>> {
  using operands = expressions<Body>;
  static constexpr int count = 1 + parts<Body>::count;
  static consteval void add_symbols(symbol_list& into, int position) { parts<Body>::add_symbols(into, position + 1); }
  template <class Other> struct with {
    using type = earlier_node<Scope, Other>;
  };
};

template <class Left, class Right> struct parts<equation_of<Left, Right>> {
  using operands = expressions<Left, Right>;
  static constexpr int count = 1 + parts<Left>::count + parts<Right>::count;
  static consteval void add_symbols(symbol_list& into, int position) {
    parts<Left>::add_symbols(into, position + 1);
    parts<Right>::add_symbols(into, position + 1 + parts<Left>::count);
  }
};

template <bool InFirst> struct choice;
template <int Position, class List> struct find_in;
template <int Position, class Expression> struct find : find_in<Position - 1, typename parts<Expression>::operands> {};
template <class Expression> struct find<0, Expression> {
  using type = Expression;
};
/// Most nodes have two operands, and each step down to a symbol is one type.
template <int Position, class Operation, class Left, class Right>
  requires(Position > 0)
struct find<Position, node<Operation, Left, Right>> {
  using type = typename choice<(Position <= parts<Left>::count)>::template type<Position - 1, Left, Right>::type;
};
template <int Position, class First, class... More> struct find_in<Position, expressions<First, More...>> {
  using type = typename choice<(Position < parts<First>::count)>::template one_of<Position, First, More...>::type;
};
template <> struct choice<true> {
  template <int Position, class Left, class> using type = find<Position, Left>;
  template <int Position, class First, class...> using one_of = find<Position, First>;
};
template <> struct choice<false> {
  template <int Position, class Left, class Right> using type = find<Position - parts<Left>::count, Right>;
  template <int Position, class First, class... More>
  using one_of = find_in<Position - parts<First>::count, expressions<More...>>;
};

/// The node with this number in some expressions one after the other.
template <int Position, class... Roots> using node_at = typename find_in<Position, expressions<Roots...>>::type;

}  // namespace shardplan::expr::simplification
