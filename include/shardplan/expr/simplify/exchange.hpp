#pragma once
#include <limits>

#include <shardplan/expr/simplify/factor.hpp>
#include <shardplan/expr/simplify/list.hpp>

namespace shardplan::expr::simplification {

/// The equations between products of symbols, and how a product is exchanged for an equal one: multiplied by up to the
/// third power of each equation, to the smallest sum of exponents (without signs), then to the least division, then to
/// the highest powers of the symbols that come first by name.
class exchange {
 public:
  /// Factors below are those of symbols in equations. 0 while equations are not in use, as inside of expressions whose
  /// symbols may mean something else.
  factor end_of_places = 0;

  constexpr bool in_use() const { return end_of_places != 0; }
  constexpr void use(bool wanted) { end_of_places = wanted && equations_ > 0 ? 2 * symbols_ * place_size : 0; }
  constexpr int symbols() const { return symbols_; }

  /// The symbols in equations are the first atoms, by name.
  constexpr void begin(int symbols) {
    symbols_ = symbols;
    for (int symbol = 0; symbol < symbols; ++symbol) {
      steps_.push(0);
      known_.push(false);
    }
    sizes_.push(0);
  }
  /// The symbol stands on the right side of an equation: it is given, those on the left vary.
  constexpr void set_known(int symbol) { known_.item[symbol] = true; }
  /// All symbols in equations that the factors from `at` to `end` have are known.
  constexpr bool all_known(factor const* at, factor const* end) const {
    while (at != end && *at < end_of_places && known_.item[atom_of(*at)])
      ++at;
    return at == end || *at >= end_of_places;
  }
  /// left / right = 1, as exponents of all symbols.
  constexpr void add(list<int> const& exponents) {
    int const known = sizes_.count;
    ++equations_;
    for (int power = -reach; power <= reach; ++power)
      for (int before = 0; before < known && power != 0; ++before) {
        int size = 0;
        int* const made = steps_.room(symbols_);
        int const* const from = steps_.item + before * symbols_;
        for (int symbol = 0; symbol < symbols_; ++symbol) {
          made[symbol] = from[symbol] + power * exponents.item[symbol];
          size += made[symbol] < 0 ? -made[symbol] : made[symbol];
        }
        steps_.count += symbols_;
        sizes_.push(size);
      }
  }

  /// Exchanges the factors from `first` to the end of the list.
  constexpr void apply(list<factor>& factors, int first) {
    int at = first;
    long long key = 0;
    bool exact = true;
    for (; at < factors.count && factors.item[at] < end_of_places; ++at) {
      long long const exponent = factors.item[at] % place_size - exponent_zero,
                      symbol = factors.item[at] / place_size / 2;
      exact = exact && symbol < 10 && exponent > -32 && exponent < 32;
      if (exact)
        key += exponent * (1LL << (6 * symbol));
    }
    int known = exact ? find(key) : -1;
    if (known < 0) {
      known = best(factors, first, at);
      if (exact) {
        keys_.push(key);
        found_.push(known);
      }
    }
    if (known != unchanged)
      replace(factors, first, at, known);
  }

 private:
  static constexpr int reach = 3;
  static constexpr int unchanged = 0;

  constexpr int find(long long key) const {
    for (int index = 0; index < keys_.count; ++index)
      if (keys_.item[index] == key)
        return found_.item[index];
    return -1;
  }

  /// The step that leads from these factors to the best ones.
  constexpr int best(list<factor> const& factors, int first, int end) const {
    list<int> from(symbols_);
    for (int symbol = 0; symbol < symbols_; ++symbol)
      from.push(0);
    int size = 0;
    for (int at = first; at < end; ++at) {
      int const exponent = exponent_of(factors.item[at]);
      from.item[atom_of(factors.item[at])] = exponent;
      size += exponent < 0 ? -exponent : exponent;
    }
    int result = unchanged, best_score = score(from, unchanged, std::numeric_limits<int>::max());
    for (int step = 1; step < sizes_.count; ++step) {
      // A longer step leads further from zero than the start is.
      if (sizes_.item[step] > 2 * size)
        continue;
      int const next = score(from, step, best_score);
      if (next < best_score || (next == best_score && first_by_name(step, result))) {
        result = step;
        best_score = next;
      }
    }
    return result;
  }
  /// The sum of exponents, then the exponents of divisors; not all of it where it is above the limit.
  constexpr int score(list<int> const& from, int step, int limit) const {
    int const* const by = steps_.item + step * symbols_;
    int sum = 0;
    for (int symbol = 0; symbol < symbols_ && sum <= limit; ++symbol) {
      int const exponent = from.item[symbol] + by[symbol];
      sum += exponent < 0 ? -exponent * 1025 : exponent * 1024;
    }
    return sum;
  }
  constexpr bool first_by_name(int step, int other) const {
    for (int symbol = 0; symbol < symbols_; ++symbol)
      if (int const difference = steps_.item[step * symbols_ + symbol] - steps_.item[other * symbols_ + symbol];
          difference != 0)
        return difference > 0;
    return false;
  }

  constexpr void replace(list<factor>& factors, int first, int end, int step) const {
    int const rest = factors.count - end;
    factor* const start = factors.room(symbols_ + rest);
    factor* out = start;
    factor const* at = factors.item + first;
    for (int symbol = 0; symbol < symbols_; ++symbol) {
      *out = make_factor(2 * symbol, steps_.item[step * symbols_ + symbol]);
      if (at != factors.item + end && same_place(*at, *out))
        *out += exponent_of(*at++);
      out += exponent_of(*out) != 0;
    }
    while (at != start)
      *out++ = *at++;
    factor* to = factors.item + first;
    for (at = start; at != out; ++at)
      *to++ = *at;
    factors.count = static_cast<int>(to - factors.item);
  }

  int symbols_ = 0;
  int equations_ = 0;
  list<bool> known_;
  /// All products of powers of the equations, as exponents of all symbols; the first one is 1.
  list<int> steps_;
  /// The sums of their exponents, without signs.
  list<int> sizes_;
  // Which step was best before, and for which exponents.
  list<long long> keys_;
  list<int> found_;
};

/// While it lives, no equations are in use.
class equations_aside {
 public:
  constexpr explicit equations_aside(exchange& equations, bool wanted = true)
      : equations_(equations), before_(equations.in_use()) {
    if (wanted)
      equations.use(false);
  }
  equations_aside(equations_aside const&) = delete;
  equations_aside& operator=(equations_aside const&) = delete;
  constexpr ~equations_aside() { equations_.use(before_); }

 private:
  exchange& equations_;
  bool before_;
};

}  // namespace shardplan::expr::simplification
