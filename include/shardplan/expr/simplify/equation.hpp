#pragma once
#include <shardplan/expr/operation.hpp>
#include <shardplan/expr/symbol.hpp>

/// What is known to be equal where an expression is read: products of symbols, such as `equation(t * p * d, N)`.
namespace shardplan::expr {

namespace simplification {
template <class Type> inline constexpr bool is_product_of_symbols = false;
template <class Tag>
inline constexpr bool is_product_of_symbols<symbol<Tag>> = implies(Tag::sign, expr::sign::positive);
template <class Left, class Right>
inline constexpr bool is_product_of_symbols<node<operation::multiply, Left, Right>> =
    is_product_of_symbols<Left> && is_product_of_symbols<Right>;
template <class Left, class Right>
inline constexpr bool is_product_of_symbols<node<operation::divide, Left, Right>> =
    is_product_of_symbols<Left> && is_product_of_symbols<Right>;
template <int Exponent, class Base>
inline constexpr bool is_product_of_symbols<node<operation::whole_power<Exponent>, Base>> = is_product_of_symbols<Base>;
}  // namespace simplification

/// A product, quotient or whole power of symbols that are positive.
template <class Type>
concept product_of_symbols = expression<Type> && simplification::is_product_of_symbols<Type>;

/// Says that two products of symbols have the same value. What varies stands on the left, what is given on the right.
template <class Left, class Right> struct equation_of {
  using left = Left;
  using right = Right;
};

template <product_of_symbols Left, product_of_symbols Right>
  requires same_dimension<Left, Right>
constexpr equation_of<Left, Right> equation(Left, Right) {
  return {};
}
struct sides_must_be_products_of_positive_symbols_of_the_same_dimension;
template <expression Left, expression Right>
  requires(!(product_of_symbols<Left> && product_of_symbols<Right> && same_dimension<Left, Right>))
sides_must_be_products_of_positive_symbols_of_the_same_dimension equation(Left, Right) = delete;

}  // namespace shardplan::expr
