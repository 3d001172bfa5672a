#include <set>
#include <string>

#include <doctest/doctest.h>

#include <shardplan/core.hpp>
#include <shardplan/device/catalogue/nvidia_a100_sxm_80gb.hpp>
#include <shardplan/device/catalogue/nvidia_h100_sxm.hpp>

// Every rule of legality has a plan that breaks it and nothing else; and what it asks for makes the plan legal.
namespace {

using namespace shardplan;
using planner::rule;

/// Two nodes of eight H100; 32 layers, 32 heads on 8 key/value heads.
struct setting {
  model::decoder<std::array<model::block_run, 1>> model = model::llama_3_1_8b;
  device::cluster machine = device::make_cluster(device::catalogue::h100_sxm, 2, 8);
  planner::workload job{.sequence_length = 4096, .global_batch = 64};
  planner::plan plan{
      .tensor = 2, .pipeline = 2, .data = 4, .micro_batch = 2, .sequence_parallel = true, .zero_stage = 1};
  planner::assumptions assumed;

  rule broken() const { return planner::first_broken_rule(model, machine, job, plan, assumed); }
};

TEST_CASE("the plan that the others are variants of is legal") { CHECK(setting{}.broken() == rule::none); }

TEST_CASE("device-count") {
  setting at;
  at.plan.data = 2;
  CHECK(at.broken() == rule::device_count);
  at.machine = device::make_cluster(device::catalogue::h100_sxm, 1, 8);
  CHECK(at.broken() == rule::none);
}

TEST_CASE("number-format-supported") {
  setting at;
  at.job.precision = device::number_format::fp8;
  CHECK(at.broken() == rule::none);
  at.machine = device::make_cluster(device::catalogue::a100_sxm_80gb, 2, 8);
  CHECK(at.broken() == rule::number_format_supported);
  at.job.precision = device::number_format::bf16;
  CHECK(at.broken() == rule::none);
}

TEST_CASE("zero-stage-offered") {
  setting at;
  at.plan.zero_stage = 3;  // Megatron's distributed optimizer is stage 1
  CHECK(at.broken() == rule::zero_stage_offered);
  at.assumed.policy = cost::policies::fsdp;
  CHECK(at.broken() == rule::none);
  at.plan.zero_stage = 1;  // FSDP shards gradients too
  CHECK(at.broken() == rule::zero_stage_offered);
  at.assumed.policy = cost::policies::mixed;
  for (int stage = 0; stage <= 3; ++stage) {
    at.plan.zero_stage = stage;
    CHECK(at.broken() != rule::zero_stage_offered);
  }
  at.plan.zero_stage = 4;
  CHECK(at.broken() == rule::zero_stage_offered);
  at.plan.zero_stage = -1;
  CHECK(at.broken() == rule::zero_stage_offered);
}

TEST_CASE("zero-stage-offered-in-pipeline") {
  // DeepSpeed, runtime/pipe/engine.py: ZeRO-2 and ZeRO-3 are incompatible with pipeline parallelism.
  setting at;
  at.assumed.policy = cost::policies::mixed;
  for (int stage = 0; stage <= 3; ++stage) {
    at.plan.zero_stage = stage;
    at.plan.pipeline = 2;
    at.plan.data = 4;
    CHECK(at.broken() == (stage <= 1 ? rule::none : rule::zero_stage_offered_in_pipeline));
    at.plan.pipeline = 1;
    at.plan.data = 8;
    CHECK(at.broken() == rule::none);
  }
}

TEST_CASE("sequence-length-in-range") {
  setting at;
  at.model.longest_sequence = 2048;
  CHECK(at.broken() == rule::sequence_length_in_range);
  at.model.longest_sequence = 4096;
  CHECK(at.broken() == rule::none);
  at.model.longest_sequence = 0;  // nothing limits it
  CHECK(at.broken() == rule::none);
}

TEST_CASE("heads-divisible-by-tensor") {
  setting at;
  at.model.shapes[0].heads = 33;
  CHECK(at.broken() == rule::heads_divisible_by_tensor);
  at.model.shapes[0].heads = 34;
  CHECK(at.broken() == rule::none);
}

TEST_CASE("key-value-heads-divisible-by-tensor") {
  setting at;
  at.model.shapes[0].key_value_heads = 1;
  CHECK(at.broken() == rule::key_value_heads_divisible_by_tensor);
  at.model.shapes[0].key_value_heads = 2;
  CHECK(at.broken() == rule::none);
}

TEST_CASE("feed-forward-divisible-by-tensor") {
  setting at;
  at.model.shapes[0].feed_forward = 14337;
  CHECK(at.broken() == rule::feed_forward_divisible_by_tensor);
  at.model.shapes[0].feed_forward = 14338;
  CHECK(at.broken() == rule::none);
  at.model.shapes[0].feed_forward = 14338.5;  // not a whole number
  CHECK(at.broken() == rule::feed_forward_divisible_by_tensor);
}

TEST_CASE("every shape of a model counts") {
  setting at;
  at.model.shapes[1] = at.model.shapes[0];
  at.model.shapes[1].heads = 33;
  CHECK(at.broken() == rule::none);  // not in use
  at.model.shape_count = 2;
  CHECK(at.broken() == rule::heads_divisible_by_tensor);
}

TEST_CASE("tensor-inside-node") {
  setting at;
  at.model.shapes[0].key_value_heads = 32;
  at.plan = {.tensor = 16, .zero_stage = 1};
  CHECK(at.broken() == rule::tensor_inside_node);
  at.assumed.tensor_across_nodes = true;
  CHECK(at.broken() == rule::none);

  // Three does not divide the eight devices of a node: some group would lie across two.
  setting odd;
  odd.machine = device::make_cluster(device::catalogue::h100_sxm, 3, 8);
  odd.model.shapes[0].heads = 24;
  odd.model.shapes[0].key_value_heads = 24;
  odd.model.shapes[0].feed_forward = 12288;
  odd.plan = {.tensor = 3, .data = 8, .zero_stage = 1};
  CHECK(odd.broken() == rule::tensor_inside_node);
}

TEST_CASE("sequence-parallel-needs-tensor") {
  setting at;
  at.plan.tensor = 1;
  at.plan.data = 8;
  CHECK(at.broken() == rule::sequence_parallel_needs_tensor);
  at.plan.sequence_parallel = false;
  CHECK(at.broken() == rule::none);
}

TEST_CASE("sequence-divisible-by-tensor") {
  setting at;
  at.job.sequence_length = 4097;
  CHECK(at.broken() == rule::sequence_divisible_by_tensor);
  at.plan.sequence_parallel = false;
  CHECK(at.broken() == rule::none);
}

TEST_CASE("layers-divisible-by-pipeline") {
  setting at;
  at.model.runs = {model::block_run{0, 33}};
  CHECK(at.broken() == rule::layers_divisible_by_pipeline);
  at.model.runs = {model::block_run{0, 34}};
  CHECK(at.broken() == rule::none);
}

TEST_CASE("batch-divisible") {
  setting at;
  at.job.global_batch = 60;  // 4 replicas take 15 each: not a whole number of micro-batches of 2
  CHECK(at.broken() == rule::batch_divisible);
  at.plan.micro_batch = 3;
  CHECK(at.broken() == rule::none);
  CHECK(planner::micro_batches(at.plan, at.job) == 5);
}

TEST_CASE("of several broken rules the first in the table is named") {
  setting at;
  at.job.global_batch = 60;
  at.model.runs = {model::block_run{0, 33}};
  CHECK(at.broken() == rule::layers_divisible_by_pipeline);
  at.model.shapes[0].heads = 33;
  CHECK(at.broken() == rule::heads_divisible_by_tensor);
  at.plan.zero_stage = 3;
  CHECK(at.broken() == rule::zero_stage_offered);
  at.plan.data = 3;
  CHECK(at.broken() == rule::device_count);
}

TEST_CASE("every rule has a name and a statement of its own, at its own place in the table") {
  std::set<std::string> names, statements;
  for (std::size_t index = 0; index < planner::rules.size(); ++index) {
    auto const id = static_cast<rule>(index);
    auto const& statement = planner::statement_of(id);
    CHECK(statement.id == id);
    CHECK(std::string(statement.name).size() > 5);
    CHECK(std::string(statement.statement).size() > 20);
    names.insert(statement.name);
    statements.insert(statement.statement);
  }
  CHECK(static_cast<std::size_t>(rule::none) == planner::rules.size());
  CHECK(names.size() == planner::rules.size());
  CHECK(statements.size() == planner::rules.size());
}

}  // namespace
