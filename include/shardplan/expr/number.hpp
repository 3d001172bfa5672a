#pragma once
#include <shardplan/expr/environment.hpp>
#include <shardplan/expr/read.hpp>
#include <shardplan/unit/quantity.hpp>

namespace shardplan::expr {

/// The reading "number": one configuration, constexpr.
template <class Environment, class Number = double> class number_reader : public arithmetic_reader<Number> {
 public:
  constexpr explicit number_reader(Environment const& environment) : environment_(environment) {}

  template <class Literal> SHARDPLAN_FORCE_INLINE constexpr Number literal() const {
    return Literal::template value<Number>;
  }
  template <class Tag> SHARDPLAN_FORCE_INLINE constexpr Number symbol() const {
    return static_cast<Number>(value_of<Tag>(environment_));
  }

 private:
  Environment const& environment_;
};

/// The value of an expression under an environment, with its dimension.
template <class Number = double, expression Expression, class Environment>
SHARDPLAN_FORCE_INLINE constexpr auto evaluate(Expression expression, Environment const& environment) {
  number_reader<Environment, Number> const reader{environment};
  return unit::quantity<typename Expression::dimension, Number>{read(expression, reader)};
}

}  // namespace shardplan::expr
