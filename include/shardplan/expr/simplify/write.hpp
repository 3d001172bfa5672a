#pragma once
#include <shardplan/expr/simplify/program.hpp>
#include <shardplan/expr/simplify/sums.hpp>

namespace shardplan::expr::simplification {

/// Writes a sum as steps, in an order that depends on its value only: symbols by name, nodes by kind and operands.
/// What all terms share stands once before them, divisors in one quotient, and what is subtracted in one sum.
class writer {
 public:
  constexpr writer(sums& from, steps& into) : from_(from), into_(into) { from.equations.use(false); }

  /// The sum without a monomial that it contains.
  constexpr int write_sum(int index, int without) {
    sum const of = from_.all.item[index];
    if (of.terms == 0)
      return into_.literal({0, 1}, of.dimension - from_.dimension_of_monomial(without));
    if (of.terms == 1) {
      term const only = from_.terms.item[of.first_term];
      return write_term(only.coefficient, only.monomial, without, unit_of(of, only));
    }
    int const content = from_.content_of(index);
    int const order = from_.arranged(index);
    bool same_unit = true, same_size = true, some_positive = false;
    term const first = from_.terms.item[from_.in_order.item[order]];
    dimension_value const first_unit = unit_of(of, first);
    for (int at = 0; at < of.terms; ++at) {
      term const next = from_.terms.item[from_.in_order.item[order + at]];
      same_unit = same_unit && unit_of(of, next) == first_unit;
      same_size = same_size && magnitude(next.coefficient) == magnitude(first.coefficient);
      some_positive = some_positive || next.coefficient.numerator > 0;
    }
    dimension_value const unit = same_unit ? first_unit : no_dimension;
    ratio const size = same_size ? magnitude(first.coefficient) : ratio{1, 1};
    int const mark = items_.count;
    for (bool positive : {some_positive, !some_positive}) {
      int const start = items_.count;
      for (int at = 0; at < of.terms; ++at) {
        term const next = from_.terms.item[from_.in_order.item[order + at]];
        if ((next.coefficient.numerator > 0) != positive)
          continue;
        ratio const inside = same_size ? ratio{1, 1} : magnitude(next.coefficient);
        int const made = write_term(inside, next.monomial, content, unit_of(of, next) - unit);
        items_.push(made);
      }
      if (items_.count == start)
        continue;
      int const sum = join(code::add, items_.item, start, items_.count);
      items_.cut(start);
      items_.push(start == mark ? sum : into_.binary(code::subtract, items_.item[mark], sum));
    }
    int const result = items_.item[items_.count - 1];
    items_.cut(mark);
    quotient before = start(some_positive ? size : negative(size), unit);
    add_monomial(before, content, without);
    multiply(before.above, result);
    return write_quotient(before);
  }

 private:
  /// Products that are being written, as steps; -1 while nothing is there.
  struct quotient {
    int above;
    int below;
  };

  constexpr dimension_value unit_of(sum const& of, term const& each) const {
    return of.dimension - from_.dimension_of_monomial(each.monomial);
  }

  /// Halves, so that no chain is long.
  constexpr int join(code with, int const* items, int first, int end) {
    if (end - first == 1)
      return items[first];
    int const middle = first + (end - first + 1) / 2;
    int const left = join(with, items, first, middle);
    int const right = join(with, items, middle, end);
    return into_.binary(with, left, right);
  }

  constexpr void multiply(int& product, int by) {
    product = product < 0 ? by : into_.binary(code::multiply, product, by);
  }
  /// The coefficient as the first factor; a divisor of its own only where it has no short decimal fraction.
  constexpr quotient start(ratio coefficient, dimension_value unit) {
    quotient result{-1, -1};
    long long rest = coefficient.denominator;
    while (rest % 2 == 0)
      rest /= 2;
    while (rest % 5 == 0)
      rest /= 5;
    ratio const before = rest == 1 ? coefficient : ratio{coefficient.numerator, 1};
    if (!is_one(before) || !(unit == no_dimension))
      result.above = into_.literal(before, unit);
    if (rest != 1)
      result.below = into_.literal({coefficient.denominator, 1}, no_dimension);
    return result;
  }
  constexpr int write_quotient(quotient const& of) {
    int const above = of.above < 0 ? into_.literal({1, 1}, no_dimension) : of.above;
    return of.below < 0 ? above : into_.binary(code::divide, above, of.below);
  }

