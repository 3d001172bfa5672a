#include <doctest/doctest.h>

#include <limits>
#include <string>

#include <shardplan/io/lp_file.hpp>

// Linear programs in LP format; that solvers read them is held by the tests in tests/oracles.
namespace {

using namespace shardplan;

search::linear_program example() {
  search::linear_program result;
  result.add({"slow", 2.5});
  result.add_zero_or_one("choice_0", -1);
  result.add({"count", 0, 2, 7, search::variable_kind::whole});
  result.add({"free_one", 0.1, -std::numeric_limits<double>::infinity()});
  result.add({"fixed", 0, 3, 3});
  result.add(search::linear_row{"both", {{0, 1}, {1, -2}}, 1, 4});
  result.add(search::linear_row{"equal", {{2, 1}, {3, 1}}, 5, 5});
  result.constant = 12;
  return result;
}

TEST_CASE("all parts of a program") {
  CHECK(io::lp_text(example()) ==
        "Minimize\n objective: + 2.5 slow - 1 choice_0 + 0.10000000000000001 free_one + 12 objective_constant\n"
        "Subject To\n"
        " both_least: + 1 slow - 2 choice_0 >= 1\n"
        " both_most: + 1 slow - 2 choice_0 <= 4\n"
        " equal: + 1 count + 1 free_one = 5\n"
        "Bounds\n"
        " objective_constant = 1\n"
        " 2 <= count <= 7\n"
        " free_one free\n"
        " fixed = 3\n"
        "Generals\n count\n"
        "Binaries\n choice_0\n"
        "End\n");
}

void refused(search::linear_program const& of, std::string const& what) {
  try {
    io::lp_text(of);
    FAIL("not refused: ", what);
  } catch (io::input_error const& error) {
    INFO(error.what());
    CHECK(std::string{error.what()}.find(what) != std::string::npos);
  }
}

TEST_CASE("names that readers would misread, and numbers that are none") {
  for (std::string const name : {"", "3x", "e1", "E", "a b", "a-b", "free", "Inf", "st"}) {
    auto of = example();
    of.variables[0].name = name;
    refused(of, "the name of a variable is \"" + name + "\"");
  }
  auto twice = example();
  twice.variables[1].name = "slow";
  refused(twice, "\"slow\", as another one");
  auto row = example();
  row.rows[1].name = "both";
  refused(row, "the name of a row is \"both\", as another one");
  auto cost = example();
  cost.variables[0].cost = std::numeric_limits<double>::quiet_NaN();
  refused(cost, "the cost of slow");
  auto factor = example();
  factor.rows[0].terms[0].factor = std::numeric_limits<double>::infinity();
  refused(factor, "a factor of row both");
  auto range = example();
  range.variables[0].upper = -1;
  refused(range, "the range of slow");
  auto beyond = example();
  beyond.rows[0].terms[0].variable = 9;
  refused(beyond, "a variable of row both is number 9; it must be below 5");
}

}  // namespace
