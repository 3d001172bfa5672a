#pragma once
#include <concepts>
#include <string>

#include <shardplan/expr/environment.hpp>
#include <shardplan/expr/operators.hpp>
#include <shardplan/expr/read.hpp>
#include <shardplan/unit/text.hpp>

/// The reading "text": the formula, plain or with the values of an environment filled in.
namespace shardplan::expr {

/// Text and how tightly its outermost operation binds: 0 sum, 1 product, 2 anything that needs no brackets.
struct formula {
  std::string text;
  int binding_strength = 2;
  /// Of a call of min or max: the function and its arguments, so that nested calls print as one.
  const char* function = "";
  std::string arguments = {};
};

namespace detail {

inline std::string bracketed(formula const& operand, int at_least) {
  return operand.binding_strength < at_least ? "(" + operand.text + ")" : operand.text;
}

template <class Operation> struct infix {
  static constexpr bool value = false;
};
template <> struct infix<operation::add> {
  static constexpr bool value = true;
  static constexpr int strength = 0, left = 0, right = 0;
};
template <> struct infix<operation::subtract> {
  static constexpr bool value = true;
  static constexpr int strength = 0, left = 0, right = 1;
};
template <> struct infix<operation::multiply> {
  static constexpr bool value = true;
  static constexpr int strength = 1, left = 1, right = 1;
};
template <> struct infix<operation::divide> {
  static constexpr bool value = true;
  static constexpr int strength = 1, left = 1, right = 2;
};

inline formula join(const char* name, formula const& left, formula const& right, int strength, int left_least,
                    int right_least) {
  // The literal "one byte" carries a dimension, not a factor that a reader wants to see.
  bool const product = name[0] == '*';
  if (product && left.text == "1")
    return right;
  if (product && right.text == "1")
    return left;
  std::string const space = strength == 0 ? " " : "";
  return {bracketed(left, left_least) + space + name + space + bracketed(right, right_least), strength};
}

}  // namespace detail

/// Base of text readers: operations. A derived reader says how symbols are printed.
struct formula_reader_base {
  using value_type = formula;

  template <class Literal> formula literal() const { return {unit::number_text(Literal::template value<double>)}; }
  template <class Operation, class... Operands> formula apply(Operands const&... operands) const {
    if constexpr (detail::infix<Operation>::value) {
      using how = detail::infix<Operation>;
      return detail::join(Operation::name, operands..., how::strength, how::left, how::right);
    } else {
      constexpr bool flattens = std::same_as<Operation, operation::min> || std::same_as<Operation, operation::max>;
      std::string list;
      for (formula const* operand : {&operands...}) {
        if (!list.empty())
          list += ", ";
        list += flattens && operand->function == Operation::name ? operand->arguments : operand->text;
      }
      return {std::string(Operation::name) + "(" + list + ")", 2, Operation::name, list};
    }
  }
};

/// Prints symbols by name.
struct symbolic_reader : formula_reader_base {
  template <class Tag> formula symbol() const { return {Tag::name}; }
};

/// Prints symbols by value, in the base unit of their dimension.
template <class Environment> class substituting_reader : public formula_reader_base {
 public:
  explicit substituting_reader(Environment const& environment) : environment_(environment) {}
  template <class Tag> formula symbol() const {
    return {unit::number_text(static_cast<double>(value_of<Tag>(environment_)))};
  }

 private:
  Environment const& environment_;
};

/// The formula: "2*b*s*h".
template <expression Expression> std::string text(Expression expression) {
  return read(expression, symbolic_reader{}).text;
}

/// The formula with the values of the environment: "2*1*8192*4096".
template <expression Expression, class Environment>
std::string text(Expression expression, Environment const& environment) {
  return read(expression, substituting_reader<Environment>{environment}).text;
}

}  // namespace shardplan::expr