  constexpr int write_term(ratio coefficient, int monomial, int without, dimension_value unit) {
    quotient result = start(coefficient, unit);
    int const node = from_.sole_homogeneous(monomial);
    if (node >= 0) {
      add_monomial(result, from_.content_of_node(node), without);
      multiply(result.above, write_atom(node));
    } else {
      add_monomial(result, monomial, without);
    }
    return write_quotient(result);
  }
  /// What is left of a monomial without a part of it; nodes with what their operands share before them.
  constexpr void add_monomial(quotient& into, int monomial, int without) {
    if (monomial == without)
      return;
    if (from_.monomials.item[monomial].homogeneous > 0) {
      monomial = from_.primitive(from_.without(monomial, without));
      without = 0;
    }
    list<factor> ordered;
    from_.arrange_factors(monomial, without, ordered);
    if (from_.monomials.item[monomial].share >= 0)
      add_share(into, from_.without(monomial, without), ordered);
    for (int index = 0; index < ordered.count; ++index) {
      factor const next = ordered.item[index];
      int const exponent = exponent_of(next), size = exponent < 0 ? -exponent : exponent;
      int step = write_atom(atom_of(next));
      if (size != 1)
        step = into_.unary(code::power, step, size);
      multiply(exponent < 0 ? into.below : into.above, step);
    }
  }
  /// n * (1 - 1/n) is written n - 1.
  constexpr void add_share(quotient& into, int monomial, list<factor>& ordered) {
    int const share = from_.monomials.item[monomial].share, number = share < 0 ? 0 : from_.atoms.item[share].content;
    if (share < 0 || from_.common(monomial, number) != number)
      return;
    int const others = write_monomial(number);
    multiply(into.above, into_.binary(code::subtract, others, into_.literal({1, 1}, no_dimension)));
    int const rest = from_.without(from_.without(monomial, number), from_.as_monomial(share));
    ordered.cut(0);
    from_.arrange_factors(rest, 0, ordered);
  }
  constexpr int write_monomial(int monomial) { return write_term({1, 1}, monomial, 0, no_dimension); }

  constexpr int write_atom(int index) {
    while (written_.count < from_.atoms.count)
      written_.push(-1);
    if (written_.item[index] < 0) {
      int const result = write_new_atom(index);
      while (written_.count < from_.atoms.count)
        written_.push(-1);
      written_.item[index] = result;
    }
    return written_.item[index];
  }
  constexpr int write_new_atom(int index) {
    atom const of = from_.atoms.item[index];
    int const content = is_homogeneous(of.is) ? from_.content_of_node(index) : 0;
    int const one = of.is == kind::share ? into_.literal({1, 1}, no_dimension) : 0;
    switch (of.is) {
    case kind::symbol:
    case kind::leaf:
      return into_.given(of.position);
    case kind::number:
      return into_.literal(of.number, no_dimension);
    case kind::sum:
      return write_sum(from_.operand(index, 0), 0);
    case kind::share:
      return into_.binary(code::subtract, one, into_.binary(code::divide, one, write_monomial(of.content)));
    case kind::positive_part:
      return into_.unary(code::positive_part, write_sum(from_.operand(index, 0), content));
    default:
      break;
    }
    list<int> operands(of.operands + 1);
    if (of.is == kind::max || of.is == kind::min) {
      list<int> order(of.operands);
      from_.arrange_operands(index, order);
      for (int at = 0; at < of.operands; ++at)
        operands.push(write_sum(order.item[at], content));
      return join(of.is == kind::max ? code::max : code::min, operands.item, 0, operands.count);
    }
    for (int at = 0; at < of.operands; ++at)
      operands.push(write_sum(from_.operand(index, at), of.is == kind::select && at > 0 ? content : 0));
    return of.is == kind::select ? into_.of(code::select, 0, operands.item, 3)
                                 : into_.of(code::changed, of.position, operands.item, of.operands);
  }

  sums& from_;
  steps& into_;
  /// Terms of sums that are being written; used as a stack.
  list<int> items_{64};
  list<int> written_;
};

}  // namespace shardplan::expr::simplification
