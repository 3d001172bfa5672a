#pragma once

namespace shardplan::expr {

/// What the type of an expression knows about its values: always above zero, never below zero, or nothing.
enum class sign { positive, non_negative, any };

constexpr sign sign_of_sum(sign left, sign right) {
  if (left == sign::any || right == sign::any)
    return sign::any;
  return left == sign::positive || right == sign::positive ? sign::positive : sign::non_negative;
}
constexpr sign sign_of_product(sign left, sign right) {
  if (left == sign::any || right == sign::any)
    return sign::any;
  return left == sign::positive && right == sign::positive ? sign::positive : sign::non_negative;
}
/// A quotient of non-negative operands is non-negative wherever it is defined.
constexpr sign sign_of_quotient(sign left, sign right) { return right == sign::any ? sign::any : left; }
constexpr sign sign_of_minimum(sign left, sign right) {
  if (left == sign::any || right == sign::any)
    return sign::any;
  return left == sign::positive && right == sign::positive ? sign::positive : sign::non_negative;
}
constexpr sign sign_of_maximum(sign left, sign right) {
  if (left == sign::positive || right == sign::positive)
    return sign::positive;
  return left == sign::non_negative || right == sign::non_negative ? sign::non_negative : sign::any;
}

}  // namespace shardplan::expr
