#pragma once
#include <cmath>
#include <concepts>
#include <limits>
#include <numeric>
#include <string>
#include <utility>

#include <shardplan/expr/run_time/node.hpp>

/// Numbers in formulas known at run time: ratios of whole numbers, which fold exactly, and doubles that are none.
namespace shardplan::expr::detail {

constexpr sign sign_of_value(double value) {
  return value >= 1 ? sign::at_least_one : value > 0 ? sign::positive : value == 0 ? sign::non_negative : sign::any;
}

inline any_pointer make_any_double(double value, any_dimension dimension) {
  return filled_in(make_any_node(any_operation::number, dimension, sign_of_value(value)),
                   [&](any_node& node) { node.value = value; });
}

/// As the ratio stands; the denominator must be above zero.
inline any_pointer make_any_ratio(long long numerator, long long denominator, any_dimension dimension) {
  sign const known = numerator >= denominator ? sign::at_least_one
                     : numerator > 0          ? sign::positive
                     : numerator == 0         ? sign::non_negative
                                              : sign::any;
  return filled_in(make_any_node(any_operation::number, dimension, known), [&](any_node& node) {
    node.numerator = numerator;
    node.denominator = denominator;
    node.value = static_cast<double>(numerator) / static_cast<double>(denominator);
  });
}

inline any_pointer make_reduced_ratio(long long numerator, long long denominator, any_dimension dimension) {
  constexpr long long least = std::numeric_limits<long long>::min();
  if (denominator == 0)
    return make_any_error(std::to_string(numerator) + "/0", "a denominator other than zero");
  if (numerator == least || denominator == least)  // its opposite is too large
    return make_any_double(static_cast<double>(numerator) / static_cast<double>(denominator), dimension);
  long long const common = std::gcd(numerator, denominator) * (denominator < 0 ? -1 : 1);
  return make_any_ratio(numerator / common, denominator / common, dimension);
}

template <std::integral Number> any_pointer make_any_number(Number value, any_dimension dimension) {
  if (std::in_range<long long>(value))
    return make_any_ratio(static_cast<long long>(value), 1, dimension);
  return make_any_double(static_cast<double>(value), dimension);
}
/// A whole number is exact; any other is the double that it is.
template <std::floating_point Number> any_pointer make_any_number(Number number, any_dimension dimension) {
  auto const value = static_cast<double>(number);
  bool const whole = std::floor(value) == value && std::fabs(value) <= 0x1p53;
  if (whole && !(value == 0 && std::signbit(value)))
    return make_any_ratio(static_cast<long long>(value), 1, dimension);
  return make_any_double(value, dimension);
}

inline bool is_exact_number(any_node const& of) { return of.operation == any_operation::number && of.denominator != 0; }
inline bool is_exact_zero(any_node const& of) { return is_exact_number(of) && of.numerator == 0; }
/// The number 1 without a unit.
inline bool is_exact_one(any_node const& of) {
  return is_exact_number(of) && of.numerator == 1 && of.denominator == 1 && of.dimension == any_dimension{};
}

/// Sum and product of ratios; without a result (a null pointer) where it does not fit.
inline any_pointer sum_of_ratios(any_node const& left, any_node const& right, bool subtract) {
  long long first = 0, second = 0, numerator = 0, denominator = 0;
  bool const fits = !__builtin_mul_overflow(left.numerator, right.denominator, &first) &&
                    !__builtin_mul_overflow(right.numerator, left.denominator, &second) &&
                    !(subtract ? __builtin_sub_overflow(first, second, &numerator)
                               : __builtin_add_overflow(first, second, &numerator)) &&
                    !__builtin_mul_overflow(left.denominator, right.denominator, &denominator);
  return fits ? make_reduced_ratio(numerator, denominator, left.dimension) : any_pointer{};
}
inline any_pointer product_of_ratios(long long left_numerator, long long left_denominator, long long right_numerator,
                                     long long right_denominator, any_dimension dimension) {
  long long numerator = 0, denominator = 0;
  bool const fits = !__builtin_mul_overflow(left_numerator, right_numerator, &numerator) &&
                    !__builtin_mul_overflow(left_denominator, right_denominator, &denominator);
  return fits ? make_reduced_ratio(numerator, denominator, dimension) : any_pointer{};
}

}  // namespace shardplan::expr::detail
