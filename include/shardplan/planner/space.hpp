#pragma once
#include <vector>

#include <range/v3/range/conversion.hpp>
#include <range/v3/view/filter.hpp>
#include <range/v3/view/iota.hpp>

#include <shardplan/planner/plan.hpp>

/// The space of plans: every way to write the device count as t * p * d, every micro-batch that divides a replica's
/// share, and every combination of the memory optimisations. Illegal plans are in it, so that a search can say why they
/// lost.
namespace shardplan::planner {

/// Values that a dimension may take; an empty list leaves it free.
struct plan_space {
  std::vector<long long> tensor = {};
  std::vector<long long> pipeline = {};
  std::vector<long long> data = {};
  std::vector<long long> micro_batch = {};
  std::vector<bool> sequence_parallel = {};
  std::vector<int> zero_stage = {};
  std::vector<recomputation> recompute = {};
  attention_kernel kernel = attention_kernel::flash;
};

/// All divisors of a positive number, ascending.
inline std::vector<long long> divisors(long long number) {
  std::vector<long long> low, high;
  for (long long candidate = 1; candidate * candidate <= number; ++candidate) {
    if (number % candidate != 0)
      continue;
    low.push_back(candidate);
    if (candidate * candidate != number)
      high.push_back(number / candidate);
  }
  low.insert(low.end(), high.rbegin(), high.rend());
  return low;
}

namespace detail {
template <class Value> bool admits(std::vector<Value> const& allowed, Value value) {
  if (allowed.empty())
    return true;
  for (Value const each : allowed)
    if (each == value)
      return true;
  return false;
}
template <class Value>
std::vector<Value> choices(std::vector<Value> const& allowed, std::vector<Value> const& otherwise) {
  return allowed.empty() ? otherwise : allowed;
}
}  // namespace detail

/// The recomputation mechanisms worth looking at: those that the framework offers, and of these not the one that gives
/// up attention scores where a fused kernel keeps none.
inline std::vector<recomputation> usual_mechanisms(cost::byte_policy const& policy, attention_kernel kernel) {
  std::vector<recomputation> mechanisms{recomputation::none};
  if (policy.recomputes_attention_core && kernel == attention_kernel::plain)
    mechanisms.push_back(recomputation::selective);
  if (policy.recomputes_by_operator)
    mechanisms.push_back(recomputation::operators);
  mechanisms.push_back(recomputation::full);
  return mechanisms;
}

/// All plans of a space for a cluster and a job, in a fixed order.
inline std::vector<plan> enumerate(plan_space const& space, device::cluster const& machine, workload const& job,
                                   assumptions const& assumed) {
  namespace views = ranges::views;
  long long const devices = machine.devices();
  auto const stages =
      detail::choices(space.zero_stage, views::closed_iota(assumed.policy.lowest_stage, assumed.policy.highest_stage) |
                                            ranges::to<std::vector<int>>());
  auto const mechanisms = detail::choices(space.recompute, usual_mechanisms(assumed.policy, space.kernel));
  auto const in_sequence = detail::choices(space.sequence_parallel, {false, true});

  std::vector<plan> plans;
  auto const tensor_degrees = divisors(devices);
  for (long long const t :
       tensor_degrees | views::filter([&](long long degree) { return detail::admits(space.tensor, degree); })) {
    auto const stage_counts = divisors(devices / t);
    for (long long const p :
         stage_counts | views::filter([&](long long count) { return detail::admits(space.pipeline, count); })) {
      long long const d = devices / t / p;
      if (!detail::admits(space.data, d))
        continue;
      // Where the replicas cannot share the batch evenly, one candidate stands for all, to be refused by name.
      auto const per_replica = job.global_batch % d == 0 ? divisors(job.global_batch / d) : std::vector<long long>{1};
      for (long long const b : detail::choices(space.micro_batch, per_replica))
        for (bool const sp : in_sequence) {
          // With one device there is nothing to cut: not a candidate unless asked for.
          if (sp && t == 1 && space.sequence_parallel.empty())
            continue;
          // One replica has nothing to share out: the stages do not differ.
          bool const one_stage = d == 1 && space.zero_stage.empty();
          for (int const stage : one_stage ? std::vector<int>{stages.front()} : stages)
            for (recomputation const again : mechanisms)
              plans.push_back({t, p, d, b, sp, stage, again, space.kernel});
        }
    }
  }
  return plans;
}

}  // namespace shardplan::planner
