#pragma once
#include <shardplan/expr/sign.hpp>
#include <shardplan/expr/simplify/ratio.hpp>

/// What simplifying knows about expressions: values in constant evaluation, with no types left. An atom is a symbol or
/// any other expression that products are made of; equal atoms have the same index.
namespace shardplan::expr::simplification {

/// Types are told apart by the address of a variable.
template <class> inline constexpr char identity = 0;

struct dimension_value {
  int byte;
  int flop;
  int second;

  friend constexpr bool operator==(dimension_value left, dimension_value right) {
    return left.byte == right.byte && left.flop == right.flop && left.second == right.second;
  }
  friend constexpr dimension_value operator+(dimension_value left, dimension_value right) {
    return {left.byte + right.byte, left.flop + right.flop, left.second + right.second};
  }
  friend constexpr dimension_value operator-(dimension_value left, dimension_value right) {
    return {left.byte - right.byte, left.flop - right.flop, left.second - right.second};
  }
  friend constexpr dimension_value operator*(dimension_value of, int exponent) {
    return {of.byte * exponent, of.flop * exponent, of.second * exponent};
  }
};
inline constexpr dimension_value no_dimension{0, 0, 0};

template <class Expression>
inline constexpr dimension_value dimension_of{Expression::dimension::byte, Expression::dimension::flop,
                                              Expression::dimension::second};

enum class kind {
  symbol,
  /// An expression that is not looked into.
  leaf,
  /// A positive rational number that no longer fits into a coefficient.
  number,
  /// A function, rounding, logarithm, named value or reduction; its operands are simplified.
  opaque,
  /// A sum that is not multiplied out.
  sum,
  /// 1 - 1/n, where n is at least one.
  share,
  max,
  min,
  positive_part,
  select,
};

struct atom {
  kind is;
  expr::sign sign;
  dimension_value dimension;
  /// Of the type, or of what is applied to the operands.
  char const* identity;
  char const* name;
  /// Where in the expression the type stands.
  int position;
  /// The operands are sums, listed apart.
  int first_operand;
  int operands;
  /// Of a number.
  ratio number;
  /// The monomial that can be drawn out of all operands of max, min, positive_part and select, or -1 while it is not
  /// known; of a share its n.
  int content;
  unsigned hash;
  /// The next atom with this hash.
  int next;
};

/// A product of powers of atoms.
struct monomial {
  int first_factor;
  int factors;
  /// How many factors are max, min, positive_part or select.
  int homogeneous;
  /// The first factor that is a share, or -1.
  int share;
  bool sign_known;
  expr::sign sign;
  unsigned hash;
  int next;
};

struct term {
  ratio coefficient;
  int monomial;
};

/// A sum of terms with different monomials. A term has the dimension of the sum: what its atoms lack is made up by a
/// literal.
struct sum {
  int first_term;
  int terms;
  dimension_value dimension;
};

}  // namespace shardplan::expr::simplification
