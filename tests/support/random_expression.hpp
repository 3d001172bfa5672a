#pragma once
#include <cstdint>
#include <type_traits>
#include <utility>

#include <shardplan/expr.hpp>

#include <support/elements.hpp>
#include <support/symbols.hpp>

/// Random typed expressions, made at compile time from a seed. They have valid dimensions, and operands of the signs
/// that operations need: logarithms of what is above zero, general powers of what is not below it. Divisors mostly are
/// above zero.
namespace support {

/// Which operations occur. Sums, products, quotients, minima, maxima and positive whole powers always do.
struct expression_kinds {
  /// Differences, values of any sign, and what takes them (positive_part, select).
  bool differences = true;
  /// ceil, floor, select.
  bool steps = true;
  /// log2, powers with any exponent, and negative whole powers.
  bool logarithms_and_powers = true;
  /// let.
  bool names = true;
  /// over and earlier.
  bool elements = true;
  /// Functions that the environment gives.
  bool calls = true;
};
inline constexpr expression_kinds everything{};
inline constexpr expression_kinds operations_only{.names = false, .elements = false, .calls = false};
inline constexpr expression_kinds sums_and_products{.differences = false,
                                                    .steps = false,
                                                    .logarithms_and_powers = false,
                                                    .names = false,
                                                    .elements = false,
                                                    .calls = false};

namespace detail {

namespace expr = shardplan::expr;
namespace unit = shardplan::unit;
using namespace shardplan::expr::literals;

/// Where in an expression: which names are known, and whether elements are in turn.
struct place {
  bool v = false;
  bool w = false;
  bool in_elements = false;
};

constexpr std::uint64_t mixed(std::uint64_t seed, std::uint64_t stream) {
  std::uint64_t bits = seed + stream * 0x9e3779b97f4a7c15u;
  bits = (bits ^ (bits >> 30)) * 0xbf58476d1ce4e5b9u;
  bits = (bits ^ (bits >> 27)) * 0x94d049bb133111ebu;
  return bits ^ (bits >> 31);
}
constexpr int pick(std::uint64_t seed, std::uint64_t stream, int count) {
  return static_cast<int>(mixed(seed, 1000 + stream) % static_cast<std::uint64_t>(count));
}

enum class shape {
  leaf,
  add,
  subtract,
  multiply,
  divide,
  min,
  max,
  whole_power,
  positive_part,
  select,
  ceil,
  floor,
  log2,
  pow,
  convert,
  let,
  over,
  earlier,
  call,
  call_of_two
};
constexpr int shapes = static_cast<int>(shape::call_of_two) + 1;

constexpr bool allowed(shape wanted, expression_kinds kinds, place where, bool is_count) {
  switch (wanted) {
  case shape::subtract:
  case shape::positive_part:
    return kinds.differences;
  case shape::select:
    return kinds.differences && kinds.steps;
  case shape::ceil:
  case shape::floor:
    return kinds.steps && is_count;
  case shape::log2:
    // May be below zero.
    return kinds.logarithms_and_powers && kinds.differences && is_count;
  case shape::pow:
    return kinds.logarithms_and_powers && is_count;
  case shape::whole_power:
    return is_count;
  case shape::let:
    return kinds.names;
  case shape::over:
    return kinds.elements && !where.in_elements;
  case shape::earlier:
    return kinds.elements && where.in_elements;
  case shape::call:
    return kinds.calls && is_count;
  case shape::call_of_two:
    return kinds.calls && kinds.differences && is_count;
  default:
    return true;
  }
}
constexpr shape random_shape(std::uint64_t seed, int depth, expression_kinds kinds, place where, bool is_count) {
  if (depth == 0)
    return shape::leaf;
  for (std::uint64_t stream = 0;; ++stream) {
    auto const found = static_cast<shape>(pick(seed, stream, shapes));
    // Near the root there is always an operation.
    if (allowed(found, kinds, where, is_count) && (found != shape::leaf || depth <= 3))
      return found;
  }
}

template <expr::expression Expression> consteval auto non_negative(Expression expression) {
  return positive_part(expression);
}
template <expr::expression Expression> consteval auto positive(Expression expression) {
  if constexpr (expr::implies(Expression::sign, expr::sign::positive))
    return expression;
  else
    return non_negative(expression) + 0.5_n;
}
/// Two literals fold to one; what an operation is to be tested with is not one of them.
template <class Left, class Right> consteval auto not_both_literals(Left, Right right) {
  if constexpr (expr::is_literal<Left> && expr::is_literal<Right>)
    return right * x;
  else
    return right;
}

template <int Index> consteval auto one_literal() {
  if constexpr (Index == 0)
    return 2_n;
  else if constexpr (Index == 1)
    return 0.5_n;
  else if constexpr (Index == 2)
    return 1_n;
  else if constexpr (Index == 3)
    return 1_n / 3_n;
  else
    return 10.25_n;
}
template <int Index> consteval auto one_exponent() {
  if constexpr (Index == 0)
    return 0.5_n;
  else if constexpr (Index == 1)
    return 1.5_n;
  else if constexpr (Index == 2)
    return 1_n / 3_n;
  else
    return 0_n - 0.75_n;
}

template <std::uint64_t Seed, expression_kinds Kinds, place Where> consteval auto count_leaf() {
  constexpr int choice = pick(Seed, 0, 12);
  if constexpr (Where.v && choice < 4)
    return v;
  else if constexpr (Where.w && choice < 6)
    return w;
  else if constexpr (choice < 3)
    return x;
  else if constexpr (choice < 6)
    return y;
  else if constexpr (choice < 8)
    return z;
  else if constexpr (choice < 10 && Kinds.differences)
    return u;
  else
    return one_literal<pick(Seed, 1, 5)>();
}
template <class Dimension> consteval auto symbol_of() {
  if constexpr (std::is_same_v<Dimension, unit::byte_dimension>)
    return M;
  else if constexpr (std::is_same_v<Dimension, unit::flop_dimension>)
    return W;
  else if constexpr (std::is_same_v<Dimension, unit::time_dimension>)
    return T;
  else
    return B;
}
template <std::uint64_t Seed, expression_kinds Kinds, place Where, class Dimension> consteval auto leaf() {
  constexpr int factor = pick(Seed, 2, 4);
  if constexpr (std::is_same_v<Dimension, unit::count_dimension>)
    return count_leaf<Seed, Kinds, Where>();
  else if constexpr (factor == 0)
    return symbol_of<Dimension>();
  else if constexpr (factor == 1)
    return symbol_of<Dimension>() / x;
  else
    return count_leaf<Seed, Kinds, Where>() * symbol_of<Dimension>();
}

template <std::uint64_t Seed, int Depth, expression_kinds Kinds, place Where, class Dimension>
consteval auto random_of();

/// The same dimension by way of others.
template <std::uint64_t Seed, int Depth, expression_kinds Kinds, place Where, class Dimension>
consteval auto converted() {
  constexpr std::uint64_t one = mixed(Seed, 1), two = mixed(Seed, 2);
  using byte = unit::byte_dimension;
  using time = unit::time_dimension;
  using bandwidth = unit::bandwidth_dimension;
  using flop = unit::flop_dimension;
  if constexpr (std::is_same_v<Dimension, byte>)
    return random_of<one, Depth, Kinds, Where, bandwidth>() * random_of<two, Depth, Kinds, Where, time>();
  else if constexpr (std::is_same_v<Dimension, time>)
    return random_of<one, Depth, Kinds, Where, byte>() / random_of<two, Depth, Kinds, Where, bandwidth>();
  else if constexpr (std::is_same_v<Dimension, bandwidth>)
    return random_of<one, Depth, Kinds, Where, byte>() / random_of<two, Depth, Kinds, Where, time>();
  else if constexpr (std::is_same_v<Dimension, flop>)
    return random_of<one, Depth, Kinds, Where, flop>() * random_of<two, Depth, Kinds, Where, unit::count_dimension>();
  else if constexpr (pick(Seed, 0, 2) == 0)
    return random_of<one, Depth, Kinds, Where, flop>() / random_of<two, Depth, Kinds, Where, flop>();
  else
    return random_of<one, Depth, Kinds, Where, time>() / T;
}

template <std::uint64_t Seed, int Depth, expression_kinds Kinds, place Where, class Dimension>
consteval auto random_of() {
  using count = unit::count_dimension;
  constexpr bool is_count = std::is_same_v<Dimension, count>;
  constexpr shape chosen = random_shape(Seed, Depth, Kinds, Where, is_count);
  if constexpr (chosen == shape::leaf) {
    return leaf<Seed, Kinds, Where, Dimension>();
  } else if constexpr (chosen == shape::convert) {
    return converted<Seed, Depth - 1, Kinds, Where, Dimension>();
  } else if constexpr (chosen == shape::let) {
    constexpr auto value = random_of<mixed(Seed, 2), Depth - 1, Kinds, Where, count>();
    if constexpr (pick(Seed, 1, 2) == 0 || !Kinds.differences)
      return let(v, non_negative(value),
                 random_of<mixed(Seed, 1), Depth - 1, Kinds, place{true, Where.w, Where.in_elements}, Dimension>());
    else
      return let(w, value,
                 random_of<mixed(Seed, 1), Depth - 1, Kinds, place{Where.v, true, Where.in_elements}, Dimension>());
  } else if constexpr (chosen == shape::over) {
    constexpr auto body = random_of<mixed(Seed, 1), Depth - 1, Kinds, place{Where.v, Where.w, true}, Dimension>();
    constexpr int reduction = pick(Seed, 1, 3);
    if constexpr (reduction == 0)
      return expr::over<stage>(expr::sum, body);
    else if constexpr (reduction == 1)
      return expr::over<stage>(expr::largest, body);
    else
      return expr::over<stage>(expr::smallest, body);
  } else if constexpr (chosen == shape::earlier) {
    // Its body is read in the element itself, where no inner `let` has given its name.
    return expr::earlier<stage>(random_of<mixed(Seed, 1), Depth - 1, Kinds, place{false, false, true}, Dimension>());
  } else {
    constexpr auto left = random_of<mixed(Seed, 1), Depth - 1, Kinds, Where, Dimension>();
    using left_type = std::remove_const_t<decltype(left)>;
    constexpr auto same = [] {
      return not_both_literals(left_type{}, random_of<mixed(Seed, 2), Depth - 1, Kinds, Where, Dimension>());
    };
    constexpr auto number = [] {
      return not_both_literals(left_type{}, random_of<mixed(Seed, 2), Depth - 1, Kinds, Where, count>());
    };
    if constexpr (chosen == shape::add) {
      return left + same();
    } else if constexpr (chosen == shape::subtract) {
      return left - same();
    } else if constexpr (chosen == shape::multiply) {
      return left * number();
    } else if constexpr (chosen == shape::divide) {
      constexpr auto divisor = number();
      if constexpr (pick(Seed, 1, 4) != 0 || expr::is_zero<std::remove_const_t<decltype(divisor)>>)
        return left / positive(divisor);
      else
        return left / divisor;
    } else if constexpr (chosen == shape::min) {
      return min(left, same());
    } else if constexpr (chosen == shape::max) {
      return max(left, same());
    } else if constexpr (chosen == shape::positive_part) {
      return positive_part(left - same());
    } else if constexpr (chosen == shape::select) {
      return select(random_of<mixed(Seed, 3), Depth - 1, Kinds, Where, count>(), left, same());
    } else if constexpr (chosen == shape::ceil) {
      return ceil(left);
    } else if constexpr (chosen == shape::floor) {
      return floor(left);
    } else if constexpr (chosen == shape::log2) {
      return log2(positive(left));
    } else if constexpr (chosen == shape::whole_power) {
      constexpr int exponent = pick(Seed, 1, 5);
      if constexpr (exponent == 0 && Kinds.logarithms_and_powers)
        return pow(positive(left), 0_n - 2_n);
      else if constexpr (exponent == 1 && Kinds.logarithms_and_powers)
        return pow(left, 0_n - 1_n);
      else if constexpr (exponent == 2)
        return pow(left, 3_n);
      else
        return pow(left, 2_n);
    } else if constexpr (chosen == shape::pow) {
      if constexpr (pick(Seed, 1, 3) == 0)
        return pow(non_negative(left) + 0.25_n, min(2.5_n, number()));
      else
        return pow(non_negative(left), one_exponent<pick(Seed, 2, 4)>());
    } else if constexpr (chosen == shape::call) {
      return efficiency(non_negative(left));
    } else {
      return contention(left, number());
    }
  }
}

/// Half of them are counts.
template <std::uint64_t Seed, int Depth, expression_kinds Kinds> consteval auto random_of_some_dimension() {
  constexpr int dimension = pick(Seed, 7, 8);
  if constexpr (dimension == 0)
    return random_of<Seed, Depth, Kinds, place{}, unit::byte_dimension>();
  else if constexpr (dimension == 1)
    return random_of<Seed, Depth, Kinds, place{}, unit::time_dimension>();
  else if constexpr (dimension == 2)
    return random_of<Seed, Depth, Kinds, place{}, unit::bandwidth_dimension>();
  else if constexpr (dimension == 3)
    return random_of<Seed, Depth, Kinds, place{}, unit::flop_dimension>();
  else
    return random_of<Seed, Depth, Kinds, place{}, unit::count_dimension>();
}

/// Not inlined, so that a long list of expressions is many small functions, not one that takes minutes to optimise.
template <class Visit, class Expression>
[[gnu::noinline]] void visit_expression(Visit const& visit, Expression expression, std::uint64_t seed) {
  visit(expression, seed);
}

}  // namespace detail

/// The expression of a seed, with up to `Depth` operations above each symbol (and a few more where signs need them).
template <std::uint64_t Seed, int Depth, expression_kinds Kinds = everything>
constexpr auto random_expression = detail::random_of_some_dimension<detail::mixed(Seed, 11), Depth, Kinds>();

/// Calls `visit(expression, seed)` for the expressions of `Count` seeds from `First` on.
template <int Count, int Depth, expression_kinds Kinds = everything, std::uint64_t First = 1, class Visit>
void for_each_random_expression(Visit const& visit) {
  [&]<int... Index>(std::integer_sequence<int, Index...>) {
    (detail::visit_expression(visit, random_expression<First + static_cast<std::uint64_t>(Index), Depth, Kinds>,
                              First + static_cast<std::uint64_t>(Index)),
     ...);
  }(std::make_integer_sequence<int, Count>{});
}

}  // namespace support
