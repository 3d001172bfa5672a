// Step 4: the search. It knows nothing of models: it sees candidates, a cost, and reasons for refusing. The planner
// makes the space of plans and the problem.
#include <algorithm>
#include <cstdio>
#include <random>

#include <shardplan/device/catalogue/nvidia_h100_sxm.hpp>
#include <shardplan/planner.hpp>
#include <shardplan/shardplan.hpp>

using namespace shardplan;
using planner::plan;

// --- A problem of one's own ------------------------------------------------------------------------------------------

// Which odd divisor of 360 is nearest to 10? Any type with these three members is a problem.
struct odd_divisor {
  search::outcome evaluate(long long candidate) const {
    if (candidate % 2 == 0)
      return {.reason = 0, .excess = 1};
    double const off = static_cast<double>(candidate) - 10.0;
    return {.allowed = true, .cost = off * off + 1};
  }
  std::size_t reasons() const { return 1; }
  // Equal costs: the smaller number is named first.
  bool before(long long left, long long right) const { return left < right; }
};
static_assert(search::candidate_problem<odd_divisor, long long>);
static_assert(!search::candidate_problem<odd_divisor, plan*>);

int failures = 0;

void check(bool holds, char const* law) {
  std::printf("%s  %s\n", holds ? "ok  " : "FAIL", law);
  failures += holds ? 0 : 1;
}

void laws_of_the_search() {
  auto const candidates = planner::divisors(360);
  auto const found = search::exhaustive<long long>(candidates, odd_divisor{}, 2);
  check(found.certificate.status == search::status::optimal, "a search that saw everything says `optimal`");
  check(found.best.size() == 2 && found.best[0].candidate == 9 && found.best[1].candidate == 5,
        "the best come first, equal ones (5 and 15) in the problem's own order");
  check(found.refused[0].count == 18 && found.certificate.evaluated == 24, "what was refused is counted by reason");

  auto const stopped =
      search::exhaustive<long long>(candidates, odd_divisor{}, 1, [](std::size_t evaluated) { return evaluated >= 3; });
  check(stopped.certificate.status == search::status::feasible && stopped.certificate.gap() == 1.0,
        "a search that was stopped says `feasible`, and that it has no bound");
}

void laws_of_the_planner() {
  auto const model_8b = model::llama_3_1_8b;
  auto const machine = device::make_cluster(device::catalogue::h100_sxm, 2, 8);
  planner::workload const job{.sequence_length = 8192, .global_batch = 64};
  planner::assumptions const assumed;
  auto const blocks = planner::block_registry::standard();

  auto plans = planner::enumerate({}, machine, job, assumed);
  bool complete = true;
  for (plan const& each : plans)
    complete = complete && each.devices() == machine.devices();
  check(complete, "every plan of the space uses every device");

  planner::plan_problem const problem{model_8b, machine, job, assumed, blocks};
  auto const found = search::exhaustive<plan>(plans, problem, 5);
  std::size_t refused = 0;
  for (auto const& reason : found.refused)
    refused += reason.count;
  check(found.certificate.evaluated == plans.size(), "the whole space is evaluated");
  check(refused < plans.size() && found.refused[planner::memory_reason].count > 0, "some plans fit, some do not");

  bool fit = true, ordered = true;
  for (std::size_t index = 0; index < found.best.size(); ++index) {
    fit = fit && planner::fits(model_8b, machine, job, found.best[index].candidate, assumed);
    ordered = ordered && (index == 0 || found.best[index - 1].cost <= found.best[index].cost * (1 + 1e-12));
  }
  check(fit, "every plan that is named fits");
  check(ordered, "the fastest comes first");

  // The order in which candidates are met does not matter; ties are decided by what the plans are.
  std::shuffle(plans.begin(), plans.end(), std::mt19937{7});
  auto const again = search::exhaustive<plan>(plans, problem, 5);
  bool equal = again.best.size() == found.best.size();
  for (std::size_t index = 0; equal && index < found.best.size(); ++index)
    equal = again.best[index].candidate == found.best[index].candidate;
  check(equal, "the answer does not depend on the order of the candidates");

  // A smaller space cannot have a better optimum.
  planner::plan_space narrow;
  narrow.tensor = {8};
  auto const narrower = planner::search_plans(model_8b, machine, job, assumed, narrow, 1, blocks);
  check(narrower.best.front().cost >= found.best.front().cost, "a smaller space has no better optimum");

  for (auto const& each : found.best)
    std::printf("      tp %lld pp %lld dp %lld micro-batch %lld sp %s recompute %s: %.3f s\n", each.candidate.tensor,
                each.candidate.pipeline, each.candidate.data, each.candidate.micro_batch,
                each.candidate.sequence_parallel ? "on" : "off", planner::name_of(each.candidate.recompute), each.cost);
}

int main() {
  laws_of_the_search();
  laws_of_the_planner();
  return failures;
}
