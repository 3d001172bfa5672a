#pragma once
#include <shardplan/config.hpp>
#include <shardplan/expr/expression.hpp>
#include <shardplan/expr/math.hpp>

/// The operations of the language. Each says what dimension and sign its result has and what it does to values of any
/// reading; a reader that needs something else (text) overrides it by the operation's type.
namespace shardplan::expr::operation {

namespace detail {
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
template <class Left, class Right> struct dimension_of_quotient {
  using type = unit::quotient_dimension<typename Left::dimension, typename Right::dimension>;
};
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
  static constexpr expr::sign sign_of(expr::sign operand) { return operand; }
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
  static constexpr expr::sign sign_of(expr::sign) { return expr::sign::any; }
  template <class Value> SHARDPLAN_FORCE_INLINE constexpr Value operator()(Value operand) const {
    return logarithm2(operand);
  }
};

/// max(0, operand).
struct positive_part {
  static constexpr const char* name = "positive_part";
  template <class... Operands> using dimension = typename detail::dimension_of_first<Operands...>::type;
  static constexpr expr::sign sign_of(expr::sign operand) {
    return operand == expr::sign::positive ? expr::sign::positive : expr::sign::non_negative;
  }
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
