#pragma once
#include <concepts>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include <shardplan/expr/run_time/conversion.hpp>
#include <shardplan/expr/run_time/operations.hpp>
#include <shardplan/unit/quantity.hpp>

namespace shardplan::expr {

class any_symbol;

namespace detail {
any_pointer const& node_of(any_symbol const& symbol);
}

/// An expression known at run time: a value, cheap to copy, with the operators and functions of typed expressions and
/// their rules for dimension, sign and folding. A typed expression converts to one, as do numbers and quantities.
///
/// A misuse, such as adding bytes to seconds, gives an expression in an error state: it is not `valid()`, its `error()`
/// names the operation and the dimensions, and whatever is made of it has the same error (with two wrong operands that
/// of the first).
///
/// Exact numbers fold as those of typed expressions do; where a folded number would not fit into 64-bit numerator and
/// denominator the operation stays. Symbols are told apart by their names. What has been moved from may only be
/// destroyed or given a new value.
class any_expression {
 public:
  /// The number 0.
  any_expression() : node_(detail::make_any_ratio(0, 1, {})) {}
  /// A number. A whole one is exact.
  template <class Number>
    requires((std::integral<Number> && !std::same_as<Number, bool>) || std::floating_point<Number>)
  any_expression(Number value) : node_(detail::make_any_number(value, any_dimension{})) {}
  template <class Dimension, class Number>
  any_expression(unit::quantity<Dimension, Number> quantity)
      : node_(detail::make_any_number(quantity.value, any_dimension_of<Dimension>)) {}
  /// The same formula, known at run time.
  template <expression Expression> any_expression(Expression typed) : node_(detail::make_any(typed)) {}

  /// The exact number numerator / denominator; an error where the denominator is zero.
  static any_expression ratio(long long numerator, long long denominator, any_dimension dimension = {}) {
    return any_expression(detail::make_reduced_ratio(numerator, denominator, dimension));
  }

  bool valid() const { return !detail::is_error(node_); }
  /// "+ of byte and second; expected operands of the same dimension". Empty where the expression is valid.
  std::string error() const { return valid() ? std::string{} : detail::error_text(*node_); }

  any_dimension dimension() const { return node_->dimension; }
  expr::sign sign() const { return node_->sign; }
  any_operation operation() const { return node_->operation; }

  friend any_expression operator+(any_expression const& left, any_expression const& right) {
    return any_expression(detail::any_sum(left.node_, right.node_));
  }
  friend any_expression operator-(any_expression const& left, any_expression const& right) {
    return any_expression(detail::any_difference(left.node_, right.node_));
  }
  friend any_expression operator*(any_expression const& left, any_expression const& right) {
    return any_expression(detail::any_product(left.node_, right.node_));
  }
  friend any_expression operator/(any_expression const& left, any_expression const& right) {
    return any_expression(detail::any_quotient(left.node_, right.node_));
  }
  friend any_expression min(any_expression const& left, any_expression const& right) {
    return any_expression(detail::any_minimum(left.node_, right.node_));
  }
  friend any_expression max(any_expression const& left, any_expression const& right) {
    return any_expression(detail::any_maximum(left.node_, right.node_));
  }
  template <std::convertible_to<any_expression>... More>
    requires(sizeof...(More) > 0)
  friend any_expression max(any_expression const& first, any_expression const& second, More const&... more) {
    return max(max(first, second), any_expression(more)...);
  }
  friend any_expression ceil(any_expression const& operand) {
    return any_expression(detail::any_ceiling(operand.node_));
  }
  friend any_expression floor(any_expression const& operand) {
    return any_expression(detail::any_floor(operand.node_));
  }
  friend any_expression log2(any_expression const& operand) {
    return any_expression(detail::any_logarithm2(operand.node_));
  }
  friend any_expression pow(any_expression const& base, any_expression const& exponent) {
    return any_expression(detail::any_power(base.node_, exponent.node_));
  }
  friend any_expression positive_part(any_expression const& operand) {
    return any_expression(detail::any_positive_part(operand.node_));
  }
  friend any_expression select(any_expression const& condition, any_expression const& value,
                               any_expression const& otherwise) {
    return any_expression(detail::any_choice(condition.node_, value.node_, otherwise.node_));
  }
  /// Reads `value` once and gives it the name of the symbol in `body`.
  friend any_expression let(any_symbol const& symbol, any_expression const& value, any_expression const& body) {
    return any_expression(detail::any_named(detail::node_of(symbol), value.node_, body.node_));
  }
  /// Over the elements of the scope with this name.
  friend any_expression over(std::string_view scope, reduction::sum, any_expression const& body) {
    return any_expression(detail::any_over(scope, any_reduction::sum, body.node_));
  }
  friend any_expression over(std::string_view scope, reduction::max, any_expression const& body) {
    return any_expression(detail::any_over(scope, any_reduction::max, body.node_));
  }
  friend any_expression over(std::string_view scope, reduction::min, any_expression const& body) {
    return any_expression(detail::any_over(scope, any_reduction::min, body.node_));
  }
  friend any_expression earlier(std::string_view scope, any_expression const& body) {
    return any_expression(detail::any_earlier(scope, body.node_));
  }
  /// `over<stage>(sum, e)`, with the type of a scope.
  template <class Scope, class Reduction> friend any_expression over(Reduction reduction, any_expression const& body) {
    return over(std::string_view(Scope::name), reduction, body);
  }
  template <class Scope> friend any_expression earlier(any_expression const& body) {
    return earlier(std::string_view(Scope::name), body);
  }

