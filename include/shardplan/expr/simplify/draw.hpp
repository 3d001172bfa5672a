#pragma once
#include <shardplan/expr/simplify/sums.hpp>

/// Drawing out what the terms of a sum, or the operands of a node, share.
namespace shardplan::expr::simplification {

constexpr sums::drawn sums::draw_out(int index) {
  sum const of = all.item[index];
  int content = content_of(index);
  ratio coefficient = shared_coefficient(&index, 1);
  int inside = divided(index, content, coefficient);
  // What was beside a node has hidden what its operands share.
  if (int const more = content == 0 ? 0 : content_of(inside); more != 0) {
    inside = divided(inside, more, {1, 1});
    content = product(content, more);
  }
  if (is_negative_form(inside)) {
    coefficient = negative(coefficient);
    inside = divided(inside, 0, {-1, 1});
  }
  atom made = plain_atom(kind::sum, 13u);
  made.dimension = all.item[inside].dimension;
  made.sign = of.terms == 0 ? expr::sign::non_negative : sign_of_sum(inside);
  return {coefficient, content, with_operands(made, &inside, 1)};
}

constexpr int sums::primitive(int monomial) {
  simplification::monomial const of = monomials.item[monomial];
  int const mark = pending.count;
  bool changed = false;
  for (int index = 0; index < of.factors; ++index) {
    factor const next = factor_at(monomial, index);
    int const which = atom_of(next);
    if (next < homogeneous_factors || content_of_node(which) == 0) {
      pending.push(next);
      continue;
    }
    changed = true;
    push_power(atoms.item[which].content, exponent_of(next));
    pending.push(factor_of(divided_node(which, atoms.item[which].content), exponent_of(next)));
  }
  if (!changed) {
    pending.cut(mark);
    return monomial;
  }
  return product_of_pending(mark);
}

constexpr int sums::divided(int index, int content, ratio coefficient) {
  if (content == 0 && is_one(coefficient))
    return index;
  sum const of = all.item[index];
  ratio const by = inverse(coefficient);
  int const mark = stack.count;
  for (int at = of.first_term; at < of.first_term + of.terms; ++at) {
    term const next = terms.item[at];
    int const node = content == 0 ? -1 : sole_homogeneous(next.monomial);
    int const rest = node >= 0 ? as_monomial(divided_node(node, content)) : without(next.monomial, content);
    ratio quotient = next.coefficient;
    if (!is_one(coefficient))
      multiply(next.coefficient, by, quotient);  // fits: shared_coefficient has tried
    stack.push({quotient, rest});
  }
  tidy(mark);
  return take_as_is(mark, of.dimension - dimension_of_monomial(content));
}

constexpr int sums::divided_node(int node, int content) {
  if (content == 0)
    return node;
  kind const is = atoms.item[node].is;
  dimension_value const dimension = atoms.item[node].dimension - dimension_of_monomial(content);
  int const count = atoms.item[node].operands, mark = chosen_.count;
  for (int index = 0; index < count; ++index) {
    bool const condition = is == kind::select && index == 0;
    int const part = operand(node, index);
    chosen_.push(condition ? part : divided(part, content, {1, 1}));
  }
  return take_node(is, dimension, mark);
}

}  // namespace shardplan::expr::simplification
