#pragma once
#include <shardplan/expr/environment.hpp>
#include <shardplan/expr/read.hpp>
#include <shardplan/unit/quantity.hpp>

namespace shardplan::expr {

/// The reading "number": one configuration, constexpr.
template <class Environment, class Number = double> class number_reader : public arithmetic_reader<Number> {
 public:
  using number_type = Number;
  using operates = number_reader;

  constexpr explicit number_reader(Environment const& environment) : environment_(environment) {}

  constexpr Environment const& environment() const { return environment_; }
  template <class Inner> constexpr number_reader<Inner, Number> in(Inner const& inner) const {
    return number_reader<Inner, Number>{inner};
  }

  template <class Literal> SHARDPLAN_FORCE_INLINE constexpr Number literal() const {
    return Literal::template value<Number>;
  }
  template <class Tag> SHARDPLAN_FORCE_INLINE constexpr Number symbol() const {
    return static_cast<Number>(value_of<Tag>(environment_));
  }
  template <class Node, class... Operands>
  SHARDPLAN_FORCE_INLINE constexpr Number call(Operands const&... operands) const {
    return static_cast<Number>(value_of<typename Node::tag>(environment_)(operands...));
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
