#pragma once
#include <shardplan/expr/record.hpp>
#include <shardplan/expr/simplify/equation.hpp>
#include <shardplan/expr/simplify/walk.hpp>
#include <shardplan/expr/simplify/write.hpp>

/// `simplify`: the same value in a form whose interval reading is tight. See
/// docs/explanation/simplification.md.
namespace shardplan::expr {

namespace simplification {

/// The symbols from `first` on become atoms, by name.
constexpr void add_symbols(sums& into, symbol_list const& symbols, int first) {
  list<int> order(symbols.found.count + 1);
  for (int index = first; index < symbols.found.count; ++index)
    order.push(index);
  sort(order, 0, order.count,
       [&](int left, int right) { return name_before(symbols.found.item[left].name, symbols.found.item[right].name); });
  for (int index = 0; index < order.count; ++index)
    into.atom_for(symbols.found.item[order.item[index]], [](atom const&) { return false; });
  into.end_of_symbols = 2 * into.atoms.count * place_size;
}

template <class Equation> consteval void add_equation(sums& into) {
  chain known{into};
  walk<typename Equation::right>::multiply(into, known, 0, 1);
  int const right = known.take_monomial();
  for (int index = 0; index < into.monomials.item[right].factors; ++index)
    into.equations.set_known(atom_of(into.factor_at(right, index)));
  chain left{into};
  walk<typename Equation::left>::multiply(into, left, 0, 1);
  int const monomial = into.product(left.take_monomial(), into.power(right, -1));
  list<int> exponents(into.equations.symbols() + 1);
  for (int symbol = 0; symbol < into.equations.symbols(); ++symbol)
    exponents.push(0);
  for (int index = 0; index < into.monomials.item[monomial].factors; ++index)
    exponents.item[atom_of(into.factor_at(monomial, index))] = exponent_of(into.factor_at(monomial, index));
  into.equations.add(exponents);
}

template <int Steps, int Arguments, class Expression, class... Equations>
consteval program<Steps, Arguments> simplified_steps() {
  sums values;
  symbol_list symbols;
  [[maybe_unused]] int position = parts<Expression>::count;
  ((parts<Equations>::add_symbols(symbols, position), position += parts<Equations>::count), ...);
  int const in_equations = symbols.found.count;
  add_symbols(values, symbols, 0);
  parts<Expression>::add_symbols(symbols, 0);
  add_symbols(values, symbols, in_equations);
  values.equations.begin(in_equations);
  (add_equation<Equations>(values), ...);
  values.equations.use(true);
  int const result = walk_sum<Expression>(values, 0);
  steps written;
  written.finish(writer(values, written).write_sum(result, 0));
  return written.copied<Steps, Arguments>();
}

template <class Expression, class... Equations> struct simplified {
  static constexpr int guess = 64 + 2 * parts<Expression>::count;
  static constexpr auto first_try = simplified_steps<guess, 2 * guess, Expression, Equations...>();
  static constexpr bool fits = first_try.steps_used <= guess && first_try.arguments_used <= 2 * guess;
  static constexpr auto const& all_steps() {
    if constexpr (fits)
      return first_try;
    else
      return second_try<>;
  }
  template <int Steps = first_try.steps_used, int Arguments = first_try.arguments_used>
  static constexpr auto second_try = simplified_steps<Steps, Arguments, Expression, Equations...>();

  static constexpr auto const& steps = all_steps();
  /// The sides of equations follow the expression.
  template <int Position> using given = node_at<Position, Expression, Equations...>;
  using type = made_t<simplified, steps.steps_used - 1>;
};

}  // namespace simplification

/// The same value, up to rounding, wherever the value and the equations hold.
template <expression Expression, class... Left, class... Right>
constexpr auto simplify(Expression, equation_of<Left, Right>...) {
  static_assert(sizeof...(Left) <= 3, "simplify: at most three equations");
  return typename simplification::simplified<Expression, equation_of<Left, Right>...>::type{};
}

/// Each entry of a record on its own.
template <class... Tags, class... Expressions, class... Left, class... Right>
constexpr auto simplify(record<entry<Tags, Expressions>...>, equation_of<Left, Right>... equations) {
  return make_record(define(symbol<Tags>{}, simplify(Expressions{}, equations...))...);
}

}  // namespace shardplan::expr
