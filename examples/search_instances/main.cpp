#include <cmath>
#include <cstdio>
#include <exception>
#include <limits>
#include <map>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/core.h>
#include <nlohmann/json.hpp>

#include <shardplan/search/result.hpp>

#include "../cli/table.hpp"
#include "own.hpp"
#include "solved.hpp"

/// Solves files of search instances and prints what was found. Exit status: 0 done, 1 an answer is not what its file
/// says, 2 bad input.
namespace {

using namespace search_instances;
using solver = std::vector<solved> (*)(std::string const&, search_contests const&, std::string const&);

std::map<std::string, solver> const formats{{"galvatron-dp", solve_galvatron},
                                            {"amp", solve_amp},
                                            {"metis", solve_metis},
                                            {"mist", solve_mist},
                                            {"osdp", solve_osdp},
                                            {"zero-one", solve_zero_one}};

bool is_finite(double value) { return std::isfinite(value); }
/// An answer without proof has no bound, and one that there is nothing has none, either.
double bound_of(solved const& each) {
  bool const has = each.found.status == shardplan::search::status::optimal ||
                   each.found.status == shardplan::search::status::feasible;
  return has ? each.found.bound : std::numeric_limits<double>::quiet_NaN();
}
std::string shown(double value) { return is_finite(value) ? fmt::format("{:.10g}", value) : "-"; }
nlohmann::json json_of(double value) { return is_finite(value) ? nlohmann::json(value) : nlohmann::json(nullptr); }

void print_table(std::vector<solved> const& all) {
  command_line::table lines({"instance", "objective", "status", "bound", "seconds", "work", "candidates", "file says"});
  for (solved const& each : all)
    lines.add({each.instance, shown(each.found.objective), shardplan::search::name_of(each.found.status),
               shown(bound_of(each)), fmt::format("{:.2e}", each.seconds), std::to_string(each.found.work),
               std::to_string(each.found.candidates),
               !each.expected ? "-"
               : each.agrees  ? "the same"
                              : "ANOTHER: " + shown(*each.expected)});
  fmt::print("{}", lines.text());
}

void print_json(std::vector<solved> const& all) {
  nlohmann::json list = nlohmann::json::array();
  for (solved const& each : all) {
    nlohmann::json one{{"instance", each.instance},
                       {"objective", json_of(each.found.objective)},
                       {"status", shardplan::search::name_of(each.found.status)},
                       {"bound", json_of(bound_of(each))},
                       {"seconds", each.seconds},
                       {"counters", {{"work", each.found.work}, {"candidates", each.found.candidates}}}};
    if (each.expected) {
      one["expected"] = json_of(*each.expected);
      one["agrees"] = each.agrees;
    }
    list.push_back(std::move(one));
  }
  fmt::print("{}\n", nlohmann::json{{"instances", std::move(list)}}.dump(1));
}

int run(int count, char** words) {
  CLI::App app{"Solves files of published search instances, and compares with the answers that they give."};
  std::string format, algorithm;
  std::vector<std::string> files, names;
  bool as_json = false;
  for (auto const& [name, unused] : formats)
    names.push_back(name);
  app.add_option("--format", format, "What the files hold")->required()->check(CLI::IsMember(names));
  app.add_option("FILE", files, "Files to solve")->required();
  app.add_option("--algorithm", algorithm,
                 "The library's own, a textbook one (table, brute-force, branch-and-bound), or "
                 "one that own.cpp adds; each where the format has it");
  app.add_flag("--json", as_json, "An object with `instances`");
  try {
    app.parse(count, words);
  } catch (CLI::ParseError const& error) {
    return app.exit(error) == 0 ? 0 : 2;
  }
  search_contests among = shardplan::testing::contests_of_the_library();
  add_own(among);
  std::vector<solved> all;
  for (std::string const& file : files) {
    auto const found = formats.at(format)(file, among, algorithm);
    all.insert(all.end(), found.begin(), found.end());
  }
  as_json ? print_json(all) : print_table(all);
  std::size_t wrong = 0;
  for (solved const& each : all)
    wrong += each.agrees ? 0 : 1;
  if (wrong > 0)
    fmt::print(stderr, "{} of {} answers are not what the files say\n", wrong, all.size());
  return wrong > 0 ? 1 : 0;
}

}  // namespace

int main(int count, char** words) {
  try {
    return run(count, words);
  } catch (unknown_algorithm const& error) {
    std::string known;
    for (std::string const& each : error.known)
      known += (known.empty() ? "" : ", ") + each;
    fmt::print(stderr, "error: --algorithm is \"{}\"; it must be one of {}\n", error.name, known);
  } catch (std::exception const& error) {
    fmt::print(stderr, "error: {}\n", error.what());
  }
  return 2;
}
