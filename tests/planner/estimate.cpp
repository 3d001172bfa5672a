#include <array>
#include <cmath>
#include <utility>

#include <doctest/doctest.h>

#include <shardplan/core.hpp>
#include <shardplan/device/catalogue/nvidia_h100_sxm.hpp>

#include <support/numbers.hpp>

// One plan from values to verdict: what the estimate says of stages, against sums by hand.
namespace {

using namespace shardplan;
using support::close;
namespace ct = cost::tag;

constexpr auto llama = model::llama_3_1_8b;
device::cluster const machine = device::make_cluster(device::catalogue::h100_sxm, 8, 8);
planner::workload const job{.sequence_length = 8192, .global_batch = 128};

TEST_CASE("model states of a plan by hand: FSDP over 64 devices keeps 16 P / 64 bytes") {
  planner::assumptions assumed;
  assumed.policy = cost::policies::fsdp;
  auto const found = planner::estimate(llama, machine, job, planner::plan{.data = 64, .zero_stage = 3}, assumed);
  CHECK(close(found.worst.static_bytes(), 16 * 8030261248.0 / 64));
}

TEST_CASE("the worst stage is the one with the highest peak, the slowest the one with the highest bound") {
  planner::plan const choice{.tensor = 2, .pipeline = 4, .data = 8, .micro_batch = 1, .zero_stage = 1};
  planner::assumptions const assumed;
  planner::standard_blocks const blocks;
  planner::plan_reader const reader{llama, machine, job, choice, assumed, blocks};
  auto const found = planner::estimate(llama, machine, job, choice);
  double highest = 0, total = 0, slowest_sum = 0, after = 0;
  for (long long stage = 0; stage < 4; ++stage) {
    auto const each = reader.stage(stage);
    highest = std::fmax(highest, each.peak_bytes());
    total += each.forward() + each.backward();
    slowest_sum = std::fmax(slowest_sum, each.forward() + each.backward());
    after = std::fmax(after, each.after_pipeline());
    CHECK(each.index == stage);
    CHECK(each.layers == 8);
    CHECK(each.first_layer == 8 * stage);
    // 1F1B: stage i holds p - i micro-batches.
    CHECK(planner::get<ct::micro_batches_in_flight>(each.values) == static_cast<double>(4 - stage));
  }
  CHECK(found.worst.peak_bytes() == highest);
  CHECK(found.ending.after_pipeline() == after);
  CHECK(close(found.step_time, found.pipeline_time + after));
  // No pipeline is faster than its slowest stage's work, or slower than if the stages ran one after the other.
  double const m = 16;
  CHECK(found.pipeline_time >= m * slowest_sum);
  CHECK(found.pipeline_time <= m * total);
}

template <class Model> void check_pipeline_time(Model const& model, planner::plan const& choice) {
  planner::assumptions const assumed;
  planner::standard_blocks const blocks;
  planner::plan_reader const reader{model, machine, job, choice, assumed, blocks};
  auto const m = static_cast<double>(planner::micro_batches(choice, job));
  double all = 0, largest = 0, before = 0;
  for (long long stage = 0; stage < choice.pipeline; ++stage)
    all += reader.stage(stage).forward() + reader.stage(stage).backward();
  for (long long stage = 0; stage < choice.pipeline; ++stage) {
    auto const each = reader.stage(stage);
    double const f = each.forward(), b = each.backward(), after = all - before - f - b;
    double const w = std::fmin(m, static_cast<double>(choice.pipeline - stage));
    largest = std::fmax(largest, before + m * (f + b));
    largest = std::fmax(largest, before + f + after + m * b + (m - w) * f);
    before += f + b;
  }
  CHECK(close(planner::estimate(model, machine, job, choice).pipeline_time, largest));
}

TEST_CASE("the time of a pipeline is the largest of the 1F1B bounds of its stages") {
  check_pipeline_time(llama, {.pipeline = 4, .data = 16, .micro_batch = 2, .zero_stage = 1});
  // A slow stage between fast ones: what comes before it counts.
  model::decoder<std::array<model::block_run, 3>> uneven;
  uneven.shapes[0] = model::llama_block(4096, 512, 32, 8);
  uneven.shapes[1] = model::llama_block(4096, 524288, 32, 8);
  uneven.shape_count = 2;
  uneven.runs = {model::block_run{0, 1}, model::block_run{1, 1}, model::block_run{0, 2}};
  uneven.vocabulary = 1024;
  check_pipeline_time(uneven, {.pipeline = 4, .data = 16, .zero_stage = 1});
}

TEST_CASE("passes of a stage are the sums over its blocks, and recomputation brings back one block at a time") {
  planner::plan const choice{.tensor = 8,
                             .pipeline = 2,
                             .data = 4,
                             .sequence_parallel = true,
                             .zero_stage = 1,
                             .recompute = planner::recomputation::full};
  planner::assumptions const assumed;
  planner::standard_blocks const blocks;
  planner::plan_reader const reader{llama, machine, job, choice, assumed, blocks};
  auto const& block = reader.block(0);
  auto const& embedding = reader.embedding();
  auto const stage = reader.stage(0);
  auto const of_block = [&]<class Tag>(expr::symbol<Tag>) { return planner::get<Tag>(block); };
  auto const of_end = [&]<class Tag>(expr::symbol<Tag>) { return planner::get<Tag>(embedding); };
  auto const sum = [&](auto symbol) { return 16 * of_block(symbol) + of_end(symbol); };
  CHECK(of_block(cost::of<ct::block_recompute>) > 0);
  CHECK(of_block(cost::of<ct::block_forward_communication>) > 0);
  CHECK(close(stage.forward(), sum(cost::of<ct::block_forward>) + sum(cost::of<ct::block_forward_communication>)));
  // The backward pass waits for the next stage's gradient: a message of b s h / t_s elements.
  auto const link = device::neighbour_link(machine);
  double const hop = link.latency.value + 2.0 * 8192 * 4096 / 8 / link.bandwidth.value;
  CHECK(close(stage.backward(), sum(cost::of<ct::block_backward>) + sum(cost::of<ct::block_recompute>) +
                                    sum(cost::of<ct::block_backward_communication>) + hop));
  CHECK(of_block(cost::of<ct::block_working>) > 0);
  CHECK(planner::get<ct::recomputed_activations>(stage.values) == of_block(cost::of<ct::block_working>));
}

TEST_CASE("how often a step reduces gradients and gathers weights") {
  planner::assumptions assumed;
  planner::standard_blocks const blocks;
  auto const counts = [&](cost::byte_policy const& policy, int zero_stage, long long pipeline) {
    planner::plan const choice{.pipeline = pipeline, .data = 32 / pipeline, .zero_stage = zero_stage};
    assumed.policy = policy;
    planner::workload const steps{.sequence_length = 8192, .global_batch = 4 * choice.data};
    planner::plan_reader const reader{llama, machine, steps, choice, assumed, blocks};
    auto const& values = reader.plan_values();
    return std::pair{planner::get<ct::reductions_per_step>(values), planner::get<ct::gathers_per_step>(values)};
  };
  using both = std::pair<double, double>;
  CHECK(counts(cost::policies::mixed, 0, 1) == both{1, 1});
  CHECK(counts(cost::policies::mixed, 1, 1) == both{1, 1});
  CHECK(counts(cost::policies::mixed, 2, 1) == both{4, 1});
  CHECK(counts(cost::policies::mixed, 3, 1) == both{4, 8});
  CHECK(counts(cost::policies::fsdp, 3, 1) == both{4, 8});
  // torchtitan keeps weights gathered and gradients whole until the last micro-batch of a pipeline.
  CHECK(counts(cost::policies::fsdp, 3, 2) == both{1, 1});
}

TEST_CASE("the optimizer step streams its states once") {
  auto const found = planner::estimate(llama, machine, job, planner::plan{.data = 64, .zero_stage = 1});
  // Megatron: gradients (4 bytes) and states (12) twice, weights (2) once; over 64 devices.
  double const bandwidth = planner::rates_of(machine, job, {}).memory;
  CHECK(close(planner::get<ct::optimizer_time>(found.worst.values),
              8030261248.0 / 64 * (2 * 4 + 2 * 12 + 2) / bandwidth));
}

TEST_CASE("logits lie on the last stage, and only the inner boundaries receive") {
  planner::plan const choice{.pipeline = 2, .data = 32, .zero_stage = 1};
  planner::assumptions const assumed;
  planner::standard_blocks const blocks;
  planner::plan_reader const reader{llama, machine, job, choice, assumed, blocks};
  auto const first = reader.stage(0), last = reader.stage(1);
  CHECK(planner::get<ct::logits>(first.values) == 0);
  // 6 bytes a logit under the Megatron policy, vocabulary 128256 = 128 * 1002
  CHECK(planner::get<ct::logits>(last.values) == 6.0 * 8192 * 128256);
  CHECK(planner::get<ct::stage_receives_forward>(first.place) == 0);
  CHECK(planner::get<ct::stage_receives_backward>(first.place) == 1);
  CHECK(planner::get<ct::stage_receives_forward>(last.place) == 1);
  CHECK(planner::get<ct::stage_receives_backward>(last.place) == 0);
}

TEST_CASE("gathered weights: two blocks and the ends under ZeRO 3, none where weights are whole") {
  planner::assumptions assumed;
  assumed.policy = cost::policies::mixed;
  auto const gathered = [&](int stage) {
    auto const found = planner::estimate(llama, machine, job, planner::plan{.data = 64, .zero_stage = stage}, assumed);
    return planner::get<ct::gathered_weights>(found.worst.values);
  };
  CHECK(gathered(0) == 0);
  CHECK(gathered(2) == 0);
  double const block = 4096.0 * 4096 * 2 + 2 * 4096.0 * 1024 + 3 * 4096.0 * 14336 + 2 * 4096;
  double const head = 128256.0 * 4096 + 4096;
  CHECK(close(gathered(3), 2 * (2 * block + head)));
}

TEST_CASE("model FLOP of the three conventions") {
  // Llama-3.1-8B at 8192: 6 (P - embedding) and 12 L h s per token, attention in full or by the mask.
  planner::plan const choice{.data = 64, .zero_stage = 1};
  planner::assumptions assumed;
  auto const flop = [&](planner::flop_convention convention) {
    assumed.flops = convention;
    auto const found = planner::estimate(llama, machine, job, choice, assumed);
    return planner::model_flop(llama, found, job, assumed) / (128 * 8192.0);
  };
  double const P = 8030261248, embedding = 128256.0 * 4096, norms = 65.0 * 4096;
  double const attention = 12.0 * 32 * 4096 * 8192;
  CHECK(close(flop(planner::flop_convention::matrix_products), 6 * (P - embedding - norms) + attention));
  CHECK(close(flop(planner::flop_convention::causal), 6 * (P - embedding - norms) + attention * (8193.0 / 2 / 8192)));
  CHECK(close(flop(planner::flop_convention::all_parameters), 6 * P + attention));
}

TEST_CASE("parameters are those of the model, whatever policy pads") {
  CHECK(planner::parameters(model::llama_2_7b) == 6738415616.0);
  CHECK(planner::parameters(model::llama_3_1_70b) == 70553706496.0);
  auto odd = llama;
  odd.vocabulary = 50257;
  CHECK(planner::parameters(odd) == 8030261248.0 - 2 * 4096.0 * (128256 - 50257));
}

TEST_CASE("a verdict compares the peak with what the reserve leaves") {
  planner::assumptions assumed;
  double const usable = planner::usable_memory(machine, assumed).value;
  CHECK(usable == device::catalogue::h100_sxm.device.capacity.value.value - assumed.reserve.value);
  CHECK(planner::judge(0.5 * usable, machine, assumed) == planner::verdict::fits);
  CHECK(planner::judge(0.9 * usable, machine, assumed) == planner::verdict::fits);
  CHECK(planner::judge(0.91 * usable, machine, assumed) == planner::verdict::tight);
  CHECK(planner::judge(usable, machine, assumed) == planner::verdict::tight);
  CHECK(planner::judge(1.0001 * usable, machine, assumed) == planner::verdict::no);
  assumed.tight_above = 0.4;
  CHECK(planner::judge(0.5 * usable, machine, assumed) == planner::verdict::tight);
}

TEST_CASE("tokens per second and device") {
  auto const found = planner::estimate(llama, machine, job, planner::plan{.data = 64, .zero_stage = 1});
  CHECK(close(found.tokens_per_second_per_device(job, 64) * 64 * found.step_time, 128 * 8192.0));
}

/// Blocks of one's own: twice the parameters of the standard ones, and nothing else.
struct doubled_blocks {
  constexpr planner::block_values operator()(model::block_kind kind, planner::recomputation again,
                                             planner::attention_kernel kernel,
                                             planner::block_environment const& environment) const {
    auto values = planner::standard_blocks{}(kind, again, kernel, environment);
    planner::set<ct::block_parameters>(values, 2 * planner::get<ct::block_parameters>(values));
    return values;
  }
};

TEST_CASE("the planner reads blocks from whatever is given to it") {
  double const ends = 2 * 128256.0 * 4096 + 4096;
  double const once = planner::parameters(llama);
  CHECK(planner::parameters(llama, doubled_blocks{}) == 2 * once - ends);
  planner::plan const choice{.data = 64, .zero_stage = 0};
  auto const found = planner::estimate(llama, machine, job, choice, {}, doubled_blocks{});
  CHECK(close(found.worst.static_bytes(), 18 * (2 * once - ends)));
}

}  // namespace
