#include <doctest/doctest.h>

#include <shardplan/model/published.hpp>
#include <shardplan/planner/fits.hpp>
#include <shardplan/planner/stages.hpp>

// How layers are cut into stages.

namespace {

using namespace shardplan;
using planner::first_layer_of;
using planner::split_of;
using planner::stage_split;

// Llama 3.1 405B as it was trained: 126 layers in 16 stages, the first and the last with one layer fewer (Llama team
// 2024, arXiv 2407.21783, section 3.3.2).
static_assert(split_of(126, 16) == stage_split::ends_counted);
static_assert(first_layer_of(126, 16, 1) == 7);
static_assert(first_layer_of(126, 16, 2) == 15);
static_assert(first_layer_of(126, 16, 15) == 119);
static_assert(first_layer_of(126, 16, 16) == 126);
static_assert(split_of(32, 4) == stage_split::even);
static_assert(split_of(33, 4) == stage_split::none);

TEST_CASE("stages cover all layers, in order, and no stage is empty") {
  int even = 0, counted = 0;
  for (long long layers = 1; layers <= 200; ++layers)
    for (long long stages = 1; stages <= layers; ++stages) {
      auto const split = split_of(layers, stages);
      if (split == stage_split::none)
        continue;
      (split == stage_split::even ? even : counted) += 1;
      CHECK(first_layer_of(layers, stages, 0) == 0);
      CHECK(first_layer_of(layers, stages, stages) == layers);
      for (long long stage = 0; stage < stages; ++stage) {
        long long const held = first_layer_of(layers, stages, stage + 1) - first_layer_of(layers, stages, stage);
        CHECK(held > 0);
        bool const end = stage == 0 || stage == stages - 1;
        if (split == stage_split::even)
          CHECK(held == layers / stages);
        else
          CHECK(held == (layers + 2) / stages - (end ? 1 : 0));
      }
    }
  CHECK(even > 500);
  CHECK(counted > 500);
}

TEST_CASE("a model whose layers only come out even with its ends counted is legal") {
  auto const machine = [] {
    auto result = device::unit_cluster();
    result.nodes = 16;
    return result;
  }();
  planner::workload const job{.sequence_length = 128, .global_batch = 16};
  planner::plan const choice{.pipeline = 16};
  CHECK(planner::first_broken_rule(model::llama_3_1_405b, machine, job, choice, {}) == planner::rule::none);
}

}  // namespace
