#pragma once
#include <shardplan/expr/simplify/sums.hpp>

/// Products with max, min, positive_part and select, and what these make of their operands.
namespace shardplan::expr::simplification {

constexpr void sums::push_sum(int index, ratio coefficient) {
  sum const of = all.item[index];
  for (int at = of.first_term; at < of.first_term + of.terms; ++at)
    push_multiple(coefficient, terms.item[at].coefficient, terms.item[at].monomial);
}

constexpr void sums::push_sum(int index, ratio coefficient, int monomial) {
  sum const of = all.item[index];
  for (int at = of.first_term; at < of.first_term + of.terms; ++at)
    push_multiple(coefficient, terms.item[at].coefficient, product(monomial, terms.item[at].monomial));
}

constexpr void sums::push_multiple(ratio left, ratio right, int monomial) {
  ratio both{};
  if (multiply(left, right, both))
    return push_product(both, monomial);
  ratio const sign{right.numerator < 0 ? -1 : 1, 1};
  if (multiply(left, sign, both))
    push_product(both, product(monomial, as_monomial(number_atom(magnitude(right)))));
}

constexpr void sums::push_product(ratio coefficient, int monomial) {
  simplification::monomial const of = monomials.item[monomial];
  if (of.homogeneous == 0 || sole_homogeneous(monomial) >= 0)
    return stack.push({coefficient, monomial});
  int selects = 0, extrema = 0, parts = 0, chosen = -1;
  bool one_condition = true;
  for (int index = of.factors - of.homogeneous; index < of.factors; ++index) {
    factor const next = factor_at(monomial, index);
    int const which = atom_of(next);
    kind const is = atoms.item[which].is;
    if (exponent_of(next) < 1 || (exponent_of(next) > 1 && is != kind::select))
      continue;
    if (is == kind::select) {
      one_condition = one_condition && (selects == 0 || same_sum(operand(which, 0), operand(chosen, 0)));
      ++selects;
      chosen = which;
    } else if (is == kind::positive_part) {
      ++parts;
      chosen = selects > 0 || extrema > 0 ? chosen : which;
    } else {
      ++extrema;
      chosen = selects > 0 ? chosen : which;
    }
  }
  if (selects > 0 && one_condition)
    return push_into_selects(coefficient, monomial, chosen);
  if (selects == 0 && (extrema == 1 || (extrema == 0 && parts == 1)))
    return push_into_extremum(coefficient, monomial, chosen);
  // Several nodes that do not move into each other: what their operands share stands before them.
  if (int const apart = primitive(monomial); apart != monomial)
    return push_product(coefficient, apart);
  stack.push({coefficient, monomial});
}

constexpr void sums::push_max_or_min(kind which, ratio coefficient, int const* given, int count) {
  int const dimension_from = given[0];
  int const mark = chosen_.count;
  for (int index = 0; index < count; ++index)
    push_operand(which, given[index], mark);
  drop_dominated(which, mark);
  if (chosen_.count - mark == 1) {
    int const only = chosen_.item[chosen_.count - 1];
    chosen_.cut(mark);
    return push_sum(only, coefficient);
  }
  push_node(which, coefficient, all.item[dimension_from].dimension, mark);
}

constexpr void sums::push_positive_part(ratio coefficient, int of) {
  if (implies(sign_of_sum(of), expr::sign::non_negative))
    return push_sum(of, coefficient);
  if (is_non_positive(of))
    return;
  int const mark = chosen_.count;
  chosen_.push(of);
  push_node(kind::positive_part, coefficient, all.item[of].dimension, mark);
}

constexpr void sums::push_select(ratio coefficient, int condition, int value, int otherwise) {
  if (same_sum(value, otherwise) || implies(sign_of_sum(condition), expr::sign::positive))
    return push_sum(value, coefficient);
  if (is_non_positive(condition))
    return push_sum(otherwise, coefficient);
  int const mark = chosen_.count;
  chosen_.push(condition);
  chosen_.push(value);
  chosen_.push(otherwise);
  push_node(kind::select, coefficient, all.item[value].dimension, mark);
}

constexpr int sums::power_of_select(int select, int exponent) {
  int const value = operand(select, 1), otherwise = operand(select, 2);
  for (int branch : {value, otherwise})
    if (all.item[branch].terms != 1 || (exponent < 0 && !implies(sign_of_sum(branch), expr::sign::positive)))
      return -1;
  int branches[2]{};
  int index = 0;
  for (int branch : {value, otherwise}) {
    term const of = terms.item[all.item[branch].first_term];
    ratio coefficient{1, 1};
    for (int times = exponent < 0 ? -exponent : exponent; times > 0; --times)
      if (!multiply(coefficient, exponent < 0 ? inverse(of.coefficient) : of.coefficient, coefficient))
        return -1;
    int const mark = stack.count;
    push_product(coefficient, power(of.monomial, exponent));
    branches[index++] = take(mark, all.item[branch].dimension * exponent);
  }
  int const mark = stack.count;
  push_select({1, 1}, operand(select, 0), branches[0], branches[1]);
  int const result = take(mark, all.item[value].dimension * exponent);
  return result;
}

constexpr void sums::push_into_selects(ratio coefficient, int monomial, int chosen) {
  simplification::monomial const of = monomials.item[monomial];
  int rest = monomial;
  for (int index = of.factors - of.homogeneous; index < of.factors; ++index)
    if (factor const next = factor_at(monomial, index); is_select_power(next))
      rest = without(rest, as_monomial(atom_of(next), exponent_of(next)));
  int branches[2]{};
  for (int branch : {1, 2}) {
    int const mark = stack.count;
    push_product({1, 1}, rest);
    dimension_value dimension = dimension_of_monomial(rest);
    for (int index = of.factors - of.homogeneous; index < of.factors; ++index) {
      factor const next = factor_at(monomial, index);
      if (!is_select_power(next))
        continue;
      for (int times = exponent_of(next); times > 0; --times) {
        multiply_stack(mark, operand(atom_of(next), branch));
        dimension = dimension + all.item[operand(atom_of(next), branch)].dimension;
      }
    }
    branches[branch - 1] = take(mark, dimension);
  }
  push_select(coefficient, operand(chosen, 0), branches[0], branches[1]);
}

constexpr void sums::push_into_extremum(ratio coefficient, int monomial, int chosen) {
  int const rest = without(monomial, as_monomial(chosen));
  int const inside = non_negative_part(rest);
  if (inside == 0)
    return stack.push({coefficient, monomial});
  int const outside = without(rest, inside);
  int const mark = chosen_.count, count = atoms.item[chosen].operands;
  for (int index = 0; index < count; ++index)
    chosen_.push(times(operand(chosen, index), inside));
  int const start = stack.count;
  dimension_value const dimension = all.item[chosen_.item[mark]].dimension;
  list<int> parts(count);
  for (int index = 0; index < count; ++index)
    parts.push(chosen_.item[mark + index]);
  chosen_.cut(mark);
  if (atoms.item[chosen].is == kind::positive_part)
    push_positive_part(coefficient, parts.item[0]);
  else
    push_max_or_min(atoms.item[chosen].is, coefficient, parts.item, count);
  if (outside == 0)
    return;
  int const result = take(start, dimension);
  push_sum(result, {1, 1}, outside);
}

constexpr int sums::times(int index, int monomial) {
  int const mark = stack.count;
  push_sum(index, {1, 1}, monomial);
  return take(mark, all.item[index].dimension + dimension_of_monomial(monomial));
}

constexpr void sums::push_operand(kind which, int given, int mark) {
  sum const of = all.item[given];
  if (of.terms == 1) {
    term const only = terms.item[of.first_term];
    int const node = sole_homogeneous(only.monomial);
    if (node >= 0 && atoms.item[node].is == which && only.coefficient.numerator > 0) {
      bool const as_is = is_one(only.coefficient) && of.dimension == atoms.item[node].dimension;
      for (int index = 0; index < atoms.item[node].operands; ++index) {
        if (as_is) {
          push_operand(which, operand(node, index), mark);
          continue;
        }
        int const start = stack.count;
        push_sum(operand(node, index), only.coefficient);
        push_operand(which, take(start, of.dimension), mark);
      }
      return;
    }
  }
  for (int at = mark; at < chosen_.count; ++at)
    if (same_sum(chosen_.item[at], given))
      return;
  chosen_.push(given);
}

constexpr void sums::drop_dominated(kind which, int mark) {
  int kept = mark;
  for (int at = mark; at < chosen_.count; ++at) {
    bool dominated = false;
    for (int other = mark; other < chosen_.count && !dominated; ++other)
      dominated = other != at && (which == kind::max ? never_above(chosen_.item[at], chosen_.item[other])
                                                     : never_above(chosen_.item[other], chosen_.item[at]));
    if (!dominated)
      chosen_.item[kept++] = chosen_.item[at];
  }
  chosen_.cut(kept);
}

constexpr void sums::push_node(kind which, ratio coefficient, dimension_value dimension, int mark) {
  int const first = mark + (which == kind::select), count = chosen_.count - first;
  ratio const shared = shared_coefficient(&chosen_.item[first], count);
  if (!is_one(shared))
    for (int index = first; index < first + count; ++index)
      chosen_.item[index] = divided(chosen_.item[index], 0, shared);
  push_multiple(coefficient, shared, as_monomial(take_node(which, dimension, mark)));
}

constexpr int sums::take_node(kind which, dimension_value dimension, int mark) {
  int const first = mark + (which == kind::select), count = chosen_.count - first;
  if (which == kind::max || which == kind::min)
    sort(chosen_, first, chosen_.count, [this](int left, int right) { return before(left, right); });
  atom made = plain_atom(which, static_cast<unsigned>(which));
  made.dimension = dimension;
  made.sign = sign_of_node(which, first, count);
  made.content = -1;
  int const index = with_operands(made, &chosen_.item[mark], chosen_.count - mark);
  chosen_.cut(mark);
  return index;
}

constexpr expr::sign sums::sign_of_node(kind which, int first, int count) {
  expr::sign result = sign_of_sum(chosen_.item[first]);
  for (int index = first + 1; index < first + count; ++index) {
    expr::sign const next = sign_of_sum(chosen_.item[index]);
    result = which == kind::max ? sign_of_maximum(result, next) : sign_of_minimum(result, next);
  }
  return which == kind::positive_part ? sign_of_maximum(result, expr::sign::non_negative) : result;
}

}  // namespace shardplan::expr::simplification
