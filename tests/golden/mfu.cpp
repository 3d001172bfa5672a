#include <string_view>

#include <doctest/doctest.h>

#include <shardplan/core.hpp>
#include <shardplan/device/catalogue/nvidia_a100_sxm_80gb.hpp>

// MFU of five published runs of LLaMA-like models, from their step times: Hagemann et al. 2023 (arXiv 2311.05610), the
// fastest runs without recomputation. MFU = tokens/s (6 N + 12 L h s) / (devices * peak), N with untied embeddings over
// a vocabulary of 128000.
namespace {

using namespace shardplan;

struct row {
  std::string_view name;
  long long layers;
  double hidden, feed_forward, heads;
  double sequence_length;
  long long global_batch;
  long long devices;
  double step_seconds;
  double published_mfu;
};

constexpr row rows[] = {
    {"13B 2k", 40, 5120, 13824, 40, 2048, 2048, 64, 26.5395, 0.70573},
    {"30B 2k", 60, 6656, 17920, 52, 2048, 2048, 256, 22.6674, 0.49217},
    {"65B 2k", 80, 8192, 22016, 64, 2048, 2048, 128, 79.3069, 0.55262},
    {"13B 8k", 40, 5120, 13824, 40, 8192, 512, 128, 18.4099, 0.59408},
    {"30B 8k", 60, 6656, 17920, 52, 8192, 512, 128, 49.4347, 0.51399},
};

TEST_CASE("MFU of Hagemann et al. within 0.5 %") {
  planner::assumptions assumed;
  assumed.flops = planner::flop_convention::all_parameters;
  double const peak = device::catalogue::a100_sxm_80gb.device.bf16.value.value;
  CHECK(peak == 312e12);
  for (row const& run : rows) {
    auto const model = model::uniform_decoder(
        "llama", model::llama_block(run.hidden, run.feed_forward, run.heads, run.heads), run.layers, 128000);
    planner::workload const job{.sequence_length = run.sequence_length, .global_batch = run.global_batch};
    // This convention needs no estimate of a plan.
    double const work = planner::model_flop(model, planner::plan_estimate{}, job, assumed);
    double const mfu = work / (run.step_seconds * static_cast<double>(run.devices) * peak);
    double const error = 100 * (mfu / run.published_mfu - 1);
    MESSAGE(run.name << ": MFU " << mfu << ", published " << run.published_mfu << ", error " << error << " %");
    CHECK(error < 0.5);
    CHECK(error > -0.5);
  }
}

}  // namespace
