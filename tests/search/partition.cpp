#include <doctest/doctest.h>

#include <vector>

#include <shardplan/search/partition.hpp>
#include <shardplan/testing/partition_instances.hpp>

#include <support/numbers.hpp>

// Contiguous partition: the optimum of trying all cuts, with its proof.
namespace {

using namespace shardplan::search;
using shardplan::testing::partition_instance;
using support::close;

constexpr double infinity = std::numeric_limits<double>::infinity();

TEST_CASE("the cheapest partition is the one that trying all cuts finds") {
  support::generator random{91};
  int infeasible = 0, found = 0;
  for (int round = 0; round < 20000; ++round) {
    auto const of = random_partition(static_cast<std::size_t>(random.whole(1, 9)),
                                     static_cast<std::size_t>(random.whole(1, 5)), random);
    auto const& objective = of.objective;
    auto const expected = try_partitions(of);
    auto const answer = cheapest_partition(of, objective);
    CHECK(answer.certificate.candidates == expected.count);
    if (!(expected.least < infinity)) {
      ++infeasible;
      CHECK(answer.certificate.status == status::infeasible);
      CHECK(answer.cuts.empty());
      // What comes nearest, where there are layers for all stages.
      CHECK(answer.nearest.empty() == (of.stages() > of.layers()));
      if (!answer.nearest.empty()) {
        CHECK(close(answer.excess, expected.least_excess));
        double excess = 0;
        for (std::size_t stage = 0; stage < of.stages(); ++stage)
          excess = std::max(excess, of.excess(stage, answer.nearest[stage], answer.nearest[stage + 1]));
        CHECK(excess == answer.excess);
      }
      continue;
    }
    ++found;
    CHECK(answer.certificate.status == status::optimal);
    CHECK(close(answer.certificate.objective, expected.least));
    REQUIRE(answer.cuts.size() == of.stages() + 1);
    double slowest = 0, sum = 0, extras = 0;
    for (std::size_t stage = 0; stage < of.stages(); ++stage) {
      CHECK(answer.cuts[stage] < answer.cuts[stage + 1]);
      double const time = of.stage_time(stage, answer.cuts[stage], answer.cuts[stage + 1]);
      slowest = std::max(slowest, time);
      sum += time;
      extras += of.extra(stage, answer.cuts[stage], answer.cuts[stage + 1]);
    }
    CHECK(close(objective.slowest * slowest + objective.sum * sum + extras, expected.least));
    CHECK(close(slowest, answer.slowest));
    CHECK(close(sum, answer.sum));
    CHECK(close(extras + 1, answer.extras + 1));
  }
  CHECK(found > 10000);
  CHECK(infeasible > 1000);
}

TEST_CASE("more stages than layers is infeasible, as many is one partition") {
  partition_instance of;
  of.time = {1, 2};
  of.memory = {0, 0};
  of.transfer = {0, 0};
  of.speed = {1, 1, 1};
  of.limit = {1, 1, 1};
  of.stage_count = 3;
  CHECK(cheapest_partition(of, {}).certificate.status == status::infeasible);
  of.stage_count = 2;
  auto const only = cheapest_partition(of, {});
  CHECK(only.certificate.candidates == 1);
  CHECK(only.cuts == std::vector<std::size_t>{0, 1, 2});
  CHECK(only.slowest == 2);
}

TEST_CASE("a large partition: 96 layers in 16 stages, few labels, and stopping keeps a bound") {
  support::generator random{92};
  partition_instance of;
  of.stage_count = 16;
  for (int layer = 0; layer < 96; ++layer) {
    of.time.push_back(random.real(0.5, 1.5));
    of.memory.push_back(0);
    of.transfer.push_back(random.real(0, 0.2));
  }
  of.speed.assign(16, 1);
  of.limit.assign(16, 1);
  auto const answer = cheapest_partition(of, {31, 1});
  CHECK(answer.certificate.status == status::optimal);
  CHECK(static_cast<double>(answer.labels) < 0.01 * static_cast<double>(answer.certificate.candidates));
  auto const part = cheapest_partition(of, {31, 1}, {.most_nodes = 0});
  CHECK(part.certificate.status == status::feasible);
  CHECK(part.certificate.objective >= answer.certificate.objective);
  CHECK(part.certificate.bound <= answer.certificate.objective * (1 + 1e-12));
}

}  // namespace
