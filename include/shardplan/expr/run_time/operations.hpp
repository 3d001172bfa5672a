#pragma once
#include <string>
#include <string_view>
#include <utility>

#include <shardplan/expr/operation.hpp>
#include <shardplan/expr/over.hpp>
#include <shardplan/expr/run_time/number.hpp>

/// The operations on run-time nodes: the rules of operators.hpp for dimensions, signs and folding, checked at run time.
/// A misuse gives an error node; an operand that is one is the result.
namespace shardplan::expr::detail {

inline bool is_error(any_pointer const& of) { return of->operation == any_operation::error; }
inline bool is_plain(any_pointer const& of) { return of->dimension == any_dimension{}; }

inline any_pointer misuse(std::string_view operation, std::string operands, std::string right) {
  return make_any_error(std::string(operation) + " of " + std::move(operands), std::move(right));
}
inline std::string both_dimensions(any_pointer const& left, any_pointer const& right) {
  return dimension_text(left->dimension) + " and " + dimension_text(right->dimension);
}
inline any_pointer different_dimensions(std::string_view operation, any_pointer const& left, any_pointer const& right) {
  return misuse(operation, both_dimensions(left, right), "operands of the same dimension");
}
inline any_pointer too_high_a_power(std::string_view operation, any_pointer const& left, any_pointer const& right) {
  return misuse(operation, both_dimensions(left, right), "exponents of units below 1000");
}

inline any_pointer any_sum(any_pointer const& left, any_pointer const& right) {
  if (is_error(left) || is_error(right))
    return is_error(left) ? left : right;
  if (left->dimension != right->dimension)
    return different_dimensions(operation::add::name, left, right);
  if (is_exact_zero(*left))
    return right;
  if (is_exact_zero(*right))
    return left;
  if (is_exact_number(*left) && is_exact_number(*right))
    if (any_pointer folded = sum_of_ratios(*left, *right, false); folded.get() != nullptr)
      return folded;
  return make_any_node(any_operation::add, left->dimension, operation::add::sign_of(left->sign, right->sign), left,
                       right);
}

/// n - 1 and 1 - 1/n are not negative where n is at least one.
inline sign sign_of_difference(any_node const& left, any_node const& right) {
  bool const others = is_exact_one(right) && left.sign == sign::at_least_one;
  bool const share = is_exact_one(left) && right.operation == any_operation::divide &&
                     is_exact_one(*right.operands[0]) && right.operands[1]->sign == sign::at_least_one;
  return others || share ? sign::non_negative : sign::any;
}
inline any_pointer any_difference(any_pointer const& left, any_pointer const& right) {
  if (is_error(left) || is_error(right))
    return is_error(left) ? left : right;
  if (left->dimension != right->dimension)
    return different_dimensions(operation::subtract::name, left, right);
  if (is_exact_zero(*right))
    return left;
  if (is_exact_number(*left) && is_exact_number(*right))
    if (any_pointer folded = sum_of_ratios(*left, *right, true); folded.get() != nullptr)
      return folded;
  return make_any_node(any_operation::subtract, left->dimension, sign_of_difference(*left, *right), left, right);
}

inline any_pointer any_product(any_pointer const& left, any_pointer const& right) {
  if (is_error(left) || is_error(right))
    return is_error(left) ? left : right;
  any_dimension const dimension = product_with_power(left->dimension, right->dimension, 1);
  if (!is_reasonable(dimension))
    return too_high_a_power(operation::multiply::name, left, right);
  if (is_exact_zero(*left) || is_exact_zero(*right))
    return make_any_ratio(0, 1, dimension);
  if (is_exact_one(*left))
    return right;
  if (is_exact_one(*right))
    return left;
  if (is_exact_number(*left) && is_exact_number(*right)) {
    any_pointer folded =
        product_of_ratios(left->numerator, left->denominator, right->numerator, right->denominator, dimension);
    if (folded.get() != nullptr)
      return folded;
  }
  return make_any_node(any_operation::multiply, dimension, operation::multiply::sign_of(left->sign, right->sign), left,
                       right);
}

inline any_pointer any_quotient(any_pointer const& left, any_pointer const& right) {
  if (is_error(left) || is_error(right))
    return is_error(left) ? left : right;
  if (is_exact_zero(*right))
    return misuse(operation::divide::name, both_dimensions(left, right), "a divisor other than the number zero");
  any_dimension const dimension = product_with_power(left->dimension, right->dimension, -1);
  if (!is_reasonable(dimension))
    return too_high_a_power(operation::divide::name, left, right);
  if (is_exact_zero(*left))
    return make_any_ratio(0, 1, dimension);
  if (is_exact_one(*right))
    return left;
  if (is_exact_number(*left) && is_exact_number(*right) && implies(right->sign, sign::positive)) {
    any_pointer folded =
        product_of_ratios(left->numerator, left->denominator, right->denominator, right->numerator, dimension);
    if (folded.get() != nullptr)
      return folded;
  }
  return make_any_node(any_operation::divide, dimension, operation::divide::sign_of(left->sign, right->sign), left,
                       right);
}

inline any_pointer any_minimum(any_pointer const& left, any_pointer const& right) {
  if (is_error(left) || is_error(right))
    return is_error(left) ? left : right;
  if (left->dimension != right->dimension)
    return different_dimensions(operation::min::name, left, right);
  return make_any_node(any_operation::min, left->dimension, operation::min::sign_of(left->sign, right->sign), left,
                       right);
}

inline any_pointer any_maximum(any_pointer const& left, any_pointer const& right) {
  if (is_error(left) || is_error(right))
    return is_error(left) ? left : right;
  if (left->dimension != right->dimension)
    return different_dimensions(operation::max::name, left, right);
  if (is_exact_zero(*left) && right->sign != sign::any)
    return right;
  if (is_exact_zero(*right) && left->sign != sign::any)
    return left;
  return make_any_node(any_operation::max, left->dimension, operation::max::sign_of(left->sign, right->sign), left,
                       right);
}

template <class Operation>
any_pointer any_function_of_plain_number(any_operation operation, any_pointer const& operand) {
  if (is_error(operand))
    return operand;
  if (!is_plain(operand))
    return misuse(Operation::name, dimension_text(operand->dimension), "a plain number as operand");
  return make_any_node(operation, {}, Operation::sign_of(operand->sign), operand);
}
inline any_pointer any_ceiling(any_pointer const& operand) {
  return any_function_of_plain_number<operation::ceil>(any_operation::ceil, operand);
}
inline any_pointer any_floor(any_pointer const& operand) {
  return any_function_of_plain_number<operation::floor>(any_operation::floor, operand);
}
inline any_pointer any_logarithm2(any_pointer const& operand) {
  return any_function_of_plain_number<operation::log2>(any_operation::log2, operand);
}

inline any_pointer any_positive_part(any_pointer const& operand) {
  if (is_error(operand) || operand->sign != sign::any)
    return operand;
  return make_any_node(any_operation::positive_part, operand->dimension,
                       operation::positive_part::sign_of(operand->sign), operand);
}

/// As operation::whole_power says.
constexpr sign sign_of_whole_power(sign base, int exponent) {
  if (base == sign::any)
    return exponent % 2 == 0 ? operation::whole_power<2>::sign_of(base) : operation::whole_power<3>::sign_of(base);
  return exponent < 0 ? operation::whole_power<-1>::sign_of(base) : operation::whole_power<2>::sign_of(base);
}
inline any_pointer any_power(any_pointer const& base, any_pointer const& exponent) {
  if (is_error(base) || is_error(exponent))
    return is_error(base) ? base : exponent;
  bool const whole = is_exact_number(*exponent) && exponent->denominator == 1 && is_plain(exponent) &&
                     -64 <= exponent->numerator && exponent->numerator <= 64;
  if (whole && exponent->numerator == 0)
    return make_any_ratio(1, 1, {});
  if (whole && exponent->numerator == 1)
    return base;
  if (whole) {
    auto const times = static_cast<int>(exponent->numerator);
    any_dimension const dimension = product_with_power({}, base->dimension, times);
    if (!is_reasonable(dimension))
      return too_high_a_power(operation::pow::name, base, exponent);
    return filled_in(make_any_node(any_operation::whole_power, dimension, sign_of_whole_power(base->sign, times), base),
                     [&](any_node& node) { node.exponent = times; });
  }
  if (!is_plain(base) || !is_plain(exponent))
    return misuse(operation::pow::name, both_dimensions(base, exponent),
                  "plain numbers, or a whole number from -64 to 64 as exponent");
  if (base->sign == sign::any)
    return misuse(operation::pow::name, "a base that may be negative",
                  "a base that is not negative, or a whole number from -64 to 64 as exponent");
  return make_any_node(any_operation::pow, {}, operation::pow::sign_of(base->sign, exponent->sign), base, exponent);
}

inline any_pointer any_choice(any_pointer const& condition, any_pointer const& value, any_pointer const& otherwise) {
  for (any_pointer const* operand : {&condition, &value, &otherwise})
    if (is_error(*operand))
      return *operand;
  if (!is_plain(condition))
    return misuse(operation::select::name, "the condition " + dimension_text(condition->dimension),
                  "a plain number as condition");
  if (value->dimension != otherwise->dimension)
    return misuse(operation::select::name, both_dimensions(value, otherwise), "branches of the same dimension");
  return make_any_node(any_operation::select, value->dimension,
                       operation::select::sign_of(condition->sign, value->sign, otherwise->sign), condition, value,
                       otherwise);
}

inline const char* sign_text(sign of) {
  constexpr const char* texts[] = {"of any sign", "not negative", "positive", "at least one"};
  return texts[static_cast<int>(of)];
}

inline any_pointer any_named(any_pointer const& symbol, any_pointer const& value, any_pointer const& body) {
  for (any_pointer const* operand : {&symbol, &value, &body})
    if (is_error(*operand))
      return *operand;
  if (symbol->dimension != value->dimension)
    return misuse("let " + symbol->name, both_dimensions(symbol, value), "a value of the dimension of its symbol");
  if (!implies(value->sign, symbol->sign))
    return misuse("let " + symbol->name, std::string("a value ") + sign_text(value->sign),
                  std::string("a value that is known to be ") + sign_text(symbol->sign) + ", as its symbol is");
  return filled_in(make_any_node(any_operation::let, body->dimension, body->sign, value, body), [&](any_node& node) {
    node.name = symbol->name;
    node.meaning = symbol->meaning;
    node.tag = symbol->tag;
    node.symbol_dimension = symbol->dimension;
  });
}

constexpr sign sign_of_reduction(any_reduction reduction, sign body) {
  switch (reduction) {
  case any_reduction::sum:
    return reduction::sum::sign_of(body);
  case any_reduction::max:
    return reduction::max::sign_of(body);
  case any_reduction::min:
    break;
  }
  return reduction::min::sign_of(body);
}
inline any_pointer any_over(std::string_view scope, any_reduction reduction, any_pointer const& body) {
  if (is_error(body))
    return body;
  return filled_in(make_any_node(any_operation::over, body->dimension, sign_of_reduction(reduction, body->sign), body),
                   [&](any_node& node) {
                     node.name = scope;
                     node.reduction = reduction;
                   });
}
inline any_pointer any_earlier(std::string_view scope, any_pointer const& body) {
  if (is_error(body))
    return body;
  return filled_in(make_any_node(any_operation::earlier, body->dimension, reduction::sum::sign_of(body->sign), body),
                   [&](any_node& node) { node.name = scope; });
}

}  // namespace shardplan::expr::detail
