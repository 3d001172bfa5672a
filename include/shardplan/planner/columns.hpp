#pragma once
#include <concepts>
#include <span>
#include <type_traits>

#include <shardplan/expr/column.hpp>
#include <shardplan/expr/environment.hpp>
#include <shardplan/expr/sequence.hpp>
#include <shardplan/expr/tag_list.hpp>

/// Environments of columns that mirror environments of numbers.
namespace shardplan::planner {

namespace detail {

template <class Environment, class Number, class Tags> struct some_as_columns;
template <class... Bound, class Number, class Tags>
struct some_as_columns<expr::environment<expr::binding<Bound, double>...>, Number, Tags> {
  using type = expr::environment<
      expr::binding<Bound, std::conditional_t<expr::lists<Tags, Bound>, expr::column<Number>, double>>...>;
};
template <class Environment, class Number> struct all_as_columns;
template <class... Bound, class Number>
struct all_as_columns<expr::environment<expr::binding<Bound, double>...>, Number> {
  using type = expr::environment<expr::binding<Bound, expr::column<Number>>...>;
};
template <class Environment, class Number> struct all_as_results;
template <class... Bound, class Number>
struct all_as_results<expr::environment<expr::binding<Bound, double>...>, Number> {
  using type = expr::environment<expr::binding<Bound, std::span<Number>>...>;
};

template <class... Left, class... Right>
expr::environment<Left..., Right...> joined_type(expr::environment<Left...>, expr::environment<Right...>);

template <class Tag, class From, class Value>
constexpr void copy_number(From const& from, expr::binding<Tag, Value>& to) {
  if constexpr (std::same_as<Value, double> && expr::binds<From, Tag>)
    to.value = static_cast<double>(expr::value_of<Tag>(from));
}
template <class Tag, class Number>
constexpr void view_result(expr::binding<Tag, std::span<Number>> const& from,
                           expr::binding<Tag, expr::column<Number>>& to) {
  to.value = {from.value};
}

}  // namespace detail

/// The environment type with columns of `Number` for these tags, numbers for the others.
template <class Number, class Environment, class Tags>
using with_columns_of = typename detail::some_as_columns<Environment, Number, Tags>::type;
/// The environment type with columns for all tags.
template <class Environment, class Number = double>
using as_columns = typename detail::all_as_columns<Environment, Number>::type;
/// The environment type with places for results for all tags.
template <class Environment, class Number = double>
using as_results = typename detail::all_as_results<Environment, Number>::type;
/// The environment type with the bindings of both.
template <class Left, class Right>
using joined = decltype(detail::joined_type(std::declval<Left>(), std::declval<Right>()));

/// Sets one symbol of an environment to a column.
template <class Tag, class Environment, class Number>
void set_column(Environment& environment, std::span<Number> values) {
  using number = std::remove_const_t<Number>;
  static_cast<expr::binding<Tag, expr::column<number>>&>(environment).value = {values};
}

namespace detail {
template <class Tag, class From, class Value> void copy_column(From const& from, expr::binding<Tag, Value>& to) {
  if constexpr (expr::binds<From, Tag>)
    if constexpr (!std::same_as<Value, double> &&
                  std::same_as<std::remove_cvref_t<decltype(expr::value_of<Tag>(from))>, Value>)
      to.value = expr::value_of<Tag>(from);
}
}  // namespace detail

/// Copies the columns that both bind.
template <class From, class... Bindings> void copy_columns(From const& from, expr::environment<Bindings...>& to) {
  (detail::copy_column(from, static_cast<Bindings&>(to)), ...);
}

/// Copies the numbers of the tags that both bind, and that `to` binds to a number.
template <class From, class... Bindings>
constexpr void copy_numbers(From const& from, expr::environment<Bindings...>& to) {
  (detail::copy_number(from, static_cast<Bindings&>(to)), ...);
}

/// Columns that view results.
template <class... Tags, class Number, class To>
constexpr void view_results(expr::environment<expr::binding<Tags, std::span<Number>>...> const& from, To& to) {
  (detail::view_result(static_cast<expr::binding<Tags, std::span<Number>> const&>(from),
                       static_cast<expr::binding<Tags, expr::column<Number>>&>(to)),
   ...);
}

/// Gives every tag of an environment of results its place: `next()` returns one after the other.
template <class... Tags, class Number, class Next>
constexpr void place_results(expr::environment<expr::binding<Tags, std::span<Number>>...>& results, Next&& next) {
  ((static_cast<expr::binding<Tags, std::span<Number>>&>(results).value = next()), ...);
}

/// Sets all results to a number.
template <class... Tags, class Number>
void fill(std::size_t count, expr::environment<expr::binding<Tags, std::span<Number>>...> const& results,
          double number) {
  auto const fill_one = [=](std::span<Number> values) {
    for (std::size_t index = 0; index < count; ++index)
      values[index] = static_cast<Number>(number);
  };
  (fill_one(expr::value_of<Tags>(results)), ...);
}

/// Reads a record or a sequence into all places of `results`. `count` is at least the width of a pack.
template <class Expressions, class Environment, class... Tags, class Number>
void evaluate_into(Expressions expressions, Environment const& environment, std::size_t count,
                   expr::environment<expr::binding<Tags, std::span<Number>>...> const& results) {
  expr::evaluate_packs(count, expressions, environment,
                       expr::into(expr::symbol<Tags>{}, expr::value_of<Tags>(results))...);
}
/// Reads two records of the same environment together, so that what they have in common is read once.
template <class... First, class... Second, class Environment, class... FirstTags, class... SecondTags, class Number>
void evaluate_into(expr::record<First...> first, expr::record<Second...> second, Environment const& environment,
                   std::size_t count,
                   expr::environment<expr::binding<FirstTags, std::span<Number>>...> const& first_results,
                   expr::environment<expr::binding<SecondTags, std::span<Number>>...> const& second_results) {
  expr::evaluate_packs(count, environment,
                       expr::target<decltype(expr::expression_of<FirstTags>(first)), Number>{
                           expr::value_of<FirstTags>(first_results)}...,
                       expr::target<decltype(expr::expression_of<SecondTags>(second)), Number>{
                           expr::value_of<SecondTags>(second_results)}...);
}

}  // namespace shardplan::planner
