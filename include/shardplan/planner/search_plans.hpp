#pragma once
#include <algorithm>
#include <concepts>
#include <cstddef>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

#include <shardplan/planner/fits.hpp>
#include <shardplan/planner/plan_columns.hpp>
#include <shardplan/planner/space.hpp>
#include <shardplan/search/exhaustive.hpp>

/// The best plans of a space: legality first, then memory, then time.
namespace shardplan::planner {

/// The order in which equally fast plans are named: fewer cuts first, then less memory machinery.
constexpr bool simpler(plan const& left, plan const& right) {
  auto const key = [](plan const& choice) {
    return std::make_tuple(choice.pipeline, choice.tensor, static_cast<int>(choice.recompute), choice.zero_stage,
                           choice.sequence_parallel, -choice.micro_batch, static_cast<int>(choice.kernel));
  };
  return key(left) < key(right);
}

/// What a legal plan's time and peak memory mean for a search.
constexpr search::outcome memory_outcome(double step_time, double peak_bytes, device::cluster const& machine,
                                         assumptions const& assumed) {
  double const missing = peak_bytes - usable_memory(machine, assumed).value;
  if (!(missing <= 0))
    return {.cost = step_time, .reason = memory_reason, .excess = missing};
  return {.allowed = true, .cost = step_time};
}

/// One plan after the other, for search algorithms of any kind. Views its arguments, which must outlive it.
template <class Model, class Blocks> class plan_problem {
 public:
  plan_problem(Model const& model, device::cluster const& machine, workload const& job, assumptions const& assumed,
               Blocks const& blocks)
      : model_(model), machine_(machine), job_(job), assumed_(assumed), blocks_(blocks) {}

  search::outcome evaluate(plan const& choice) const {
    rule const broken = first_broken_rule(model_, machine_, job_, choice, assumed_);
    if (broken != rule::none)
      return {.reason = static_cast<std::size_t>(broken)};
    plan_estimate const found = estimate(model_, machine_, job_, choice, assumed_, blocks_);
    return memory_outcome(found.step_time, found.worst.peak_bytes(), machine_, assumed_);
  }
  std::size_t reasons() const { return rules.size() + 1; }
  bool before(plan const& left, plan const& right) const { return simpler(left, right); }

 private:
  Model const& model_;
  device::cluster const& machine_;
  workload const& job_;
  assumptions const& assumed_;
  Blocks const& blocks_;
};

namespace detail {

/// A plan and its place in the order of evaluation.
struct numbered_plan {
  plan choice;
  std::size_t position = 0;
};

/// The outcomes of all plans of a space. Plans that can be read together lie side by side, and a block of them is read
/// when the first of them is asked for.
template <class Model, class Blocks> class plan_table {
 public:
  plan_table(std::vector<plan> plans, Model const& model, device::cluster const& machine, workload const& job,
             assumptions const& assumed, Blocks const& blocks)
      : plans_(std::move(plans)), model_(model), machine_(machine), job_(job), assumed_(assumed),
        reader_(model, machine, job, assumed, blocks) {
    auto const block = [](plan const& choice) {
      return std::make_tuple(choice.pipeline, choice.sequence_parallel, choice.zero_stage, choice.recompute,
                             choice.kernel);
    };
    std::stable_sort(plans_.begin(), plans_.end(),
                     [&](plan const& left, plan const& right) { return block(left) < block(right); });
    candidates_.reserve(plans_.size());
    for (plan const& each : plans_)
      candidates_.push_back({each, candidates_.size()});
  }

  std::vector<numbered_plan> const& candidates() const { return candidates_; }

  search::outcome evaluate(numbered_plan const& candidate) const {
    while (outcomes_.size() <= candidate.position)
      read_next_block();
    return outcomes_[candidate.position];
  }
  std::size_t reasons() const { return rules.size() + 1; }
  bool before(numbered_plan const& left, numbered_plan const& right) const {
    return simpler(left.choice, right.choice);
  }

 private:
  void read_next_block() const {
    std::size_t const first = outcomes_.size();
    std::size_t last = first;
    legal_.clear();
    for (; last < plans_.size() && in_one_block(plans_[first], plans_[last]) && legal_.size() < reader_.capacity;
         ++last) {
      rule const broken = first_broken_rule(model_, machine_, job_, plans_[last], assumed_);
      outcomes_.push_back({.reason = static_cast<std::size_t>(broken)});
      if (broken == rule::none)
        legal_.push_back(plans_[last]);
    }
    if (legal_.empty())
      return;
    step_times_.resize(legal_.size());
    peaks_.resize(legal_.size());
    reader_.read(legal_, step_times_, peaks_);
    std::size_t next = 0;
    for (std::size_t index = first; index < last; ++index)
      if (outcomes_[index].reason == static_cast<std::size_t>(rule::none)) {
        outcomes_[index] = memory_outcome(step_times_[next], peaks_[next], machine_, assumed_);
        ++next;
      }
  }

  std::vector<plan> plans_;
  Model const& model_;
  device::cluster const& machine_;
  workload const& job_;
  assumptions const& assumed_;
  std::vector<numbered_plan> candidates_;
  // What has been read so far.
  mutable plan_column_reader<Model, Blocks> reader_;
  mutable std::vector<search::outcome> outcomes_;
  mutable std::vector<plan> legal_;
  mutable std::vector<double> step_times_, peaks_;
};

}  // namespace detail

/// Searches a whole space and keeps the `keep` fastest plans that fit. `should_stop(evaluated)` is asked between plans:
/// a stop token, a deadline or a progress display stands behind it.
template <class Model, class Blocks, std::predicate<std::size_t> ShouldStop>
search::exhaustive_result<plan> search_plans(Model const& model, device::cluster const& machine, workload const& job,
                                             assumptions const& assumed, plan_space const& space, std::size_t keep,
                                             Blocks const& blocks, ShouldStop should_stop) {
  detail::plan_table<Model, Blocks> const table{
      enumerate(space, machine, job, assumed), model, machine, job, assumed, blocks};
  auto const found = search::exhaustive<detail::numbered_plan>(table.candidates(), table, keep, should_stop);
  search::exhaustive_result<plan> result;
  result.certificate = found.certificate;
  for (auto const& each : found.best)
    result.best.push_back({each.candidate.choice, each.cost});
  for (auto const& each : found.refused)
    result.refused.push_back({each.count, each.nearest.choice, each.excess});
  return result;
}
template <class Model, class Blocks>
search::exhaustive_result<plan> search_plans(Model const& model, device::cluster const& machine, workload const& job,
                                             assumptions const& assumed, plan_space const& space, std::size_t keep,
                                             Blocks const& blocks) {
  return search_plans(model, machine, job, assumed, space, keep, blocks, [](std::size_t) { return false; });
}

namespace detail {

/// Among plans that are faster than `step_time` but do not fit, the one that misses least memory.
template <class Table> class faster_misfit_problem {
 public:
  faster_misfit_problem(Table const& table, double step_time) : table_(table), step_time_(step_time) {}

  search::outcome evaluate(numbered_plan const& candidate) const {
    search::outcome const found = table_.evaluate(candidate);
    bool const wanted = !found.allowed && found.reason == memory_reason && search::clearly_less(found.cost, step_time_);
    return {.allowed = wanted, .cost = found.excess};
  }
  std::size_t reasons() const { return 1; }
  bool before(numbered_plan const& left, numbered_plan const& right) const { return table_.before(left, right); }

 private:
  Table const& table_;
  double step_time_;
};

}  // namespace detail

/// What keeps a plan from being beaten: the faster plan that comes nearest to fitting, if there is one.
template <class Model, class Blocks>
std::optional<plan> nearest_faster_misfit(Model const& model, device::cluster const& machine, workload const& job,
                                          assumptions const& assumed, plan_space const& space, double step_time,
                                          Blocks const& blocks) {
  detail::plan_table<Model, Blocks> const table{
      enumerate(space, machine, job, assumed), model, machine, job, assumed, blocks};
  detail::faster_misfit_problem const problem{table, step_time};
  auto const found = search::exhaustive<detail::numbered_plan>(table.candidates(), problem, 1);
  if (found.best.empty())
    return std::nullopt;
  return found.best.front().candidate.choice;
}

}  // namespace shardplan::planner
