#include <doctest/doctest.h>

#include <limits>

#include <shardplan/search/stage_points.hpp>
#include <shardplan/search/stage_points_tree.hpp>
#include <shardplan/testing/stage_points_instances.hpp>

#include <support/numbers.hpp>

// Mist's inter-stage problem, by labels and by branch and bound: the optimum of trying everything.
namespace {

using namespace shardplan::search;
using support::close;

TEST_CASE("labels, and branch and bound in both orders") {
  support::generator random{251};
  int infeasible = 0;
  std::size_t opened_deep = 0, opened_best = 0;
  for (int round = 0; round < 3000; ++round) {
    auto const stages = static_cast<std::size_t>(random.whole(1, 4));
    auto const of = shardplan::testing::random_stage_points(
        stages + static_cast<std::size_t>(random.whole(0, 6)), stages, static_cast<std::size_t>(random.whole(0, 2)),
        static_cast<std::size_t>(random.whole(1, 4)), static_cast<std::size_t>(random.whole(1, 32)), random);
    double const expected = shardplan::testing::cheapest_by_trying(of);
    auto const answer = cheapest_stages(of);
    auto const deep = branch_and_bound(stage_points_tree{of});
    auto const best = branch_and_bound(stage_points_tree{of}, {.order = branch_order::best_first});
    if (!(expected < std::numeric_limits<double>::infinity())) {
      ++infeasible;
      for (auto const each : {answer.certificate.status, deep.certificate.status, best.certificate.status})
        CHECK(each == status::infeasible);
      continue;
    }
    for (auto const& each : {answer.certificate, deep.certificate, best.certificate}) {
      CHECK(each.status == status::optimal);
      CHECK(close(each.objective, expected));
    }
    opened_deep += deep.opened;
    opened_best += best.opened;
  }
  CHECK(infeasible > 300);
  CHECK(opened_best < opened_deep);
}

}  // namespace
