#pragma once
#include <cassert>
#include <cstddef>
#include <new>
#include <span>
#include <type_traits>

#include <shardplan/expr/sequence.hpp>

/// A step of a sequence that reads records for each element of a scope and keeps what they give: in the records after
/// it, the elements of the scope are the rows of this table.
namespace shardplan::expr {

/// Reads `Records`, a sequence, for each element of `Scope`, of which there are at most `Capacity`, and keeps the
/// values of `Tags`.
template <class Scope, std::size_t Capacity, class Records, class... Tags> struct table {};

/// `tabulate<Scope, Capacity, Tags...>(sequence)`.
template <class Scope, std::size_t Capacity, class... Tags, class... Records>
constexpr table<Scope, Capacity, sequence<Records...>, Tags...> tabulate(sequence<Records...>) {
  return {};
}

namespace detail {

/// Room for rows that are made one after the other.
template <class Row, std::size_t Capacity> class rows {
 public:
  rows() {}
  ~rows() {}
  rows(rows const&) = delete;
  rows& operator=(rows const&) = delete;

  SHARDPLAN_FORCE_INLINE void put(std::size_t index, Row const& row) {
    ::new (static_cast<void*>(storage_ + index)) Row(row);
  }
  SHARDPLAN_FORCE_INLINE std::span<Row const> first(std::size_t count) const { return {storage_, count}; }

 private:
  static_assert(std::is_trivially_destructible_v<Row>, "table: the values of a reading must be plain");
  union {
    Row storage_[Capacity];
  };
};

}  // namespace detail

template <class Scope, std::size_t Capacity, class Kept, class... Tags, class... Records, class Reader, class Visit>
SHARDPLAN_FORCE_INLINE void read_in_sequence(sequence<table<Scope, Capacity, Kept, Tags...>, Records...>,
                                             Reader const& reader, Visit const& visit) {
  using value_type = typename Reader::value_type;
  using row = environment<binding<Tags, value_type>...>;
  detail::rows<row, Capacity> kept;
  auto const& elements = value_of<elements_of<Scope>>(reader.environment());
  assert(elements.size() <= Capacity);
  std::size_t count = 0;
  for (auto const& element : elements) {
    scope const inner{element, reader.environment()};
    read_in_sequence(Kept{}, reader.in(inner), [&](auto const& inside) SHARDPLAN_FORCE_INLINE_LAMBDA {
      kept.put(count, row{binding<Tags, value_type>{value_type(inside.template symbol<Tags>())}...});
    });
    ++count;
  }
  environment const tabulated{binding<elements_of<Scope>, std::span<row const>>{kept.first(count)}};
  scope const after{tabulated, reader.environment()};
  read_in_sequence(sequence<Records...>{}, reader.in(after), visit);
}

}  // namespace shardplan::expr
