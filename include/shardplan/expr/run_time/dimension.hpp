#pragma once
#include <string>

#include <shardplan/unit/dimension.hpp>

namespace shardplan::expr {

/// A dimension known at run time: exponents of byte, FLOP and second. A plain number has none.
struct any_dimension {
  int byte = 0, flop = 0, second = 0;

  friend constexpr bool operator==(any_dimension, any_dimension) = default;
};

/// The dimension that a type of `unit` stands for: `any_dimension_of<unit::byte_dimension>`.
template <class Dimension>
inline constexpr any_dimension any_dimension_of{Dimension::byte, Dimension::flop, Dimension::second};

namespace detail {

/// No cost has exponents near this; beyond it repeated powers would overflow.
inline constexpr int largest_exponent = 1000;

constexpr int bounded_exponent(long long exponent) {
  return static_cast<int>(exponent > largest_exponent    ? largest_exponent + 1
                          : exponent < -largest_exponent ? -largest_exponent - 1
                                                         : exponent);
}
constexpr bool is_reasonable(any_dimension of) {
  auto const bounded = [](int exponent) { return -largest_exponent <= exponent && exponent <= largest_exponent; };
  return bounded(of.byte) && bounded(of.flop) && bounded(of.second);
}
/// left^1 * right^exponent.
constexpr any_dimension product_with_power(any_dimension left, any_dimension right, long long exponent) {
  return {bounded_exponent(left.byte + right.byte * exponent), bounded_exponent(left.flop + right.flop * exponent),
          bounded_exponent(left.second + right.second * exponent)};
}

}  // namespace detail

/// "byte/second"; "a plain number" where there is no unit.
inline std::string dimension_text(any_dimension of) {
  std::string above, below;
  auto const add = [&](const char* unit, int exponent) {
    std::string& side = exponent > 0 ? above : below;
    int const size = exponent > 0 ? exponent : -exponent;
    if (size == 0)
      return;
    side += exponent < 0 ? "/" : side.empty() ? "" : "*";
    side += unit;
    if (size > 1)
      side += "^" + std::to_string(size);
  };
  add("byte", of.byte);
  add("FLOP", of.flop);
  add("second", of.second);
  if (above.empty() && below.empty())
    return "a plain number";
  return (above.empty() ? "1" : above) + below;
}

}  // namespace shardplan::expr
