#pragma once
#include <string>
#include <string_view>

#include <shardplan/expr/tree.hpp>
#include <shardplan/unit/text.hpp>

/// The reading "text": the formula, plain or with the values of an environment filled in.
namespace shardplan::expr {

/// How symbols are printed.
enum class symbols_as { names, values };

namespace detail {

/// How tightly an operation binds its operands; a looser operand is bracketed.
enum class binding_strength { sum, product, atom };

inline binding_strength strength_of(tree const& formula) {
  if (formula.kind != tree::kind::operation)
    return binding_strength::atom;
  std::string_view const name = formula.name;
  if (name == operation::add::name || name == operation::subtract::name)
    return binding_strength::sum;
  if (name == operation::multiply::name || name == operation::divide::name)
    return binding_strength::product;
  return binding_strength::atom;
}

/// The literal "one byte" carries a dimension, not a factor that a reader wants to see: the other operand of such a
/// product or quotient.
inline tree const& without_units(tree const& formula) {
  if (formula.kind != tree::kind::operation)
    return formula;
  auto const is_unit = [](tree const& operand) { return operand.kind == tree::kind::number && operand.value == 1; };
  bool const product = std::string_view(formula.name) == operation::multiply::name;
  bool const quotient = std::string_view(formula.name) == operation::divide::name;
  if (product && is_unit(formula.operands[0]))
    return without_units(formula.operands[1]);
  if ((product || quotient) && is_unit(formula.operands[1]))
    return without_units(formula.operands[0]);
  return formula;
}

inline std::string print(tree const& formula, symbols_as style);

inline std::string bracketed(tree const& with_units, binding_strength at_least, symbols_as style) {
  tree const& operand = without_units(with_units);
  std::string const text = print(operand, style);
  return strength_of(operand) < at_least ? "(" + text + ")" : text;
}

/// Arguments of min or max, those of nested calls of the same function in line.
inline void print_arguments(tree const& formula, std::string_view function, symbols_as style, std::string& list) {
  for (tree const& operand : formula.operands) {
    bool const nested = operand.kind == tree::kind::operation && operand.name == function &&
                        (function == operation::min::name || function == operation::max::name);
    if (nested) {
      print_arguments(operand, function, style, list);
    } else {
      if (!list.empty())
        list += ", ";
      list += print(operand, style);
    }
  }
}

inline std::string print(tree const& with_units, symbols_as style) {
  tree const& formula = without_units(with_units);
  if (formula.kind == tree::kind::number)
    return unit::number_text(formula.value);
  if (formula.kind == tree::kind::symbol)
    return style == symbols_as::names ? formula.name : unit::number_text(formula.value);
  std::string_view const name = formula.name;
  binding_strength const strength = strength_of(formula);
  if (strength == binding_strength::atom) {
    std::string list;
    print_arguments(formula, name, style, list);
    return std::string(name) + "(" + list + ")";
  }
  tree const& left = formula.operands[0];
  tree const& right = formula.operands[1];
  bool const inverse = name == operation::subtract::name || name == operation::divide::name;
  auto const tighter = static_cast<binding_strength>(static_cast<int>(strength) + 1);
  std::string const space = strength == binding_strength::sum ? " " : "";
  return bracketed(left, strength, style) + space + std::string(name) + space +
         bracketed(right, inverse ? tighter : strength, style);
}

}  // namespace detail

inline std::string text(tree const& formula, symbols_as style = symbols_as::names) {
  return detail::print(formula, style);
}

/// The formula: "2*b*s*h".
template <expression Expression> std::string text(Expression expression) { return text(make_tree(expression)); }

/// The formula with the values of the environment: "2*1*8192*4096".
template <expression Expression, class Environment>
std::string text(Expression expression, Environment const& environment) {
  return text(make_tree(expression, environment), symbols_as::values);
}

}  // namespace shardplan::expr
