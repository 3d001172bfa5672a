#pragma once
#include <shardplan/expr/simplify/memory.hpp>
#include <shardplan/expr/simplify/numbers.hpp>

namespace shardplan::expr::simplification {

/// Sums of terms, and the nodes that products move into: max, min, positive_part and select. Terms are put together on
/// the stack; most functions push their result there. The functions call each other; merge.hpp, nodes.hpp and draw.hpp
/// define them.
class sums : public numbers {
 public:
  /// Products of sums with more terms keep a sum as a factor.
  static constexpr int most_terms = 256;

  memory known;

  /// coefficient * monomial * atom.
  struct drawn {
    ratio coefficient;
    int monomial;
    int atom;
  };

  /// Merges the terms on the stack from `mark` on.
  constexpr void tidy(int mark);
  /// The sum of the terms on the stack from `mark` on, which are taken off.
  constexpr int take(int mark, dimension_value dimension);
  constexpr int take_as_is(int mark, dimension_value dimension);
  constexpr void push_sum(int index, ratio coefficient);
  constexpr void push_sum(int index, ratio coefficient, int monomial);
  /// left * right * monomial; a coefficient that would not fit becomes a factor.
  constexpr void push_multiple(ratio left, ratio right, int monomial);
  /// coefficient * monomial, where factors move into max, min, positive_part and select.
  constexpr void push_product(ratio coefficient, int monomial);
  constexpr drawn draw_out(int index);
  constexpr void push_max_or_min(kind which, ratio coefficient, int const* given, int count);
  constexpr void push_positive_part(ratio coefficient, int of);
  constexpr void push_select(ratio coefficient, int condition, int value, int otherwise);
  /// A power of a select whose branches are single terms, as a select of powers; else -1. A divided branch must be
  /// known not to be zero.
  constexpr int power_of_select(int select, int exponent);
  /// Multiplies the terms on the stack from `mark` on by a sum.
  constexpr void multiply_stack(int mark, int by);
  /// The terms with k - k/n for k * (1 - 1/n), without merging them again.
  constexpr int without_shares(int index);
  /// The monomial with what the operands of its nodes share as factors of its own.
  constexpr int primitive(int monomial);

 private:
  constexpr void merge(int mark);
  /// A sum that is a term with no more than a number is terms of its own.
  constexpr bool expand_sums(int mark);
  constexpr void remove(int at);
  /// select(c, a, b) + select(c, x, y) = select(c, a + x, b + y).
  constexpr bool combine_selects(int mark);
  /// k - k/n = k * (1 - 1/n), where n is at least one: fewer occurrences of k, and the sum is known not to be negative.
  /// And back, where that makes one term of two.
  constexpr bool combine_shares(int mark);
  constexpr bool combine_share(int mark, int at);
  constexpr bool make_share(int mark, int at);
  /// All selects have the same condition; everything else moves into the branches.
  constexpr void push_into_selects(ratio coefficient, int monomial, int chosen);
  /// What is known not to be negative moves into the operands of max, min or positive_part.
  constexpr void push_into_extremum(ratio coefficient, int monomial, int chosen);
  constexpr int times(int index, int monomial);
  /// A sum without a monomial and a coefficient that all of its terms contain.
  constexpr int divided(int index, int content, ratio coefficient);
  constexpr int divided_node(int node, int content);
  /// Puts an operand, or those of the same node inside, onto the list from `mark` on, once each.
  constexpr void push_operand(kind which, int given, int mark);
  /// Drops operands that are never the result: zero beside one that is not negative, and the smaller multiple.
  constexpr void drop_dominated(kind which, int mark);
  /// The node of the operands on the list from `mark` on, which are taken off.
  constexpr void push_node(kind which, ratio coefficient, dimension_value dimension, int mark);
  constexpr int take_node(kind which, dimension_value dimension, int mark);
  constexpr expr::sign sign_of_node(kind which, int first, int count);

  /// Operands of nodes that are being put together; used as a stack.
  list<int> chosen_{64};
};

}  // namespace shardplan::expr::simplification

#include <shardplan/expr/simplify/draw.hpp>
#include <shardplan/expr/simplify/merge.hpp>
#include <shardplan/expr/simplify/nodes.hpp>
