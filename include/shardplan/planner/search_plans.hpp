#pragma once
#include <concepts>
#include <cstddef>
#include <optional>
#include <tuple>
#include <vector>

#include <shardplan/planner/fits.hpp>
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

/// Views its arguments, which must outlive it.
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
    double const missing = found.worst.peak_bytes() - usable_memory(machine_, assumed_).value;
    if (!(missing <= 0))
      return {.cost = found.step_time, .reason = memory_reason, .excess = missing};
    return {.allowed = true, .cost = found.step_time};
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

/// Searches a whole space and keeps the `keep` fastest plans that fit. `should_stop(evaluated)` is asked between plans:
/// a stop token, a deadline or a progress display stands behind it.
template <class Model, class Blocks, std::predicate<std::size_t> ShouldStop>
search::exhaustive_result<plan> search_plans(Model const& model, device::cluster const& machine, workload const& job,
                                             assumptions const& assumed, plan_space const& space, std::size_t keep,
                                             Blocks const& blocks, ShouldStop should_stop) {
  plan_problem<Model, Blocks> const problem{model, machine, job, assumed, blocks};
  return search::exhaustive<plan>(enumerate(space, machine, job, assumed), problem, keep, should_stop);
}
template <class Model, class Blocks>
search::exhaustive_result<plan> search_plans(Model const& model, device::cluster const& machine, workload const& job,
                                             assumptions const& assumed, plan_space const& space, std::size_t keep,
                                             Blocks const& blocks) {
  return search_plans(model, machine, job, assumed, space, keep, blocks, [](std::size_t) { return false; });
}

/// Among plans that are faster than `step_time` but do not fit, the one that misses least memory.
template <class Model, class Blocks> class faster_misfit_problem {
 public:
  faster_misfit_problem(plan_problem<Model, Blocks> const& problem, double step_time)
      : problem_(problem), step_time_(step_time) {}

  search::outcome evaluate(plan const& choice) const {
    search::outcome const found = problem_.evaluate(choice);
    bool const wanted = !found.allowed && found.reason == memory_reason && search::clearly_less(found.cost, step_time_);
    return {.allowed = wanted, .cost = found.excess};
  }
  std::size_t reasons() const { return 1; }
  bool before(plan const& left, plan const& right) const { return simpler(left, right); }

 private:
  plan_problem<Model, Blocks> const& problem_;
  double step_time_;
};

/// What keeps a plan from being beaten: the faster plan that comes nearest to fitting, if there is one.
template <class Model, class Blocks>
std::optional<plan> nearest_faster_misfit(Model const& model, device::cluster const& machine, workload const& job,
                                          assumptions const& assumed, plan_space const& space, double step_time,
                                          Blocks const& blocks) {
  plan_problem<Model, Blocks> const all{model, machine, job, assumed, blocks};
  faster_misfit_problem<Model, Blocks> const problem{all, step_time};
  auto const found = search::exhaustive<plan>(enumerate(space, machine, job, assumed), problem, 1);
  if (found.best.empty())
    return std::nullopt;
  return found.best.front().candidate;
}

}  // namespace shardplan::planner
