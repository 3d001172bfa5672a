#pragma once
#include <string>
#include <utility>
#include <vector>

#include <shardplan/expr/environment.hpp>
#include <shardplan/expr/operation.hpp>
#include <shardplan/expr/read.hpp>

/// The reading "tree": the formula as a value at run time, which printing starts from.
namespace shardplan::expr {

struct tree {
  enum class kind { number, symbol, operation };
  tree::kind kind = kind::number;
  /// Of a symbol: its name in formulas; of an operation: its name.
  std::string name = {};
  /// Of a symbol: what it stands for.
  std::string meaning = {};
  /// Of a number, or of a symbol that was read under an environment.
  double value = 0;
  /// Exponents of byte, FLOP and second, of a symbol.
  int byte = 0, flop = 0, second = 0;
  std::vector<tree> operands = {};
};

namespace detail {

struct tree_reader_base {
  using value_type = tree;
  static constexpr bool inlines = false;

  template <class Literal> tree literal() const { return {.value = Literal::template value<double>}; }
  template <class Node, class... Operands> tree apply(Operands... operands) const {
    tree result{.kind = tree::kind::operation, .name = Node::operation::name};
    result.operands.reserve(sizeof...(Operands));
    (result.operands.push_back(std::move(operands)), ...);
    return result;
  }

 protected:
  template <class Tag> static tree symbol_node(double value) {
    using dimension = typename Tag::dimension;
    return {.kind = tree::kind::symbol,
            .name = Tag::name,
            .meaning = Tag::meaning,
            .value = value,
            .byte = dimension::byte,
            .flop = dimension::flop,
            .second = dimension::second};
  }
};

struct plain_tree_reader : tree_reader_base {
  template <class Tag> tree symbol() const { return symbol_node<Tag>(0); }
};

template <class Environment> class bound_tree_reader : public tree_reader_base {
 public:
  explicit bound_tree_reader(Environment const& environment) : environment_(environment) {}
  template <class Tag> tree symbol() const {
    return this->template symbol_node<Tag>(static_cast<double>(value_of<Tag>(environment_)));
  }

 private:
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
