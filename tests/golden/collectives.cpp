#include <array>
#include <cmath>

#include <doctest/doctest.h>

#include <shardplan/core.hpp>
#include <shardplan/device/catalogue/nvidia_h100_sxm.hpp>

#include <support/numbers.hpp>
#include <support/terms.hpp>

// Volumes of collectives: Anthony et al. 2024 (arXiv 2408.10197), the factors of the message per collective, and what a
// step of each parallelism sends. With bandwidths of 1 byte/s and no latency the library's times are volumes in bytes.
namespace {

using namespace shardplan;
using support::close;
namespace ct = cost::tag;

template <class Expression, class... Bindings> double at(Expression expression, Bindings... bindings) {
  return expr::evaluate(expression, expr::environment{bindings...}).value;
}

constexpr auto n = strategy::symbols::d;
constexpr auto message = cost::of<ct::logits>;
constexpr auto latency = cost::of<ct::data_latency>;
constexpr auto bandwidth = cost::of<ct::data_bandwidth>;

TEST_CASE("ring all-reduce of 7e9 bf16 parameters: 24.5 GB on 8 ranks, 27.5625 GB on 64") {
  auto const sent = [](double ranks) {
    return at(cost::all_reduce_time(message, n, latency, bandwidth), n = ranks, message = 14e9, latency = 0.0,
              bandwidth = 1.0);
  };
  CHECK(close(sent(8), 24.5e9));
  CHECK(close(sent(64), 27.5625e9));
  CHECK(sent(1) == 0);
}

TEST_CASE("an all-reduce is a reduce-scatter and an all-gather, with latency too") {
  for (double const ranks : {1.0, 2.0, 3.0, 8.0, 512.0}) {
    auto const of = [&](auto expression) {
      return at(expression, n = ranks, message = 1e9, latency = 5e-6, bandwidth = 4e11);
    };
    double const both = of(cost::reduce_scatter_time(message, n, latency, bandwidth) +
                           cost::all_gather_time(message, n, latency, bandwidth));
    CHECK(close(of(cost::all_reduce_time(message, n, latency, bandwidth)), both));
    CHECK(both == doctest::Approx(2 * (5e-6 * std::log2(ranks) + (ranks - 1) / ranks * 1e9 / 4e11)));
  }
}

/// Bytes that one device sends for data parallelism in a step of one micro-batch, and the model's parameters.
double data_volume(int zero_stage, long long replicas) {
  auto const model = model::uniform_decoder("test", model::llama_block(512, 1024, 8, 8), 4, 1000);
  planner::workload const job{.sequence_length = 128, .global_batch = replicas};
  planner::plan const choice{.data = replicas, .zero_stage = zero_stage};
  planner::assumptions assumed;
  assumed.policy = cost::policies::mixed;
  auto const machine = device::make_cluster(device::catalogue::h100_sxm, static_cast<int>(replicas), 1);
  planner::standard_blocks const blocks;
  planner::plan_reader const reader{model, machine, job, choice, assumed, blocks};
  auto const stage = reader.stage(0);
  expr::environment const links{cost::of<ct::data_bandwidth> = 1.0, cost::of<ct::data_latency> = 0.0};
  auto const shared = reader.plan_values();
  expr::scope const placed{stage.place, shared};
  expr::scope const with_plan{stage.values, placed};
  expr::scope const all{links, with_plan};
  auto const times = expr::evaluate(
      expr::in_sequence(cost::shared_time_record(planner::stage_layout{}), cost::stage_time_record()), all);
  return expr::value_of<ct::data_communication>(times) / planner::get<ct::stage_parameters>(stage.values);
}

TEST_CASE("data parallelism and ZeRO 1 and 2 send 2 P elements, ZeRO 3 sends 3 P: a ratio of 1.5 for any n") {
  for (long long const replicas : {2, 3, 8, 64, 1000}) {
    auto const ranks = static_cast<double>(replicas);
    double const element_pass = 2 * (ranks - 1) / ranks;  // bf16
    CHECK(close(data_volume(0, replicas), 2 * element_pass));
    CHECK(close(data_volume(1, replicas), 2 * element_pass));
    CHECK(close(data_volume(2, replicas), 2 * element_pass));
    CHECK(close(data_volume(3, replicas), 3 * element_pass));
    CHECK(close(data_volume(3, replicas) / data_volume(0, replicas), 1.5));
  }
}

/// A block's record with rates so high that only communication takes time: bytes over the tensor-parallel links.
template <class Mechanism> auto communication(double t, double t_s) {
  auto values = support::everything_on();
  support::set_degrees(values, t, t_s);
  planner::set<ct::matrix_rate>(values, 1e200);
  planner::set<ct::half_precision_rate>(values, 1e200);
  planner::set<ct::attention_rate>(values, 1e200);
  planner::set<ct::memory_bandwidth>(values, 1e200);
  constexpr auto block = model::decoder_block(model::mlp::plain{}, model::kernel::plain{});
  return expr::evaluate(
      cost::block_record(block | strategy::tensor{} | strategy::sequence{} | strategy::recompute<Mechanism>{}), values);
}

TEST_CASE("tensor parallelism sends 8 b s h (t-1)/t elements a layer, 12 with recomputation") {
  constexpr double b = 3, s = 64, h = 96, bytes = 2;  // of everything_on
  for (double const t : {1.0, 2.0, 4.0}) {
    // Sequence parallelism sends the same: all-gathers and reduce-scatters instead of all-reduces.
    for (double const t_s : {1.0, t}) {
      auto const once = communication<strategy::keep_everything>(t, t_s);
      double const forward = expr::value_of<ct::block_forward_communication>(once);
      double const backward = expr::value_of<ct::block_backward_communication>(once);
      double const pass = 4 * b * s * h * (t - 1) / t * bytes;
      CHECK(close(forward, pass));
      CHECK(close(backward, pass));
      CHECK(close((forward + backward) / bytes, 8 * b * s * h * (t - 1) / t));

      auto const again = communication<strategy::block_again>(t, t_s);
      double const repeated = expr::value_of<ct::block_recompute>(again);
      CHECK(repeated == doctest::Approx(pass));
      CHECK(forward + backward + repeated == doctest::Approx(12 * b * s * h * (t - 1) / t * bytes));
    }
  }
}

TEST_CASE("a layer with attention and MLP side by side sends half, with half the latency") {
  constexpr double b = 3, s = 64, h = 96, bytes = 2, latency = 1e-3;
  auto values = support::everything_on();
  support::set_degrees(values, 4, 1);
  planner::set<ct::tensor_latency>(values, latency);
  constexpr auto block = model::decoder_block(model::mlp::plain{}, model::kernel::plain{}) | strategy::tensor{};
  double const one = 2 * latency * std::log2(4.0) + 2 * 3.0 / 4 * b * s * h * bytes;
  for (double const sequential : {1.0, 0.0}) {
    planner::set<model::tag::sequential>(values, sequential);
    auto const found = expr::evaluate(cost::block_record(block), values);
    CHECK(close(expr::value_of<ct::block_forward_communication>(found), (1 + sequential) * one));
    CHECK(close(expr::value_of<ct::block_backward_communication>(found), (1 + sequential) * one));
  }
}

TEST_CASE("a pipeline sends b s h elements each way over a boundary, divided by t under sequence parallelism") {
  constexpr double b = 3, s = 64, h = 96, bytes = 2;
  auto const passes = [](double t_s, double receives) {
    using namespace model::symbols;
    expr::environment const values{model::symbols::b = 3.0,
                                   model::symbols::s = 64.0,
                                   model::symbols::h = 96.0,
                                   e_a = 2.0,
                                   strategy::symbols::t_s = t_s,
                                   strategy::symbols::d = 1.0,
                                   cost::of<ct::pipeline_bandwidth> = 1.0,
                                   cost::of<ct::pipeline_latency> = 0.0,
                                   cost::of<ct::stage_forward_compute> = 0.0,
                                   cost::of<ct::stage_backward_compute> = 0.0,
                                   cost::of<ct::stage_recompute> = 0.0,
                                   cost::of<ct::stage_forward_communication> = 0.0,
                                   cost::of<ct::stage_backward_communication> = 0.0,
                                   cost::of<ct::stage_receives_forward> = receives,
                                   cost::of<ct::stage_receives_backward> = receives};
    auto const read = [&]<class Tag>(expr::symbol<Tag>) {
      double result = 0;
      expr::environment const with_hop{
          cost::of<ct::hop_time> =
              expr::evaluate(expr::expression_of<ct::hop_time>(cost::shared_time_record(planner::stage_layout{})),
                             values)
                  .value};
      expr::for_each_entry(cost::stage_time_record(), [&](auto entry) {
        if constexpr (std::same_as<typename decltype(entry)::tag, Tag>)
          result = expr::evaluate(typename decltype(entry)::expression_type{}, expr::scope{with_hop, values}).value;
      });
      return result;
    };
    return std::array{read(cost::of<ct::forward_time>), read(cost::of<ct::backward_time>)};
  };
  double const whole = b * s * h * bytes;
  CHECK(passes(1, 1) == std::array{whole, whole});
  CHECK(passes(4, 1) == std::array{whole / 4, whole / 4});
  CHECK(passes(1, 0) == std::array{0.0, 0.0});
}

}  // namespace
