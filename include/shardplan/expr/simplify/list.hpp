#pragma once
#include <initializer_list>
namespace shardplan::expr::simplification {

/// A list for constant evaluation, where each call and each copy counts: items are read without a function, and none is
/// made before it is needed.
template <class Item> struct list {
  Item* item = nullptr;
  int count = 0;
  int capacity = 0;

  constexpr list() = default;
  constexpr explicit list(int wanted) : item(new Item[static_cast<unsigned>(wanted)]), capacity(wanted) {}
  list(list const&) = delete;
  list& operator=(list const&) = delete;
  constexpr ~list() { delete[] item; }

  /// By value: the item may lie in this list.
  constexpr void push(Item added) {
    if (count == capacity)
      grow();
    item[count++] = added;
  }
  /// Where the next items go, with room for some.
  constexpr Item* room(int more) {
    while (count + more > capacity)
      grow();
    return item + count;
  }
  /// Drops all items from this index on.
  constexpr void cut(int size) { count = size; }

 private:
  constexpr void grow() {
    capacity = capacity == 0 ? 16 : 2 * capacity;
    Item* const larger = new Item[static_cast<unsigned>(capacity)];
    for (int index = 0; index < count; ++index)
      larger[index] = item[index];
    delete[] item;
    item = larger;
  }
};

/// Sorts the items from `first` to `end`: few of them, or nearly sorted.
template <class Item, class Less> constexpr void sort(list<Item>& items, int first, int end, Less less) {
  int const size = end - first;
  Item* const item = items.item + first;
  for (int gap = size < 16 ? 1 : size < 48 ? 7 : 31; gap > 0; gap = gap == 31 ? 7 : gap == 7 ? 1 : 0)
    for (int next = gap; next < size; ++next) {
      if (!less(item[next], item[next - gap]))
        continue;
      Item const moved = item[next];
      int at = next;
      do {
        item[at] = item[at - gap];
        at -= gap;
      } while (at >= gap && less(moved, item[at - gap]));
      item[at] = moved;
    }
}

}  // namespace shardplan::expr::simplification
