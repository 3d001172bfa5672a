#pragma once
#include <concepts>
#include <cstddef>
#include <iterator>
#include <utility>

#include <shardplan/expr/function.hpp>
#include <shardplan/expr/let.hpp>
#include <shardplan/expr/over.hpp>
#include <shardplan/expr/read.hpp>
#include <shardplan/expr/run_time/node.hpp>
#include <shardplan/expr/run_time/number.hpp>
#include <shardplan/expr/symbol.hpp>

/// The reading that makes run-time nodes of a typed expression, one for one.
namespace shardplan::expr::detail {

/// The run-time name of an operation. One of a user's own has none.
template <class Operation> constexpr any_operation any_operation_of() {
  if constexpr (requires { Operation::exponent; }) {
    return any_operation::whole_power;
  } else {
    constexpr bool known[] = {
        std::same_as<Operation, operation::add>,           std::same_as<Operation, operation::subtract>,
        std::same_as<Operation, operation::multiply>,      std::same_as<Operation, operation::divide>,
        std::same_as<Operation, operation::min>,           std::same_as<Operation, operation::max>,
        std::same_as<Operation, operation::ceil>,          std::same_as<Operation, operation::floor>,
        std::same_as<Operation, operation::log2>,          std::same_as<Operation, operation::pow>,
        std::same_as<Operation, operation::positive_part>, std::same_as<Operation, operation::select>};
    constexpr any_operation names[] = {any_operation::add,    any_operation::subtract,      any_operation::multiply,
                                       any_operation::divide, any_operation::min,           any_operation::max,
                                       any_operation::ceil,   any_operation::floor,         any_operation::log2,
                                       any_operation::pow,    any_operation::positive_part, any_operation::select};
    any_operation found = any_operation::error;
    for (std::size_t index = 0; index < std::size(known); ++index)
      if (known[index])
        found = names[index];
    return found;
  }
}
template <class Reduction> constexpr any_reduction any_reduction_of() {
  static_assert(std::same_as<Reduction, reduction::sum> || std::same_as<Reduction, reduction::max> ||
                    std::same_as<Reduction, reduction::min>,
                "any_expression: only the reductions sum, largest and smallest are known at run time");
  return std::same_as<Reduction, reduction::sum>   ? any_reduction::sum
         : std::same_as<Reduction, reduction::max> ? any_reduction::max
                                                   : any_reduction::min;
}

template <class Tag> any_pointer make_any_symbol() {
  return filled_in(make_any_node(any_operation::symbol, any_dimension_of<typename Tag::dimension>, Tag::sign),
                   [](any_node& node) {
                     node.name = Tag::name;
                     node.meaning = Tag::meaning;
                     node.tag = &tag_identity<Tag>;
                   });
}

struct any_node_reader {
  using value_type = any_pointer;
  static constexpr bool inlines = false;

  template <class Literal> any_pointer literal() const {
    return make_any_ratio(Literal::numerator, Literal::denominator, any_dimension_of<typename Literal::dimension>);
  }
  template <class Tag> any_pointer symbol() const { return make_any_symbol<Tag>(); }
  template <class Node, class... Operands> any_pointer apply(Operands... operands) const {
    using operation = typename Node::operation;
    constexpr any_operation known = any_operation_of<operation>();
    static_assert(known != any_operation::error,
                  "any_expression: only the operations of the library are known at run time");
    any_pointer made =
        make_any_node(known, any_dimension_of<typename Node::dimension>, Node::sign, std::move(operands)...);
    if constexpr (known == any_operation::whole_power)
      return filled_in(std::move(made), [](any_node& node) { node.exponent = operation::exponent; });
    else
      return made;
  }
  template <class Node, class... Operands> any_pointer call(Operands... operands) const {
    using tag = typename Node::tag;
    static_assert(sizeof...(Operands) <= most_operands, "any_expression: functions have at most four operands");
    return filled_in(make_any_node(any_operation::call, any_dimension_of<typename Node::dimension>, Node::sign,
                                   std::move(operands)...),
                     [](any_node& node) {
                       node.name = tag::name;
                       node.meaning = tag::meaning;
                       node.tag = &tag_identity<tag>;
                     });
  }
  template <class Node> any_pointer let() const { return named(Node{}); }
  template <class Node> any_pointer over() const { return reduced(Node{}); }
  template <class Node> any_pointer earlier() const { return so_far(Node{}); }

 private:
  template <class Tag, class Value, class Body> any_pointer named(let_node<Tag, Value, Body>) const {
    return filled_in(make_any_node(any_operation::let, any_dimension_of<typename Body::dimension>, Body::sign,
                                   read(Value{}, *this), read(Body{}, *this)),
                     [](any_node& node) {
                       node.name = Tag::name;
                       node.meaning = Tag::meaning;
                       node.tag = &tag_identity<Tag>;
                       node.symbol_dimension = any_dimension_of<typename Tag::dimension>;
                     });
  }
  template <class Scope, class Reduction, class Body> any_pointer reduced(over_node<Scope, Reduction, Body> of) const {
    return filled_in(
        make_any_node(any_operation::over, any_dimension_of<typename Body::dimension>, of.sign, read(Body{}, *this)),
        [](any_node& node) {
          node.name = Scope::name;
          node.reduction = any_reduction_of<Reduction>();
        });
  }
  template <class Scope, class Body> any_pointer so_far(earlier_node<Scope, Body> of) const {
    return filled_in(
        make_any_node(any_operation::earlier, any_dimension_of<typename Body::dimension>, of.sign, read(Body{}, *this)),
        [](any_node& node) { node.name = Scope::name; });
  }
};

template <expression Expression> any_pointer make_any(Expression typed) { return read(typed, any_node_reader{}); }

}  // namespace shardplan::expr::detail
