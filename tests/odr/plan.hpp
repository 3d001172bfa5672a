#pragma once
#include <shardplan/shardplan.hpp>

/// The step time of a plan, instantiated in each translation unit.
inline double step_time() {
  using namespace shardplan;
  auto const machine = device::make_cluster(device::catalogue::h100_sxm, 2, 8);
  planner::workload const job{.sequence_length = 4096, .global_batch = 64};
  planner::plan const choice{.tensor = 2, .data = 8, .zero_stage = 1};
  return planner::estimate(model::llama_3_1_8b, machine, job, choice).step_time;
}
