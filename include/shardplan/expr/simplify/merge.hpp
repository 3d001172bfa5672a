#pragma once
#include <shardplan/expr/simplify/sums.hpp>

/// Putting terms together: equal ones, selects with one condition, n - 1; and multiplying by sums.
namespace shardplan::expr::simplification {

constexpr void sums::tidy(int mark) {
  do {
    merge(mark);
    while (expand_sums(mark))
      merge(mark);
  } while (stack.count > mark + 1 && (combine_selects(mark) || combine_shares(mark)));
}

constexpr int sums::take(int mark, dimension_value dimension) {
  tidy(mark);
  int const result = take_as_is(mark, dimension);
  if (all.item[result].terms < 2 || has_one_sign(result))
    return result;
  // Signs that differ: what the terms share stands apart, as it does in a product that is not multiplied out.
  int const content = content_of(result);
  if (content == 0)
    return result;
  drawn const apart = draw_out(result);
  if (int const inside = operand(apart.atom, 0); has_one_sign(inside) || cancels(inside, content))
    return result;
  stack.push({apart.coefficient, product(apart.monomial, as_monomial(apart.atom))});
  return take_as_is(mark, dimension);
}

constexpr int sums::take_as_is(int mark, dimension_value dimension) {
  int const made = stack.count - mark;
  term* out = terms.room(made);
  for (int at = mark; at < stack.count; ++at)
    *out++ = stack.item[at];
  terms.count += made;
  stack.cut(mark);
  all.push({terms.count - made, made, dimension});
  return all.count - 1;
}

constexpr void sums::merge(int mark) {
  if (stack.count < mark + 2)
    return;
  sort(stack, mark, stack.count, [](term const& left, term const& right) { return left.monomial < right.monomial; });
  int kept = mark;
  for (int at = mark; at < stack.count; ++at) {
    term const next = stack.item[at];
    ratio both{};
    if (kept > mark && stack.item[kept - 1].monomial == next.monomial &&
        add(stack.item[kept - 1].coefficient, next.coefficient, both)) {
      stack.item[kept - 1].coefficient = both;
      kept -= both.numerator == 0;
    } else {
      stack.item[kept++] = next;
    }
  }
  stack.cut(kept);
}

constexpr bool sums::expand_sums(int mark) {
  for (int at = mark; at < stack.count; ++at) {
    term const next = stack.item[at];
    if (monomials.item[next.monomial].factors != 1)
      continue;
    factor const only = factor_at(next.monomial, 0);
    if (only < end_of_symbols || exponent_of(only) != 1 || atoms.item[atom_of(only)].is != kind::sum)
      continue;
    remove(at);
    push_sum(operand(atom_of(only), 0), next.coefficient);
    return true;
  }
  return false;
}

constexpr void sums::remove(int at) {
  for (; at + 1 < stack.count; ++at)
    stack.item[at] = stack.item[at + 1];
  stack.cut(stack.count - 1);
}

constexpr bool sums::combine_selects(int mark) {
  for (int first = mark; first < stack.count; ++first) {
    int const chosen = select_of(stack.item[first]);
    if (chosen < 0)
      continue;
    // All of them at once: how n - 1 is paired depends on all terms.
    list<term> same;
    for (int at = stack.count - 1; at >= first; --at)
      if (int const other = select_of(stack.item[at]); other >= 0 && same_sum(operand(chosen, 0), operand(other, 0))) {
        same.push({stack.item[at].coefficient, other});
        if (same.count > 1 || at > first)
          remove(at);
      }
    if (same.count == 1)
      continue;
    int branches[2]{};
    for (int branch : {1, 2}) {
      int const start = stack.count;
      for (int index = 0; index < same.count; ++index)
        push_sum(operand(same.item[index].monomial, branch), same.item[index].coefficient);
      branches[branch - 1] = take(start, all.item[operand(chosen, branch)].dimension);
    }
    push_select({1, 1}, operand(chosen, 0), branches[0], branches[1]);
    return true;
  }
  return false;
}

constexpr bool sums::combine_shares(int mark) {
  for (int at = mark; at < stack.count; ++at)
    if (monomials.item[stack.item[at].monomial].share >= 0 && combine_share(mark, at))
      return true;
  for (int at = mark; at < stack.count; ++at)
    if (stack.item[at].coefficient.numerator < 0 && make_share(mark, at))
      return true;
  return false;
}

constexpr bool sums::combine_share(int mark, int at) {
  term const of = stack.item[at];
  int const share = monomials.item[of.monomial].share, number = atoms.item[share].content;
  int const whole = without(of.monomial, as_monomial(share));
  int const part = product(whole, power(number, -1));
  for (int other = mark; other < stack.count; ++other) {
    term const next = stack.item[other];
    bool const completes = next.monomial == part && (next.coefficient.numerator < 0) == (of.coefficient.numerator < 0);
    bool const cancels = next.monomial == whole && next.coefficient == negative(of.coefficient);
    ratio rest{0, 1};
    if ((!completes && !cancels) || (completes && !add(of.coefficient, negative(next.coefficient), rest)))
      continue;
    bool const more_shares = less(magnitude(next.coefficient), magnitude(of.coefficient));
    remove(at > other ? at : other);
    remove(at > other ? other : at);
    if (rest.numerator != 0)
      stack.push(more_shares ? term{rest, of.monomial} : term{negative(rest), next.monomial});
    push_product(completes && !more_shares ? of.coefficient : next.coefficient, completes ? whole : part);
    return true;
  }
  return false;
}

constexpr bool sums::make_share(int mark, int at) {
  term const of = stack.item[at];
  int chosen = -1;
  number found{0, false};
  term whole = of;
  for (int other = mark; other < stack.count; ++other) {
    term const next = stack.item[other];
    if (next.coefficient.numerator < 0)
      continue;
    for (bool next_is_whole : {true, false}) {
      term const larger = next_is_whole ? next : of, smaller = next_is_whole ? of : next;
      number const ratio = number_between(larger.monomial, smaller.monomial);
      if (ratio.monomial == 0 || (chosen >= 0 && !better_number(larger.monomial, ratio, whole.monomial, found)))
        continue;
      chosen = other;
      found = ratio;
      whole = larger;
    }
  }
  if (chosen < 0)
    return false;
  // The smaller of the two coefficients; what is left of the larger one stays as it is.
  ratio const up = stack.item[chosen].coefficient, down = magnitude(of.coefficient);
  ratio const size = less(up, down) ? up : down;
  ratio rest{0, 1};
  if (!add(up, negative(down), rest))
    return false;
  bool const of_is_whole = whole.monomial == of.monomial;
  ratio const signed_size = of_is_whole ? negative(size) : size;
  term const left{rest, rest.numerator > 0 ? stack.item[chosen].monomial : of.monomial};
  remove(at > chosen ? at : chosen);
  remove(at > chosen ? chosen : at);
  if (rest.numerator != 0)
    stack.push(left);
  push_product(signed_size, product(whole.monomial, as_monomial(share_atom(found.monomial))));
  return true;
}

constexpr void sums::multiply_stack(int mark, int by) {
  int const before = stack.count;
  sum const of = all.item[by];
  for (int left = mark; left < before; ++left)
    for (int right = of.first_term; right < of.first_term + of.terms; ++right)
      push_multiple(stack.item[left].coefficient, terms.item[right].coefficient,
                    product(stack.item[left].monomial, terms.item[right].monomial));
  int const made = stack.count - before;
  for (int index = 0; index < made; ++index)
    stack.item[mark + index] = stack.item[before + index];
  stack.cut(mark + made);
  tidy(mark);
}

constexpr int sums::without_shares(int index) {
  sum const of = all.item[index];
  int const mark = stack.count;
  for (int at = of.first_term; at < of.first_term + of.terms; ++at) {
    term const next = terms.item[at];
    int const share = monomials.item[next.monomial].share;
    int const whole = share < 0 ? next.monomial : without(next.monomial, as_monomial(share));
    stack.push({next.coefficient, whole});
    if (share >= 0)
      stack.push({negative(next.coefficient), product(whole, power(atoms.item[share].content, -1))});
  }
  all.push({terms.count, stack.count - mark, of.dimension});
  for (int at = mark; at < stack.count; ++at)
    terms.push(stack.item[at]);
  stack.cut(mark);
  return all.count - 1;
}

}  // namespace shardplan::expr::simplification
