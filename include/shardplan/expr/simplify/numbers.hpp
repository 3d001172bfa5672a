#pragma once
#include <shardplan/expr/simplify/facts.hpp>

namespace shardplan::expr::simplification {

/// Numbers that are at least one: where k - k/n is k * (1 - 1/n), known not to be negative.
class numbers : public facts {
 public:
  /// A product of numbers that are at least one, or 0.
  struct number {
    int monomial;
    /// Seen only after an exchange by equations.
    bool exchanged;
  };

  constexpr bool is_number(int monomial) {
    simplification::monomial const of = monomials.item[monomial];
    for (int index = 0; index < of.factors; ++index)
      if (exponent_of(factor_at(monomial, index)) < 0)
        return false;
    return of.factors > 0 && sign_of(monomial) == expr::sign::at_least_one;
  }
  /// whole / part, if that is such a number.
  constexpr number number_between(int whole, int part) {
    bool exchanged = false;
    if (!may_be_number(whole, part, exchanged) || (exchanged && !equations.in_use()))
      return {0, false};
    int const shared = common(whole, part);
    int const above = without(whole, shared), below = without(part, shared);
    int const quotient = product(above, power(below, -1));
    if (is_number(quotient))
      return {quotient, exchanged};
    if (exchanged || !equations.in_use())
      return {0, false};
    equations_aside const aside{equations};
    int const plain = product(above, power(below, -1));
    return {is_number(plain) ? plain : 0, false};
  }

  /// Whether whole / part is a number, where only symbols that can be exchanged are counted as if they were.
  constexpr bool may_be_number(int whole, int part, bool& exchanged) const {
    monomial const of = monomials.item[whole], other = monomials.item[part];
    factor const *at = factors.item + of.first_factor, *divisor = factors.item + other.first_factor;
    factor const *const end = at + of.factors, *const divisor_end = divisor + other.factors;
    while (at != end || divisor != divisor_end) {
      bool const above = divisor == divisor_end || (at != end && (*at < *divisor || same_place(*at, *divisor)));
      bool const below = at == end || (divisor != divisor_end && (*divisor < *at || same_place(*at, *divisor)));
      factor const next = above ? *at : *divisor;
      int const exponent = (above ? exponent_of(*at) : 0) - (below ? exponent_of(*divisor) : 0);
      at += above;
      divisor += below;
      if (exponent == 0 || (exponent > 0 && atoms.item[atom_of(next)].sign == expr::sign::at_least_one))
        continue;
      if (next >= equations.end_of_places)
        return false;
      exchanged = true;
    }
    return dimension_of_monomial(whole) == dimension_of_monomial(part);
  }

  /// One that is seen without an exchange; of a term that varies; smaller; one that the term has as a factor (n - 1
  /// rather than 1 - 1/n); the first by name.
  constexpr bool better_number(int whole, number found, int other_whole, number other) {
    if (found.exchanged != other.exchanged)
      return !found.exchanged;
    if (bool const known = is_known(whole), other_known = is_known(other_whole); known != other_known)
      return !known;
    if (int const degree = degree_of(found.monomial), other_degree = degree_of(other.monomial); degree != other_degree)
      return degree < other_degree;
    bool const contained = common(whole, found.monomial) == found.monomial;
    bool const other_contained = common(other_whole, other.monomial) == other.monomial;
    return contained != other_contained ? contained : factor_at(found.monomial, 0) < factor_at(other.monomial, 0);
  }
  constexpr bool is_known(int monomial) const {
    factor const* const first = factors.item + monomials.item[monomial].first_factor;
    return equations.all_known(first, first + monomials.item[monomial].factors);
  }
};

}  // namespace shardplan::expr::simplification
