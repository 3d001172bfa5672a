#pragma once
#include <shardplan/core.hpp>
#include <shardplan/device/catalogue/nvidia_h100_sxm.hpp>

#include <support/numbers.hpp>

/// Random models, clusters, jobs and plans for laws.
namespace support {

namespace sp = shardplan;

using random_model = sp::model::decoder<std::array<sp::model::block_run, 3>>;

inline sp::model::block_shape random_shape(generator& random) {
  double const head_dimension = random.one_of(64.0, 128.0);
  double const key_value_heads = random.one_of(16.0, 32.0);
  double const heads = key_value_heads * random.one_of(1.0, 2.0, 4.0);
  auto const flag = [&] { return random.chance(0.5) ? 1.0 : 0.0; };
  return {.kind = random.one_of(sp::model::block_kind::plain_mlp, sp::model::block_kind::gated_mlp),
          .hidden = heads * head_dimension,
          .feed_forward = 64.0 * static_cast<double>(random.whole(16, 512)),
          .heads = heads,
          .key_value_heads = key_value_heads,
          .head_dimension = head_dimension,
          .window = random.one_of(0.0, 0.0, 512.0),
          .mlp_norms = flag(),
          .post_norms = 2 * flag(),
          .norm_vectors = 1 + flag(),
          .head_norms = flag(),
          .query_key_value_bias = flag(),
          .attention_output_bias = flag(),
          .mlp_bias = flag(),
          .sequential = flag(),
          .hidden_dropout = flag(),
          .attention_dropout = flag()};
}

/// Two kinds of blocks in three runs; layers are a multiple of 16, runs are not.
inline random_model random_decoder(generator& random) {
  random_model model;
  model.family = "random";
  model.shapes[0] = random_shape(random);
  model.shapes[1] = random_shape(random);
  model.shapes[1].hidden = model.shapes[0].hidden;
  model.shape_count = 2;
  long long const layers = 16 * random.whole(1, 6);
  long long const first = random.whole(1, layers - 2);
  long long const second = random.whole(1, layers - first - 1);
  model.runs = {sp::model::block_run{0, first}, sp::model::block_run{1, second},
                sp::model::block_run{0, layers - first - second}};
  model.vocabulary = static_cast<double>(random.whole(1000, 300000));
  model.learned_positions = random.one_of(0.0, 4096.0);
  model.tied_embeddings = random.chance(0.5);
  return model;
}

/// A plan, and the job that it divides evenly.
struct random_case {
  sp::planner::plan plan;
  sp::planner::workload job;
  sp::planner::assumptions assumed;

  /// The cluster that has just the plan's devices.
  sp::device::cluster cluster() const {
    long long const devices = plan.devices();
    int const per_node = devices < 8 ? static_cast<int>(devices) : 8;
    return sp::device::make_cluster(sp::device::catalogue::h100_sxm, static_cast<int>(devices / per_node), per_node);
  }
  long long micro_batches() const { return sp::planner::micro_batches(plan, job); }
  void set_micro_batches(long long m) { job.global_batch = m * plan.data * plan.micro_batch; }
};

inline random_case random_plan(generator& random) {
  random_case result;
  auto& plan = result.plan;
  plan.tensor = random.one_of(1, 2, 4, 8);
  plan.pipeline = random.one_of(1, 1, 2, 4, 8, 16);
  plan.data = random.one_of(1, 2, 8, 64);
  plan.micro_batch = random.whole(1, 4);
  plan.sequence_parallel = plan.tensor > 1 && random.chance(0.5);
  plan.recompute = sp::planner::all_recomputations[random.whole(0, 3)];
  plan.kernel = random.one_of(sp::planner::attention_kernel::flash, sp::planner::attention_kernel::plain);
  result.job.sequence_length = random.one_of(512.0, 2048.0, 8192.0);
  result.set_micro_batches(random.whole(1, 40));
  auto& policy = result.assumed.policy;
  policy = random.one_of(sp::cost::policies::megatron, sp::cost::policies::fsdp, sp::cost::policies::mixed);
  plan.zero_stage = static_cast<int>(random.whole(policy.lowest_stage, policy.highest_stage));
  return result;
}

}  // namespace support