  /// For readings of the nodes.
  detail::any_pointer const& node() const { return node_; }
  explicit any_expression(detail::any_pointer node) : node_(std::move(node)) {}

 private:
  detail::any_pointer node_;
};

/// A symbol known at run time.
class any_symbol : public any_expression {
 public:
  explicit any_symbol(std::string name, any_dimension dimension = {}, expr::sign known = expr::sign::positive,
                      std::string meaning = {})
      : any_expression(detail::filled_in(detail::make_any_node(any_operation::symbol, dimension, known),
                                         [&](detail::any_node& node) {
                                           node.name = std::move(name);
                                           node.meaning = std::move(meaning);
                                         })) {}
  template <class Tag> any_symbol(symbol<Tag> typed) : any_expression(typed) {}

  std::string const& name() const { return node()->name; }
  std::string const& meaning() const { return node()->meaning; }
};

inline detail::any_pointer const& detail::node_of(any_symbol const& symbol) { return symbol.node(); }

/// A function known at run time, of one to four operands: `f(x)` calls it, an environment gives it.
class any_function {
 public:
  any_function(std::string name, std::vector<any_dimension> operands, any_dimension result = {},
               expr::sign known = expr::sign::any, std::string meaning = {})
      : any_function(std::move(name), std::move(operands), result, known, std::move(meaning), nullptr) {}
  template <class Tag> any_function(function<Tag>) : any_function(from_tag(static_cast<Tag const*>(nullptr))) {}

  std::string const& name() const { return name_; }
  std::string const& meaning() const { return meaning_; }
  std::size_t arity() const { return operands_.size(); }

  any_expression operator()(std::vector<any_expression> const& operands) const {
    for (any_expression const& operand : operands)
      if (!operand.valid())
        return operand;
    if (operands.empty() || operands.size() > detail::most_operands || operands.size() != operands_.size())
      return wrong(std::to_string(operands.size()) + " operands",
                   operands_.empty() || operands_.size() > detail::most_operands ? "one to four operands"
                                                                                 : std::to_string(operands_.size()));
    for (std::size_t index = 0; index < operands.size(); ++index)
      if (operands[index].dimension() != operands_[index])
        return wrong(dimension_text(operands[index].dimension()) + " as operand " + std::to_string(index + 1),
                     dimension_text(operands_[index]));
    return any_expression(
        detail::filled_in(detail::make_any_node(any_operation::call, result_, sign_), [&](detail::any_node& node) {
          node.name = name_;
          node.meaning = meaning_;
          node.tag = tag_;
          for (any_expression const& operand : operands)
            node.operands.push_back(operand.node());
        }));
  }
  template <std::convertible_to<any_expression>... Operands>
  any_expression operator()(Operands const&... operands) const {
    return (*this)(std::vector<any_expression>{any_expression(operands)...});
  }

 private:
  any_function(std::string name, std::vector<any_dimension> operands, any_dimension result, expr::sign known,
               std::string meaning, void const* tag)
      : name_(std::move(name)), meaning_(std::move(meaning)), operands_(std::move(operands)), result_(result),
        sign_(known), tag_(tag) {}
  template <class Tag> static any_function from_tag(Tag const* tag) { return from_base(tag, tag); }
  template <class Tag, class Result, expr::sign Sign, class... Operands>
  static any_function from_base(Tag const*, function_tag<Result, Sign, Operands...> const*) {
    return {Tag::name,    {any_dimension_of<Operands>...}, any_dimension_of<Result>, Sign,
            Tag::meaning, &detail::tag_identity<Tag>};
  }
  any_expression wrong(std::string operands, std::string right) const {
    return any_expression(detail::misuse(name_, std::move(operands), std::move(right)));
  }

  std::string name_;
  std::string meaning_;
  std::vector<any_dimension> operands_;
  any_dimension result_;
  expr::sign sign_;
  void const* tag_;
};

}  // namespace shardplan::expr
