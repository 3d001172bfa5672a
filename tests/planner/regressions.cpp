#include <limits>

#include <doctest/doctest.h>

#include <shardplan/device/catalogue/nvidia_h100_sxm.hpp>
#include <shardplan/model/published.hpp>
#include <shardplan/planner/registry.hpp>
#include <shardplan/planner/search_plans.hpp>

// Faults that were found once, each as a kind.

namespace {

using namespace shardplan;
using planner::rule;

constexpr auto machine = device::make_cluster(device::catalogue::h100_sxm, 8, 8);
constexpr planner::workload job{.sequence_length = 8192, .global_batch = 512};

TEST_CASE("sizes that are not positive, or whose products overflow, are refused") {
  auto const broken = [](planner::plan const& choice, planner::workload const& work = job) {
    return planner::first_broken_rule(model::llama_3_1_8b, machine, work, choice, {});
  };
  CHECK(broken({.tensor = -8, .pipeline = -1, .data = 8}) == rule::positive_sizes);
  CHECK(broken({.data = 64, .micro_batch = 0}) == rule::positive_sizes);
  CHECK(broken({.data = 64}, {.sequence_length = 0, .global_batch = 64}) == rule::positive_sizes);
  CHECK(broken({.data = 64}, {.sequence_length = std::numeric_limits<double>::quiet_NaN(), .global_batch = 64}) ==
        rule::positive_sizes);
  constexpr long long huge = std::numeric_limits<long long>::max();
  CHECK(broken({.tensor = huge, .pipeline = huge, .data = huge}) == rule::device_count);
  CHECK(broken({.tensor = 1LL << 32, .pipeline = 1LL << 32, .data = 64}) == rule::device_count);
  CHECK(broken({.data = 64, .micro_batch = huge}) == rule::batch_divisible);
  CHECK(broken({.data = 64, .micro_batch = 1LL << 62}) == rule::batch_divisible);
  CHECK(!planner::fits(model::llama_3_1_8b, machine, job, {.tensor = -8, .pipeline = -1, .data = 8}));
}

TEST_CASE("a plan of blocks of an unknown kind never fits") {
  auto unknown = model::llama_3_1_8b;
  unknown.shapes[0].kind = static_cast<model::block_kind>(1000);
  planner::plan const choice{.tensor = 2, .data = 32, .sequence_parallel = true, .zero_stage = 1};
  CHECK(planner::fits(model::llama_3_1_8b, machine, job, choice));
  CHECK(!planner::fits(unknown, machine, job, choice));
  auto const registry = planner::block_registry::standard();
  CHECK(!planner::fits(unknown, machine, job, choice, {}, registry));
  auto const found = planner::search_plans(unknown, machine, job, {}, {}, 1, registry);
  CHECK(found.best.empty());
}

TEST_CASE("a search can be stopped, and says so") {
  auto const registry = planner::block_registry::standard();
  auto const found = planner::search_plans(model::llama_3_1_8b, machine, job, {}, {}, 3, registry,
                                           [](std::size_t evaluated) { return evaluated >= 500; });
  CHECK(found.certificate.evaluated == 500);
  CHECK(found.certificate.candidates > 500);
  CHECK(found.certificate.status != search::status::optimal);
}

TEST_CASE("what recomputation gives up is paid for: plain attention by operator list") {
  planner::assumptions assumed;
  assumed.policy = cost::policies::fsdp;
  auto const time = [&](planner::recomputation again) {
    planner::plan const choice{
        .data = 64, .zero_stage = 3, .recompute = again, .kernel = planner::attention_kernel::plain};
    auto const found = planner::estimate(model::llama_3_1_8b, machine, job, choice, assumed);
    return planner::get<cost::tag::stage_recompute>(found.slowest.values);
  };
  // The scores are given up by both, so both must compute them again.
  CHECK(time(planner::recomputation::operators) > time(planner::recomputation::selective));
}

TEST_CASE("utilisation stays below one for models with windows") {
  auto windowed = model::llama_3_1_8b;
  windowed.shapes[0].window = 512;
  planner::workload const long_job{.sequence_length = 65536, .global_batch = 64};
  planner::assumptions assumed;
  assumed.operation_launch_time = unit::seconds{0};
  planner::plan const choice{.tensor = 8, .data = 8, .sequence_parallel = true, .zero_stage = 1};
  for (auto const convention : {planner::flop_convention::matrix_products, planner::flop_convention::causal,
                                planner::flop_convention::all_parameters}) {
    assumed.flops = convention;
    auto const found = planner::estimate(windowed, machine, long_job, choice, assumed);
    double const flop = planner::model_flop(windowed, found, long_job, assumed);
    CHECK(flop > 0);
    CHECK(flop < found.step_time * 64 * planner::rates_of(machine, long_job, assumed).peak);
  }
}

TEST_CASE("fp8 leaves attention scores and head in 16 bits") {
  auto const head = [](device::number_format precision) {
    planner::workload const work{.sequence_length = 8192, .global_batch = 512, .precision = precision};
    auto const values = planner::make_block_environment(model::llama_3_1_8b, model::llama_3_1_8b.shapes[0], machine,
                                                        work, {.data = 64}, {});
    return planner::get<cost::tag::block_forward>(planner::read_head(values));
  };
  CHECK(head(device::number_format::fp8) == head(device::number_format::bf16));
}

TEST_CASE("tied embeddings on two stages add up their gradients") {
  auto tied = model::llama_3_1_8b;
  tied.tied_embeddings = true;
  auto const end = [](auto const& which, long long stages) {
    planner::plan const choice{.pipeline = stages, .data = 64 / stages, .zero_stage = 1};
    auto const found = planner::estimate(which, machine, job, choice);
    return planner::get<cost::tag::tied_embedding_time>(found.ending.values);
  };
  CHECK(end(tied, 1) == 0);
  CHECK(end(model::llama_3_1_8b, 4) == 0);
  // 128256 padded to 128256 rows of 4096 in fp32 over the network, once each way
  double const bytes = 4.0 * 128256 * 4096;
  CHECK(end(tied, 4) > bytes / machine.network_level.bandwidth.value);
  CHECK(end(tied, 4) < 1.01 * bytes / machine.network_level.bandwidth.value + 1e-3);
}

TEST_CASE("gathers follow the framework: FSDP gathers for every micro-batch in stage 2 as well") {
  auto const communication = [](cost::byte_policy const& policy, int stage) {
    planner::assumptions assumed;
    assumed.policy = policy;
    planner::plan const choice{.data = 64, .zero_stage = stage};
    auto const found = planner::estimate(model::llama_3_1_8b, machine, job, choice, assumed);
    return planner::get<cost::tag::data_communication>(found.ending.values);
  };
  // m = 8: fsdp 8*4 + 8*2 against 8*4 + 16*2 bytes a parameter; mixed 8*2 + 1*2 against 8*2 + 16*2
  CHECK(communication(cost::policies::fsdp, 3) / communication(cost::policies::fsdp, 2) ==
        doctest::Approx(64.0 / 48.0).epsilon(0.02));
  CHECK(communication(cost::policies::mixed, 3) / communication(cost::policies::mixed, 2) ==
        doctest::Approx(48.0 / 18.0).epsilon(0.02));
}

}  // namespace
