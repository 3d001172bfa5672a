#pragma once
#include <shardplan/expr/environment.hpp>
#include <shardplan/expr/read.hpp>

/// `let(x, value, body)`: reads `value` once and gives it the name `x` in `body`.
namespace shardplan::expr {

template <class Tag, expression Value, expression Body> struct let_node : expression_base {
  using dimension = typename Body::dimension;
  static constexpr expr::sign sign = Body::sign;
};

/// A value that a symbol can stand for: of its dimension, and known to have its sign.
template <class Value, class Tag>
concept value_for = std::same_as<typename Value::dimension, typename Tag::dimension> && implies(Value::sign, Tag::sign);

template <class Tag, expression Value, expression Body>
  requires value_for<Value, Tag>
constexpr auto let(symbol<Tag>, Value, Body) {
  return let_node<Tag, Value, Body>{};
}
struct value_must_have_the_dimension_and_sign_of_its_symbol;
template <class Tag, expression Value, expression Body>
  requires(!value_for<Value, Tag>)
value_must_have_the_dimension_and_sign_of_its_symbol let(symbol<Tag>, Value, Body) = delete;

/// Readers that keep names (text) read the node themselves; the others find the value in a scope around their
/// environment.
template <reading Reader, class Tag, class Value, class Body>
SHARDPLAN_FORCE_INLINE constexpr auto read(let_node<Tag, Value, Body>, Reader const& reader) {
  if constexpr (requires { reader.template let<let_node<Tag, Value, Body>>(); }) {
    return reader.template let<let_node<Tag, Value, Body>>();
  } else {
    auto const value = read(Value{}, reader);
    environment const named{binding<Tag, std::remove_cv_t<decltype(value)>>{value}};
    scope const inner{named, reader.environment()};
    return read(Body{}, reader.in(inner));
  }
}

}  // namespace shardplan::expr
