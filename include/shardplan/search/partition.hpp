#pragma once
#include <concepts>
#include <cstddef>
#include <limits>
#include <vector>

#include <shardplan/search/control.hpp>
#include <shardplan/search/result.hpp>
#include <shardplan/search/stage_objective.hpp>
#include <shardplan/search/staged.hpp>

/// Contiguous partition: layers in order are cut into stages, none of them empty. What a stage costs depends on where
/// it stands and on the layers that it takes; the slowest stage counts more than the others. The plain case of
/// `search/staged.hpp`: stages are fixed, and each is run in one way.
namespace shardplan::search {

/// `stage_time(stage, first, last)` is the time of layers [first, last) as that stage, infinity where they may not be
/// it (a memory limit, say, which may depend on the stage). `extra(stage, first, last)` is added to the sum only: a
/// transfer at the cut, a synchronisation. Neither is negative.
///
/// Where a problem also has `excess(stage, first, last)`, by how much the layers break the limit of that stage, or 0,
/// an answer that nothing is allowed names the partition that comes nearest.
template <class Problem>
concept partition_problem = requires(Problem const& problem, std::size_t index) {
  { problem.layers() } -> std::convertible_to<std::size_t>;
  { problem.stages() } -> std::convertible_to<std::size_t>;
  { problem.stage_time(index, index, index) } -> std::convertible_to<double>;
  { problem.extra(index, index, index) } -> std::convertible_to<double>;
};
struct partition_problem_needs_layers_stages_stage_time_and_extra;

template <class Problem>
concept limited_partition_problem = partition_problem<Problem> && requires(Problem const& problem, std::size_t index) {
  { problem.excess(index, index, index) } -> std::convertible_to<double>;
};

/// What a partition costs: slowest * (time of the slowest stage) + sum * (all stage times) + all extras. A pipeline of
/// m micro-batches: slowest m - 1 and sum 1. Only the slowest stage: 1 and 0.
struct partition_objective {
  double slowest = 1;
  double sum = 0;
};

struct partition_result {
  search::certificate certificate;
  /// Where stages begin and the last one ends: stages + 1 numbers from 0 to the number of layers. Empty if there is
  /// none.
  std::vector<std::size_t> cuts = {};
  double slowest = 0;
  double sum = 0;
  double extras = 0;
  /// Where nothing is allowed and the problem knows excesses: the partition whose largest excess is least, and that.
  std::vector<std::size_t> nearest = {};
  double excess = 0;
  std::size_t labels = 0;
  std::size_t extended = 0;
};

namespace detail {

/// A partition problem as one of stages with one pool and one way each.
template <partition_problem Problem> struct plain_stages {
  Problem const& problem;
  partition_objective objective;

  std::size_t layers() const { return problem.layers(); }
  std::size_t stages() const { return problem.stages(); }
  std::size_t pools() const { return 1; }
  bool ends(std::size_t) const { return true; }
  template <class Visit>
  void ways(std::size_t stage, std::size_t first, std::size_t last, std::size_t, Visit const& visit) const {
    constexpr double infinity = std::numeric_limits<double>::infinity();
    double const time = problem.stage_time(stage, first, last);
    if (!(time < infinity))
      return;
    double const extra = problem.extra(stage, first, last);
    if (extra < infinity)
      visit({{time}, objective.sum * time + extra}, 0, 0);
  }
};
/// The same with the excess in place of all costs.
template <limited_partition_problem Problem> struct excess_stages {
  Problem const& problem;

  std::size_t layers() const { return problem.layers(); }
  std::size_t stages() const { return problem.stages(); }
  std::size_t pools() const { return 1; }
  bool ends(std::size_t) const { return true; }
  template <class Visit>
  void ways(std::size_t stage, std::size_t first, std::size_t last, std::size_t, Visit const& visit) const {
    double const excess = problem.excess(stage, first, last);
    visit({{excess}, 0}, 0, 0);
  }
};

inline std::vector<std::size_t> cuts_of(std::vector<chosen_stage> const& stages) {
  std::vector<std::size_t> cuts;
  for (chosen_stage const& each : stages)
    cuts.push_back(each.first);
  if (!stages.empty())
    cuts.push_back(stages.back().last);
  return cuts;
}

}  // namespace detail

/// The cheapest partition, and of those that cost less than `below` only. Counts labels towards the control's limit.
template <partition_problem Problem>
partition_result cheapest_partition(Problem const& problem, partition_objective const& objective,
                                    control const& asked = {}, double below = std::numeric_limits<double>::infinity()) {
  auto const found = cheapest_stages(detail::plain_stages<Problem>{problem, objective},
                                     peaks_objective<1>{{objective.slowest}}, below, asked);
  partition_result result;
  result.certificate = found.certificate;
  result.labels = found.labels;
  result.extended = found.extended;
  result.cuts = detail::cuts_of(found.stages);
  for (std::size_t stage = 0; stage < found.stages.size(); ++stage) {
    auto const [first, last, way, pool] = found.stages[stage];
    result.sum += problem.stage_time(stage, first, last);
    result.extras += problem.extra(stage, first, last);
  }
  result.slowest = found.numbers[0];
  if constexpr (limited_partition_problem<Problem>)
    if (found.certificate.status == status::infeasible && found.certificate.candidates == 0) {
      auto const nearest = cheapest_stages(detail::excess_stages<Problem>{problem}, peaks_objective<1>{{1}});
      result.nearest = detail::cuts_of(nearest.stages);
      result.excess = nearest.numbers[0];
    }
  return result;
}
template <class Problem, class... More>
  requires(!partition_problem<Problem>)
partition_problem_needs_layers_stages_stage_time_and_extra cheapest_partition(Problem const&, More const&...) = delete;

}  // namespace shardplan::search
