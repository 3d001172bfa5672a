#include <doctest/doctest.h>

#include <shardplan/cost.hpp>
#include <shardplan/expr.hpp>
#include <shardplan/model.hpp>
#include <shardplan/strategy.hpp>

#include <support/numbers.hpp>

// Model states by ZeRO stage for 7.5e9 parameters on 64 devices: 120, 31.4, 16.6 and 1.9 GB (Rajbhandari et al. 2020,
// arXiv 1910.02054, figure 1); 16 P, 4 P + 12 P/N, 2 P + 14 P/N, 16 P/N bytes. GB = 10^9 bytes.
namespace {

using namespace shardplan;
using support::close;
namespace ct = cost::tag;

constexpr double parameters = 7.5e9;
constexpr double devices = 64;

template <class Layout> double static_bytes(Layout layout, int stage) {
  auto const& policy = cost::policies::mixed;
  expr::environment const values{
      cost::of<ct::stage_parameters> = parameters, cost::of<ct::weight_bytes> = policy.weights.bytes,
      cost::of<ct::gradient_bytes> = policy.gradients.bytes, cost::of<ct::optimizer_bytes> = policy.optimizer.bytes,
      cost::of<ct::weight_shards> = shards(policy.weights, stage, devices),
      cost::of<ct::gradient_shards> = shards(policy.gradients, stage, devices),
      cost::of<ct::optimizer_shards> = shards(policy.optimizer, stage, devices),
      // No activations and no buffers: the paper's figure counts model states only.
      cost::of<ct::micro_batches_in_flight> = 1.0, cost::of<ct::stage_kept> = 0.0, cost::of<ct::stage_recomputed> = 0.0,
      cost::of<ct::stage_logits> = 0.0, cost::of<ct::stage_gathered_parameters> = 0.0,
      cost::of<ct::gathered_bytes> = 0.0, cost::of<ct::stage_largest_matrix> = 0.0,
      cost::of<ct::weight_gradient_bytes> = 0.0, cost::of<ct::communication_buffer> = 0.0};
  auto const memory = expr::evaluate(cost::stage_memory_record(layout), values);
  auto const peak = expr::evaluate(cost::stage_peak_record(), memory);
  CHECK(expr::value_of<ct::peak_memory>(peak) == expr::value_of<ct::static_memory>(peak));
  return expr::value_of<ct::static_memory>(peak);
}

constexpr auto replicated = model::embedding_layer() | strategy::data{};
constexpr auto sharded = replicated | strategy::zero{};

TEST_CASE("model states of 7.5e9 parameters on 64 devices") {
  double const expected[] = {120e9, 31.40625e9, 16.640625e9, 1.875e9};
  double const printed[] = {120, 31.4, 16.6, 1.9};
  for (int stage = 0; stage <= 3; ++stage) {
    CAPTURE(stage);
    CHECK(close(static_bytes(sharded, stage), expected[stage]));
    CHECK(static_bytes(sharded, stage) / unit::giga == doctest::Approx(printed[stage]).epsilon(0.014));
  }
}

TEST_CASE("without ZeRO in the layout nothing is shared, whatever the stage") {
  for (int stage = 0; stage <= 3; ++stage)
    CHECK(static_bytes(replicated, stage) == 120e9);
}

}  // namespace
