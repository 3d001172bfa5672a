#pragma once
#include <shardplan/expr/record.hpp>

/// Cost terms of one's own: added to the entries of a record.
namespace shardplan::cost {

namespace detail {
template <class Record, class Tag> inline constexpr bool defines = false;
template <class... Entries, class Tag>
inline constexpr bool defines<expr::record<Entries...>, Tag> = (std::same_as<typename Entries::tag, Tag> || ...);

template <class Entry, class Terms> constexpr auto with_term(Entry entry, Terms terms) {
  using tag = typename Entry::tag;
  if constexpr (defines<Terms, tag>)
    return expr::define(expr::symbol<tag>{}, typename Entry::expression_type{} + expr::expression_of<tag>(terms));
  else
    return entry;
}
}  // namespace detail

/// Every entry of `terms` has an entry in the record to be added to.
template <class Record, class Terms> inline constexpr bool has_entries_for = false;
template <class Record, class... Terms>
inline constexpr bool has_entries_for<Record, expr::record<Terms...>> =
    (detail::defines<Record, typename Terms::tag> && ...);

/// The record with the entries of `terms` added to the entries of the same name: `add(block_record(layer),
/// make_record(define(of<tag::block_forward>, time)))`.
template <class... Entries, class... Terms>
  requires has_entries_for<expr::record<Entries...>, expr::record<Terms...>>
constexpr auto add(expr::record<Entries...>, expr::record<Terms...> terms) {
  return expr::make_record(detail::with_term(Entries{}, terms)...);
}
struct record_must_have_an_entry_of_the_same_name;
template <class... Entries, class... Terms>
  requires(!has_entries_for<expr::record<Entries...>, expr::record<Terms...>>)
record_must_have_an_entry_of_the_same_name add(expr::record<Entries...>, expr::record<Terms...>) = delete;

}  // namespace shardplan::cost
