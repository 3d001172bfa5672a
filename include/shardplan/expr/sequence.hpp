#pragma once
#include <cstddef>
#include <type_traits>

#include <shardplan/expr/column.hpp>
#include <shardplan/expr/number.hpp>
#include <shardplan/expr/over.hpp>
#include <shardplan/expr/record.hpp>

/// Records that are read one after the other: the symbols that one defines are there in all that follow, and hide those
/// of the environment.
namespace shardplan::expr {

template <class... Records> struct sequence {};

template <class... Records> constexpr sequence<Records...> in_sequence(Records...) { return {}; }

namespace detail {

template <class First, class...> struct first_type {
  using type = First;
};
template <class... Types> using first_of = typename first_type<Types...>::type;

template <class Scope, class Expression> inline constexpr bool is_over = false;
template <class Scope, class Reduction, class Body>
inline constexpr bool is_over<Scope, over_node<Scope, Reduction, Body>> = true;
/// All expressions are reductions over one scope.
template <class... Expressions> inline constexpr bool over_one_scope = false;
template <class Scope, class Reduction, class Body, class... More>
inline constexpr bool over_one_scope<over_node<Scope, Reduction, Body>, More...> = (is_over<Scope, More> && ...);

/// The results of a record by a reader, each of the type that the reader gives. Reductions over one scope are read in
/// one pass.
template <class... Entries, class Reader>
SHARDPLAN_FORCE_INLINE constexpr auto read_entries(record<Entries...>, Reader const& reader) {
  auto const bound = [](auto const&... values) SHARDPLAN_FORCE_INLINE_LAMBDA {
    return environment<binding<typename Entries::tag, std::remove_cvref_t<decltype(values)>>...>{
        binding<typename Entries::tag, std::remove_cvref_t<decltype(values)>>{values}...};
  };
  if constexpr (over_one_scope<typename Entries::expression_type...>) {
    using scope = typename first_of<typename Entries::expression_type...>::scope;
    return read_together<scope>(
        reader, typename sums_in_all<scope, type_list<>, typename Entries::expression_type::body...>::type{},
        type_list<named_reduction<typename Entries::tag, typename Entries::expression_type>...>{}, bound);
  } else {
    return bound(read(typename Entries::expression_type{}, reader)...);
  }
}

}  // namespace detail

/// Calls `visit(reader)` with a reader that knows the results of all records.
template <class Reader, class Visit>
SHARDPLAN_FORCE_INLINE constexpr void read_in_sequence(sequence<>, Reader const& reader, Visit const& visit) {
  visit(reader);
}
template <class First, class... Records, class Reader, class Visit>
SHARDPLAN_FORCE_INLINE constexpr void read_in_sequence(sequence<First, Records...>, Reader const& reader,
                                                       Visit const& visit) {
  auto const values = detail::read_entries(First{}, reader);
  scope const inner{values, reader.environment()};
  read_in_sequence(sequence<Records...>{}, reader.in(inner), visit);
}

namespace detail {

template <class... Records> struct all_entries;
template <class... Entries> struct all_entries<record<Entries...>> {
  template <class Number> using values = environment<binding<typename Entries::tag, Number>...>;
  template <class Number, class Reader> static constexpr values<Number> read_with(Reader const& reader) {
    return {binding<typename Entries::tag, Number>{reader.template symbol<typename Entries::tag>()}...};
  }
};

}  // namespace detail

namespace detail {
template <class Sequence> struct entries_of;
template <class... Records>
struct entries_of<sequence<Records...>> : all_entries<decltype((record<>{} + ... + Records{}))> {};
template <class... Entries> struct entries_of<record<Entries...>> : all_entries<record<Entries...>> {};
}  // namespace detail

/// What reading a record or a sequence as numbers gives.
template <class Records, class Number = double>
using values_of = typename detail::entries_of<std::remove_cv_t<Records>>::template values<Number>;

/// All entries of all records for one configuration. A symbol must be defined in one record only.
template <class Number = double, class... Records, class Environment>
constexpr auto evaluate(sequence<Records...> records, Environment const& environment) {
  using entries = detail::entries_of<sequence<Records...>>;
  typename entries::template values<Number> result;
  read_in_sequence(records, number_reader<Environment, Number>{environment},
                   [&](auto const& reader) { result = entries::template read_with<Number>(reader); });
  return result;
}

namespace detail {

template <class... Records, class Environment, class Number, class... Tags>
constexpr void evaluate_one_by_one(std::size_t count, sequence<Records...> records, Environment const& environment,
                                   result_column<Tags, Number>... results) {
  for (std::size_t index = 0; index < count; ++index)
    read_in_sequence(records, column_reader<Environment, Number>{environment, index},
                     [&](auto const& reader) { ((results.values[index] = reader.template symbol<Tags>()), ...); });
}

}  // namespace detail

/// See `evaluate_packs` of a record.
template <class... Records, class Environment, class Number, class... Tags>
void evaluate_packs(std::size_t count, sequence<Records...> records, Environment const& environment,
                    result_column<Tags, Number>... results) {
  constexpr std::size_t width = pack<Number>::width;
  auto const values = detail::owned(environment);
  using owned_environment = std::remove_cv_t<decltype(values)>;
  for (std::size_t next = 0; next < count; next += width) {
    std::size_t const index = next + width <= count ? next : count - width;
    auto const store = [&](auto const& reader) SHARDPLAN_FORCE_INLINE_LAMBDA {
      (pack<Number>(reader.template symbol<Tags>()).store(results.values.data() + index), ...);
    };
    read_in_sequence(records, pack_reader<owned_environment, Number>{values, index}, store);
  }
}

/// The reading "column" of a sequence: see `evaluate_columns` of a record.
template <class... Records, class Environment, class Number, class... Tags>
constexpr void evaluate_columns(sequence<Records...> records, Environment const& environment, std::size_t count,
                                result_column<Tags, Number>... results) {
  if (count >= pack<Number>::width && !std::is_constant_evaluated())
    evaluate_packs(count, records, environment, results...);
  else
    detail::evaluate_one_by_one(count, records, environment, results...);
}

}  // namespace shardplan::expr
