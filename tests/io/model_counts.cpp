// Exact parameter counts of whole files.
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include <doctest/doctest.h>
#include <io/files.hpp>

#include <shardplan/io/model_config.hpp>
#include <shardplan/planner/fits.hpp>

double test::parameters_of(shardplan::io::run_decoder const& decoder) {
  return shardplan::planner::parameters(decoder);
}

namespace {

using shardplan::io::read_model;
using test::parameters_of;

TEST_CASE("the example models have the published number of parameters") {
  struct row {
    const char* path;
    const char* name;
    double parameters;
  };
  row const rows[] = {
      {"examples/models/llama-3.1-8b", "llama-3.1-8b", 8030261248},
      {"examples/models/llama-3.1-70b/config.json", "llama-3.1-70b", 70553706496},
      {"examples/models/llama-3.1-405b/", "llama-3.1-405b", 405853388800},
      {"examples/models/qwen3-8b", "qwen3-8b", 8190735360},
      {"examples/models/gemma-2-9b", "gemma-2-9b", 9241705984},
      {"examples/models/gpt2-medium", "gpt2-medium", 354823168},
      // not published; 32 (2 (2 4096) + 4096 (2 4096 + 2 1024) + 2 4096 + 2 1024 + 2 4096 16384 + 16384 + 4096)
      // + 2 131073 4096 + 8192 4096 + 2 4096
      {"examples/models/gpt-7b-gqa.json", "gpt-7b-gqa", 6745964544},
  };
  for (auto const& [path, name, parameters] : rows) {
    CAPTURE(path);
    auto const model = read_model(path);
    CHECK(model.name == name);
    CHECK(parameters_of(model.model) == parameters);
  }
}

/// The first cells of a CSV line; no cell before the last ones is quoted.
std::vector<std::string> cells(std::string const& line) {
  std::vector<std::string> result;
  std::istringstream stream(line);
  for (std::string cell; std::getline(stream, cell, ',');)
    result.push_back(cell);
  return result;
}

TEST_CASE("all collected config.json files: counted exactly or refused by name") {
  const char* const data = std::getenv("SHARDPLAN_DATA_DIR");
  if (!data) {
    MESSAGE("skipped: SHARDPLAN_DATA_DIR is not set");
    return;
  }
  std::string const folder = std::string(data) + "/hf_configs/";
  std::ifstream table(folder + "parameter_counts.csv");
  REQUIRE(table.good());
  std::string line;
  std::getline(table, line);
  int counted = 0;
  int refused = 0;
  while (std::getline(table, line)) {
    auto const row = cells(line);
    REQUIRE(row.size() > 3);
    CAPTURE(row[1]);
    std::string const refusal = test::complaint([&] {
      auto const model = read_model(folder + row[1]);
      ++counted;
      CHECK(std::to_string(static_cast<long long>(parameters_of(model.model))) == row[3]);
      CHECK((row[2].empty() || row[2] == row[3]));
    });
    if (!refusal.empty()) {
      ++refused;
      test::check_says(refusal, {row[1], "\"model_type\"", "not supported yet", "one of", "llama"});
    }
  }
  CHECK(counted == 16);
  CHECK(refused == 13);
}

}  // namespace
