#pragma once
#include <shardplan/expr/function.hpp>
#include <shardplan/expr/let.hpp>
#include <shardplan/expr/operators.hpp>
#include <shardplan/expr/record.hpp>
#include <shardplan/expr/sequence.hpp>

/// Expressions in the place of symbols: what a chain of records says in terms of its inputs alone.
namespace shardplan::expr {

namespace detail {

template <class Record, class Tag> inline constexpr bool has_entry = false;
template <class... Entries, class Tag>
inline constexpr bool has_entry<record<Entries...>, Tag> = (std::same_as<typename Entries::tag, Tag> || ...);

/// The operators and functions of the language on expressions; so that what became constant folds.
template <class Operation, class... Operands> constexpr auto rebuilt(Operation, Operands...) {
  return node<Operation, Operands...>{};
}
template <class Left, class Right> constexpr auto rebuilt(operation::add, Left left, Right right) {
  return left + right;
}
template <class Left, class Right> constexpr auto rebuilt(operation::subtract, Left left, Right right) {
  return left - right;
}
template <class Left, class Right> constexpr auto rebuilt(operation::multiply, Left left, Right right) {
  return left * right;
}
template <class Left, class Right> constexpr auto rebuilt(operation::divide, Left left, Right right) {
  return left / right;
}
template <class Left, class Right> constexpr auto rebuilt(operation::max, Left left, Right right) {
  return max(left, right);
}
template <class Operand> constexpr auto rebuilt(operation::positive_part, Operand operand) {
  return positive_part(operand);
}

}  // namespace detail

/// The expression with every symbol that the record defines replaced by its expression. Inside `over` symbols belong to
/// the elements, and are left as they are.
template <class Expression, class... Entries> constexpr auto substitute(Expression expression, record<Entries...>) {
  return expression;
}
template <class Tag, class... Entries> constexpr auto substitute(symbol<Tag> from, record<Entries...> by) {
  if constexpr (detail::has_entry<record<Entries...>, Tag>)
    return expression_of<Tag>(by);
  else
    return from;
}
template <class Operation, class... Operands, class... Entries>
constexpr auto substitute(node<Operation, Operands...>, record<Entries...> by) {
  return detail::rebuilt(Operation{}, substitute(Operands{}, by)...);
}
template <class Tag, class... Operands, class... Entries>
constexpr auto substitute(call_node<Tag, Operands...>, record<Entries...> by) {
  return function<Tag>{}(substitute(Operands{}, by)...);
}
/// The value of a `let` takes the place of its symbol.
template <class Tag, class Value, class Body, class... Entries>
constexpr auto substitute(let_node<Tag, Value, Body>, record<Entries...> by) {
  constexpr auto value = substitute(Value{}, by);
  constexpr auto body = substitute(Body{}, make_record(define(symbol<Tag>{}, value)));
  return substitute(body, by);
}

/// The record with its expressions substituted.
template <class... Of, class... Entries> constexpr auto substitute(record<Of...>, record<Entries...> by) {
  return make_record(define(symbol<typename Of::tag>{}, substitute(typename Of::expression_type{}, by))...);
}

namespace detail {
/// Every record is substituted once, by what the records before it say in terms of the inputs.
template <class Known> constexpr auto inlined_after(Known known, sequence<>) { return known; }
template <class Known, class First, class... Records>
constexpr auto inlined_after(Known known, sequence<First, Records...>) {
  return inlined_after(known + substitute(First{}, known), sequence<Records...>{});
}
}  // namespace detail

/// All entries of a sequence as one record in the symbols that the sequence does not define.
template <class... Records> constexpr auto inlined(sequence<Records...> records) {
  return detail::inlined_after(record<>{}, records);
}

}  // namespace shardplan::expr
