#pragma once
#include <cmath>
#include <string>
#include <string_view>

#include <shardplan/expr/text.hpp>
#include <shardplan/expr/tree.hpp>

/// The reading "LaTeX": the formula for a paper, to stand in a math environment. Needs amsmath where it has a `select`
/// (cases) or a `let` (text).
namespace shardplan::expr {

namespace detail {

/// A name as it is set: "e_a" with a subscript, "T_before" with one in upright letters, and longer names upright.
class latex_name {
 public:
  static std::string of(std::string_view name) {
    auto const line = name.find('_');
    bool const has_subscript = line != std::string_view::npos && line > 0 && line + 1 < name.size();
    if (!has_subscript)
      return upright(name);
    std::string_view const subscript = name.substr(line + 1);
    std::string const below = list(subscript);
    return upright(name.substr(0, line)) + "_" + (subscript.size() == 1 ? below : "{" + below + "}");
  }

  static std::string upright(std::string_view word) {
    return word.size() == 1 ? escaped(word) : "\\mathrm{" + escaped(word) + "}";
  }

 private:
  /// What is between further underscores, with commas.
  static std::string list(std::string_view names) {
    auto const line = names.find('_');
    if (line == std::string_view::npos)
      return digits_only(names) ? std::string(names) : upright(names);
    std::string_view const first = names.substr(0, line), rest = names.substr(line + 1);
    return (first.empty() ? "" : list(first)) + (first.empty() || rest.empty() ? "" : ",") +
           (rest.empty() ? "" : list(rest));
  }
  static bool digits_only(std::string_view word) {
    return word.find_first_not_of("0123456789") == std::string_view::npos;
  }
  static std::string escaped(std::string_view word) {
    std::string result;
    for (char const letter : word) {
      if (letter == '\\')
        result += "\\backslash{}";
      else if (letter == '^' || letter == '~')
        result += std::string("\\") + letter + "{}";
      else if (std::string_view("#$%&_{}").find(letter) != std::string_view::npos)
        result += std::string("\\") + letter;
      else if (letter == ' ')
        result += "\\ ";
      else
        result += letter;
    }
    return result;
  }
};

class latex_printer {
 public:
  explicit latex_printer(symbols_as symbols) : symbols_(symbols) {}

  std::string print(tree const& with_units) const {
    tree const& formula = text_printer::without_units(with_units);
    switch (formula.kind) {
    case tree::kind::number:
      return number(formula);
    case tree::kind::symbol:
      return symbol(formula);
    case tree::kind::operation:
      return operation(formula);
    case tree::kind::call:
      return latex_name::of(formula.name) + in_brackets(arguments(formula, false));
    case tree::kind::let:
      return print(formula.operands[1]) + " \\quad\\text{where } " + latex_name::of(formula.name) + " = " +
             bracketed(formula.operands[0], strength::sum);
    default:
      return over_elements(formula);
    }
  }

 private:
  /// `sign`: a negative number, which may open a sum and stands in brackets elsewhere. `big`: a sum over elements,
  /// which takes what follows it. `factor`: what binds as tightly as a fraction or a call; `base`: what an exponent can
  /// be put on.
  enum class strength { where, sum, sign, big, product, factor, base };

  static std::string in_brackets(std::string const& text) { return "\\left(" + text + "\\right)"; }

  static bool has_unit(tree const& formula) { return detail::has_unit(formula); }
  bool shows_value(tree const& formula) const {
    return formula.kind == tree::kind::number ||
           (formula.kind == tree::kind::symbol && symbols_ != symbols_as::names && !formula.varies);
  }
  bool shows_unit(tree const& formula) const { return symbols_ == symbols_as::quantities && has_unit(formula); }

