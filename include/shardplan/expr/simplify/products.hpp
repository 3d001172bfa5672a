#pragma once
#include <shardplan/expr/simplify/atom.hpp>
#include <shardplan/expr/simplify/exchange.hpp>
#include <shardplan/expr/simplify/factor.hpp>
#include <shardplan/expr/simplify/list.hpp>

namespace shardplan::expr::simplification {

constexpr expr::sign sign_of_power(expr::sign base, int exponent) {
  if (base == expr::sign::any)
    return exponent % 2 == 0 ? expr::sign::non_negative : expr::sign::any;
  return exponent < 0 ? expr::sign::positive : base;
}
constexpr bool is_homogeneous(kind is) {
  return is == kind::max || is == kind::min || is == kind::positive_part || is == kind::select;
}

/// Atoms and their products. Equal products have the same index; 0 is the empty one.
class products {
 public:
  list<atom> atoms{128};
  list<monomial> monomials{512};
  list<factor> factors{4096};
  /// Factors of a product that is being put together, in any order; used as a stack.
  list<factor> pending{64};
  exchange equations;
  /// Symbols are the first atoms.
  factor end_of_symbols = 0;

  constexpr products() {
    for (int& head : atom_heads_)
      head = -1;
    for (int& head : monomial_heads_)
      head = -1;
    finish(0);
  }

  constexpr factor factor_of(int index, int exponent) const {
    atom const& of = atoms.item[index];
    long long const start = simplification::is_homogeneous(of.is) ? first_homogeneous
                            : of.is == kind::share                ? first_share
                                                                  : 0;
    bool const divisor = exponent < 0 && !implies(of.sign, expr::sign::positive);
    return make_factor(start + 2 * index + divisor, exponent);
  }
  constexpr factor factor_at(int monomial, int index) const {
    return factors.item[monomials.item[monomial].first_factor + index];
  }
  /// A monomial that is one homogeneous atom: its index, else -1.
  constexpr int sole_homogeneous(int index) const {
    monomial const& of = monomials.item[index];
    if (of.homogeneous == 0 || of.factors != 1)
      return -1;
    factor const only = factors.item[of.first_factor];
    return only % place_size == exponent_zero + 1 ? atom_of(only) : -1;
  }

  constexpr expr::sign sign_of(int index) {
    monomial& of = monomials.item[index];
    if (!of.sign_known) {
      of.sign_known = true;
      of.sign = expr::sign::at_least_one;
      for (factor const *next = factors.item + of.first_factor, *end = next + of.factors; next != end; ++next)
        of.sign = expr::detail::weaker(of.sign, sign_of_power(atoms.item[atom_of(*next)].sign, exponent_of(*next)));
    }
    return of.sign;
  }
  constexpr dimension_value dimension_of_monomial(int index) const {
    monomial const& of = monomials.item[index];
    dimension_value result = no_dimension;
    for (factor const *next = factors.item + of.first_factor, *end = next + of.factors; next != end; ++next)
      if (dimension_value const each = atoms.item[atom_of(*next)].dimension; !(each == no_dimension))
        result = result + each * exponent_of(*next);
    return result;
  }
  /// The sum of the exponents without their signs.
  constexpr int degree_of(int index) const {
    monomial const& of = monomials.item[index];
    int result = 0;
    for (factor const *next = factors.item + of.first_factor, *end = next + of.factors; next != end; ++next)
      result += *next % place_size < exponent_zero ? -exponent_of(*next) : exponent_of(*next);
    return result;
  }

  /// The product of what is pending from this index on.
  constexpr int product_of_pending(int mark) {
    int const first = factors.count;
    sort(pending, mark, pending.count, [](factor left, factor right) { return left < right; });
    for (int at = mark; at < pending.count; ++at)
      append(first, pending.item[at]);
    pending.cut(mark);
    return finish(first);
  }
  constexpr int product(int left, int right) {
    if (left == 0 || right == 0)
      return left + right;
    int const count = monomials.item[left].factors, other_count = monomials.item[right].factors;
    factor* out = factors.room(count + other_count);
    factor const* at = factors.item + monomials.item[left].first_factor;
    factor const* other = factors.item + monomials.item[right].first_factor;
    factor const* const end = at + count;
    factor const* const other_end = other + other_count;
    factor next = *at, next_other = *other;
    while (true) {
      if ((next ^ next_other) < place_size) {
        *out = next + next_other % place_size - exponent_zero;
        out += *out % place_size != exponent_zero;
        if (++at == end || other + 1 == other_end) {
          ++other;
          break;
        }
        next = *at, next_other = *++other;
      } else if (next < next_other) {
        *out++ = next;
        if (++at == end)
          break;
        next = *at;
      } else {
        *out++ = next_other;
        if (++other == other_end)
          break;
        next_other = *other;
      }
    }
    while (at != end)
      *out++ = *at++;
    while (other != other_end)
      *out++ = *other++;
    return finish_at(out);
  }
  constexpr void push_power(int index, int exponent) {
    monomial const of = monomials.item[index];
    for (int at = of.first_factor; at < of.first_factor + of.factors; ++at)
      pending.push(factor_of(atom_of(factors.item[at]), exponent_of(factors.item[at]) * exponent));
  }
  constexpr int power(int index, int exponent) {
    int const mark = pending.count;
    push_power(index, exponent);
    return product_of_pending(mark);
  }
  constexpr int as_monomial(int index, int exponent = 1) {
    int const mark = pending.count;
    pending.push(factor_of(index, exponent));
    return product_of_pending(mark);
  }

