#include <algorithm>
#include <cmath>
#include <utility>

#include <doctest/doctest.h>

#include <shardplan/core.hpp>
#include <shardplan/device/catalogue/nvidia_a100_sxm_80gb.hpp>
#include <shardplan/device/catalogue/nvidia_h100_sxm.hpp>

#include <support/numbers.hpp>

// Values that the planner derives before any formula is read.
namespace {

using namespace shardplan;
using support::close;

TEST_CASE("keys that a query sees under a causal mask and a window") {
  for (int const s : {1, 2, 7, 64, 1000})
    for (int const window : {0, 1, 2, 5, 64, 999, 1000, 5000}) {
      // By hand: the query at position i sees min(i + 1, window) keys.
      double sum = 0;
      for (int i = 0; i < s; ++i)
        sum += window > 0 ? std::min(i + 1, window) : i + 1;
      CAPTURE(s);
      CAPTURE(window);
      CHECK(close(model::causal_keys(s, window), sum / s));
    }
}

TEST_CASE("Megatron pads the vocabulary to a multiple of 128 t") {
  // NVIDIA/Megatron-LM, megatron/training/tokenizer: make-vocab-size-divisible-by 128, times the tensor-parallel size.
  auto const megatron = [](double vocabulary, long long tensor) {
    return planner::padded_vocabulary(vocabulary, cost::policies::megatron, tensor);
  };
  CHECK(megatron(50257, 1) == 50304);
  CHECK(megatron(131073, 4) == 131584);
  CHECK(megatron(151669, 4) == 152064);
  CHECK(megatron(129280, 24) == 132096);
  CHECK(megatron(51200, 8) == 51200);
  // Others pad to a multiple of t only.
  auto const fsdp = [](double vocabulary, long long tensor) {
    return planner::padded_vocabulary(vocabulary, cost::policies::fsdp, tensor);
  };
  CHECK(fsdp(50257, 1) == 50257);
  CHECK(fsdp(50257, 8) == 50264);

  for (long long const t : {1, 2, 3, 8, 24})
    for (double vocabulary = 1; vocabulary < 300000; vocabulary += 7919) {
      double const padded = megatron(vocabulary, t);
      double const multiple = 128.0 * static_cast<double>(t);
      CHECK(padded >= vocabulary);
      CHECK(padded < vocabulary + multiple);
      CHECK(std::fmod(padded, multiple) == 0);
    }
}

TEST_CASE("rates are the catalogue's peaks times the efficiencies, which a user can replace") {
  auto const& device = device::catalogue::h100_sxm.device;
  auto const machine = device::make_cluster(device::catalogue::h100_sxm, 1, 8);
  planner::workload job{.sequence_length = 4096, .global_batch = 8};
  planner::assumptions assumed;
  auto rate = planner::rates_of(machine, job, assumed);
  CHECK(rate.peak == device.bf16.value.value);
  CHECK(close(rate.matrix, device.matmul_efficiency.value * device.bf16.value.value));
  CHECK(close(rate.attention, device.attention_efficiency.value * device.bf16.value.value));
  auto const& memory = device::part<device::device_memory>(device);
  CHECK(close(rate.memory, memory.efficiency.value * memory.bandwidth.value.value));

  assumed.matmul_efficiency = 0.5;
  assumed.attention_efficiency = 0.25;
  rate = planner::rates_of(machine, job, assumed);
  CHECK(rate.matrix == 0.5 * device.bf16.value.value);
  CHECK(rate.attention == 0.25 * device.bf16.value.value);

  // Attention stays in 16 bits where the products are fp8.
  job.precision = device::number_format::fp8;
  rate = planner::rates_of(machine, job, assumed);
  CHECK(rate.matrix == 0.5 * device.fp8.value.value);
  CHECK(rate.attention == 0.25 * device.bf16.value.value);
}

TEST_CASE("fp32 replaces the bytes of every policy") {
  planner::assumptions const assumed;
  planner::workload job{.sequence_length = 1, .global_batch = 1};
  CHECK(planner::policy_of(job, assumed).weights.bytes == 2);
  job.precision = device::number_format::fp32;
  CHECK(planner::policy_of(job, assumed).weights.bytes == 4);
  CHECK(planner::policy_of(job, assumed).optimizer.bytes == 8);
}

TEST_CASE("a tied head owns no weights, except as a copy on another stage") {
  namespace mt = model::tag;
  auto tied = model::llama_3_1_8b;
  tied.tied_embeddings = true;
  auto const machine = device::make_cluster(device::catalogue::a100_sxm_80gb, 1, 8);
  planner::workload const job{.sequence_length = 4096, .global_batch = 8};
  auto const own_head = [&](auto const& model, long long stages) {
    planner::plan const choice{.pipeline = stages};
    return planner::get<mt::head_weights>(
        planner::make_block_environment(model, model.shapes[0], machine, job, choice, planner::assumptions{}));
  };
  CHECK(own_head(tied, 1) == 0);
  CHECK(own_head(tied, 2) == 1);
  CHECK(own_head(model::llama_3_1_8b, 1) == 1);
  CHECK(own_head(model::llama_3_1_8b, 2) == 1);
}

TEST_CASE("keys are computed by the kernel's rule and counted by the convention's") {
  namespace mt = model::tag;
  auto const model = model::llama_3_1_8b;
  auto const machine = device::make_cluster(device::catalogue::h100_sxm, 1, 8);
  planner::workload const job{.sequence_length = 4096, .global_batch = 8};
  auto const keys = [&](planner::attention_kernel kernel, planner::flop_convention convention) {
    planner::plan const choice{.kernel = kernel};
    planner::assumptions assumed;
    assumed.flops = convention;
    auto const values = planner::make_block_environment(model, model.shapes[0], machine, job, choice, assumed);
    return std::pair{planner::get<mt::keys_computed>(values), planner::get<mt::keys_counted>(values)};
  };
  using planner::attention_kernel, planner::flop_convention;
  double const seen = 4097.0 / 2;
  CHECK(keys(attention_kernel::flash, flop_convention::matrix_products) == std::pair{seen, 4096.0});
  CHECK(keys(attention_kernel::flash, flop_convention::causal) == std::pair{seen, seen});
  CHECK(keys(attention_kernel::plain, flop_convention::matrix_products) == std::pair{4096.0, 4096.0});
  CHECK(keys(attention_kernel::plain, flop_convention::causal) == std::pair{4096.0, seen});
}

}  // namespace
