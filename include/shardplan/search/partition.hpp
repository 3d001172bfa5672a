#pragma once
#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include <shardplan/search/result.hpp>

/// Contiguous partition: layers in order are cut into stages, none of them empty. What a stage costs depends on where
/// it stands and on the layers that it takes; the slowest stage counts more than the others.
///
/// Extends labels stage by stage: a label is the slowest stage and the sum so far with which a layer can be reached. It
/// is dropped if another one there is no worse in both, or if the least that must follow makes it no cheaper than the
/// best partition known. Exact for stage times of any shape; times need not grow with the layers taken.
namespace shardplan::search {

/// `stage_time(stage, first, last)` is the time of layers [first, last) as that stage, infinity where they may not be
/// it (a memory limit, say, which may depend on the stage). `extra(stage, first, last)` is added to the sum only: a
/// transfer at the cut, a synchronisation. Neither is negative.
template <class Problem>
concept partition_problem = requires(Problem const& problem, std::size_t index) {
  { problem.layers() } -> std::convertible_to<std::size_t>;
  { problem.stages() } -> std::convertible_to<std::size_t>;
  { problem.stage_time(index, index, index) } -> std::convertible_to<double>;
  { problem.extra(index, index, index) } -> std::convertible_to<double>;
};
struct partition_problem_needs_layers_stages_stage_time_and_extra;

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
  std::vector<std::size_t> cuts;
  double slowest = 0;
  double sum = 0;
  double extras = 0;
  std::size_t labels = 0;
  std::size_t extended = 0;
};

namespace detail {

struct partition_label {
  double slowest;
  double sum;
  std::uint32_t begin;
  std::uint32_t before;
};

class partition_search {
 public:
  template <partition_problem Problem>
  partition_search(Problem const& problem, partition_objective const& objective)
      : layers_(problem.layers()), stages_(problem.stages()), objective_(objective),
        times_(stages_ * (layers_ + 1) * (layers_ + 1), infinity), rests_(times_.size(), infinity) {
    for (std::size_t stage = 0; stage < stages_; ++stage)
      for (std::size_t first = stage; first < layers_; ++first)
        // Layers are left for the stages after this one.
        for (std::size_t last = first + 1; last + (stages_ - 1 - stage) <= layers_; ++last) {
          if ((stage == 0 && first > 0) || (stage + 1 == stages_ && last < layers_))
            continue;
          double const time = problem.stage_time(stage, first, last);
          double const extra = problem.extra(stage, first, last);
          if (time < infinity && extra < infinity) {
            times_[at(stage, first, last)] = time;
            rests_[at(stage, first, last)] = objective.sum * time + extra;
          }
        }
  }

  template <class Stop> partition_result run(Stop const& should_stop) {
    partition_result result;
    auto& proof = result.certificate;
    proof.candidates = all_partitions();
    bound_rests();
    if (stages_ == 0 || !(least_slowest_[0] < infinity)) {
      proof.status = status::infeasible;
      return result;
    }
    // The bound of the empty partition; and two partitions to begin with: of least slowest stage, and of least sum.
    double const bound = objective_.slowest * least_slowest_[0] + least_sum_[0];
    for (bool const by_slowest : {true, false})
      consider(result, follow(by_slowest));
    bool stopped = false;
    extend(result, should_stop, stopped);
    proof.evaluated = result.labels;
    proof.bound = stopped ? std::min(bound, proof.objective) : proof.objective;
    proof.status = stopped ? status::feasible : status::optimal;
    return result;
  }

 private:
  static constexpr double infinity = std::numeric_limits<double>::infinity();

  std::size_t at(std::size_t stage, std::size_t first, std::size_t last) const {
    return (stage * (layers_ + 1) + first) * (layers_ + 1) + last;
  }
  std::size_t place(std::size_t stage, std::size_t first) const { return stage * (layers_ + 1) + first; }

  /// For stages from `stage` on, which take layers from `first` on: the least slowest stage and the least sum.
  void bound_rests() {
    least_slowest_.assign((stages_ + 1) * (layers_ + 1), infinity);
    least_sum_.assign(least_slowest_.size(), infinity);
    least_slowest_[place(stages_, layers_)] = least_sum_[place(stages_, layers_)] = 0;
    for (std::size_t stage = stages_; stage-- > 0;)
      for (std::size_t first = stage; first < layers_; ++first) {
        double slowest = infinity, sum = infinity;
        for (std::size_t last = first + 1; last <= layers_; ++last) {
          std::size_t const index = at(stage, first, last), next = place(stage + 1, last);
          slowest = std::min(slowest, std::max(times_[index], least_slowest_[next]));
          sum = std::min(sum, rests_[index] + least_sum_[next]);
        }
        least_slowest_[place(stage, first)] = slowest;
        least_sum_[place(stage, first)] = sum;
      }
  }

  /// The partition that one of the two bounds stands for.
  std::vector<std::size_t> follow(bool by_slowest) const {
    std::vector<std::size_t> cuts{0};
    for (std::size_t stage = 0; stage < stages_; ++stage) {
      std::size_t const first = cuts.back();
      std::size_t best = layers_;
      double least = infinity, other = infinity;
      for (std::size_t last = first + 1; last <= layers_; ++last) {
        std::size_t const index = at(stage, first, last), next = place(stage + 1, last);
        double const slowest = std::max(times_[index], least_slowest_[next]);
        double const sum = rests_[index] + least_sum_[next];
        double const value = by_slowest ? slowest : sum, tie = by_slowest ? sum : slowest;
        if (value < least || (value == least && tie < other)) {
          least = value;
          other = tie;
          best = last;
        }
      }
      cuts.push_back(best);
    }
    return cuts;
  }

