#pragma once
#include <concepts>

#include <shardplan/expr/record.hpp>
#include <shardplan/expr/substitute.hpp>

/// The inverse of `substitute`: what several records have in common gets a name, so that it is read once and the others
/// find it in their environment.
namespace shardplan::expr {

namespace detail {
/// The symbol of the entry with this expression, or the expression.
template <class Expression> constexpr auto named(Expression expression, record<>) { return expression; }
template <class Expression, class First, class... More>
constexpr auto named(Expression expression, record<First, More...>) {
  if constexpr (std::same_as<Expression, typename First::expression_type>)
    return symbol<typename First::tag>{};
  else
    return named(expression, record<More...>{});
}
template <class Record, class Expression> inline constexpr bool names = false;
template <class... Entries, class Expression>
inline constexpr bool names<record<Entries...>, Expression> =
    (std::same_as<typename Entries::expression_type, Expression> || ...);
}  // namespace detail

/// The expression with every part that is the expression of an entry replaced by the entry's symbol.
template <class Expression, class... Entries> constexpr auto share(Expression expression, record<Entries...> common) {
  return detail::named(expression, common);
}
template <class Operation, class... Operands, class... Entries>
constexpr auto share(node<Operation, Operands...> whole, record<Entries...> common) {
  if constexpr (detail::names<record<Entries...>, node<Operation, Operands...>>)
    return detail::named(whole, common);
  else
    return node<Operation, decltype(share(Operands{}, common))...>{};
}
template <class... Of, class... Entries> constexpr auto share(record<Of...>, record<Entries...> common) {
  return make_record(define(symbol<typename Of::tag>{}, share(typename Of::expression_type{}, common))...);
}
template <class... Records, class... Entries> constexpr auto share(sequence<Records...>, record<Entries...> common) {
  return in_sequence(share(Records{}, common)...);
}

}  // namespace shardplan::expr
