#pragma once
#include <concepts>
#include <cstddef>

#include <shardplan/expr/environment.hpp>
#include <shardplan/expr/read.hpp>

/// Functions that the environment gives, as it gives the values of symbols: a measured curve, a table, a formula of the
/// user's. The expression knows the dimensions of operands and result, its sign, and in which direction it moves.
namespace shardplan::expr {

/// How a function moves when an operand grows.
enum class direction { unknown, up, down };

/// Base of a function's tag: dimensions of the result and of the operands, and sign of the result. A tag adds `name`
/// and `meaning`, and may add `static constexpr direction directions[]`, one for each operand.
template <class Result, sign Sign, class... Operands> struct function_tag {
  using dimension = Result;
  static constexpr expr::sign sign = Sign;
  static constexpr std::size_t arity = sizeof...(Operands);
  template <class... Given>
  static constexpr bool takes = requires { requires(std::same_as<Operands, typename Given::dimension> && ...); };
};

template <class Tag>
concept function_description = requires {
  typename Tag::dimension;
  { Tag::sign } -> std::convertible_to<sign>;
  { Tag::arity } -> std::convertible_to<std::size_t>;
  { Tag::name } -> std::convertible_to<const char*>;
  { Tag::meaning } -> std::convertible_to<const char*>;
};

/// The tag says for each operand in which direction the function moves.
template <class Tag>
concept monotone_function = function_description<Tag> && requires { Tag::directions[0]; } &&
                            sizeof(Tag::directions) == Tag::arity * sizeof(direction);

template <class Tag, expression... Operands> struct call_node : expression_base {
  using tag = Tag;
  using dimension = typename Tag::dimension;
  static constexpr expr::sign sign = Tag::sign;
};

/// Operands of the number and dimensions that the function takes.
template <class Tag, class... Operands>
concept takes_operands = sizeof...(Operands) == Tag::arity && Tag::template takes<Operands...>;

struct operands_must_have_the_number_and_dimensions_that_the_function_takes;

/// A function in formulas: `f(s, h)` calls it, `f = callable` binds it in an environment. What the callable must offer
/// depends on the reading: numbers in and out; for intervals `enclose(interval...)`, or monotone directions in the tag;
/// for dual numbers `slopes(number...)`, an array of the derivatives by the operands.
template <function_description Tag> struct function {
  using tag = Tag;

  template <expression... Operands>
    requires takes_operands<Tag, Operands...>
  constexpr auto operator()(Operands...) const {
    return call_node<Tag, Operands...>{};
  }
  template <expression... Operands>
    requires(!takes_operands<Tag, Operands...>)
  operands_must_have_the_number_and_dimensions_that_the_function_takes operator()(Operands...) const = delete;

  template <class Callable> constexpr binding<Tag, Callable> operator=(Callable callable) const { return {callable}; }
};

template <reading Reader, class Tag, class... Operands>
SHARDPLAN_FORCE_INLINE constexpr auto read(call_node<Tag, Operands...>, Reader const& reader) {
  return reader.template call<call_node<Tag, Operands...>>(read(Operands{}, reader)...);
}

}  // namespace shardplan::expr