  strength strength_of(tree const& formula) const {
    if (shows_value(formula)) {
      bool const ratio = formula.kind == tree::kind::number && text_printer::prints_as_ratio(formula);
      if (formula.value < 0)
        return strength::sign;
      if (shows_unit(formula) || number(formula).find("\\times") != std::string::npos)
        return strength::product;
      return ratio ? strength::factor : strength::base;
    }
    switch (formula.kind) {
    case tree::kind::symbol:
      return strength::base;
    case tree::kind::operation:
      if (is_operation(formula, operation::add::name) || is_operation(formula, operation::subtract::name) ||
          is_operation(formula, operation::select::name))
        return strength::sum;
      if (is_operation(formula, operation::multiply::name))
        return strength::product;
      return is_operation(formula, operation::ceil::name) || is_operation(formula, operation::floor::name)
                 ? strength::base
                 : strength::factor;
    case tree::kind::let:
      return strength::where;
    case tree::kind::over:
    case tree::kind::earlier:
      return strength::big;
    default:
      return strength::factor;
    }
  }

  std::string bracketed(tree const& with_units, strength at_least) const {
    tree const& operand = text_printer::without_units(with_units);
    return strength_of(operand) < at_least ? in_brackets(print(operand)) : print(operand);
  }

  /// "1.5e-09" with a power of ten.
  static std::string decimal(std::string const& text) {
    auto const e = text.find('e');
    if (e == std::string::npos)
      return text;
    std::string exponent = text.substr(e + 1);
    bool const negative = exponent[0] == '-';
    exponent.erase(0, exponent.find_first_not_of("+-0"));
    return text.substr(0, e) + " \\times 10^{" + (negative ? "-" : "") + exponent + "}";
  }
  static std::string plain(double value, std::string const& text) {
    if (std::isnan(value))
      return "\\mathrm{NaN}";
    if (std::isinf(value))
      return value < 0 ? "-\\infty" : "\\infty";
    return decimal(text);
  }
  std::string with_unit(tree const& formula) const {
    std::string const text = unit::quantity_text(formula.value, formula.byte, formula.flop, formula.second);
    auto const space = text.find(' ');
    std::string_view const unit = std::string_view(text).substr(space + 1);
    std::string upright;
    for (char const letter : unit)
      upright += letter == ' ' ? std::string("\\,") : std::string(1, letter);
    return plain(formula.value, text.substr(0, space)) + "\\,\\mathrm{" + upright + "}";
  }
  std::string number(tree const& formula) const {
    if (shows_unit(formula))
      return with_unit(formula);
    if (formula.kind == tree::kind::number && text_printer::prints_as_ratio(formula)) {
      double const above = std::fabs(formula.value) * static_cast<double>(formula.denominator);
      return std::string(formula.value < 0 ? "-" : "") + "\\frac{" + text_printer::whole_text(above) + "}{" +
             std::to_string(formula.denominator) + "}";
    }
    return plain(formula.value, formula.kind == tree::kind::number ? text_printer::exact_text(formula.value)
                                                                   : unit::number_text(formula.value));
  }
  std::string symbol(tree const& formula) const {
    return shows_value(formula) ? number(formula) : latex_name::of(formula.name);
  }

  std::string operation(tree const& formula) const {
    auto const is = [&](const char* name) { return formula.name == name; };
    if (is(operation::add::name) || is(operation::subtract::name))
      return sum(formula);
    if (is(operation::multiply::name))
      return product(formula);
    if (is(operation::divide::name))
      return quotient(formula);
    if (is(operation::pow::name))
      return bracketed(formula.operands[0], strength::base) + "^{" + print(formula.operands[1]) + "}";
    if (is(operation::ceil::name))
      return "\\left\\lceil " + print(formula.operands[0]) + " \\right\\rceil";
    if (is(operation::floor::name))
      return "\\left\\lfloor " + print(formula.operands[0]) + " \\right\\rfloor";
    if (is(operation::log2::name))
      return "\\log_2" + in_brackets(print(formula.operands[0]));
    if (is(operation::min::name) || is(operation::max::name))
      return "\\" + formula.name + in_brackets(arguments(formula, true));
    if (is(operation::positive_part::name))
      return "\\max" + in_brackets(arguments(formula, false) + ", 0");
    if (is(operation::select::name))
      return "\\begin{cases} " + print(formula.operands[1]) + " & \\text{if } " + print(formula.operands[0]) +
             " > 0 \\\\ " + print(formula.operands[2]) + " & \\text{otherwise} \\end{cases}";
    return latex_name::upright(formula.name) + in_brackets(arguments(formula, false));
  }

