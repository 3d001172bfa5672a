#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include <boost/hana/tuple.hpp>

#include <shardplan/testing/random_values.hpp>
#include <shardplan/testing/record_laws.hpp>

/// Laws of a layer, for types of one's own.
namespace shardplan::testing {

namespace detail {

template <class... Terms, class Environment>
void expect_amounts(broken_laws& broken, const char* operation, boost::hana::tuple<Terms...> const&,
                    Environment const& environment) {
  [[maybe_unused]] auto const check = [&](auto term) {
    double const amount = value_at(strategy::amount(term, strategy::rules<>{}), environment);
    broken.expect(is_finite(amount) && amount >= 0, "no amount of a layer is negative or without end", [&] {
      return "a term of the operation \"" + std::string(operation) + "\" is " + unit::number_text(amount);
    });
  };
  (check(Terms{}), ...);
}
template <class... Operations, class Environment>
void expect_amounts([[maybe_unused]] broken_laws& broken, boost::hana::tuple<Operations...> const&,
                    [[maybe_unused]] Environment const& environment) {
  (expect_amounts(broken, Operations::name::value, Operations::terms, environment), ...);
}

template <class Record, class Environment>
void expect_costs(broken_laws& broken, Record record, Environment const& environment) {
  for_each_value(record, environment, [&](const char* name, double value) {
    broken.expect(is_finite(value) && value >= 0, "no cost of a layer is negative or without end",
                  [&] { return std::string(name) + " is " + unit::number_text(value); });
  });
}

/// Costs of `cut` for growing degrees; `uncut` has none.
template <class Uncut, class Cut, class Values, class Environment>
void expect_smaller_shares(broken_laws& broken, Uncut uncut, Cut cut, Values& values, Environment const& environment) {
  auto const set_degrees = [&](double degree) {
    values.set(strategy::symbols::t, degree);
    values.set(strategy::symbols::t_s, degree);
  };
  set_degrees(1);
  expect_same(broken, "cut into one part a layer costs as if it were not cut", cut, uncut, environment);
  auto before = values_at(cut, environment);
  for (double degree = 2; degree <= 16; degree *= 2) {
    set_degrees(degree);
    auto const now = values_at(cut, environment);
    std::vector<double> limits;
    for_each_share(before, [&](const char*, double value) { limits.push_back(value); });
    std::size_t next = 0;
    for_each_share(now, [&](const char* name, double value) {
      expect_at_most(broken, "cut into more parts a device owns and keeps no more", name, value, limits[next++]);
    });
    double const flop = expr::value_of<cost::tag::block_model_flop>(now);
    double const same = expr::value_of<cost::tag::block_model_flop>(before);
    broken.expect(same_value(flop, same), "model FLOP do not depend on how a layer is cut",
                  [&] { return unit::number_text(flop) + ", not " + unit::number_text(same); });
    before = now;
  }
}

}  // namespace detail

/// The broken laws of a layer at `points` random points:
/// - no amount of a term is negative or without end, and no cost;
/// - under tensor parallelism, and with sequence parallelism, one part costs as much as the uncut layer; with more
///   parts a device owns and keeps no more, and the model FLOP stay.
/// Symbols have random values that their signs allow; `own` gives values to functions, and to symbols that must have
/// certain ones. That amounts have the dimensions of their roles the compiler has checked.
template <model::layer_description Layer, class... Bindings>
std::vector<std::string> broken_laws_of_layer(Layer layer, expr::environment<Bindings...> const& own = {},
                                              int points = 16) {
  broken_laws broken;
  auto const uncut = cost::block_record(layer);
  auto const in_parts = cost::block_record(layer | strategy::tensor{});
  auto const in_sequence = cost::block_record(layer | strategy::tensor{} | strategy::sequence{});
  for (int point = 0; point < points; ++point) {
    random_values values{static_cast<std::uint64_t>(point)};
    expr::scope const all{own, values};
    detail::expect_amounts(broken, Layer::operations, all);
    detail::expect_costs(broken, uncut, all);
    detail::expect_costs(broken, in_sequence, all);
    detail::expect_smaller_shares(broken, uncut, in_parts, values, all);
    detail::expect_smaller_shares(broken, uncut, in_sequence, values, all);
  }
  return broken.take();
}

}  // namespace shardplan::testing
