#pragma once
#include <shardplan/expr/simplify/list.hpp>

namespace shardplan::expr::simplification {

/// Sums that are known for types: formulas repeat parts. Types have no order to look them up by, but those of different
/// size differ.
class memory {
 public:
  constexpr memory() {
    for (int& head : heads_)
      head = -1;
  }
  constexpr int find(char const* identity, int size, bool equations) const {
    for (int index = heads_[size % buckets]; index >= 0; index = known_.item[index].next)
      if (entry const& each = known_.item[index];
          each.size == size && each.equations == equations && each.identity == identity)
        return each.sum;
    return -1;
  }
  constexpr void add(char const* identity, int size, bool equations, int sum) {
    known_.push({identity, size, equations, sum, heads_[size % buckets]});
    heads_[size % buckets] = known_.count - 1;
  }

 private:
  static constexpr int buckets = 64;

  struct entry {
    char const* identity;
    int size;
    /// Whether equations were in use.
    bool equations;
    int sum;
    int next;
  };
  list<entry> known_{64};
  int heads_[buckets];
};

}  // namespace shardplan::expr::simplification
