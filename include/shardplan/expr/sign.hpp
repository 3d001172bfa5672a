#pragma once

namespace shardplan::expr {

/// What the type of an expression knows about its values, in base units: nothing, never below zero, always above zero,
/// or never below one. Each says more than the one before it.
enum class sign { any, non_negative, positive, at_least_one };

namespace detail {
constexpr sign weaker(sign left, sign right) { return left < right ? left : right; }
constexpr sign stronger(sign left, sign right) { return left < right ? right : left; }
}  // namespace detail

/// What is said of the one holds for all of which the other is said.
constexpr bool implies(sign known, sign wanted) { return known >= wanted; }

constexpr sign sign_of_sum(sign left, sign right) {
  return left == sign::any || right == sign::any ? sign::any : detail::stronger(left, right);
}
constexpr sign sign_of_product(sign left, sign right) { return detail::weaker(left, right); }
/// A quotient of non-negative operands is non-negative wherever it is defined.
constexpr sign sign_of_quotient(sign left, sign right) {
  return right == sign::any ? sign::any : detail::weaker(left, sign::positive);
}
constexpr sign sign_of_minimum(sign left, sign right) { return detail::weaker(left, right); }
constexpr sign sign_of_maximum(sign left, sign right) { return detail::stronger(left, right); }

}  // namespace shardplan::expr