  std::string sum(tree const& formula) const {
    bool const inverse = is_operation(formula, operation::subtract::name);
    tree const& left = text_printer::without_units(formula.operands[0]);
    tree const& right = text_printer::without_units(formula.operands[1]);
    // On the left only what would take the right operand into itself is bracketed.
    bool const left_takes_all = strength_of(left) == strength::where || strength_of(left) == strength::big ||
                                is_operation(left, operation::select::name);
    bool const right_is_sum =
        is_operation(right, operation::add::name) || is_operation(right, operation::subtract::name);
    bool const right_in_brackets = strength_of(right) == strength::where || strength_of(right) == strength::sign ||
                                   is_operation(right, operation::select::name) || (inverse && right_is_sum);
    std::string const before = left_takes_all ? in_brackets(print(left)) : print(left);
    std::string const after = right_in_brackets ? in_brackets(print(right)) : print(right);
    return before + (inverse ? " - " : " + ") + after;
  }

  std::string product(tree const& formula) const {
    std::string const left = bracketed(formula.operands[0], strength::product);
    return joined(left, bracketed(formula.operands[1], strength::product));
  }
  /// Factors side by side; a dot where a number follows.
  static std::string joined(std::string const& left, std::string const& right) {
    bool const number_follows = right[0] >= '0' && right[0] <= '9';
    return left + (number_follows ? " \\cdot " : "\\,") + right;
  }

  /// a/b/c with both divisors below the line.
  std::string quotient(tree const& formula) const {
    tree const& above = text_printer::without_units(formula.operands[0]);
    tree const& below = text_printer::without_units(formula.operands[1]);
    if (!is_operation(above, operation::divide::name))
      return "\\frac{" + print(above) + "}{" + print(below) + "}";
    tree const* inner = &above;
    std::string divisors = bracketed(below, strength::product);
    while (is_operation(*inner, operation::divide::name)) {
      divisors = joined(bracketed(inner->operands[1], strength::product), divisors);
      inner = &text_printer::without_units(inner->operands[0]);
    }
    return "\\frac{" + print(*inner) + "}{" + divisors + "}";
  }

  /// Operands with commas; `in_line`: those of nested calls of the same function too.
  std::string arguments(tree const& formula, bool in_line) const {
    std::string list;
    for (tree const& with_units : formula.operands) {
      tree const& operand = text_printer::without_units(with_units);
      if (!list.empty())
        list += ", ";
      list +=
          in_line && is_operation(operand, formula.name) ? arguments(operand, true) : bracketed(operand, strength::sum);
    }
    return list;
  }

  std::string over_elements(tree const& formula) const {
    std::string const scope = latex_name::of(formula.scope);
    bool const earlier = formula.kind == tree::kind::earlier;
    std::string const places = earlier ? scope + "' < " + scope : scope;
    if (formula.name == reduction::sum::name)
      return "\\sum_{" + places + "} " + bracketed(formula.operands[0], strength::product);
    return "\\" + formula.name + "_{" + places + "} " + in_brackets(print(formula.operands[0]));
  }

  symbols_as symbols_;
};

}  // namespace detail

inline std::string latex(tree const& formula, symbols_as style = symbols_as::names) {
  return detail::latex_printer{style}.print(formula);
}

/// The formula: "\frac{2\,b\,s}{t}".
template <expression Expression> std::string latex(Expression expression) { return latex(make_tree(expression)); }

/// The formula with the values of the environment: "\frac{2 \cdot 1 \cdot 8192}{8}".
template <expression Expression, class Environment>
std::string latex(Expression expression, Environment const& environment, symbols_as style = symbols_as::values) {
  return latex(make_tree(expression, environment), style);
}

}  // namespace shardplan::expr
