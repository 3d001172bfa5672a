#pragma once
#include <limits>

#include <shardplan/expr/run_time/expression.hpp>
#include <shardplan/expr/tree.hpp>

/// The reading "tree" of expressions known at run time, from which they are printed: `text(make_tree(e))`.
namespace shardplan::expr {

namespace detail {

/// As the tree of typed expressions names them.
inline const char* name_of(any_operation operation) {
  constexpr const char* names[] = {"",
                                   "",
                                   operation::add::name,
                                   operation::subtract::name,
                                   operation::multiply::name,
                                   operation::divide::name,
                                   operation::min::name,
                                   operation::max::name,
                                   operation::ceil::name,
                                   operation::floor::name,
                                   operation::log2::name,
                                   operation::whole_power<2>::name,
                                   operation::pow::name,
                                   operation::positive_part::name,
                                   operation::select::name};
  return names[static_cast<int>(operation)];
}
inline const char* name_of(any_reduction reduction) {
  return reduction == any_reduction::sum   ? reduction::sum::name
         : reduction == any_reduction::max ? reduction::max::name
                                           : reduction::min::name;
}
/// What an `over` is of no elements.
inline double start_of(any_reduction reduction, sign body) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  return reduction == any_reduction::sum   ? 0
         : reduction == any_reduction::min ? infinity
         : body != sign::any               ? 0
                                           : -infinity;
}

inline tree make_tree_of(any_node const& node) {
  tree result;
  auto const has_dimension = [&](any_dimension dimension) {
    result.byte = dimension.byte;
    result.flop = dimension.flop;
    result.second = dimension.second;
  };
  switch (node.operation) {
  case any_operation::number:
    result.value = node.value;
    result.denominator = node.denominator == 0 ? 1 : node.denominator;
    has_dimension(node.dimension);
    return result;
  case any_operation::symbol:
    result.kind = tree::kind::symbol;
    has_dimension(node.dimension);
    break;
  case any_operation::let:
    result.kind = tree::kind::let;
    has_dimension(node.symbol_dimension);
    break;
  case any_operation::call:
    result.kind = tree::kind::call;
    break;
  case any_operation::over:
  case any_operation::earlier:
    result.kind = node.operation == any_operation::over ? tree::kind::over : tree::kind::earlier;
    result.name = name_of(node.reduction);
    result.scope = node.name;
    if (node.operation == any_operation::over)
      result.value = start_of(node.reduction, node.operands[0]->sign);
    break;
  case any_operation::error:
    result.kind = tree::kind::symbol;
    result.name = "error";
    result.meaning = error_text(node);
    return result;
  default:
    result.kind = tree::kind::operation;
    result.name = name_of(node.operation);
  }
  if (result.name.empty()) {
    result.name = node.name;
    result.meaning = node.meaning;
  }
  result.operands.reserve(node.operands.size() + 1);
  for (any_pointer const& operand : node.operands)
    result.operands.push_back(make_tree_of(*operand));
  if (node.operation == any_operation::whole_power)
    result.operands.push_back({.value = static_cast<double>(node.exponent)});
  return result;
}

}  // namespace detail

/// The formula as a tree. Parts that are shared stand there as often as they are used. An expression in an error state
/// is a symbol of the name "error".
inline tree make_tree(any_expression const& expression) { return detail::make_tree_of(*expression.node()); }

}  // namespace shardplan::expr
