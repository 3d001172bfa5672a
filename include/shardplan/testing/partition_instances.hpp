#pragma once
#include <algorithm>
#include <cstddef>
#include <limits>
#include <utility>
#include <vector>

#include <shardplan/search/partition.hpp>
#include <shardplan/testing/generator.hpp>

/// Contiguous partitions from seeds, and what trying everything makes of them.
namespace shardplan::testing {

/// Layers whose times and memories add up, a transfer at each cut, stages that differ in speed and memory.
struct partition_instance {
  std::size_t stage_count = 1;
  /// By layer; the transfer is that of a cut before it.
  std::vector<double> time = {}, memory = {}, transfer = {};
  /// By stage.
  std::vector<double> speed = {}, limit = {};
  search::partition_objective objective = {};

  std::size_t layers() const { return time.size(); }
  std::size_t stages() const { return stage_count; }
  double stage_time(std::size_t stage, std::size_t first, std::size_t last) const {
    return excess(stage, first, last) > 0 ? std::numeric_limits<double>::infinity()
                                          : sum_of(time, first, last) / speed[stage];
  }
  double extra(std::size_t, std::size_t first, std::size_t) const { return first > 0 ? transfer[first] : 0; }
  double excess(std::size_t stage, std::size_t first, std::size_t last) const {
    return std::max(0.0, sum_of(memory, first, last) - limit[stage]);
  }

 private:
  static double sum_of(std::vector<double> const& of, std::size_t first, std::size_t last) {
    double sum = 0;
    for (std::size_t layer = first; layer < last; ++layer)
      sum += of[layer];
    return sum;
  }
};

inline partition_instance random_partition(std::size_t layers, std::size_t stages, generator& random) {
  partition_instance result;
  result.stage_count = stages;
  bool const whole = random.chance(0.3), equal = random.chance(0.3), limited = random.chance(0.5);
  double const share = static_cast<double>(layers) / static_cast<double>(stages);
  for (std::size_t layer = 0; layer < layers; ++layer) {
    result.time.push_back(whole ? static_cast<double>(random.whole(0, 3)) : random.real(0.1, 2));
    result.memory.push_back(random.real(0, 1));
    result.transfer.push_back(random.real(0, 0.3));
  }
  for (std::size_t stage = 0; stage < stages; ++stage) {
    result.speed.push_back(equal ? 1 : random.real(0.5, 2));
    // Memory left depends on the stage, as with activations in flight.
    result.limit.push_back(limited ? random.real(0.3, 1.5) * share : std::numeric_limits<double>::infinity());
  }
  result.objective = random.chance(0.3) ? search::partition_objective{1, 0}
                                        : search::partition_objective{static_cast<double>(random.whole(0, 31)), 1};
  return result;
}

struct tried_partitions {
  double least = std::numeric_limits<double>::infinity();
  /// Of the largest excess.
  double least_excess = std::numeric_limits<double>::infinity();
  /// Those that are allowed.
  std::size_t count = 0;
};
inline tried_partitions try_partitions(partition_instance const& of) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  tried_partitions result;
  auto const go = [&](auto const& self, std::size_t stage, std::size_t first, double slowest, double sum,
                      double excess) -> void {
    if (stage == of.stages()) {
      if (first == of.layers()) {
        result.count += slowest < infinity ? 1 : 0;
        result.least = std::min(result.least, of.objective.slowest * slowest + sum);
        result.least_excess = std::min(result.least_excess, excess);
      }
      return;
    }
    for (std::size_t last = first + 1; last <= of.layers(); ++last) {
      double const time = of.stage_time(stage, first, last);
      // No weight makes an infinite time a finite cost.
      double const weighed = time < infinity ? of.objective.sum * time : infinity;
      self(self, stage + 1, last, std::max(slowest, time), sum + weighed + of.extra(stage, first, last),
           std::max(excess, of.excess(stage, first, last)));
    }
  };
  go(go, 0, 0, 0, 0, 0);
  return result;
}

}  // namespace shardplan::testing
