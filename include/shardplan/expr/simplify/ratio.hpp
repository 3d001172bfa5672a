#pragma once
#include <limits>
#include <numeric>

namespace shardplan::expr::simplification {

/// A rational number in lowest terms. Operations whose result does not fit say so and leave `result` as it was.
struct ratio {
  long long numerator;
  long long denominator;  // positive

  friend constexpr bool operator==(ratio left, ratio right) = default;
};

constexpr ratio negative(ratio value) { return {-value.numerator, value.denominator}; }
constexpr ratio magnitude(ratio value) { return value.numerator < 0 ? negative(value) : value; }
constexpr bool is_one(ratio value) { return value.numerator == 1 && value.denominator == 1; }

/// The most negative number is never a result, so that every result has a negative.
constexpr bool multiply(long long left, long long right, long long& result) {
  if (left != 0 && right != 0) {
    long long const size = left < 0 ? -left : left, other = right < 0 ? -right : right;
    if (size > std::numeric_limits<long long>::max() / other)
      return false;
  }
  result = left * right;
  return true;
}
constexpr bool add(long long left, long long right, long long& result) {
  constexpr long long limit = std::numeric_limits<long long>::max();
  if (right > 0 ? left > limit - right : left < -limit - right)
    return false;
  result = left + right;
  return true;
}

constexpr bool multiply(ratio left, ratio right, ratio& result) {
  if (left.denominator == 1 && right.denominator == 1) {
    if (!multiply(left.numerator, right.numerator, result.numerator))
      return false;
    result.denominator = 1;
    return true;
  }
  long long const down = std::gcd(left.numerator, right.denominator);
  long long const up = std::gcd(right.numerator, left.denominator);
  ratio product{};
  if (!multiply(left.numerator / down, right.numerator / up, product.numerator) ||
      !multiply(left.denominator / up, right.denominator / down, product.denominator))
    return false;
  result = product;
  return true;
}
constexpr bool add(ratio left, ratio right, ratio& result) {
  long long const common = std::gcd(left.denominator, right.denominator);
  long long by_right = 0, by_left = 0, numerator = 0, denominator = 0;
  if (!multiply(left.numerator, right.denominator / common, by_right) ||
      !multiply(right.numerator, left.denominator / common, by_left) || !add(by_right, by_left, numerator) ||
      !multiply(left.denominator, right.denominator / common, denominator))
    return false;
  long long const shared = std::gcd(numerator, denominator);
  result = {numerator / shared, denominator / shared};
  return true;
}
/// Of a value that is not zero.
constexpr ratio inverse(ratio value) {
  return value.numerator < 0 ? ratio{-value.denominator, -value.numerator} : ratio{value.denominator, value.numerator};
}
/// Of values that are not negative.
constexpr bool less(ratio left, ratio right) {
  while (true) {
    long long const left_whole = left.numerator / left.denominator, right_whole = right.numerator / right.denominator;
    if (left_whole != right_whole)
      return left_whole < right_whole;
    long long const left_rest = left.numerator % left.denominator, right_rest = right.numerator % right.denominator;
    if (left_rest == 0 || right_rest == 0)
      return left_rest == 0 && right_rest != 0;
    // What is left compares as the inverses do the other way round.
    ratio const swapped{left.denominator, left_rest};
    left = {right.denominator, right_rest};
    right = swapped;
  }
}

/// The largest ratio that both are whole multiples of; of positive values.
constexpr bool common_part(ratio left, ratio right, ratio& result) {
  long long denominator = 0;
  if (!multiply(left.denominator / std::gcd(left.denominator, right.denominator), right.denominator, denominator))
    return false;
  long long const numerator = std::gcd(left.numerator, right.numerator);
  result = {numerator, denominator};
  return true;
}

}  // namespace shardplan::expr::simplification