  void consider(partition_result& result, std::vector<std::size_t> cuts) const {
    double slowest = 0, sum = 0, rests = 0;
    for (std::size_t stage = 0; stage < stages_; ++stage) {
      std::size_t const index = at(stage, cuts[stage], cuts[stage + 1]);
      slowest = std::max(slowest, times_[index]);
      sum += times_[index];
      rests += rests_[index];
    }
    double const cost = objective_.slowest * slowest + rests;
    if (result.cuts.empty() || cost < result.certificate.objective) {
      result.certificate.objective = cost;
      result.cuts = std::move(cuts);
      result.slowest = slowest;
      result.sum = sum;
      result.extras = rests - objective_.sum * sum;
    }
  }

  template <class Stop> void extend(partition_result& result, Stop const& should_stop, bool& stopped) {
    // By stage and the layer that is reached.
    std::vector<std::vector<std::vector<partition_label>>> reached(stages_ + 1);
    for (auto& each : reached)
      each.resize(layers_ + 1);
    reached[0][0].push_back({0, 0, 0, 0});
    std::vector<partition_label> candidates;
    for (std::size_t stage = 0; stage < stages_; ++stage)
      for (std::size_t last = stage + 1; last <= layers_; ++last) {
        double const after_slowest = least_slowest_[place(stage + 1, last)];
        double const after_sum = least_sum_[place(stage + 1, last)];
        if (!(after_slowest < infinity))
          continue;
        double const below = result.certificate.objective * (1 - tie_tolerance);
        candidates.clear();
        for (std::size_t first = stage; first < last; ++first) {
          std::size_t const index = at(stage, first, last);
          if (!(times_[index] < infinity))
            continue;
          auto const& before = reached[stage][first];
          for (std::size_t label = 0; label < before.size(); ++label) {
            ++result.labels;
            double const slowest = std::max(before[label].slowest, times_[index]);
            double const sum = before[label].sum + rests_[index];
            if (objective_.slowest * std::max(slowest, after_slowest) + sum + after_sum < below)
              candidates.push_back(
                  {slowest, sum, static_cast<std::uint32_t>(first), static_cast<std::uint32_t>(label)});
          }
        }
        keep_best(candidates);
        result.extended += candidates.size();
        reached[stage + 1][last] = candidates;
        if ((stopped = should_stop(result.labels)))
          return;
      }
    // Labels of one place lie from the least slowest stage on; those at the end are whole partitions.
    auto const& whole = reached[stages_][layers_];
    for (std::size_t label = 0; label < whole.size(); ++label) {
      std::vector<std::size_t> cuts(stages_ + 1, layers_);
      std::size_t now = label;
      for (std::size_t stage = stages_; stage-- > 0;) {
        partition_label const& each = reached[stage + 1][cuts[stage + 1]][now];
        cuts[stage] = each.begin;
        now = each.before;
      }
      consider(result, std::move(cuts));
    }
  }

  static void keep_best(std::vector<partition_label>& labels) {
    std::sort(labels.begin(), labels.end(), [](partition_label const& left, partition_label const& right) {
      return left.slowest != right.slowest ? left.slowest < right.slowest
             : left.sum != right.sum       ? left.sum < right.sum
                                           : left.begin < right.begin;
    });
    double least = infinity;
    std::erase_if(labels, [&](partition_label const& each) {
      if (each.sum >= least)
        return true;
      least = each.sum;
      return false;
    });
  }

  /// Ways to cut: layers - 1 over stages - 1, or the largest number if it is larger.
  std::size_t all_partitions() const {
    if (stages_ == 0 || stages_ > layers_)
      return 0;
    std::size_t all = 1;
    for (std::size_t chosen = 1; chosen < stages_; ++chosen) {
      std::size_t const factor = layers_ - chosen;
      if (all > static_cast<std::size_t>(-1) / factor)
        return static_cast<std::size_t>(-1);
      all = all * factor / chosen;
    }
    return all;
  }

  std::size_t layers_, stages_;
  partition_objective objective_;
  std::vector<double> times_, rests_, least_slowest_, least_sum_;
};

}  // namespace detail

/// The cheapest partition. `should_stop(labels)` is asked between layers; once it says yes the best partition so far is
/// returned as `feasible`, with a bound.
template <partition_problem Problem, std::predicate<std::size_t> ShouldStop>
partition_result cheapest_partition(Problem const& problem, partition_objective const& objective,
                                    ShouldStop should_stop) {
  return detail::partition_search{problem, objective}.run(should_stop);
}
template <partition_problem Problem>
partition_result cheapest_partition(Problem const& problem, partition_objective const& objective) {
  return cheapest_partition(problem, objective, [](std::size_t) { return false; });
}
template <class Problem, class... More>
  requires(!partition_problem<Problem>)
partition_problem_needs_layers_stages_stage_time_and_extra cheapest_partition(Problem const&, More...) = delete;

}  // namespace shardplan::search
