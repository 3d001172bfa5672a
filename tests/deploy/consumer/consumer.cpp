// What a user's first program looks like: include, link nothing, run.
#include <cstdio>

#include <shardplan/core.hpp>
#include <shardplan/device/catalogue/nvidia_h100_sxm.hpp>
#include <shardplan/search.hpp>

using namespace shardplan;

constexpr auto machine = device::make_cluster(device::catalogue::h100_sxm, 8, 8);
constexpr planner::workload job{.sequence_length = 8192, .global_batch = 512};
constexpr planner::plan choice{.tensor = 2, .data = 32, .sequence_parallel = true, .zero_stage = 1};
static_assert(planner::fits(model::llama_3_1_8b, machine, job, choice));

int main() {
  if (!(planner::estimate(model::llama_3_1_8b, machine, job, choice).step_time > 0))
    return 1;
  std::printf("shardplan %s\n", version);
}
