#pragma once
#include <concepts>
#include <limits>
#include <utility>

#include <shardplan/config.hpp>
#include <shardplan/expr/environment.hpp>
#include <shardplan/expr/function.hpp>
#include <shardplan/expr/math.hpp>
#include <shardplan/expr/operation.hpp>
#include <shardplan/expr/read.hpp>

/// The reading "interval": some symbols are known, of others only a range; the result encloses every value that the
/// expression can take. This is the bound that branch and bound prunes with.
namespace shardplan::expr {

/// All numbers from `low` to `high`, both included.
template <std::floating_point Number> struct interval {
  Number low{};
  Number high{};

  constexpr interval() = default;
  constexpr interval(Number point) : low(point), high(point) {}
  constexpr interval(Number from, Number to) : low(from), high(to) {}

  constexpr bool contains(Number value) const { return low <= value && value <= high; }
};

namespace detail {

/// One rounding changes a result by at most half of this share; ends are moved outwards by the whole.
template <class Number> inline constexpr Number outward = std::numeric_limits<Number>::epsilon();
/// A library function is taken to be right to four units in the last place, at an end of the range and at the value
/// that is compared with it.
template <class Number> inline constexpr Number of_function = 8 * outward<Number>;

template <class Number> SHARDPLAN_FORCE_INLINE constexpr Number magnitude(Number value) {
  return value < 0 ? -value : value;
}
template <class Number> constexpr interval<Number> careful_product(interval<Number> left, interval<Number> right);

/// A low end that overflowed says "at least the largest number", not "infinity only"; a high end alike.
template <class Number> SHARDPLAN_FORCE_INLINE constexpr Number low_end(Number low) {
  return minimum(low, std::numeric_limits<Number>::max());
}
template <class Number> SHARDPLAN_FORCE_INLINE constexpr Number high_end(Number high) {
  return maximum(high, std::numeric_limits<Number>::lowest());
}

template <class Number> SHARDPLAN_FORCE_INLINE constexpr interval<Number> widened(Number low, Number high) {
  // Where the ends are finite, which is nearly always, nothing is cut.
  if (!(high - low <= std::numeric_limits<Number>::max())) {
    low = low_end(low);
    high = high_end(high);
  }
  return {low - magnitude(low) * outward<Number>, high + magnitude(high) * outward<Number>};
}
/// The same, of ends that are not negative.
template <class Number>
SHARDPLAN_FORCE_INLINE constexpr interval<Number> widened_non_negative(Number low, Number high) {
  return {low_end(low) * (1 - outward<Number>), high * (1 + outward<Number>)};
}

/// 0 * infinity is 0 here: an end at infinity stands for numbers that are large, not for infinity itself.
template <class Number> constexpr Number product(Number left, Number right) {
  return left == 0 || right == 0 ? Number(0) : left * right;
}
/// A large number over a larger one; the other corners have the other extremes.
template <class Number> constexpr Number quotient(Number left, Number right) {
  constexpr Number infinity = std::numeric_limits<Number>::infinity();
  return right == infinity || right == -infinity ? Number(0) : left / right;
}
/// Ends moved outwards by `slack` of their size.
template <class Number> constexpr interval<Number> widened_by(Number slack, Number low, Number high) {
  low = low_end(low);
  high = high_end(high);
  auto const magnitude = [](Number value) { return value < 0 ? -value : value; };
  return {low - magnitude(low) * slack, high + magnitude(high) * slack};
}

}  // namespace detail

template <class Number> constexpr interval<Number> operator+(interval<Number> left, interval<Number> right) {
  return detail::widened(left.low + right.low, left.high + right.high);
}
template <class Number> constexpr interval<Number> operator-(interval<Number> left, interval<Number> right) {
  return detail::widened(left.low - right.high, left.high - right.low);
}
template <class Number>
SHARDPLAN_FORCE_INLINE constexpr interval<Number> operator*(interval<Number> left, interval<Number> right) {
  if (!std::is_constant_evaluated()) {
    Number const a = left.low * right.low, b = left.low * right.high;
    Number const c = left.high * right.low, d = left.high * right.high;
    Number const low = minimum(minimum(a, b), minimum(c, d)), high = maximum(maximum(a, b), maximum(c, d));
    // Extremes may lose a product that is no number; a sum does not.
    Number const all = (a + b) + (c + d);
    if (all - all == 0)
      return detail::widened(low, high);
  }
  return detail::careful_product(left, right);
}
namespace detail {
template <class Number> constexpr interval<Number> careful_product(interval<Number> left, interval<Number> right) {
  Number const a = product(left.low, right.low), b = product(left.low, right.high);
  Number const c = product(left.high, right.low), d = product(left.high, right.high);
  return widened(minimum(minimum(a, b), minimum(c, d)), maximum(maximum(a, b), maximum(c, d)));
}
}  // namespace detail
/// A divisor that may be zero gives all numbers.
template <class Number> constexpr interval<Number> operator/(interval<Number> left, interval<Number> right) {
  constexpr Number infinity = std::numeric_limits<Number>::infinity();
  if (right.low <= 0 && right.high >= 0)
    return {-infinity, infinity};
  using detail::quotient;
  Number const a = quotient(left.low, right.low), b = quotient(left.low, right.high);
  Number const c = quotient(left.high, right.low), d = quotient(left.high, right.high);
  return detail::widened(minimum(minimum(a, b), minimum(c, d)), maximum(maximum(a, b), maximum(c, d)));
}
template <class Number> constexpr interval<Number> minimum(interval<Number> left, interval<Number> right) {
  return {minimum(left.low, right.low), minimum(left.high, right.high)};
}
template <class Number> constexpr interval<Number> maximum(interval<Number> left, interval<Number> right) {
  return {maximum(left.low, right.low), maximum(left.high, right.high)};
}
template <class Number> constexpr interval<Number> ceiling(interval<Number> operand) {
  return {ceiling(operand.low), ceiling(operand.high)};
}
template <class Number> constexpr interval<Number> floor_of(interval<Number> operand) {
  return {floor_of(operand.low), floor_of(operand.high)};
}
/// Of an operand that may be zero or less, from minus infinity on.
template <class Number> constexpr interval<Number> logarithm2(interval<Number> operand) {
  constexpr Number infinity = std::numeric_limits<Number>::infinity();
  constexpr Number slack = detail::of_function<Number>;
  Number const high = operand.high > 0 ? logarithm2(operand.high) : -infinity;
  Number const low = operand.low > 0 ? logarithm2(operand.low) : -infinity;
  return detail::widened_by(slack, low, high);
}
/// Of a base that is not negative: the ends are at corners, as exponent * log(base) is. The library function is taken
/// to be right to four units in the last place.
template <class Number> constexpr interval<Number> power(interval<Number> base, interval<Number> exponent) {
  constexpr Number slack = detail::of_function<Number>;
  Number const from = maximum(base.low, Number(0));
  Number const a = power(from, exponent.low), b = power(from, exponent.high);
  Number const c = power(base.high, exponent.low), d = power(base.high, exponent.high);
  return detail::widened_by(slack, minimum(minimum(a, b), minimum(c, d)), maximum(maximum(a, b), maximum(c, d)));
}
/// A whole power: one of the ends, or zero where an even power passes through it.
template <int Exponent, class Number> constexpr interval<Number> whole_power_of(interval<Number> base) {
  if constexpr (Exponent < 0) {
    return interval<Number>(Number(1)) / whole_power_of<-Exponent>(base);
  } else {
    Number const a = whole_power_of<Exponent>(base.low), b = whole_power_of<Exponent>(base.high);
    Number const low = minimum(a, b), high = maximum(a, b);
    bool const through_zero = Exponent % 2 == 0 && base.low < 0 && base.high > 0;
    // Every squaring rounds once and doubles what was there; 2 * Exponent covers them.
    constexpr Number slack = 2 * Exponent * detail::outward<Number>;
    return detail::widened_by(slack, through_zero ? Number(0) : low, high);
  }
}
/// Both branches where the condition is not decided.
template <class Number>
constexpr interval<Number> choose(interval<Number> condition, interval<Number> value, interval<Number> otherwise) {
  if (condition.low > 0)
    return value;
  if (!(condition.high > 0))
    return otherwise;
  return {minimum(value.low, otherwise.low), maximum(value.high, otherwise.high)};
}

namespace detail {

template <class Node> inline constexpr bool of_non_negative_operands = false;
template <class Operation, class... Operands>
inline constexpr bool of_non_negative_operands<node<Operation, Operands...>> = (non_negative<Operands> && ...);

template <class Number, class Value> constexpr interval<Number> as_interval(Value const& value) {
  return {static_cast<Number>(value)};
}
template <class Number, class Value> constexpr interval<Number> as_interval(interval<Value> const& value) {
  return {static_cast<Number>(value.low), static_cast<Number>(value.high)};
}

}  // namespace detail

/// Reads intervals. Where the types say that no operand is negative a product takes two multiplications, not four.
template <class Environment, class Number = double> class interval_reader {
 public:
  using value_type = interval<Number>;
  using number_type = Number;

  constexpr explicit interval_reader(Environment const& environment) : environment_(environment) {}

  constexpr Environment const& environment() const { return environment_; }
  template <class Inner> constexpr interval_reader<Inner, Number> in(Inner const& inner) const {
    return interval_reader<Inner, Number>{inner};
  }

  template <class Literal> SHARDPLAN_FORCE_INLINE constexpr value_type literal() const {
    // A ratio of whole numbers is rounded once.
    constexpr Number value = Literal::template value<Number>;
    constexpr bool whole = Literal::denominator == 1;
    return whole ? value_type{value} : detail::widened(value, value);
  }
  template <class Tag> SHARDPLAN_FORCE_INLINE constexpr value_type symbol() const {
    return detail::as_interval<Number>(value_of<Tag>(environment_));
  }
  template <class Node, class... Operands>
  SHARDPLAN_FORCE_INLINE constexpr value_type apply(Operands const&... operands) const {
    using applied = typename Node::operation;
    if constexpr (detail::of_non_negative_operands<Node> && std::same_as<applied, operation::multiply>)
      return multiply(operands...);
    else if constexpr (detail::of_non_negative_operands<Node> && std::same_as<applied, operation::divide>)
      return divide(operands...);
    else if constexpr (detail::of_non_negative_operands<Node> && std::same_as<applied, operation::add>)
      return add(operands...);
    else if constexpr (detail::of_non_negative_operands<Node> && requires { requires applied::exponent < 0; })
      return divide(value_type(Number(1)), whole_power_of<-applied::exponent>(operands)...);
    else if constexpr (non_negative<Node> && std::same_as<applied, operation::subtract>)
      return clipped(applied{}(operands...));
    else
      return applied{}(operands...);
  }
  /// What the function encloses, or its values at the ends of its operands where its tag says how it moves.
  template <class Node, class... Operands>
  SHARDPLAN_FORCE_INLINE constexpr value_type call(Operands const&... operands) const {
    using tag = typename Node::tag;
    auto const& callable = value_of<tag>(environment_);
    value_type result;
    if constexpr (requires { callable.enclose(operands...); }) {
      result = callable.enclose(operands...);
    } else {
      static_assert(monotone_function<tag>,
                    "interval reading: a function needs enclose(interval...) or monotone directions in its tag");
      auto const [from, to] = [&]<std::size_t... Index>(std::index_sequence<Index...>) {
        static_assert(((tag::directions[Index] != direction::unknown) && ...),
                      "interval reading: a function that moves in an unknown direction needs enclose(interval...)");
        return std::pair{callable((tag::directions[Index] == direction::up ? operands.low : operands.high)...),
                         callable((tag::directions[Index] == direction::up ? operands.high : operands.low)...)};
      }(std::make_index_sequence<tag::arity>{});
      result = {static_cast<Number>(from), static_cast<Number>(to)};
    }
    // Where the function has no value at an end, as at infinity, nothing is known on that side.
    constexpr Number infinity = std::numeric_limits<Number>::infinity();
    if (result.low != result.low)
      result.low = non_negative<Node> ? Number(0) : -infinity;
    if (result.high != result.high)
      result.high = infinity;
    return detail::widened_by(detail::of_function<Number>, result.low, result.high);
  }

 private:
  /// A difference that its type says is not negative.
  static constexpr value_type clipped(value_type value) { return {maximum(value.low, Number(0)), value.high}; }

  static constexpr value_type add(value_type left, value_type right) {
    return detail::widened_non_negative(left.low + right.low, left.high + right.high);
  }
  static constexpr value_type multiply(value_type left, value_type right) {
    return detail::widened_non_negative(detail::product(left.low, right.low), detail::product(left.high, right.high));
  }
  static constexpr value_type divide(value_type left, value_type right) {
    constexpr Number infinity = std::numeric_limits<Number>::infinity();
    // 0 / 0 has no value; zero over smaller and smaller numbers is zero.
    Number const low = left.low > 0 ? detail::quotient(left.low, right.high) : Number(0);
    Number const high = right.low > 0 ? left.high / right.low : infinity;
    return detail::widened_non_negative(low, high);
  }

  Environment const& environment_;
};

namespace detail {

/// How often the ends of a formula are rounded on the longest way to its value, where it is made of sums, products,
/// quotients, extremes and operands that are not negative; -1 for other formulas. Relative errors of such formulas only
/// add up, so that it is enough to widen the result.
template <class Expression> inline constexpr int roundings = -1;
template <long long Numerator, long long Denominator, class Dimension>
inline constexpr int roundings<literal<Numerator, Denominator, Dimension>> =
    Numerator < 0 ? -1 : (Denominator == 1 ? 0 : 1);
template <class Tag> inline constexpr int roundings<symbol<Tag>> = non_negative<symbol<Tag>> ? 0 : -1;
constexpr int larger(int left, int right) { return left < 0 || right < 0 ? -1 : (left < right ? right : left); }
constexpr int one_more(int left) { return left < 0 ? -1 : left + 1; }
constexpr int together(int left, int right) { return left < 0 || right < 0 ? -1 : left + right + 1; }
template <class Left, class Right>
inline constexpr int roundings<node<operation::add, Left, Right>> = one_more(larger(roundings<Left>, roundings<Right>));
template <class Left, class Right>
inline constexpr int roundings<node<operation::multiply, Left, Right>> = together(roundings<Left>, roundings<Right>);
template <class Left, class Right>
inline constexpr int roundings<node<operation::divide, Left, Right>> = together(roundings<Left>, roundings<Right>);
template <class Left, class Right>
inline constexpr int roundings<node<operation::min, Left, Right>> = larger(roundings<Left>, roundings<Right>);
template <class Left, class Right>
inline constexpr int roundings<node<operation::max, Left, Right>> = larger(roundings<Left>, roundings<Right>);

/// Reads such formulas: two numbers instead of one, and no widening.
template <class Environment, class Number> class plain_interval_reader {
 public:
  using value_type = interval<Number>;

  constexpr explicit plain_interval_reader(Environment const& environment) : environment_(environment) {}

  template <class Literal> SHARDPLAN_FORCE_INLINE constexpr value_type literal() const {
    return {Literal::template value<Number>};
  }
  template <class Tag> SHARDPLAN_FORCE_INLINE constexpr value_type symbol() const {
    return as_interval<Number>(value_of<Tag>(environment_));
  }
  template <class Node>
  SHARDPLAN_FORCE_INLINE constexpr value_type apply(value_type const& left, value_type const& right) const {
    typename Node::operation const operation{};
    if constexpr (std::same_as<typename Node::operation, operation::divide>)
      return {operation(left.low, right.high), operation(left.high, right.low)};
    else
      return {operation(left.low, right.low), operation(left.high, right.high)};
  }

 private:
  Environment const& environment_;
};

}  // namespace detail

/// Formulas of costs are read without widening and widened once; where an end is no number, or has overflowed, they are
/// read again with care.
template <class Operation, class... Operands, class Environment, class Number>
SHARDPLAN_FORCE_INLINE constexpr auto read(node<Operation, Operands...>,
                                           interval_reader<Environment, Number> const& reader) {
  using formula = node<Operation, Operands...>;
  if constexpr (detail::roundings<formula> >= 0) {
    // In a constant expression a division by zero would be an error.
    if (!std::is_constant_evaluated()) {
      constexpr Number slack = static_cast<Number>(detail::roundings<formula>) * detail::outward<Number>;
      auto const plain = read(formula{}, detail::plain_interval_reader<Environment, Number>{reader.environment()});
      if (plain.low <= plain.high && plain.low <= std::numeric_limits<Number>::max())
        return interval<Number>{plain.low * (1 - slack), plain.high * (1 + slack)};
    }
  }
  return reader.template apply<formula>(read(Operands{}, reader)...);
}

/// What an expression can be when symbols are bound to numbers or to `interval`s. Every value that the number reading
/// can give for numbers in the ranges lies in it. Symbols declared positive or non-negative must be bound accordingly.
template <class Number = double, expression Expression, class Environment>
SHARDPLAN_FORCE_INLINE constexpr interval<Number> enclose(Expression expression, Environment const& environment) {
  return read(expression, interval_reader<Environment, Number>{environment});
}

}  // namespace shardplan::expr
