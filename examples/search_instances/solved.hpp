#pragma once
#include <chrono>
#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <shardplan/testing/contest.hpp>
#include <shardplan/testing/search_contests.hpp>

/// Published instances of search problems, and what an algorithm makes of them.
namespace search_instances {

struct solved {
  std::string instance;
  shardplan::testing::verdict found = {};
  double seconds = 0;
  /// The answer that the file gives, infinite where it says that there is none; nothing if it gives none.
  std::optional<double> expected = {};
  /// Costs at most as much as the answer of the file, and equal to it where the file proves its own.
  bool agrees = true;
};

/// An instance as read from a file.
template <class Instance> struct named {
  std::string name;
  Instance of;
  /// What is added to every answer.
  double plus = 0;
  std::optional<double> expected = {};
  /// The file's answer is an optimum, else only an answer.
  bool proven = true;
};

template <class Run> double seconds_of(Run&& run) {
  auto const begin = std::chrono::steady_clock::now();
  run();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

inline constexpr double agreement = 1e-9;

/// Whether an answer is what a file says.
inline bool agree(double found, double expected, bool proven) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  if (!(expected < infinity))
    return !proven || !(found < infinity);
  double const room = agreement * std::abs(expected);
  return found <= expected + room && (!proven || found >= expected - room);
}

template <class Instance>
std::vector<solved> solve_all(std::vector<named<Instance>> const& instances,
                              typename shardplan::testing::contest<Instance>::algorithm const& run) {
  std::vector<solved> result;
  for (named<Instance> const& each : instances) {
    solved one{.instance = each.name, .expected = each.expected};
    one.seconds = seconds_of([&] { one.found = run(each.of); });
    one.found.objective += each.plus;
    one.found.bound += each.plus;
    if (each.expected)
      one.agrees = agree(one.found.objective, *each.expected, each.proven);
    result.push_back(std::move(one));
  }
  return result;
}

/// Reads files of one format. `algorithm` is empty for the library's own. Throws `io::input_error` for what a file says
/// wrong and `unknown_algorithm` for a name that is none.
struct unknown_algorithm {
  std::string name;
  std::vector<std::string> known;
};
template <class Instance>
typename shardplan::testing::contest<Instance>::algorithm const&
algorithm_of(shardplan::testing::contest<Instance> const& among, std::string const& name) {
  auto const* const found = among.find(name.empty() ? among.names().front() : name);
  if (!found)
    throw unknown_algorithm{name, among.names()};
  return *found;
}

using shardplan::testing::search_contests;
std::vector<solved> solve_galvatron(std::string const& file, search_contests const& among,
                                    std::string const& algorithm);
std::vector<solved> solve_osdp(std::string const& file, search_contests const& among, std::string const& algorithm);
std::vector<solved> solve_amp(std::string const& file, search_contests const& among, std::string const& algorithm);
std::vector<solved> solve_mist(std::string const& file, search_contests const& among, std::string const& algorithm);
std::vector<solved> solve_zero_one(std::string const& file, search_contests const& among, std::string const& algorithm);
std::vector<solved> solve_metis(std::string const& file, search_contests const& among, std::string const& algorithm);

}  // namespace search_instances
