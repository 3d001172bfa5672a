#pragma once
#include <cstddef>
#include <limits>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <shardplan/expr/environment.hpp>
#include <shardplan/expr/function.hpp>
#include <shardplan/expr/let.hpp>
#include <shardplan/expr/number.hpp>
#include <shardplan/expr/operation.hpp>
#include <shardplan/expr/over.hpp>
#include <shardplan/expr/read.hpp>

/// The reading "tree": the formula as a value at run time, which printing starts from.
namespace shardplan::expr {

struct tree {
  enum class kind { number, symbol, operation, call, let, over, earlier };
  tree::kind kind = kind::number;
  /// In formulas, of a symbol, a function, or what a `let` names; of an operation or a reduction: its name.
  std::string name = {};
  /// Of a symbol, a function, or what a `let` names: what it stands for.
  std::string meaning = {};
  /// Of an `over` or `earlier`: the name of its scope.
  std::string scope = {};
  /// Of a number, or of a symbol that was read under an environment; of an `over`: what it is of no elements.
  double value = 0;
  /// Of a number that is a ratio of whole numbers: value * denominator is whole.
  long long denominator = 1;
  /// Of a symbol that was read under an environment: it has a value in each element of a scope and none of its own;
  /// `value` is NaN.
  bool varies = false;
  /// Exponents of byte, FLOP and second, of a symbol or a number.
  int byte = 0, flop = 0, second = 0;
  /// Of an operation or call: its operands, a whole power's exponent as the second; of a `let`: the value and the body;
  /// of an `over` or `earlier`: the body.
  std::vector<tree> operands = {};
};

namespace detail {

/// What a symbol is bound to among the elements of a scope, where only its type counts.
template <class Value> struct varying {
  using type = Value;
};
template <class Bound> inline constexpr bool is_varying = false;
template <class Value> inline constexpr bool is_varying<varying<Value>> = true;
/// Says of each symbol that an element binds that its value varies.
template <class Element> struct some_element {
  template <class Tag>
    requires binds<Element, Tag>
  static constexpr auto const& find() {
    return found<std::remove_cvref_t<decltype(value_of<Tag>(std::declval<Element const&>()))>>;
  }

 private:
  template <class Value> static constexpr varying<Value> found{};
};
template <class Bound> struct element_type;
template <class Element> struct element_type<std::span<Element const>> {
  using type = Element;
};
template <class Value> struct element_type<varying<Value>> : element_type<Value> {};

/// Functions rather than templates do the work: a formula has many nodes, and each would be compiled.
inline tree tree_of(enum tree::kind kind, const char* name, const char* meaning, tree* operands, std::size_t count) {
  tree result{.kind = kind, .name = name, .meaning = meaning};
  result.operands.reserve(count);
  for (std::size_t index = 0; index < count; ++index)
    result.operands.push_back(std::move(operands[index]));
  return result;
}
inline tree tree_of_symbol(const char* name, const char* meaning, double value, bool varies, int byte, int flop,
                           int second) {
  return {.kind = tree::kind::symbol,
          .name = name,
          .meaning = meaning,
          .value = value,
          .varies = varies,
          .byte = byte,
          .flop = flop,
          .second = second};
}
inline tree tree_of_let(tree named, tree value, tree body) {
  named.kind = tree::kind::let;
  named.operands.reserve(2);
  named.operands.push_back(std::move(value));
  named.operands.push_back(std::move(body));
  return named;
}
inline tree tree_over_elements(enum tree::kind kind, const char* name, const char* scope, double of_none, tree body) {
  tree result{.kind = kind, .name = name, .scope = scope, .value = of_none};
  result.operands.push_back(std::move(body));
  return result;
}

struct tree_reader_base {
  using value_type = tree;
  static constexpr bool inlines = false;

  template <class Literal> tree literal() const {
    using dimension = typename Literal::dimension;
    return {.value = Literal::template value<double>,
            .denominator = Literal::denominator,
            .byte = dimension::byte,
            .flop = dimension::flop,
            .second = dimension::second};
  }
  template <class Node, class... Operands> tree apply(Operands... operands) const {
    using operation = typename Node::operation;
    if constexpr (requires { operation::exponent; })
      return node<operation>(operands..., tree{.value = static_cast<double>(operation::exponent)});
    else
      return node<operation>(operands...);
  }
  template <class Node, class... Operands> tree call(Operands... operands) const {
    using tag = typename Node::tag;
    tree list[] = {std::move(operands)...};
    return tree_of(tree::kind::call, tag::name, tag::meaning, list, sizeof...(Operands));
  }

