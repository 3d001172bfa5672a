#pragma once
#include <shardplan/expr/simplify/sums.hpp>

namespace shardplan::expr::simplification {

/// A product that is being put together: a coefficient, factors that are pending, and sums. Sums are multiplied out
/// where all of their terms have one sign, so that cancelling and exchanging reach every term; where the signs differ
/// only if that cancels something, because x*(a - b) encloses less than x*a - x*b. Divisors and powers stay factors.
class chain {
 public:
  constexpr explicit chain(sums& in) : in_(in), mark_(in.pending.count) {}

  constexpr void times(ratio value, int exponent) {
    for (int left = exponent < 0 ? -exponent : exponent; left > 0; --left)
      times(exponent < 0 ? inverse(value) : value);
  }
  constexpr void times_atom(int index, int exponent) { in_.pending.push(in_.factor_of(index, exponent)); }
  /// Zero as a divisor stays what it is.
  constexpr void times_sum(int index, int exponent) {
    sum const of = in_.all.item[index];
    if (of.terms == 1) {
      term const only = in_.terms.item[of.first_term];
      times(only.coefficient, exponent);
      times_monomial(only.monomial, exponent);
    } else if (of.terms == 0 && exponent > 0) {
      coefficient_ = {0, 1};
    } else {
      factors_.push({index, exponent});
    }
  }

  /// The factors that are not sums, taken off.
  constexpr int take_monomial() { return in_.product_of_pending(mark_); }

  /// Pushes the terms of the product.
  constexpr void push() {
    int monomial = in_.product_of_pending(mark_);
    if (coefficient_.numerator == 0)
      return;
    if (factors_.count == 1 && monomial == 0 && factors_.item[0].exponent == 1)
      return in_.push_sum(factors_.item[0].sum, coefficient_);
    cancel_divisors();
    monomial = in_.product(monomial, in_.product_of_pending(mark_));
    int const start = in_.stack.count;
    int terms = 1;
    // Factors that stay first, so that what is multiplied out takes them along.
    for (int index = 0; index < factors_.count; ++index) {
      part& next = factors_.item[index];
      if (next.exponent == 0)
        continue;
      int const made = next.exponent == 1 ? in_.all.item[next.sum].terms : 0;
      bool const out = made > 0 && terms * made <= sums::most_terms &&
                       (in_.has_one_sign(next.sum) || in_.cancels(next.sum, monomial));
      if (out)
        terms *= made;
      else
        monomial = in_.product(monomial, drawn_out(next));
      next.exponent = out ? 1 : 0;
    }
    int const apart = terms > 1 ? sums_of(monomial) : 0;
    in_.push_product(coefficient_, in_.without(monomial, apart));
    for (bool shares : {true, false})
      for (int index = 0; index < factors_.count; ++index)
        if (factors_.item[index].exponent == 1 && in_.has_shares(factors_.item[index].sum) == shares)
          multiply_out(start, factors_.item[index].sum, shares);
    if (apart != 0)
      in_.push_sum(in_.take_as_is(start, no_dimension), {1, 1}, apart);
  }

 private:
  struct part {
    int sum;
    int exponent;
  };

  constexpr void times(ratio value) {
    if (ratio product{}; multiply(coefficient_, value, product))
      coefficient_ = product;
    else {
      if (value.numerator < 0)
        coefficient_ = negative(coefficient_);
      in_.pending.push(in_.factor_of(in_.number_atom(magnitude(value)), 1));
    }
  }
  constexpr void times_monomial(int index, int exponent) {
    if (exponent != 1)
      index = in_.primitive(index);
    monomial const of = in_.monomials.item[index];
    for (int at = 0; at < of.factors; ++at) {
      factor const next = in_.factor_at(index, at);
      int const which = atom_of(next), power = exponent_of(next) * exponent;
      int const select =
          power != 1 && in_.atoms.item[which].is == kind::select ? in_.power_of_select(which, power) : -1;
      if (select >= 0)
        times_sum(select, 1);
      else
        in_.pending.push(in_.factor_of(which, power));
    }
  }

  /// A sum as a factor.
  constexpr int drawn_out(part of) {
    sums::drawn const drawn = in_.draw_out(of.sum);
    times(drawn.coefficient, of.exponent);
    times_monomial(drawn.monomial, of.exponent);
    in_.pending.push(in_.factor_of(drawn.atom, of.exponent));
    return in_.product_of_pending(mark_);
  }

  /// Equal sums above and below the line cancel where they are known not to be zero.
  constexpr void cancel_divisors() {
    for (int below = 0; below < factors_.count; ++below)
      for (int above = 0; above < factors_.count && factors_.item[below].exponent < 0; ++above)
        if (factors_.item[above].exponent > 0)
          cancel_divisor(above, below);
  }
  constexpr void cancel_divisor(int above, int below) {
    sums::drawn const from = in_.draw_out(factors_.item[above].sum), to = in_.draw_out(factors_.item[below].sum);
    if (from.atom != to.atom || !implies(in_.atoms.item[from.atom].sign, expr::sign::positive))
      return;
    int const exponent = factors_.item[above].exponent;
    times(from.coefficient, exponent);
    times(to.coefficient, -exponent);
    times_monomial(from.monomial, exponent);
    times_monomial(to.monomial, -exponent);
    factors_.item[below].exponent += exponent;
    factors_.item[above].exponent = 0;
  }

  /// With the terms that are there, n - 1 may be paired in another way.
  constexpr void multiply_out(int start, int sum, bool shares) {
    if (!shares)
      return in_.multiply_stack(start, sum);
    list<term> before(in_.stack.count - start);
    for (int index = start; index < in_.stack.count; ++index)
      before.push(in_.stack.item[index]);
    in_.multiply_stack(start, in_.without_shares(sum));
    if (in_.stack_has_one_sign(start))
      return;
    in_.stack.cut(start);
    for (int index = 0; index < before.count; ++index)
      in_.stack.push(before.item[index]);
    in_.multiply_stack(start, sum);
  }

  /// The factors that are sums, which multiplying out leaves alone.
  constexpr int sums_of(int monomial) {
    simplification::monomial const of = in_.monomials.item[monomial];
    for (int index = 0; index < of.factors; ++index)
      if (factor const next = in_.factor_at(monomial, index);
          next >= in_.end_of_symbols && in_.atoms.item[atom_of(next)].is == kind::sum && exponent_of(next) > 0)
        in_.pending.push(next);
    return in_.product_of_pending(mark_);
  }

  sums& in_;
  int mark_;
  ratio coefficient_{1, 1};
  list<part> factors_;
};

}  // namespace shardplan::expr::simplification
