#pragma once
#include <shardplan/config.hpp>
#include <shardplan/expr/expression.hpp>
#include <shardplan/expr/math.hpp>

/// The operations of the language. Each says what dimension and sign its result has and what it does to values of any
/// reading; a reader that needs something else (text) overrides it by the operation's type.
namespace shardplan::expr::operation {

struct divide;

namespace detail {
template <class Left, class Right> inline constexpr bool is_share_of_others = false;
template <class Whole>
inline constexpr bool is_share_of_others<literal<1>, node<divide, literal<1>, Whole>> =
    Whole::sign == expr::sign::at_least_one;
// Class templates rather than aliases: a pack does not expand into the named parameters of an alias.
template <class First, class...> struct dimension_of_first {
  using type = typename First::dimension;
};
template <class, class Second, class> struct dimension_of_second {
  using type = typename Second::dimension;
};
template <class Left, class Right> struct dimension_of_product {
  using type = unit::product_dimension<typename Left::dimension, typename Right::dimension>;
};
template <int Exponent, class Operand> struct dimension_of_power {
  using of = typename Operand::dimension;
  using type = unit::dimension<of::byte * Exponent, of::flop * Exponent, of::second * Exponent>;
};
template <class Left, class Right> struct dimension_of_quotient {
  using type = unit::quotient_dimension<typename Left::dimension, typename Right::dimension>;
};
template <class Left, class Right> inline constexpr bool is_number_of_others = false;
template <class Left>
inline constexpr bool is_number_of_others<Left, literal<1>> = Left::sign == expr::sign::at_least_one;
}  // namespace detail

struct add {
  static constexpr const char* name = "+";
  template <class... Operands> using dimension = typename detail::dimension_of_first<Operands...>::type;
  static constexpr expr::sign sign_of(expr::sign left, expr::sign right) { return sign_of_sum(left, right); }
  template <class Value> SHARDPLAN_FORCE_INLINE constexpr Value operator()(Value left, Value right) const {
    return left + right;
  }
};

struct subtract {
  static constexpr const char* name = "-";
  template <class... Operands> using dimension = typename detail::dimension_of_first<Operands...>::type;
  static constexpr expr::sign sign_of(expr::sign, expr::sign) { return expr::sign::any; }
  /// 1 - 1/n and n - 1 are not negative where n is at least one.
  template <class Left, class Right> static constexpr expr::sign sign_for() {
    return detail::is_share_of_others<Left, Right> || detail::is_number_of_others<Left, Right>
               ? expr::sign::non_negative
               : expr::sign::any;
  }
  template <class Value> SHARDPLAN_FORCE_INLINE constexpr Value operator()(Value left, Value right) const {
    return left - right;
  }
};

struct multiply {
  static constexpr const char* name = "*";
  template <class... Operands> using dimension = typename detail::dimension_of_product<Operands...>::type;
  static constexpr expr::sign sign_of(expr::sign left, expr::sign right) { return sign_of_product(left, right); }
  template <class Value> SHARDPLAN_FORCE_INLINE constexpr Value operator()(Value left, Value right) const {
    return left * right;
  }
};

struct divide {
  static constexpr const char* name = "/";
  template <class... Operands> using dimension = typename detail::dimension_of_quotient<Operands...>::type;
  static constexpr expr::sign sign_of(expr::sign left, expr::sign right) { return sign_of_quotient(left, right); }
  template <class Value> SHARDPLAN_FORCE_INLINE constexpr Value operator()(Value left, Value right) const {
    return left / right;
  }
};

struct min {
  static constexpr const char* name = "min";
  template <class... Operands> using dimension = typename detail::dimension_of_first<Operands...>::type;
  static constexpr expr::sign sign_of(expr::sign left, expr::sign right) { return sign_of_minimum(left, right); }
  template <class Value> SHARDPLAN_FORCE_INLINE constexpr Value operator()(Value left, Value right) const {
    return minimum(left, right);
  }
};

struct max {
  static constexpr const char* name = "max";
  template <class... Operands> using dimension = typename detail::dimension_of_first<Operands...>::type;
  static constexpr expr::sign sign_of(expr::sign left, expr::sign right) { return sign_of_maximum(left, right); }
  template <class Value> SHARDPLAN_FORCE_INLINE constexpr Value operator()(Value left, Value right) const {
    return maximum(left, right);
  }
};

/// Smallest whole number not below the operand.
struct ceil {
  static constexpr const char* name = "ceil";
  template <class... Operands> using dimension = typename detail::dimension_of_first<Operands...>::type;
  static constexpr expr::sign sign_of(expr::sign operand) {
    return operand == expr::sign::positive ? expr::sign::at_least_one : operand;
  }
  template <class Value> SHARDPLAN_FORCE_INLINE constexpr Value operator()(Value operand) const {
    return ceiling(operand);
  }
};

/// Largest whole number not above the operand.
struct floor {
  static constexpr const char* name = "floor";
  template <class... Operands> using dimension = typename detail::dimension_of_first<Operands...>::type;
  static constexpr expr::sign sign_of(expr::sign operand) {
    return operand == expr::sign::positive ? expr::sign::non_negative : operand;
  }
  template <class Value> SHARDPLAN_FORCE_INLINE constexpr Value operator()(Value operand) const {
    return floor_of(operand);
  }
};

struct log2 {
  static constexpr const char* name = "log2";
  template <class... Operands> using dimension = typename detail::dimension_of_first<Operands...>::type;
  static constexpr expr::sign sign_of(expr::sign operand) {
    return operand == expr::sign::at_least_one ? expr::sign::non_negative : expr::sign::any;
  }
  template <class Value> SHARDPLAN_FORCE_INLINE constexpr Value operator()(Value operand) const {
    return logarithm2(operand);
  }
};

/// The operand to a whole power, by repeated squaring in every reading.
template <int Exponent> struct whole_power {
  static constexpr const char* name = "pow";
  static constexpr int exponent = Exponent;
  template <class... Operands> using dimension = typename detail::dimension_of_power<Exponent, Operands...>::type;
  static constexpr expr::sign sign_of(expr::sign operand) {
    if (operand == expr::sign::any)
      return Exponent % 2 == 0 ? expr::sign::non_negative : expr::sign::any;
    return Exponent < 0 ? sign_of_quotient(expr::sign::positive, operand) : operand;
  }
  template <class Value> SHARDPLAN_FORCE_INLINE constexpr Value operator()(Value operand) const {
    return whole_power_of<Exponent>(operand);
  }
};

/// The first operand to the power of the second.
struct pow {
  static constexpr const char* name = "pow";
  template <class... Operands> using dimension = typename detail::dimension_of_first<Operands...>::type;
  static constexpr expr::sign sign_of(expr::sign base, expr::sign exponent) {
    return exponent == expr::sign::any ? expr::detail::weaker(base, expr::sign::positive) : base;
  }
  template <class Value> SHARDPLAN_FORCE_INLINE constexpr Value operator()(Value base, Value exponent) const {
    return power(base, exponent);
  }
};

/// max(0, operand).
struct positive_part {
  static constexpr const char* name = "positive_part";
  template <class... Operands> using dimension = typename detail::dimension_of_first<Operands...>::type;
  static constexpr expr::sign sign_of(expr::sign operand) { return sign_of_maximum(operand, expr::sign::non_negative); }
  template <class Value> SHARDPLAN_FORCE_INLINE constexpr Value operator()(Value operand) const {
    return maximum(operand, Value(0));
  }
};

/// The second operand where the first is above zero, else the third.
struct select {
  static constexpr const char* name = "select";
  template <class... Operands> using dimension = typename detail::dimension_of_second<Operands...>::type;
  static constexpr expr::sign sign_of(expr::sign, expr::sign value, expr::sign otherwise) {
    return sign_of_minimum(value, otherwise);
  }
  template <class Value>
  SHARDPLAN_FORCE_INLINE constexpr Value operator()(Value condition, Value value, Value otherwise) const {
    return choose(condition, value, otherwise);
  }
};

}  // namespace shardplan::expr::operation
