#pragma once
#include <shardplan/expr/simplify/products.hpp>

namespace shardplan::expr::simplification {

/// Sums, and an order of terms, sums and atoms that depends on their values only: symbols by name, other atoms by kind
/// and operands. Indices do not serve, as they depend on how an expression was written.
class order_of_sums : public products {
 public:
  list<term> terms{512};
  list<sum> all{128};
  /// The operands of all atoms.
  list<int> operands{128};
  /// Terms in order, for some sums.
  list<int> in_order;

  constexpr int operand(int index, int position) const {
    return operands.item[atoms.item[index].first_operand + position];
  }

  /// Where in `in_order` the terms of a sum stand in order.
  constexpr int arranged(int index) {
    while (arranged_at_.count < all.count)
      arranged_at_.push(-1);
    if (arranged_at_.item[index] >= 0)
      return arranged_at_.item[index];
    sum const of = all.item[index];
    list<int> sorted(of.terms + 1);
    for (int at = of.first_term; at < of.first_term + of.terms; ++at)
      sorted.push(at);
    sort(sorted, 0, sorted.count,
         [this](int left, int right) { return compare_terms(terms.item[left], terms.item[right]) < 0; });
    int const first = in_order.count;
    for (int at = 0; at < sorted.count; ++at)
      in_order.push(sorted.item[at]);
    arranged_at_.item[index] = first;
    return first;
  }
  constexpr void arrange_operands(int node, list<int>& order) {
    for (int at = 0; at < atoms.item[node].operands; ++at)
      order.push(operand(node, at));
    sort(order, 0, order.count, [this](int left, int right) { return compare_sums(left, right) < 0; });
  }
  /// Appends the factors. Symbols are numbered by name; what follows them is not in order.
  constexpr void arrange_factors(int monomial, int without, list<factor>& ordered) {
    factor* const first = ordered.room(monomials.item[monomial].factors);
    factor* const end = copy_without(first, monomial, without);
    ordered.count = static_cast<int>(end - ordered.item);
    int nodes = 0;
    while (nodes < ordered.count && *(end - nodes - 1) >= end_of_symbols)
      ++nodes;
    if (nodes > 1)
      sort(ordered, ordered.count - nodes, ordered.count,
           [this](factor left, factor right) { return compare_factors(left, right) < 0; });
  }

  static constexpr int compare(long long left, long long right) { return left < right ? -1 : left > right; }
  static constexpr int compare_ratios(ratio left, ratio right) {
    int const numerators = compare(left.numerator, right.numerator);
    return numerators != 0 ? numerators : compare(left.denominator, right.denominator);
  }
  static constexpr int compare_names(char const* left, char const* right) {
    if (left == nullptr || right == nullptr)
      return compare(left != nullptr, right != nullptr);
    while (*left != '\0' && *left == *right)
      ++left, ++right;
    return compare(*left, *right);
  }

  constexpr int compare_terms(term const& left, term const& right) {
    int const by_monomial = compare_monomials(left.monomial, right.monomial);
    return by_monomial != 0 ? by_monomial : compare_ratios(left.coefficient, right.coefficient);
  }
  constexpr int compare_sums(int left, int right) {
    sum const of = all.item[left], other = all.item[right];
    if (left == right)
      return 0;
    if (of.terms != other.terms)
      return compare(of.terms, other.terms);
    int const start = arranged(left), other_start = arranged(right);
    for (int index = 0; index < of.terms; ++index)
      if (int const result =
              compare_terms(terms.item[in_order.item[start + index]], terms.item[in_order.item[other_start + index]]);
          result != 0)
        return result;
    return 0;
  }
  /// The empty product comes last.
  constexpr int compare_monomials(int left, int right) {
    if (left == right)
      return 0;
    monomial const of = monomials.item[left], other = monomials.item[right];
    int index = 0;
    for (; index < of.factors && index < other.factors; ++index) {
      factor const next = factors.item[of.first_factor + index];
      factor const next_other = factors.item[other.first_factor + index];
      if (next >= end_of_symbols || next_other >= end_of_symbols)
        break;
      if (next != next_other)
        return (next ^ next_other) < place_size ? compare(next_other, next) : compare(next, next_other);
    }
    if (index == of.factors || index == other.factors)
      return compare(index == of.factors, index == other.factors);
    list<factor> ordered(of.factors), other_ordered(other.factors);
    arrange_factors(left, 0, ordered);
    arrange_factors(right, 0, other_ordered);
    for (; index < of.factors && index < other.factors; ++index)
      if (int const result = compare_factors(ordered.item[index], other_ordered.item[index]); result != 0)
        return result;
    return compare(index == of.factors, index == other.factors);
  }
  /// Higher powers first.
  constexpr int compare_factors(factor left, factor right) {
    int const by_atom = compare_atoms(atom_of(left), atom_of(right));
    return by_atom != 0 ? by_atom : compare(exponent_of(right), exponent_of(left));
  }
  constexpr int compare_atoms(int left, int right) {
    atom const of = atoms.item[left], other = atoms.item[right];
    if (left == right || (of.is == kind::symbol && other.is == kind::symbol))
      return compare(left, right);
    if (of.is != other.is)
      return compare(static_cast<int>(of.is), static_cast<int>(other.is));
    if (of.is == kind::number)
      return compare_ratios(of.number, other.number);
    if (of.is == kind::share)
      return compare_monomials(of.content, other.content);
    int const by_name = compare_names(of.name, other.name);
    if (by_name != 0 || of.operands != other.operands)
      return by_name != 0 ? by_name : compare(of.operands, other.operands);
    bool const any_order = of.is == kind::max || of.is == kind::min;
    list<int> order(of.operands + 1), other_order(of.operands + 1);
    for (int index = 0; index < of.operands; ++index) {
      order.push(operand(left, index));
      other_order.push(operand(right, index));
    }
    if (any_order) {
      sort(order, 0, of.operands, [this](int one, int two) { return compare_sums(one, two) < 0; });
      sort(other_order, 0, of.operands, [this](int one, int two) { return compare_sums(one, two) < 0; });
    }
    for (int index = 0; index < of.operands; ++index)
      if (int const result = compare_sums(order.item[index], other_order.item[index]); result != 0)
        return result;
    return compare(left, right);
  }

 private:
  /// Where in `in_order` the terms of a sum stand, or -1.
  list<int> arranged_at_;
};

}  // namespace shardplan::expr::simplification
