#include <doctest/doctest.h>

#include <support/program_oracles.hpp>

// The searches against cbc and glpsol, five hundred of each.
namespace {

using namespace support;

TEST_CASE("chains") {
  CHECK(chains_that_differ(solver::cbc, 250, 411) == 0);
  CHECK(chains_that_differ(solver::glpsol, 250, 412) == 0);
}
TEST_CASE("partitions") {
  CHECK(partitions_that_differ(solver::cbc, 250, 413) == 0);
  CHECK(partitions_that_differ(solver::glpsol, 250, 414) == 0);
}
TEST_CASE("first and last micro-batch") {
  CHECK(stage_points_that_differ(solver::cbc, 250, 415) == 0);
  CHECK(stage_points_that_differ(solver::glpsol, 250, 416) == 0);
}
TEST_CASE("0-1 programs") {
  CHECK(zero_one_programs_that_differ(solver::cbc, 250, 417) == 0);
  CHECK(zero_one_programs_that_differ(solver::glpsol, 250, 418) == 0);
}

}  // namespace
