#pragma once
#include <concepts>

#include <shardplan/expr/environment.hpp>
#include <shardplan/expr/number.hpp>

namespace shardplan::expr {

/// One named result of a record: the symbol `Tag` stands for the expression.
template <class Tag, expression Expression> struct entry {
  static_assert(std::same_as<typename Tag::dimension, typename Expression::dimension>,
                "record entry: the symbol and its expression must have the same dimension");
  using tag = Tag;
  using expression_type = Expression;
};

/// Several expressions that are read together. Reading one gives an environment that binds each entry's symbol, so that
/// the results of one record are the inputs of the next.
template <class... Entries> struct record {};

template <class Tag, expression Expression> constexpr entry<Tag, Expression> define(symbol<Tag>, Expression) {
  return {};
}
template <class... Entries> constexpr record<Entries...> make_record(Entries...) { return {}; }

/// The records' entries one after the other.
template <class... Left, class... Right>
constexpr record<Left..., Right...> operator+(record<Left...>, record<Right...>) {
  return {};
}

/// All entries for one configuration.
template <class Number = double, class... Entries, class Environment>
constexpr auto evaluate(record<Entries...>, Environment const& environment) {
  number_reader<Environment, Number> const reader{environment};
  return expr::environment<binding<typename Entries::tag, Number>...>{
      binding<typename Entries::tag, Number>{read(typename Entries::expression_type{}, reader)}...};
}

namespace detail {
template <class Tag, class Expression> constexpr Expression entry_expression(entry<Tag, Expression>) { return {}; }
template <class... Entries> struct entry_set : Entries... {};
}  // namespace detail

/// The expression that a record gives to a symbol.
template <class Tag, class... Entries> constexpr auto expression_of(record<Entries...>) {
  return detail::entry_expression<Tag>(detail::entry_set<Entries...>{});
}

/// The value that an environment, such as what reading a record gives, binds to a symbol.
template <class Tag, class Environment> constexpr auto get(Environment const& environment) {
  return value_of<Tag>(environment);
}

/// Calls `visit(entry)` for each entry, in order.
template <class... Entries, class Visit> constexpr void for_each_entry(record<Entries...>, Visit&& visit) {
  (visit(Entries{}), ...);
}

}  // namespace shardplan::expr