  /// The factors that both have, each with the smaller exponent where they agree in its sign.
  constexpr int common(int left, int right) {
    if (left == 0 || right == 0 || left == right)
      return left == right ? left : 0;
    int const count = monomials.item[left].factors, other_count = monomials.item[right].factors;
    factor* out = factors.room(count);
    factor const* at = factors.item + monomials.item[left].first_factor;
    factor const* other = factors.item + monomials.item[right].first_factor;
    factor const* const end = at + count;
    factor const* const other_end = other + other_count;
    while (at != end && other != other_end) {
      if ((*at ^ *other) >= place_size) {
        if (*at < *other)
          ++at;
        else
          ++other;
        continue;
      }
      bool const divides = *at % place_size < exponent_zero;
      if (divides == (*other % place_size < exponent_zero))
        *out++ = (*at < *other) == divides ? *other : *at;
      ++at, ++other;
    }
    return find_at(out);
  }
  /// What is left of a monomial without a part that it contains.
  constexpr int without(int whole, int part) {
    if (part == 0 || whole == part)
      return part == 0 ? whole : 0;
    factor* out = factors.room(monomials.item[whole].factors);
    return find_at(copy_without(out, whole, part));
  }
  /// The same, written from a pointer on; returns the end.
  constexpr factor* copy_without(factor* out, int whole, int part) const {
    factor const* at = factors.item + monomials.item[whole].first_factor;
    factor const* other = factors.item + monomials.item[part].first_factor;
    factor const* const end = at + monomials.item[whole].factors;
    factor const* const other_end = other + monomials.item[part].factors;
    for (; other != other_end; ++at) {
      *out = *at;
      if ((*at ^ *other) < place_size)
        *out -= *other++ % place_size - exponent_zero;
      out += *out % place_size != exponent_zero;
    }
    while (at != end)
      *out++ = *at++;
    return out;
  }
  /// The part of a monomial whose factors are known not to be negative.
  constexpr int non_negative_part(int index) {
    int const first = factors.count;
    for (int at = monomials.item[index].first_factor, end = at + monomials.item[index].factors; at < end; ++at) {
      factor const next = factors.item[at];
      int const exponent = exponent_of(next);
      expr::sign const base = atoms.item[atom_of(next)].sign;
      if (sign_of_power(base, exponent) != expr::sign::any)
        factors.push(next);
      else if (exponent > 1 || exponent < -1)  // an odd power of a number of any sign: all but one
        factors.push(exponent > 0 ? next - 1 : next + 1);
    }
    return find(first);
  }

  /// Adds an atom, or finds the one that `same` accepts; the hash is set.
  template <class Same> constexpr int atom_for(atom const& wanted, Same same) {
    int& head = atom_heads_[wanted.hash % buckets];
    for (int index = head; index >= 0; index = atoms.item[index].next)
      if (atoms.item[index].hash == wanted.hash && same(atoms.item[index]))
        return index;
    int const index = atoms.count;
    atoms.push(wanted);
    atoms.item[atoms.count - 1].next = head;
    head = index;
    return index;
  }

 private:
  static constexpr unsigned buckets = 128;

  constexpr void append(int first, factor next) {
    if (factors.count > first && same_place(factors.item[factors.count - 1], next)) {
      factors.item[factors.count - 1] = joined(factors.item[factors.count - 1], next);
      if (exponent_of(factors.item[factors.count - 1]) == 0)
        factors.cut(factors.count - 1);
    } else if (exponent_of(next) != 0) {
      factors.push(next);
    }
  }

  /// The monomial whose factors stand from `first` to the end of `factors`, after exchanging by equations.
  constexpr int finish(int first) {
    if (factors.count > first && factors.item[first] < equations.end_of_places)
      equations.apply(factors, first);
    return find(first);
  }
  /// The same of factors from the end of the list to the pointer.
  constexpr int finish_at(factor const* end) {
    int const first = factors.count;
    factors.count = static_cast<int>(end - factors.item);
    return finish(first);
  }
  constexpr int find_at(factor const* end) {
    int const first = factors.count;
    factors.count = static_cast<int>(end - factors.item);
    return find(first);
  }
  constexpr int find(int first) {
    unsigned long long mixed = 0;
    factor const* const end = factors.item + factors.count;
    for (factor const* at = factors.item + first; at != end; ++at)
      mixed = mixed * 0x9e3779b97f4a7c15u + static_cast<unsigned long long>(*at);
    auto const hash = static_cast<unsigned>(mixed >> 32);
    int& head = monomial_heads_[hash % buckets];
    for (int index = head; index >= 0; index = monomials.item[index].next)
      if (monomials.item[index].hash == hash && same_factors(monomials.item[index], first)) {
        factors.cut(first);
        return index;
      }
    monomial made{first, factors.count - first, 0, -1, false, expr::sign::any, hash, head};
    factor const* last = end;
    while (last != factors.item + first && *(last - 1) >= homogeneous_factors) {
      --last;
      ++made.homogeneous;
    }
    for (; last != factors.item + first && *(last - 1) >= share_factors; --last)
      if (exponent_of(*(last - 1)) == 1)
        made.share = atom_of(*(last - 1));
    head = monomials.count;
    monomials.push(made);
    return head;
  }
  constexpr bool same_factors(monomial const& of, int first) const {
    if (of.factors != factors.count - first)
      return false;
    factor const* other = factors.item + of.first_factor;
    factor const* const end = factors.item + factors.count;
    for (factor const* at = factors.item + first; at != end; ++at, ++other)
      if (*at != *other)
        return false;
    return true;
  }

  int atom_heads_[buckets];
  int monomial_heads_[buckets];
};

}  // namespace shardplan::expr::simplification
