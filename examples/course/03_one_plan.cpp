// Step 3: one plan. Legality, memory of the worst device, time of a step; in constant expressions or at run time.
#include <cmath>
#include <cstdio>

#include <shardplan/core.hpp>
#include <shardplan/device/catalogue/nvidia_h100_sxm.hpp>

using namespace shardplan;
using planner::plan;
using planner::recomputation;

constexpr auto model_8b = model::llama_3_1_8b;
// 8 nodes of 8 devices, and the network that they usually have.
constexpr auto machine = device::make_cluster(device::catalogue::h100_sxm, 8, 8);
constexpr planner::workload job{.sequence_length = 8192, .global_batch = 512};

// --- Facts that a build can insist on --------------------------------------------------------------------------------

constexpr plan good{
    .tensor = 2, .pipeline = 1, .data = 32, .micro_batch = 1, .sequence_parallel = true, .zero_stage = 1};
static_assert(planner::fits(model_8b, machine, job, good));

// Everything on one device and no recomputation does not fit.
constexpr plan crowded{.data = 64, .micro_batch = 8, .zero_stage = 1};
static_assert(!planner::fits(model_8b, machine, job, crowded));

// A layout that breaks a rule is refused by name. 8 key/value heads do not cut into 16.
constexpr plan illegal{.tensor = 16, .data = 4, .zero_stage = 1};
static_assert(planner::first_broken_rule(model_8b, machine, job, illegal, {}) ==
              planner::rule::key_value_heads_divisible_by_tensor);
static_assert(!planner::fits(model_8b, machine, job, illegal));

// Parameters are exact: 8,030,261,248 for Llama-3.1-8B.
static_assert(planner::parameters(model_8b) == 8030261248.0);

// --- Laws ------------------------------------------------------------------------------------------------------------

int failures = 0;

void check(bool holds, char const* law) {
  std::printf("%s  %s\n", holds ? "ok  " : "FAIL", law);
  failures += holds ? 0 : 1;
}
bool close(double left, double right) { return std::fabs(left - right) <= 1e-12 * std::fabs(right); }

// 1F1B, stage i of p equal stages: f and b seconds for the passes of one micro-batch.
double step_bound(double p, double m, double i, double f, double b) {
  namespace sy = schedule::symbols;
  using rule = schedule::one_forward_one_backward;
  auto const held = expr::evaluate(rule::in_flight(), expr::environment{sy::p = p, sy::m = m, sy::i = i});
  expr::environment const at{sy::m = m,   sy::w = held.value,         sy::f_i = f,
                             sy::b_i = b, sy::T_before = i * (f + b), sy::T_after = (p - 1 - i) * (f + b)};
  return expr::evaluate(rule::step_bound(), at).value;
}

void law_of_the_schedule() {
  bool holds = true;
  for (double const p : {1.0, 2.0, 4.0, 8.0})
    for (double const m : {8.0, 16.0, 64.0}) {
      double bound = 0;
      for (double i = 0; i < p; i += 1)
        bound = std::fmax(bound, step_bound(p, m, i, 1.0, 2.0));
      holds = holds && close(bound, (m + p - 1) * 3.0);
    }
  check(holds, "1F1B on equal stages takes (m + p - 1) (f + b)");
}

// Rajbhandari et al. 2020: 16 P, 4 P + 12 P/d, 2 P + 14 P/d and 16 P/d bytes of weights, gradients and optimizer.
void law_of_zero() {
  planner::assumptions assumed;
  assumed.policy = cost::policies::mixed;
  double const P = planner::parameters(model_8b), d = 64;
  double const expected[]{16 * P, 4 * P + 12 * P / d, 2 * P + 14 * P / d, 16 * P / d};
  bool holds = true;
  for (int stage = 0; stage < 4; ++stage) {
    plan const choice{.data = 64, .zero_stage = stage};
    holds = holds &&
            close(planner::estimate(model_8b, machine, job, choice, assumed).worst.static_bytes(), expected[stage]);
  }
  check(holds, "model states by ZeRO stage");
}

void law_of_memory() {
  plan const deep{.tensor = 2, .pipeline = 8, .data = 4, .micro_batch = 1, .sequence_parallel = true, .zero_stage = 1};
  planner::assumptions const assumed;
  planner::plan_reader const reader{model_8b, machine, job, deep, assumed, planner::standard_blocks{}};
  double worst = 0;
  bool in_flight = true, phases = true;
  for (long long i = 0; i < reader.stages(); ++i) {
    auto const stage = reader.stage(i);
    worst = std::fmax(worst, stage.peak_bytes());
    // m = 128 micro-batches: never fewer than the pipeline is deep.
    in_flight = in_flight && planner::get<cost::tag::micro_batches_in_flight>(stage.values) ==
                                 static_cast<double>(reader.stages() - i);
    namespace ct = cost::tag;
    auto const term = [&]<class Tag>(expr::symbol<Tag>) { return planner::get<Tag>(stage.values); };
    double const always = stage.static_bytes() + term(cost::of<ct::buffers>) + term(cost::of<ct::activations>) +
                          term(cost::of<ct::gathered_weights>);
    double const loss = always + term(cost::of<ct::logits>);
    double const backward = always + term(cost::of<ct::recomputed_activations>) + term(cost::of<ct::weight_gradient>);
    phases = phases && close(stage.peak_bytes(), std::fmax(loss, backward));
  }
  check(in_flight, "stage i of p holds p - i micro-batches");
  check(phases, "the peak is the larger of the loss phase and the backward phase");
  check(reader.estimate(job).worst.peak_bytes() == worst, "the worst stage decides");
}

void law_of_recomputation() {
  auto const flop = [](recomputation again) {
    return planner::estimate(model_8b, machine, job, {.data = 64, .recompute = again}).hardware_flop;
  };
  double const none = flop(recomputation::none);
  check(flop(recomputation::selective) > none && flop(recomputation::full) > flop(recomputation::selective),
        "recomputation costs work: none < selective < full");
  // Forward and backward are three forward passes; full recomputation adds the blocks' forward pass, not the head's.
  double const head = 2.0 * 4096 * 128256 * 8192 * 512;
  check(close(flop(recomputation::full), none + (none / 3 - head)),
        "full recomputation adds one forward pass of the blocks");
}

int main() {
  law_of_the_schedule();
  law_of_zero();
  law_of_memory();
  law_of_recomputation();

  auto const found = planner::estimate(model_8b, machine, job, good);
  std::printf("%s: peak %.2f GiB, step %.3f s\n", "tp 2, dp 32, sp",
              unit::in_gib(unit::bytes{found.worst.peak_bytes()}), found.step_time);
  return failures;
}
