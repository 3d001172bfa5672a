#pragma once
#include <cstddef>
#include <type_traits>

#include <shardplan/expr/operators.hpp>
#include <shardplan/expr/record.hpp>
#include <shardplan/expr/substitute.hpp>
#include <shardplan/expr/tag_list.hpp>

/// `group<Tags...>(expression)`: the same value, grouped for reading columns. `Tags` are the symbols that differ
/// between configurations. Every product becomes a coefficient, which a loop computes once, times a monomial in those
/// symbols, which terms share; terms of a sum with the same monomial are added up by coefficient; a maximum of terms
/// with the same monomial is a maximum of coefficients. Sums are not multiplied out, and no divisor is new.
namespace shardplan::expr {

namespace grouping {

/// A product of factors over a product of factors, each in canonical order: symbols in the order of `Tags`, then other
/// expressions as they come.
template <class Above, class Below> struct monomial {};
/// Coefficient times monomial.
template <class Coefficient, class Monomial> struct term {};
template <class... Terms> struct terms {};
template <class... Types> struct factors {};

using one = literal<1>;
using nothing = monomial<factors<>, factors<>>;

/// Whether an expression differs between configurations.
template <class List, class Expression> inline constexpr bool varies = true;
template <class List, long long Numerator, long long Denominator, class Dimension>
inline constexpr bool varies<List, literal<Numerator, Denominator, Dimension>> = false;
template <class... Tags, class Tag>
inline constexpr bool varies<tag_list<Tags...>, symbol<Tag>> = lists<tag_list<Tags...>, Tag>;
template <class List, class Operation, class... Operands>
inline constexpr bool varies<List, node<Operation, Operands...>> = (varies<List, Operands> || ...);

/// The place of a factor in a monomial.
template <class List, class Factor> inline constexpr std::size_t rank = 1000;
template <class... Tags, class Tag>
inline constexpr std::size_t rank<tag_list<Tags...>, symbol<Tag>> = [] {
  std::size_t position = 0;
  static_cast<void>(((std::same_as<Tag, Tags> ? true : (++position, false)) || ...));
  return position;
}();

template <class... Tags> struct grouped_by {
  using list = tag_list<Tags...>;

  // ---- monomials

  template <class Factor> static constexpr factors<Factor> with(Factor, factors<>) { return {}; }
  template <class Factor, class First, class... More>
  static constexpr auto with(Factor added, factors<First, More...>) {
    if constexpr (rank<list, Factor> < rank<list, First>)
      return factors<Factor, First, More...>{};
    else
      return []<class... Rest>(factors<Rest...>) { return factors<First, Rest...>{}; }(with(added, factors<More...>{}));
  }
  template <class... Right> static constexpr factors<Right...> merged(factors<>, factors<Right...> right) {
    return right;
  }
  template <class First, class... More, class... Right>
  static constexpr auto merged(factors<First, More...>, factors<Right...> right) {
    return merged(factors<More...>{}, with(First{}, right));
  }

  template <class Coefficient, class Above, class Below, class OtherCoefficient, class OtherAbove, class OtherBelow>
  static constexpr auto product(term<Coefficient, monomial<Above, Below>>,
                                term<OtherCoefficient, monomial<OtherAbove, OtherBelow>>) {
    return term<decltype(Coefficient{} * OtherCoefficient{}),
                monomial<decltype(merged(OtherAbove{}, Above{})), decltype(merged(OtherBelow{}, Below{}))>>{};
  }
  template <class Coefficient, class Above, class Below, class OtherCoefficient, class OtherAbove, class OtherBelow>
  static constexpr auto quotient(term<Coefficient, monomial<Above, Below>>,
                                 term<OtherCoefficient, monomial<OtherAbove, OtherBelow>>) {
    return term<decltype(Coefficient{} / OtherCoefficient{}),
                monomial<decltype(merged(OtherBelow{}, Above{})), decltype(merged(OtherAbove{}, Below{}))>>{};
  }

  // ---- terms written as expressions

  template <class... Above, class... Below>
  static constexpr auto written(monomial<factors<Above...>, factors<Below...>>) {
    return (one{} * ... * Above{}) / (one{} * ... * Below{});
  }
  template <class Coefficient, class Monomial> static constexpr auto written(term<Coefficient, Monomial>) {
    return Coefficient{} * written(Monomial{});
  }
  template <class First, class... More> static constexpr auto written(terms<First, More...>) {
    return (written(First{}) + ... + written(More{}));
  }

  // ---- sums

  template <class Monomial, class Coefficient> static constexpr auto added(terms<>, term<Coefficient, Monomial>) {
    return terms<term<Coefficient, Monomial>>{};
  }
  template <class Coefficient, class Monomial, class First, class FirstMonomial, class... More>
  static constexpr auto added(terms<term<First, FirstMonomial>, More...>, term<Coefficient, Monomial>) {
    if constexpr (std::same_as<Monomial, FirstMonomial>)
      return terms<term<decltype(First{} + Coefficient{}), Monomial>, More...>{};
    else
      return []<class... Rest>(terms<Rest...>) {
        return terms<term<First, FirstMonomial>, Rest...>{};
      }(added(terms<More...>{}, term<Coefficient, Monomial>{}));
  }
  template <class... Left> static constexpr terms<Left...> sum(terms<Left...> left, terms<>) { return left; }
  template <class... Left, class First, class... More>
  static constexpr auto sum(terms<Left...> left, terms<First, More...>) {
    return sum(added(left, First{}), terms<More...>{});
  }
  template <class... Coefficients, class... Monomials>
  static constexpr auto negated(terms<term<Coefficients, Monomials>...>) {
    return terms<term<decltype(literal<-1>{} * Coefficients{}), Monomials>...>{};
  }

  // ---- expressions as sums of terms

  template <class Expression> static constexpr auto opaque(Expression) {
    return terms<term<one, monomial<factors<Expression>, factors<>>>>{};
  }
  template <class Expression> static constexpr auto split(Expression expression) {
    if constexpr (!varies<list, Expression>)
      return terms<term<Expression, nothing>>{};
    else
      return opaque(expression);
  }
  template <class Left, class Right> static constexpr auto split(node<operation::add, Left, Right>) {
    return sum(split(Left{}), split(Right{}));
  }
  template <class Left, class Right> static constexpr auto split(node<operation::subtract, Left, Right>) {
    // The type knows that such a difference is not negative; that of a sum of terms would not.
    if constexpr (non_negative<node<operation::subtract, Left, Right>>)
      return difference(Left{}, Right{});
    else
      return sum(split(Left{}), negated(split(Right{})));
  }
  template <class Left, class Right> static constexpr auto difference(Left left, Right right) {
    if constexpr (varies<list, decltype(left - right)>)
      return opaque(written(split(left)) - written(split(right)));
    else
      return terms<term<decltype(left - right), nothing>>{};
  }
  template <class Left, class Right> static constexpr auto split(node<operation::multiply, Left, Right>) {
    return multiplied(split(Left{}), split(Right{}));
  }
  template <class Left, class Right> static constexpr auto split(node<operation::divide, Left, Right>) {
    return divided(split(Left{}), split(Right{}));
  }
  template <class Left, class Right> static constexpr auto split(node<operation::max, Left, Right>) {
    return chosen(split(Left{}), split(Right{}), [](auto left, auto right) { return max(left, right); });
  }
  template <class Left, class Right> static constexpr auto split(node<operation::min, Left, Right>) {
    return chosen(split(Left{}), split(Right{}), [](auto left, auto right) { return min(left, right); });
  }
  template <class Condition, class Value, class Otherwise>
  static constexpr auto split(node<operation::select, Condition, Value, Otherwise>) {
    constexpr auto condition = written(split(Condition{}));
    auto const choose = [](auto value, auto otherwise) { return select(decltype(condition){}, value, otherwise); };
    if constexpr (varies<list, Condition>)
      return opaque(choose(written(split(Value{})), written(split(Otherwise{}))));
    else if constexpr (is_zero<Otherwise>)
      return chosen_or_nothing(split(Value{}), choose);
    else
      return chosen(split(Value{}), split(Otherwise{}), choose);
  }
  template <class Operation, class... Operands> static constexpr auto split(node<Operation, Operands...>) {
    return split_plain(detail::rebuilt(Operation{}, written(split(Operands{}))...));
  }
  template <class Expression> static constexpr auto split_plain(Expression expression) {
    if constexpr (varies<list, Expression>)
      return opaque(expression);
    else
      return terms<term<Expression, nothing>>{};
  }

  // A coefficient that all terms share goes into each of them.
  template <class... Left, class Coefficient>
  static constexpr auto multiplied(terms<Left...>, terms<term<Coefficient, nothing>>) {
    return terms<decltype(product(Left{}, term<Coefficient, nothing>{}))...>{};
  }
  template <class Coefficient, class First, class Second, class... More>
  static constexpr auto multiplied(terms<term<Coefficient, nothing>>, terms<First, Second, More...>) {
    return terms<decltype(product(term<Coefficient, nothing>{}, First{})),
                 decltype(product(term<Coefficient, nothing>{}, Second{})),
                 decltype(product(term<Coefficient, nothing>{}, More{}))...>{};
  }
  template <class... Left, class... Right>
  static constexpr auto multiplied(terms<Left...> left, terms<Right...> right) {
    return terms<decltype(product(single(left), single(right)))>{};
  }
  template <class... Left, class Coefficient>
  static constexpr auto divided(terms<Left...>, terms<term<Coefficient, nothing>>) {
    return terms<decltype(quotient(Left{}, term<Coefficient, nothing>{}))...>{};
  }
  template <class... Left, class... Right> static constexpr auto divided(terms<Left...> left, terms<Right...> right) {
    return terms<decltype(quotient(single(left), single(right)))>{};
  }

  /// A sum as one term: itself where it has one, else a factor of its own.
  template <class Only> static constexpr auto single(terms<Only>) { return Only{}; }
  template <class First, class Second, class... More>
  static constexpr auto single(terms<First, Second, More...> several) {
    return term<one, monomial<factors<decltype(written(several))>, factors<>>>{};
  }

  /// max, min and select of terms with the same monomial concern their coefficients.
  template <class Left, class Right, class Monomial, class Choose>
  static constexpr auto chosen(terms<term<Left, Monomial>>, terms<term<Right, Monomial>>, Choose choose) {
    if constexpr (non_negative<decltype(written(Monomial{}))>)
      return terms<term<decltype(choose(Left{}, Right{})), Monomial>>{};
    else
      return opaque(choose(written(term<Left, Monomial>{}), written(term<Right, Monomial>{})));
  }
  template <class... Left, class... Right, class Choose>
  static constexpr auto chosen(terms<Left...> left, terms<Right...> right, Choose choose) {
    return opaque(choose(written(left), written(right)));
  }
  template <class... Coefficients, class... Monomials, class Choose>
  static constexpr auto chosen_or_nothing(terms<term<Coefficients, Monomials>...>, Choose choose) {
    return terms<
        term<decltype(choose(Coefficients{}, literal<0, 1, typename Coefficients::dimension>{})), Monomials>...>{};
  }
};

}  // namespace grouping

/// The expression grouped by the symbols with these tags.
template <class... Tags, expression Expression> constexpr auto group(Expression expression) {
  using by = grouping::grouped_by<Tags...>;
  return by::written(by::split(expression));
}

/// Every entry of a record grouped.
template <class... Tags, class... Entries> constexpr auto group(record<Entries...>) {
  return make_record(define(symbol<typename Entries::tag>{}, group<Tags...>(typename Entries::expression_type{}))...);
}

/// Grouped by the symbols of a list.
template <class Expressions, class... Tags> constexpr auto group(Expressions expressions, tag_list<Tags...>) {
  return group<Tags...>(expressions);
}

}  // namespace shardplan::expr
