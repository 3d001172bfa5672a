#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <limits>
#include <vector>

#include <shardplan/search/pareto.hpp>

#include <support/numbers.hpp>

// Pareto fronts of points: by comparing all pairs.
namespace {

using shardplan::search::pareto_front;

template <std::size_t Objectives> void check_all(std::uint64_t seed) {
  support::generator random{seed};
  std::size_t kept = 0;
  for (int round = 0; round < 3000; ++round) {
    std::vector<std::array<double, Objectives>> points(static_cast<std::size_t>(random.whole(0, 30)));
    bool const whole = random.chance(0.5);
    for (auto& point : points)
      for (double& each : point)
        each = random.chance(0.02) ? std::numeric_limits<double>::infinity()
               : whole             ? static_cast<double>(random.whole(-2, 2))
                                   : random.real(-1, 1);
    std::vector<std::size_t> expected;
    for (std::size_t mine = 0; mine < points.size(); ++mine) {
      bool beaten = std::any_of(points[mine].begin(), points[mine].end(), [](double each) { return each > 1e9; });
      for (std::size_t other = 0; other < points.size() && !beaten; ++other) {
        bool no_worse = true;
        for (std::size_t index = 0; index < Objectives; ++index)
          no_worse = no_worse && points[other][index] <= points[mine][index];
        beaten = no_worse && (points[other] != points[mine] || other < mine);
      }
      if (!beaten)
        expected.push_back(mine);
    }
    std::sort(expected.begin(), expected.end(),
              [&](std::size_t left, std::size_t right) { return points[left] < points[right]; });
    CHECK(pareto_front(points) == expected);
    kept += expected.size();
  }
  CHECK(kept > 5000);
}

TEST_CASE("two objectives") { check_all<2>(241); }
TEST_CASE("three objectives") { check_all<3>(242); }

TEST_CASE("points that no weighted sum finds are there") {
  CHECK(pareto_front<2>({{0, 10}, {6, 6}, {10, 0}}) == std::vector<std::size_t>{0, 1, 2});
  CHECK(pareto_front<2>({}).empty());
  CHECK(pareto_front<2>({{std::numeric_limits<double>::quiet_NaN(), 0}}).empty());
}

}  // namespace
