#pragma once
#include <algorithm>
#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <utility>
#include <vector>

#include <shardplan/search/control.hpp>
#include <shardplan/search/result.hpp>
#include <shardplan/search/stage_objective.hpp>

/// Layers in order are cut into stages, and each stage draws on a pool (of devices, say): the general contiguous
/// partition. A stage can be run in several ways, which cost different things and take different parts of the pool.
///
/// Extends labels stage by stage. A label is dropped if another one at the same stage, layer and pool is no worse in
/// all numbers, or if with the least that must follow it costs no less than the best partition known. Exact for costs
/// of any shape.
namespace shardplan::search {

/// States of the pool are numbered; 0 is the pool before the first stage. `ways(stage, first, last, pool, visit)` calls
/// `visit(cost, next_pool, way)` for each way in which layers [first, last) may be that stage: what it costs (the
/// objective's `stage_cost`), the pool it leaves, and a number by which the way is told. `ends(pool)` says whether the
/// last stage may leave this pool. With fixed stages there is one pool; for device groups in any order a pool is the
/// set of those taken; for equal devices it is how many are taken.
template <class Problem, class Objective>
concept staged_problem = stage_objective<Objective> &&
                         requires(Problem const& problem, std::size_t index,
                                  void (*visit)(typename Objective::stage_cost const&, std::size_t, std::size_t)) {
                           { problem.layers() } -> std::convertible_to<std::size_t>;
                           { problem.stages() } -> std::convertible_to<std::size_t>;
                           { problem.pools() } -> std::convertible_to<std::size_t>;
                           problem.ways(index, index, index, index, visit);
                           { problem.ends(index) } -> std::convertible_to<bool>;
                         };
struct staged_problem_needs_layers_stages_pools_ways_and_ends;

/// A stage of the answer.
struct chosen_stage {
  std::size_t first;
  std::size_t last;
  std::size_t way;
  /// The pool that it leaves.
  std::size_t pool;
};

template <class Objective> struct staged_result {
  search::certificate certificate;
  /// Empty if there is none.
  std::vector<chosen_stage> stages = {};
  /// The objective's numbers of the answer.
  typename Objective::label numbers = {};
  /// Labels that were made, and of these those that were extended.
  std::size_t labels = 0;
  std::size_t extended = 0;
};

namespace detail {

template <class Label> struct staged_label {
  Label numbers;
  /// The label that it grew from, among those of its state, and the arc.
  std::uint32_t before;
  std::uint32_t arc;
};

/// Keeps the labels of which no other is better or equal in all numbers.
template <class Label> void keep_best(std::vector<staged_label<Label>>& labels) {
  auto const earlier = [](staged_label<Label> const& left, staged_label<Label> const& right) {
    return left.numbers != right.numbers ? left.numbers < right.numbers
           : left.arc != right.arc       ? left.arc < right.arc
                                         : left.before < right.before;
  };
  std::sort(labels.begin(), labels.end(), earlier);
  std::size_t kept = 0;
  if constexpr (std::tuple_size_v<Label> == 2) {
    double least = std::numeric_limits<double>::infinity();
    for (auto const& each : labels)
      if (each.numbers[1] < least) {
        least = each.numbers[1];
        labels[kept++] = each;
      }
  } else {
    for (auto const& each : labels) {
      auto const no_worse = [&](staged_label<Label> const& other) {
        for (std::size_t index = 1; index < each.numbers.size(); ++index)
          if (other.numbers[index] > each.numbers[index])
            return false;
        return true;
      };
      if (std::none_of(labels.begin(), labels.begin() + static_cast<std::ptrdiff_t>(kept), no_worse))
        labels[kept++] = each;
    }
  }
  labels.resize(kept);
}

template <class Objective> class staged_search {
 public:
  using stage_cost = typename Objective::stage_cost;
  using label = typename Objective::label;
  using rest = typename Objective::rest;

  template <class Problem>
  staged_search(Problem const& problem, Objective const& objective)
      : layers_(problem.layers()), stages_(problem.stages()), pools_(problem.pools()), objective_(objective) {
    if (stages_ > 0 && stages_ <= layers_ && pools_ > 0)
      find_arcs(problem);
  }

  staged_result<Objective> run(double below, control const& asked) {
    watch looks{asked};
    staged_result<Objective> result;
    auto& proof = result.certificate;
    proof.candidates = partitions_;
    if (partitions_ == 0) {
      proof.status = status::infeasible;
      looks.end(0);
      return result;
    }
    below_ = below;
    // Of the empty partition; and one partition to begin with for each number that bounds what follows.
    double const bound = objective_.at_least(objective_.start(), rests_[0]);
    looks.bound(bound);
    for (std::size_t number = 0; number < std::tuple_size_v<rest>; ++number)
      consider(result, follow(number));
    if (!result.stages.empty())
      looks.objective(proof.objective);
    extend(result, looks);
    proof.evaluated = result.labels;
    bool const stopped = looks.stopped();
    if (result.stages.empty()) {
      proof.status = stopped ? status::stopped : status::infeasible;
      proof.bound = stopped ? std::min(bound, below) : below;
    } else {
      looks.objective(proof.objective);
      proof.bound = stopped ? std::min(bound, proof.objective) : proof.objective;
      proof.status = stopped ? status::feasible : status::optimal;
    }
    looks.bound(proof.bound);
    looks.end(result.labels);
    return result;
  }

 private:
  static constexpr double infinity = std::numeric_limits<double>::infinity();
  struct arc {
    stage_cost cost;
    std::uint32_t to;
    std::uint32_t way;
  };

  /// States of one stage: layer reached and pool.
  std::size_t state(std::size_t layer, std::size_t pool) const { return layer * pools_ + pool; }
  std::size_t states() const { return (layers_ + 1) * pools_; }
  std::size_t place(std::size_t stage, std::size_t of) const { return stage * states() + of; }

  /// The ways out of all states that can be reached, then backwards the least rests, and the number of partitions.
  template <class Problem> void find_arcs(Problem const& problem) {
    first_arc_.assign(stages_ * states() + 1, 0);
    std::vector<char> reached(states(), 0), next;
    reached[state(0, 0)] = 1;
    for (std::size_t stage = 0; stage < stages_; ++stage) {
      next.assign(states(), 0);
      std::size_t const after = stages_ - 1 - stage;
      for (std::size_t first = 0; first < layers_; ++first)
        for (std::size_t pool = 0; pool < pools_; ++pool) {
          std::size_t const from = state(first, pool);
          first_arc_[place(stage, from)] = arcs_.size();
          if (!reached[from])
            continue;
          // Layers are left for the stages after this one; the last one takes what is left.
          for (std::size_t last = after == 0 ? layers_ : first + 1; last + after <= layers_; ++last)
            problem.ways(stage, first, last, pool, [&](stage_cost const& cost, std::size_t left, std::size_t way) {
              if (after == 0 && !problem.ends(left))
                return;
              arcs_.push_back({cost, static_cast<std::uint32_t>(state(last, left)), static_cast<std::uint32_t>(way)});
              next[state(last, left)] = 1;
            });
        }
      for (std::size_t pool = 0; pool < pools_; ++pool)
        first_arc_[place(stage, state(layers_, pool))] = arcs_.size();
      reached.swap(next);
    }
    first_arc_.back() = arcs_.size();
    bound_rests();
  }

  void bound_rests() {
    rest hopeless;
    hopeless.fill(infinity);
    rests_.assign((stages_ + 1) * states(), hopeless);
    std::vector<double> count(states(), 0), now;
    for (std::size_t pool = 0; pool < pools_; ++pool) {
      rests_[place(stages_, state(layers_, pool))] = objective_.none();
      count[state(layers_, pool)] = 1;
    }
    for (std::size_t stage = stages_; stage-- > 0;) {
      now.assign(states(), 0);
      for (std::size_t from = 0; from < states(); ++from) {
        rest& least = rests_[place(stage, from)];
        for (std::size_t index = first_arc_[place(stage, from)]; index < first_arc_[place(stage, from) + 1]; ++index) {
          std::size_t const to = arcs_[index].to;
          if (count[to] == 0)
            continue;
          now[from] += count[to];
          rest const one = objective_.before(arcs_[index].cost, rests_[place(stage + 1, to)]);
          for (std::size_t number = 0; number < one.size(); ++number)
            least[number] = std::min(least[number], one[number]);
        }
      }
      count.swap(now);
    }
    partitions_ = count[0] < 1.8e19 ? static_cast<std::size_t>(count[0]) : static_cast<std::size_t>(-1);
  }
  bool leads_on(std::size_t stage, std::size_t of) const { return rests_[place(stage, of)][0] < infinity; }

  /// The partition that one number of the rests stands for; nearly.
  std::vector<std::size_t> follow(std::size_t number) const {
    std::vector<std::size_t> way;
    std::size_t now = state(0, 0);
    for (std::size_t stage = 0; stage < stages_; ++stage) {
      std::size_t best = 0;
      double least = infinity, tie = infinity;
      for (std::size_t index = first_arc_[place(stage, now)]; index < first_arc_[place(stage, now) + 1]; ++index) {
        std::size_t const to = arcs_[index].to;
        if (!leads_on(stage + 1, to))
          continue;
        rest const one = objective_.before(arcs_[index].cost, rests_[place(stage + 1, to)]);
        double const all = objective_.at_least(objective_.start(), one);
        if (one[number] < least || (one[number] == least && all < tie)) {
          least = one[number];
          tie = all;
          best = index;
        }
      }
      way.push_back(best);
      now = arcs_[best].to;
    }
    return way;
  }

  void consider(staged_result<Objective>& result, std::vector<std::size_t> const& way) const {
    label numbers = objective_.start();
    for (std::size_t const index : way)
      numbers = objective_.grow(numbers, arcs_[index].cost);
    double const cost = objective_.cost(numbers);
    if (!(cost < (result.stages.empty() ? below_ : result.certificate.objective)))
      return;
    result.certificate.objective = cost;
    result.numbers = numbers;
    result.stages.clear();
    std::size_t first = 0;
    for (std::size_t const index : way) {
      std::size_t const last = arcs_[index].to / pools_;
      result.stages.push_back({first, last, arcs_[index].way, arcs_[index].to % pools_});
      first = last;
    }
  }

  void extend(staged_result<Objective>& result, watch& looks) {
    // By stage and state.
    std::vector<std::vector<std::vector<staged_label<label>>>> reached(stages_ + 1);
    for (auto& each : reached)
      each.resize(states());
    reached[0][state(0, 0)].push_back({objective_.start(), 0, 0});
    double const known = result.stages.empty() ? below_ : result.certificate.objective;
    double const target = known < infinity ? known - tie_tolerance * std::abs(known) : known;
    for (std::size_t stage = 0; stage < stages_; ++stage) {
      for (std::size_t from = 0; from < states(); ++from) {
        auto& labels = reached[stage][from];
        if (labels.empty())
          continue;
        if (stage > 0)
          keep_best(labels);
        result.extended += labels.size();
        for (std::size_t index = first_arc_[place(stage, from)]; index < first_arc_[place(stage, from) + 1]; ++index) {
          arc const& way = arcs_[index];
          if (!leads_on(stage + 1, way.to))
            continue;
          rest const& after = rests_[place(stage + 1, way.to)];
          auto& next = reached[stage + 1][way.to];
          for (std::size_t before = 0; before < labels.size(); ++before) {
            label const grown = objective_.grow(labels[before].numbers, way.cost);
            if (objective_.at_least(grown, after) < target)
              next.push_back({grown, static_cast<std::uint32_t>(before), static_cast<std::uint32_t>(index)});
          }
          result.labels += labels.size();
        }
        if (looks.stops(result.labels))
          return;
      }
    }
    // Labels at the end are whole partitions.
    std::uint32_t best = 0;
    std::size_t end = states();
    double least = target;
    for (std::size_t pool = 0; pool < pools_; ++pool) {
      auto const& whole = reached[stages_][state(layers_, pool)];
      for (std::size_t index = 0; index < whole.size(); ++index)
        if (double const cost = objective_.cost(whole[index].numbers); cost < least) {
          least = cost;
          best = static_cast<std::uint32_t>(index);
          end = state(layers_, pool);
        }
    }
    if (end == states())
      return;
    std::vector<std::size_t> way(stages_);
    for (std::size_t stage = stages_; stage-- > 0;) {
      staged_label<label> const& each = reached[stage + 1][end][best];
      way[stage] = each.arc;
      best = each.before;
      // Where the arc comes from: the last state whose arcs begin at or before it.
      auto const begin = first_arc_.begin() + static_cast<std::ptrdiff_t>(place(stage, 0));
      end = static_cast<std::size_t>(std::upper_bound(begin, begin + static_cast<std::ptrdiff_t>(states()), each.arc) -
                                     begin) -
            1;
    }
    consider(result, way);
  }

  std::size_t layers_, stages_, pools_;
  Objective const& objective_;
  std::size_t partitions_ = 0;
  double below_ = infinity;
  std::vector<arc> arcs_;
  std::vector<std::size_t> first_arc_;
  std::vector<rest> rests_;
};

}  // namespace detail

/// The cheapest partition of the problem's number of stages. Answers that do not cost less than `below` are none: with
/// several numbers of stages, each search may be given the best of those before. Counts labels towards the control's
/// limit.
template <stage_objective Objective, staged_problem<Objective> Problem>
staged_result<Objective> cheapest_stages(Problem const& problem, Objective const& objective,
                                         double below = std::numeric_limits<double>::infinity(),
                                         control const& asked = {}) {
  return detail::staged_search<Objective>{problem, objective}.run(below, asked);
}
template <class Problem, class Objective, class... More>
  requires(stage_objective<Objective> && !staged_problem<Problem, Objective>)
staged_problem_needs_layers_stages_pools_ways_and_ends cheapest_stages(Problem const&, Objective const&,
                                                                       More const&...) = delete;
template <class Problem, class Objective, class... More>
  requires(!stage_objective<Objective>)
stage_objective_needs_label_rest_stage_cost_start_grow_none_before_cost_and_at_least
cheapest_stages(Problem const&, Objective const&, More const&...) = delete;

}  // namespace shardplan::search
