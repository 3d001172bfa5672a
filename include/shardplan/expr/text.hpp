#pragma once
#include <cmath>
#include <cstdlib>
#include <string>
#include <string_view>

#include <shardplan/expr/tree.hpp>
#include <shardplan/unit/text.hpp>

/// The reading "text": the formula, plain or with the values of an environment filled in.
///
/// Operations, numbers and calls are written as in Python. For people are `let`, "x*x where x = y + z", and what is
/// read over the elements of a scope, "sum(stage: T + M/B)", "earlier(stage: T)"; expr/python.hpp has them for Python.
namespace shardplan::expr {

/// How symbols are printed: by name, as plain numbers in base units, or in the units that people use ("12.50 GiB").
/// Symbols of the elements of a scope have many values and always print by name.
enum class symbols_as { names, values, quantities };

namespace detail {

/// How tightly an operation binds its operands; a looser operand is bracketed. A number with its unit is a factor, and
/// still is easier to read with brackets among other factors.
enum class binding_strength { where, sum, quantity, product, atom };

inline bool is_operation(tree const& formula, std::string_view name) {
  return formula.kind == tree::kind::operation && formula.name == name;
}
inline bool has_unit(tree const& formula) { return formula.byte != 0 || formula.flop != 0 || formula.second != 0; }

/// Prints for people or for Python.
class text_printer {
 public:
  enum class reader { person, python };

  explicit text_printer(symbols_as symbols, reader whom = reader::person) : symbols_(symbols), whom_(whom) {}

  std::string print(tree const& with_units) const {
    tree const& formula = without_units(with_units);
    switch (formula.kind) {
    case tree::kind::number:
      return number(formula);
    case tree::kind::symbol:
      return symbol(formula);
    case tree::kind::operation:
      return operation(formula);
    case tree::kind::call:
      return formula.name + "(" + arguments(formula, false) + ")";
    case tree::kind::let:
      return let(formula);
    default:
      return over_elements(formula);
    }
  }

  /// The literal "one byte" carries a dimension, not a factor that a reader wants to see: the other operand of such a
  /// product or quotient.
  static tree const& without_units(tree const& formula) {
    auto const is_unit = [](tree const& operand) { return operand.kind == tree::kind::number && operand.value == 1; };
    bool const product = is_operation(formula, operation::multiply::name);
    bool const quotient = is_operation(formula, operation::divide::name);
    if (product && is_unit(formula.operands[0]))
      return without_units(formula.operands[1]);
    if ((product || quotient) && is_unit(formula.operands[1]))
      return without_units(formula.operands[0]);
    return formula;
  }

  /// The number as a ratio of whole numbers, where its decimals would not give it exactly.
  static bool prints_as_ratio(tree const& formula) {
    return formula.denominator != 1 && !gives(unit::number_text(formula.value), formula.value);
  }
  static std::string whole_text(double value) { return unit::detail::formatted("%.0f", value); }
  static std::string exact_text(double value) {
    std::string const text = unit::number_text(value);
    return gives(text, value) ? text : unit::detail::formatted("%.17g", value);
  }

 private:
  bool for_python() const { return whom_ == reader::python; }
  static bool gives(std::string const& text, double value) { return std::strtod(text.c_str(), nullptr) == value; }

  binding_strength strength_of(tree const& formula) const {
    switch (formula.kind) {
    case tree::kind::number:
      if (symbols_ == symbols_as::quantities && has_unit(formula))
        return binding_strength::quantity;
      return prints_as_ratio(formula) ? binding_strength::product : binding_strength::atom;
    case tree::kind::symbol:
      return symbols_ == symbols_as::quantities && has_unit(formula) && !formula.varies ? binding_strength::quantity
                                                                                        : binding_strength::atom;
    case tree::kind::operation:
      if (formula.name == operation::add::name || formula.name == operation::subtract::name)
        return binding_strength::sum;
      if (formula.name == operation::multiply::name || formula.name == operation::divide::name)
        return binding_strength::product;
      return binding_strength::atom;
    case tree::kind::let:
      return for_python() ? binding_strength::atom : binding_strength::where;
    default:
      return binding_strength::atom;
    }
  }

