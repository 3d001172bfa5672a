#pragma once
#include <shardplan/expr/simplify/order.hpp>

namespace shardplan::expr::simplification {

/// What is known of terms and sums: signs, numbers that are at least one, what terms share. Makes atoms of them.
class facts : public order_of_sums {
 public:
  /// Terms that are being put together.
  list<term> stack{256};

  // --- signs
  // ------------------------------------------------------------------------------------------------------------
  /// A sum that is a plain number.
  constexpr bool is_constant(int index, ratio& value) const {
    sum const of = all.item[index];
    if (!(of.dimension == no_dimension) || of.terms > 1 || (of.terms == 1 && terms.item[of.first_term].monomial != 0))
      return false;
    value = of.terms == 0 ? ratio{0, 1} : terms.item[of.first_term].coefficient;
    return true;
  }
  constexpr expr::sign sign_of_term(term of) {
    expr::sign const known = sign_of(of.monomial);
    if (of.coefficient.numerator < 0)
      return expr::sign::any;
    return of.coefficient.numerator < of.coefficient.denominator && known == expr::sign::at_least_one
               ? expr::sign::positive
               : known;
  }
  constexpr expr::sign sign_of_sum(int index) {
    sum const of = all.item[index];
    if (of.terms == 0)
      return expr::sign::non_negative;
    auto result = sign_of_term(terms.item[of.first_term]);
    for (int at = of.first_term + 1; at < of.first_term + of.terms; ++at)
      result = expr::sign_of_sum(result, sign_of_term(terms.item[at]));
    return result;
  }
  constexpr bool is_non_positive(int index) {
    sum const of = all.item[index];
    for (int at = of.first_term; at < of.first_term + of.terms; ++at)
      if (terms.item[at].coefficient.numerator > 0 || sign_of(terms.item[at].monomial) == expr::sign::any)
        return false;
    return true;
  }

  /// The terms are all known not to be negative, or all known not to be positive.
  constexpr bool has_one_sign(int index) {
    sum const of = all.item[index];
    bool const negative_first = of.terms > 0 && terms.item[of.first_term].coefficient.numerator < 0;
    for (int at = of.first_term; at < of.first_term + of.terms; ++at)
      if ((terms.item[at].coefficient.numerator < 0) != negative_first ||
          sign_of(terms.item[at].monomial) == expr::sign::any)
        return false;
    return true;
  }
  constexpr bool stack_has_one_sign(int mark) {
    bool const negative_first = stack.count > mark && stack.item[mark].coefficient.numerator < 0;
    for (int at = mark; at < stack.count; ++at)
      if ((stack.item[at].coefficient.numerator < 0) != negative_first ||
          sign_of(stack.item[at].monomial) == expr::sign::any)
        return false;
    return true;
  }

  // --- comparing
  // --------------------------------------------------------------------------------------------------------
  constexpr bool same_sum(int left, int right) const {
    sum const of = all.item[left], other = all.item[right];
    if (left == right)
      return true;
    if (of.terms != other.terms || !(of.dimension == other.dimension))
      return false;
    for (int index = 0; index < of.terms; ++index) {
      term const next = terms.item[of.first_term + index], next_other = terms.item[other.first_term + index];
      if (next.monomial != next_other.monomial || !(next.coefficient == next_other.coefficient))
        return false;
    }
    return true;
  }

  /// Any fixed order.
  constexpr bool before(int left, int right) const {
    sum const of = all.item[left], other = all.item[right];
    if (of.terms != other.terms)
      return of.terms < other.terms;
    for (int index = 0; index < of.terms; ++index) {
      term const next = terms.item[of.first_term + index], next_other = terms.item[other.first_term + index];
      if (next.monomial != next_other.monomial)
        return next.monomial < next_other.monomial;
      if (next.coefficient.numerator != next_other.coefficient.numerator)
        return next.coefficient.numerator < next_other.coefficient.numerator;
      if (next.coefficient.denominator != next_other.coefficient.denominator)
        return next.coefficient.denominator < next_other.coefficient.denominator;
    }
    return false;
  }
  constexpr bool never_above(int left, int right) {
    sum const of = all.item[left], other = all.item[right];
    if (of.terms == 0)
      return other.terms > 0 && implies(sign_of_sum(right), expr::sign::non_negative);
    if (other.terms == 0)
      return is_non_positive(left);
    if (of.terms != 1 || other.terms != 1)
      return false;
    term const small = terms.item[of.first_term], large = terms.item[other.first_term];
    if (small.monomial != large.monomial || sign_of(small.monomial) == expr::sign::any)
      return false;
    bool const down = small.coefficient.numerator < 0, other_down = large.coefficient.numerator < 0;
    if (down || other_down)
      return down && (!other_down || less(magnitude(large.coefficient), magnitude(small.coefficient)));
    return less(small.coefficient, large.coefficient);
  }

  /// Multiplied by a monomial, a term of the sum becomes simpler than the two are apart.
  constexpr bool cancels(int index, int monomial) {
    sum const of = all.item[index];
    if (monomial == 0)
      return false;
    int const degree = degree_of(monomial);
    for (int at = of.first_term; at < of.first_term + of.terms; ++at) {
      int const other = terms.item[at].monomial;
      if (degree_of(product(monomial, other)) < degree + degree_of(other))
        return true;
    }
    return false;
  }

