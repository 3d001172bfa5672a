#include <doctest/doctest.h>

#include <functional>
#include <vector>

#include <shardplan/search/partition.hpp>

#include <support/numbers.hpp>

// Contiguous partition: the optimum of trying all cuts, with its proof.
namespace {

using namespace shardplan::search;
using support::close;

constexpr double infinity = std::numeric_limits<double>::infinity();

/// Additive layers with a transfer at each cut, stages that differ in speed, and memory that they may not exceed.
struct cut_problem {
  std::size_t stage_count = 1;
  std::vector<double> time, memory, transfer, speed, limit;

  std::size_t layers() const { return time.size(); }
  std::size_t stages() const { return stage_count; }
  double stage_time(std::size_t stage, std::size_t first, std::size_t last) const {
    double sum = 0, bytes = 0;
    for (std::size_t layer = first; layer < last; ++layer) {
      sum += time[layer];
      bytes += memory[layer];
    }
    return bytes <= limit[stage] ? sum / speed[stage] : infinity;
  }
  double extra(std::size_t, std::size_t first, std::size_t) const { return first > 0 ? transfer[first] : 0; }
};

cut_problem random_problem(support::generator& random) {
  cut_problem result;
  auto const layers = static_cast<std::size_t>(random.whole(1, 9));
  result.stage_count = static_cast<std::size_t>(random.whole(1, 5));
  bool const whole = random.chance(0.3), equal = random.chance(0.3), limited = random.chance(0.5);
  for (std::size_t layer = 0; layer < layers; ++layer) {
    result.time.push_back(whole ? static_cast<double>(random.whole(0, 3)) : random.real(0.1, 2));
    result.memory.push_back(random.real(0, 1));
    result.transfer.push_back(random.real(0, 0.3));
  }
  for (std::size_t stage = 0; stage < result.stage_count; ++stage) {
    result.speed.push_back(equal ? 1 : random.real(0.5, 2));
    // Memory left depends on the stage, as with activations in flight.
    result.limit.push_back(limited ? random.real(0.5, 3) : infinity);
  }
  return result;
}

struct tried {
  double least = infinity;
  std::size_t count = 0;
};
tried try_all(cut_problem const& of, partition_objective const& objective) {
  tried result;
  std::function<void(std::size_t, std::size_t, double, double)> const go = [&](std::size_t stage, std::size_t first,
                                                                               double slowest, double sum) {
    if (stage == of.stages()) {
      if (first == of.layers()) {
        result.count += slowest < infinity ? 1 : 0;
        result.least = std::min(result.least, objective.slowest * slowest + sum);
      }
      return;
    }
    for (std::size_t last = first + 1; last <= of.layers(); ++last) {
      double const time = of.stage_time(stage, first, last);
      go(stage + 1, last, std::max(slowest, time), sum + objective.sum * time + of.extra(stage, first, last));
    }
  };
  go(0, 0, 0, 0);
  return result;
}

TEST_CASE("the cheapest partition is the one that trying all cuts finds") {
  support::generator random{91};
  int infeasible = 0, found = 0;
  for (int round = 0; round < 20000; ++round) {
    auto const of = random_problem(random);
    partition_objective const objective = random.chance(0.3)
                                              ? partition_objective{1, 0}
                                              : partition_objective{static_cast<double>(random.whole(0, 31)), 1};
    auto const expected = try_all(of, objective);
    auto const answer = cheapest_partition(of, objective);
    CHECK(answer.certificate.candidates == expected.count);
    if (!(expected.least < infinity)) {
      ++infeasible;
      CHECK(answer.certificate.status == status::infeasible);
      CHECK(answer.cuts.empty());
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
  cut_problem of;
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
  cut_problem of;
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