 protected:
  template <class Tag> static tree symbol_node(double value, bool varies) {
    using dimension = typename Tag::dimension;
    return tree_of_symbol(Tag::name, Tag::meaning, value, varies, dimension::byte, dimension::flop, dimension::second);
  }
  template <class Tag> static tree let_node_of(tree value, tree body) {
    return tree_of_let(symbol_node<Tag>(0, false), std::move(value), std::move(body));
  }
  template <class Scope, class Reduction, class Body> static tree over_node_of(Reduction, Body, tree body) {
    return tree_over_elements(tree::kind::over, Reduction::name, Scope::name, Reduction::template start<Body, double>(),
                              std::move(body));
  }
  template <class Scope> static tree earlier_node_of(tree body) {
    return tree_over_elements(tree::kind::earlier, reduction::sum::name, Scope::name, 0, std::move(body));
  }

 private:
  template <class Operation, class... Operands> static tree node(Operands&&... operands) {
    tree list[] = {std::move(operands)...};
    return tree_of(tree::kind::operation, Operation::name, "", list, sizeof...(Operands));
  }
};

struct plain_tree_reader : tree_reader_base {
  template <class Tag> tree symbol() const { return symbol_node<Tag>(0, false); }
  template <class Node> tree let() const { return named(Node{}); }
  template <class Node> tree over() const { return reduced(Node{}); }
  template <class Node> tree earlier() const { return so_far(Node{}); }

 private:
  template <class Tag, class Value, class Body> tree named(let_node<Tag, Value, Body>) const {
    return let_node_of<Tag>(read(Value{}, *this), read(Body{}, *this));
  }
  template <class Scope, class Reduction, class Body> tree reduced(over_node<Scope, Reduction, Body>) const {
    return over_node_of<Scope>(Reduction{}, Body{}, read(Body{}, *this));
  }
  template <class Scope, class Body> tree so_far(earlier_node<Scope, Body>) const {
    return earlier_node_of<Scope>(read(Body{}, *this));
  }
};

/// `InElements`: inside an `over`, where a `let` can have another value in every element.
template <class Environment, bool InElements = false> class bound_tree_reader : public tree_reader_base {
 public:
  explicit bound_tree_reader(Environment const& environment) : environment_(environment) {}

  template <class Tag> tree symbol() const {
    if constexpr (is_varying<std::remove_cvref_t<decltype(value_of<Tag>(environment_))>>)
      return symbol_node<Tag>(std::numeric_limits<double>::quiet_NaN(), true);
    else
      return symbol_node<Tag>(static_cast<double>(value_of<Tag>(environment_)), false);
  }
  template <class Node> tree let() const { return named(Node{}); }
  template <class Node> tree over() const { return reduced(Node{}); }
  template <class Node> tree earlier() const { return so_far(Node{}); }

 private:
  template <class Tag, class Value, class Body> tree named(let_node<Tag, Value, Body>) const {
    if constexpr (InElements) {
      return with_name<Tag, Value, Body>(environment{binding<Tag, varying<double>>{}});
    } else {
      number_reader<Environment> const numbers{environment_};
      return with_name<Tag, Value, Body>(environment{binding<Tag, double>{read(Value{}, numbers)}});
    }
  }
  template <class Tag, class Value, class Body, class Named> tree with_name(Named const& value) const {
    scope const inner{value, environment_};
    return let_node_of<Tag>(read(Value{}, *this), read(Body{}, bound_tree_reader<decltype(inner), InElements>{inner}));
  }
  template <class Scope, class Reduction, class Body> tree reduced(over_node<Scope, Reduction, Body>) const {
    using elements = std::remove_cvref_t<decltype(value_of<elements_of<Scope>>(environment_))>;
    some_element<typename element_type<elements>::type> const element{};
    scope const inner{element, environment_};
    return over_node_of<Scope>(Reduction{}, Body{}, read(Body{}, bound_tree_reader<decltype(inner), true>{inner}));
  }
  template <class Scope, class Body> tree so_far(earlier_node<Scope, Body>) const {
    return earlier_node_of<Scope>(read(Body{}, *this));
  }

  Environment const& environment_;
};

}  // namespace detail

template <expression Expression> tree make_tree(Expression expression) {
  return read(expression, detail::plain_tree_reader{});
}
/// With the symbols' values.
template <expression Expression, class Environment>
tree make_tree(Expression expression, Environment const& environment) {
  return read(expression, detail::bound_tree_reader<Environment>{environment});
}

}  // namespace shardplan::expr