  std::string bracketed(tree const& with_units, binding_strength at_least) const {
    tree const& operand = without_units(with_units);
    return strength_of(operand) < at_least ? "(" + print(operand) + ")" : print(operand);
  }

  std::string number(tree const& formula) const {
    if (symbols_ == symbols_as::quantities && has_unit(formula))
      return unit::quantity_text(formula.value, formula.byte, formula.flop, formula.second);
    if (prints_as_ratio(formula))
      return whole_text(formula.value * static_cast<double>(formula.denominator)) + "/" +
             std::to_string(formula.denominator);
    return exact_text(formula.value);
  }
  std::string symbol(tree const& formula) const {
    if (symbols_ == symbols_as::names || formula.varies)
      return formula.name;
    if (symbols_ == symbols_as::quantities)
      return unit::quantity_text(formula.value, formula.byte, formula.flop, formula.second);
    return unit::number_text(formula.value);
  }

  std::string operation(tree const& formula) const {
    std::string_view const name = formula.name;
    binding_strength const strength = strength_of(formula);
    if (strength == binding_strength::atom) {
      bool const in_line = name == operation::min::name || name == operation::max::name;
      return formula.name + "(" + arguments(formula, in_line) + ")";
    }
    bool const inverse = name == operation::subtract::name || name == operation::divide::name;
    auto const tighter = static_cast<binding_strength>(static_cast<int>(strength) + 1);
    std::string const space = strength == binding_strength::sum ? " " : "";
    return bracketed(formula.operands[0], strength) + space + formula.name + space +
           bracketed(formula.operands[1], inverse ? tighter : strength);
  }

  /// Operands with commas; `in_line`: those of nested calls of the same function too.
  std::string arguments(tree const& formula, bool in_line) const {
    std::string list;
    for (tree const& with_units : formula.operands) {
      tree const& operand = without_units(with_units);
      if (!list.empty())
        list += ", ";
      list += in_line && is_operation(operand, formula.name) ? arguments(operand, true)
                                                             : bracketed(operand, binding_strength::sum);
    }
    return list;
  }

  std::string let(tree const& formula) const {
    tree const& value = formula.operands[0];
    tree const& body = formula.operands[1];
    if (for_python())
      return "let(\"" + formula.name + "\", " + print(value) + ", lambda: " + print(body) + ")";
    return print(body) + " where " + formula.name + " = " + bracketed(value, binding_strength::sum);
  }

  std::string over_elements(tree const& formula) const {
    bool const earlier = formula.kind == tree::kind::earlier;
    std::string const body = print(formula.operands[0]);
    if (!for_python())
      return (earlier ? "earlier" : formula.name) + "(" + formula.scope + ": " + body + ")";
    if (earlier)
      return "earlier(\"" + formula.scope + "\", lambda: " + body + ")";
    return "over(\"" + formula.scope + "\", " + formula.name + ", " + unit::number_text(formula.value) +
           ", lambda: " + body + ")";
  }

  symbols_as symbols_;
  reader whom_;
};

}  // namespace detail

inline std::string text(tree const& formula, symbols_as style = symbols_as::names) {
  return detail::text_printer{style}.print(formula);
}

/// The formula: "2*b*s*h".
template <expression Expression> std::string text(Expression expression) { return text(make_tree(expression)); }

/// The formula with the values of the environment: "2*1*8192*4096"; with `symbols_as::quantities` "(2.00 GiB)/(450.0
/// GB/s)".
template <expression Expression, class Environment>
std::string text(Expression expression, Environment const& environment, symbols_as style = symbols_as::values) {
  return text(make_tree(expression, environment), style);
}

}  // namespace shardplan::expr
