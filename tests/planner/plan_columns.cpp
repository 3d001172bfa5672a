#include <cmath>
#include <vector>

#include <doctest/doctest.h>

#include <shardplan/device/catalogue/nvidia_h100_sxm.hpp>
#include <shardplan/model/published.hpp>
#include <shardplan/planner/plan_columns.hpp>
#include <shardplan/planner/search_plans.hpp>

#include <support/numbers.hpp>
#include <support/plans.hpp>

// Plans read in columns must cost what the same plans cost when they are estimated one by one.
namespace {

using namespace shardplan;
using namespace support;

template <class Model>
void check_all_plans(Model const& model, device::cluster const& machine, planner::workload const& job,
                     planner::assumptions const& assumed) {
  auto const blocks = planner::block_registry::standard();
  planner::plan_column_reader reader{model, machine, job, assumed, blocks};
  planner::plan_space space;
  space.zero_stage = {0, 1, 2, 3};
  space.recompute = {planner::recomputation::none, planner::recomputation::selective, planner::recomputation::operators,
                     planner::recomputation::full};
  std::vector<planner::plan> plans, block;
  for (auto const& each : planner::enumerate(space, machine, job, assumed))
    if (auto const broken = planner::first_broken_rule(model, machine, job, each, assumed);
        broken == planner::rule::none || broken == planner::rule::zero_stage_offered ||
        broken == planner::rule::zero_stage_offered_in_pipeline)
      plans.push_back(each);
  REQUIRE(!plans.empty());
  std::vector<double> step_times(plans.size()), peaks(plans.size());
  for (std::size_t first = 0; first < plans.size();) {
    block.clear();
    while (first + block.size() < plans.size() && block.size() < reader.capacity &&
           planner::in_one_block(plans[first], plans[first + block.size()]))
      block.push_back(plans[first + block.size()]);
    std::span<double> const of_steps{step_times}, of_peaks{peaks};
    reader.read(block, of_steps.subspan(first, block.size()), of_peaks.subspan(first, block.size()));
    first += block.size();
  }
  std::size_t alike = 0;
  for (std::size_t index = 0; index < plans.size(); ++index) {
    auto const one = planner::estimate(model, machine, job, plans[index], assumed);
    // Written so that what is no number is not alike.
    bool const same_time = std::fabs(step_times[index] / one.step_time - 1) < 1e-13;
    bool const same_peak = std::fabs(peaks[index] / one.worst.peak_bytes() - 1) < 1e-13;
    alike += same_time && same_peak ? 1 : 0;
  }
  CHECK(alike == plans.size());
}

TEST_CASE("plans of equal layers") {
  auto const machine = device::make_cluster(device::catalogue::h100_sxm, 4, 8);
  planner::workload const job{.sequence_length = 4096, .global_batch = 64};
  for (auto const& policy : {cost::policies::megatron, cost::policies::fsdp, cost::policies::mixed}) {
    planner::assumptions assumed;
    assumed.policy = policy;
    check_all_plans(model::llama_3_1_8b, machine, job, assumed);
  }
}

TEST_CASE("a split with the ends counted, tied embeddings, and layers of two shapes in turn") {
  auto const machine = device::make_cluster(device::catalogue::h100_sxm, 3, 8);
  planner::workload const job{.sequence_length = 4096, .global_batch = 48};
  auto tied = model::llama_3_1_8b;
  tied.runs[0].count = 22;
  tied.tied_embeddings = true;
  check_all_plans(tied, machine, job, {});

  model::decoder<std::vector<model::block_run>> alternating;
  alternating.shapes[0] = model::llama_3_1_8b.shapes[0];
  alternating.shapes[1] = alternating.shapes[0];
  alternating.shapes[1].window = 1024;
  alternating.shapes[1].kind = model::block_kind::plain_mlp;
  alternating.shape_count = 2;
  alternating.vocabulary = 128256;
  for (int layer = 0; layer < 30; ++layer)
    alternating.runs.push_back({layer % 2, 1});
  check_all_plans(alternating, machine, job, {});
}

TEST_CASE("a pipeline with more groups of stages than are read in columns") {
  model::decoder<std::vector<model::block_run>> alternating;
  alternating.shapes[0] = model::llama_3_1_8b.shapes[0];
  alternating.shapes[1] = alternating.shapes[0];
  alternating.shapes[1].window = 1024;
  alternating.shape_count = 2;
  alternating.vocabulary = 128256;
  for (int layer = 0; layer < 144; ++layer)
    alternating.runs.push_back({layer % 2, 1});
  auto const machine = device::make_cluster(device::catalogue::h100_sxm, 18, 8);
  planner::workload const job{.sequence_length = 4096, .global_batch = 32};
  auto const blocks = planner::block_registry::standard();
  planner::assumptions const assumed;
  planner::plan_column_reader reader{alternating, machine, job, assumed, blocks};
  std::vector<planner::plan> const plans{{.pipeline = 144, .micro_batch = 1}, {.pipeline = 144, .micro_batch = 2}};
  std::vector<double> step_times(2), peaks(2);
  reader.read(plans, step_times, peaks);
  for (std::size_t index = 0; index < plans.size(); ++index) {
    auto const one = planner::estimate(alternating, machine, job, plans[index], assumed, blocks);
    CHECK(step_times[index] == one.step_time);
    CHECK(peaks[index] == one.worst.peak_bytes());
  }
}

TEST_CASE("the search names the plan that estimating all of them names") {
  auto const machine = device::make_cluster(device::catalogue::h100_sxm, 8, 8);
  planner::workload const job{.sequence_length = 8192, .global_batch = 512};
  planner::assumptions const assumed;
  auto const blocks = planner::block_registry::standard();
  planner::plan_problem const one_by_one{model::llama_3_1_8b, machine, job, assumed, blocks};
  auto const plans = planner::enumerate({}, machine, job, assumed);
  auto const all = search::exhaustive<planner::plan>(plans, one_by_one, 10);
  auto const found = planner::search_plans(model::llama_3_1_8b, machine, job, assumed, {}, 10, blocks);
  REQUIRE(found.best.size() == all.best.size());
  for (std::size_t index = 0; index < all.best.size(); ++index) {
    CHECK(found.best[index].candidate == all.best[index].candidate);
    CHECK(close(found.best[index].cost, all.best[index].cost));
  }
  REQUIRE(found.refused.size() == all.refused.size());
  for (std::size_t reason = 0; reason < all.refused.size(); ++reason)
    CHECK(found.refused[reason].count == all.refused[reason].count);
}

}  // namespace
