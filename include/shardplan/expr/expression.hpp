#pragma once
#include <concepts>
#include <type_traits>

#include <shardplan/expr/sign.hpp>
#include <shardplan/unit/dimension.hpp>

/// Expressions are empty types: the formula is the type. An expression knows its dimension and its sign; what it is
/// read as (number, column, text, ...) is decided by the reader that walks it.
namespace shardplan::expr {

/// Base of all expressions, so that their operators are found by argument-dependent lookup.
struct expression_base {};

// The base by a trait: `std::derived_from` also asks for a conversion, which takes longer to compile.
template <class Type>
concept expression = std::is_base_of_v<expression_base, Type> && std::is_empty_v<Type> &&
                     requires { typename Type::dimension; } && std::same_as<decltype(Type::sign), expr::sign const>;

template <class Left, class Right>
concept same_dimension = std::same_as<typename Left::dimension, typename Right::dimension>;

template <class Type>
concept dimensionless = std::same_as<typename Type::dimension, unit::count_dimension>;

template <class Type>
concept non_negative = Type::sign != sign::any;

/// The number Numerator / Denominator with a dimension. Part of the formula: never a fitted or catalogue figure, those
/// are symbols.
template <long long Numerator, long long Denominator = 1, class Dimension = unit::count_dimension>
struct literal : expression_base {
  static_assert(Denominator > 0, "literal: the denominator must be positive");
  using dimension = Dimension;
  static constexpr expr::sign sign = Numerator >= Denominator ? expr::sign::at_least_one
                                     : Numerator > 0          ? expr::sign::positive
                                     : Numerator == 0         ? expr::sign::non_negative
                                                              : expr::sign::any;
  static constexpr long long numerator = Numerator;
  static constexpr long long denominator = Denominator;
  template <class Number>
  static constexpr Number value = static_cast<Number>(Numerator) / static_cast<Number>(Denominator);
};

namespace detail {
/// What an operation knows about its result; some look at the operands themselves, not at their signs only.
template <class Operation, class... Operands> constexpr expr::sign sign_of_node() {
  if constexpr (requires { Operation::template sign_for<Operands...>(); })
    return Operation::template sign_for<Operands...>();
  else
    return Operation::sign_of(Operands::sign...);
}
}  // namespace detail

/// An operation applied to expressions.
template <class Operation, expression... Operands> struct node : expression_base {
  using operation = Operation;
  using dimension = typename Operation::template dimension<Operands...>;
  static constexpr expr::sign sign = detail::sign_of_node<Operation, Operands...>();
};

template <class Type> inline constexpr bool is_literal = false;
template <long long Numerator, long long Denominator, class Dimension>
inline constexpr bool is_literal<literal<Numerator, Denominator, Dimension>> = true;

/// The literal 0, of any dimension.
template <class Type> inline constexpr bool is_zero = false;
template <long long Denominator, class Dimension>
inline constexpr bool is_zero<literal<0, Denominator, Dimension>> = true;

/// The dimensionless literal 1.
template <class Type> inline constexpr bool is_one = false;
template <> inline constexpr bool is_one<literal<1, 1, unit::count_dimension>> = true;

}  // namespace shardplan::expr