  // --- atoms
  // ------------------------------------------------------------------------------------------------------------
  constexpr int number_atom(ratio value) {
    unsigned const hash = 7u + static_cast<unsigned>(value.numerator % 100'003) +
                          31u * static_cast<unsigned>(value.denominator % 100'003);
    atom made = plain_atom(kind::number, hash);
    made.number = value;
    made.sign = value.numerator >= value.denominator ? expr::sign::at_least_one : expr::sign::positive;
    return atom_for(made, [&](atom const& known) { return known.is == kind::number && known.number == value; });
  }

  /// 1 - 1/n for a monomial n.
  constexpr int share_atom(int monomial) {
    atom made = plain_atom(kind::share, 11u + static_cast<unsigned>(monomial));
    made.sign = expr::sign::non_negative;
    made.content = monomial;
    return atom_for(made, [&](atom const& known) { return known.is == kind::share && known.content == monomial; });
  }

  /// Any node that is not looked into: `like` says what is applied.
  constexpr int opaque_atom(atom like, int const* parts, int count) {
    like.is = kind::opaque;
    like.hash = static_cast<unsigned>(like.name != nullptr ? like.name[0] : 0);
    return with_operands(like, parts, count);
  }
  constexpr int with_operands(atom made, int const* parts, int count) {
    for (int index = 0; index < count; ++index) {
      sum const of = all.item[parts[index]];
      made.hash = made.hash * 37 + static_cast<unsigned>(of.terms);
      for (int at = of.first_term; at < of.first_term + of.terms; ++at)
        made.hash = made.hash * 31 + static_cast<unsigned>(terms.item[at].monomial);
    }
    made.first_operand = operands.count;
    made.operands = count;
    int const index = atom_for(made, [&](atom const& known) {
      if (known.is != made.is || known.identity != made.identity || known.operands != count ||
          !(known.dimension == made.dimension))
        return false;
      for (int part = 0; part < count; ++part)
        if (!same_sum(operands.item[known.first_operand + part], parts[part]))
          return false;
      return true;
    });
    if (atoms.item[index].first_operand == operands.count)
      for (int part = 0; part < count; ++part)
        operands.push(parts[part]);
    return index;
  }
  constexpr static atom plain_atom(kind is, unsigned hash) {
    return {is, expr::sign::any, no_dimension, nullptr, nullptr, -1, 0, 0, {1, 1}, 0, hash, -1};
  }
  constexpr int select_of(term of) const {
    int const node = sole_homogeneous(of.monomial);
    return node >= 0 && atoms.item[node].is == kind::select ? node : -1;
  }
  constexpr bool is_select_power(factor of) const {
    return exponent_of(of) >= 1 && atoms.item[atom_of(of)].is == kind::select;
  }

  /// Whether some term has a share, which multiplying out may find better use for.
  constexpr bool has_shares(int index) const {
    sum const of = all.item[index];
    for (int at = of.first_term; at < of.first_term + of.terms; ++at)
      if (monomials.item[terms.item[at].monomial].share >= 0)
        return true;
    return false;
  }

  // --- what terms share
  // -------------------------------------------------------------------------------------------------
  constexpr int content_of_node(int node) {
    atom const& of = atoms.item[node];
    if (of.content >= 0)
      return of.content;
    kind const is = of.is;
    int const first = of.first_operand + (is == kind::select), end = of.first_operand + of.operands;
    int result = -1;
    for (int at = first; at < end && result != 0; ++at) {
      int const part = operands.item[at];
      if (all.item[part].terms == 0)
        continue;
      int const next = content_of(part);
      result = result < 0 ? next : common(result, next);
    }
    result = result <= 0 ? 0 : is == kind::select ? result : non_negative_part(result);
    atoms.item[node].content = result;
    return result;
  }
  constexpr int content_of_term(int monomial) {
    int const node = sole_homogeneous(monomial);
    return node >= 0 ? content_of_node(node) : monomial;
  }

  /// The monomial that all terms of a sum share.
  constexpr int content_of(int index) {
    sum const of = all.item[index];
    if (of.terms == 0)
      return 0;
    int result = content_of_term(terms.item[of.first_term].monomial);
    for (int at = of.first_term + 1; at < of.first_term + of.terms && result != 0; ++at)
      result = common(result, content_of_term(terms.item[at].monomial));
    return result;
  }

  /// The largest ratio that all coefficients of some sums are whole multiples of.
  constexpr ratio shared_coefficient(int const* parts, int count) const {
    ratio result{0, 1};
    for (int part = 0; part < count; ++part) {
      sum const of = all.item[parts[part]];
      for (int at = of.first_term; at < of.first_term + of.terms; ++at) {
        ratio const next = magnitude(terms.item[at].coefficient);
        if (result.numerator == 0)
          result = next;
        else if (!(next == result) && !common_part(result, next, result))
          return {1, 1};
      }
    }
    if (result.numerator == 0 || is_one(result))
      return {1, 1};
    for (int part = 0; part < count; ++part) {
      sum const of = all.item[parts[part]];
      for (int at = of.first_term; at < of.first_term + of.terms; ++at)
        if (ratio quotient{}; !multiply(terms.item[at].coefficient, inverse(result), quotient))
          return {1, 1};
    }
    return result;
  }

  /// Of two opposite sums one: that with fewer terms above zero, then that whose plain number is below zero, or whose
  /// first term is.
  constexpr bool is_negative_form(int index) {
    sum const of = all.item[index];
    int above = 0;
    for (int at = of.first_term; at < of.first_term + of.terms; ++at)
      above += terms.item[at].coefficient.numerator > 0 ? 1 : -1;
    if (above != 0 || of.terms == 0)
      return above < 0;
    int const first = arranged(index), last = first + of.terms - 1;
    term const& number = terms.item[in_order.item[last]];
    return (number.monomial == 0 ? number : terms.item[in_order.item[first]]).coefficient.numerator < 0;
  }
};

}  // namespace shardplan::expr::simplification
