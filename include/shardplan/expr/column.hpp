#pragma once
#include <cstddef>
#include <span>

#include <shardplan/expr/environment.hpp>
#include <shardplan/expr/read.hpp>

namespace shardplan::expr {

/// Values of one symbol for a block of configurations, viewed. A symbol bound to a plain number has the same value in
/// all.
template <class Number> struct column {
  Number const* values;
};

namespace detail {
template <class Number, class Value> SHARDPLAN_FORCE_INLINE constexpr Number element(Value const& value, std::size_t) {
  return static_cast<Number>(value);
}
template <class Number, class Value>
SHARDPLAN_FORCE_INLINE constexpr Number element(column<Value> const& value, std::size_t index) {
  return static_cast<Number>(value.values[index]);
}
}  // namespace detail

/// Reads configuration `index` of an environment whose values are numbers or columns.
template <class Environment, class Number> class column_reader : public arithmetic_reader<Number> {
 public:
  constexpr column_reader(Environment const& environment, std::size_t index)
      : environment_(environment), index_(index) {}

  template <class Literal> SHARDPLAN_FORCE_INLINE constexpr Number literal() const {
    return Literal::template value<Number>;
  }
  template <class Tag> SHARDPLAN_FORCE_INLINE constexpr Number symbol() const {
    return detail::element<Number>(value_of<Tag>(environment_), index_);
  }

 private:
  Environment const& environment_;
  std::size_t index_;
};

/// The reading "column": the value of an expression for each of `result.size()` configurations. Every column in the
/// environment must hold at least as many values.
template <class Number, expression Expression, class Environment>
constexpr void evaluate_column(Expression expression, Environment const& environment, std::span<Number> result) {
  // A copy on the stack: the optimiser then knows that writing results changes no input.
  Environment const values = environment;
  for (std::size_t index = 0; index < result.size(); ++index)
    result[index] = read(expression, column_reader<Environment, Number>{values, index});
}

}  // namespace shardplan::expr
