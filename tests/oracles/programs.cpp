#include <doctest/doctest.h>

#include <support/program_oracles.hpp>

// The searches against cbc and glpsol; five hundred of each are in programs_long.cpp.
namespace {

using namespace support;

TEST_CASE("chains") {
  CHECK(chains_that_differ(solver::cbc, 12, 401) == 0);
  CHECK(chains_that_differ(solver::glpsol, 12, 402) == 0);
}
TEST_CASE("partitions") {
  CHECK(partitions_that_differ(solver::cbc, 12, 403) == 0);
  CHECK(partitions_that_differ(solver::glpsol, 12, 404) == 0);
}
TEST_CASE("first and last micro-batch") {
  CHECK(stage_points_that_differ(solver::cbc, 12, 405) == 0);
  CHECK(stage_points_that_differ(solver::glpsol, 12, 406) == 0);
}
TEST_CASE("0-1 programs") {
  CHECK(zero_one_programs_that_differ(solver::cbc, 12, 407) == 0);
  CHECK(zero_one_programs_that_differ(solver::glpsol, 12, 408) == 0);
}

}  // namespace
