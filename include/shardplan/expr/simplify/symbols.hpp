#pragma once
#include <shardplan/expr/simplify/atom.hpp>
#include <shardplan/expr/simplify/list.hpp>
#include <shardplan/expr/simplify/memory.hpp>

namespace shardplan::expr::simplification {

constexpr atom named_atom(kind is, char const* identity, char const* name, expr::sign sign, dimension_value dimension,
                          int position) {
  unsigned const hash =
      name == nullptr || name[0] == '\0' ? 3u : static_cast<unsigned>(name[0]) + 29u * static_cast<unsigned>(name[1]);
  return {is, sign, dimension, identity, name, position, 0, 0, {1, 1}, 0, hash, -1};
}
constexpr bool name_before(char const* left, char const* right) {
  while (*left != '\0' && *left == *right)
    ++left, ++right;
  return *left < *right;
}

/// The symbols of an expression, each once.
class symbol_list {
 public:
  list<atom> found{64};

  constexpr symbol_list() {
    for (int& head : heads_)
      head = -1;
  }
  /// Whether an expression was looked through before; small ones are not asked for.
  constexpr bool has_seen(char const* identity, int size) {
    if (size < 8)
      return false;
    bool const known = seen_.find(identity, size, false) >= 0;
    if (!known)
      seen_.add(identity, size, false, 0);
    return known;
  }
  constexpr void add(atom symbol) {
    int& head = heads_[symbol.hash % 64];
    for (int index = head; index >= 0; index = found.item[index].next)
      if (found.item[index].identity == symbol.identity)
        return;
    symbol.next = head;
    head = found.count;
    found.push(symbol);
  }

 private:
  int heads_[64];
  memory seen_;
};

}  // namespace shardplan::expr::simplification
