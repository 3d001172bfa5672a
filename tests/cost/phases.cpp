#include <doctest/doctest.h>

#include <shardplan/cost.hpp>
#include <shardplan/expr.hpp>

// Peak memory is the largest sum over the phases of the terms that live in them.
namespace {

using namespace shardplan;
using namespace cost;

using early = live_term<tag::weights, phase::initialisation, phase::optimizer>;
using middle = live_term<tag::activations, phase::forward, phase::backward>;
using loss_only = live_term<tag::logits, phase::loss, phase::loss>;
using backward_only = live_term<tag::recomputed_activations, phase::backward, phase::backward>;
using all = live_terms<early, middle, loss_only, backward_only>;

TEST_CASE("a phase holds the terms that live in it") {
  expr::environment const values{of<tag::weights> = 100.0, of<tag::activations> = 10.0, of<tag::logits> = 5.0,
                                 of<tag::recomputed_activations> = 2.0};
  auto const in = [&](auto expression) { return expr::evaluate(expression, values).value; };
  CHECK(in(memory_in<phase::initialisation>(all{})) == 100);
  CHECK(in(memory_in<phase::forward>(all{})) == 110);
  CHECK(in(memory_in<phase::loss>(all{})) == 115);
  CHECK(in(memory_in<phase::backward>(all{})) == 112);
  CHECK(in(memory_in<phase::optimizer>(all{})) == 100);
  CHECK(in(peak_of(all{})) == 115);
}

TEST_CASE("which phase is the peak depends on the values") {
  auto const peak = [](double logits, double recomputed) {
    return expr::evaluate(peak_of(all{}),
                          expr::environment{of<tag::weights> = 100.0, of<tag::activations> = 10.0,
                                            of<tag::logits> = logits, of<tag::recomputed_activations> = recomputed})
        .value;
  };
  CHECK(peak(5, 2) == 115);
  CHECK(peak(2, 5) == 115);
  CHECK(peak(2, 50) == 160);
  CHECK(peak(0, 0) == 110);
}

TEST_CASE("a stage's logits and its recomputed block are never alive together") {
  auto const peak = [](double logits, double recomputed, double weight_gradient) {
    expr::environment const values{of<tag::weights> = 1.0,
                                   of<tag::gradients> = 2.0,
                                   of<tag::optimizer_states> = 4.0,
                                   of<tag::buffers> = 8.0,
                                   of<tag::activations> = 16.0,
                                   of<tag::gathered_weights> = 32.0,
                                   of<tag::logits> = logits,
                                   of<tag::recomputed_activations> = recomputed,
                                   of<tag::weight_gradient> = weight_gradient};
    auto const result = expr::evaluate(stage_peak_record(), values);
    CHECK(expr::value_of<tag::static_memory>(result) == 7);
    return expr::value_of<tag::peak_memory>(result);
  };
  CHECK(peak(64, 0, 0) == 63 + 64);
  CHECK(peak(64, 100, 28) == 63 + 128);
  CHECK(peak(200, 100, 28) == 63 + 200);
}

TEST_CASE("communication is hidden behind the passes, except one layer's share") {
  // forward passes take 1 s, backward passes 2 s
  auto const exposed = [](double communication, double overlap, double reductions, double forward_gathers) {
    expr::environment const values{of<tag::data_communication> = communication,
                                   of<tag::stage_layers> = 10.0,
                                   of<tag::data_overlap> = overlap,
                                   of<tag::reductions_per_step> = reductions,
                                   of<tag::forward_gathers_per_step> = forward_gathers,
                                   of<tag::forward_time> = 1.0,
                                   of<tag::backward_time> = 2.0};
    return expr::get<tag::exposed_data_communication>(expr::evaluate(stage_exposed_record(), values));
  };
  CHECK(exposed(5, 0, 1, 1) == 5);
  CHECK(exposed(5, 1, 1, 1) == 2);
  CHECK(exposed(5, 1, 1, 0) == 3);
  CHECK(exposed(2, 1, 1, 1) == 0.2);
  CHECK(exposed(20, 1, 4, 4) == 8);
  CHECK(exposed(0, 1, 1, 1) == 0);
}

TEST_CASE("shards of a state follow the ZeRO stage") {
  // Rajbhandari et al. 2020 (arXiv 1910.02054), section 5: stage 1 optimizer states, 2 gradients, 3 weights.
  auto const& mixed = policies::mixed;
  for (int stage = 0; stage <= 3; ++stage) {
    CHECK(shards(mixed.optimizer, stage, 64) == (stage >= 1 ? 64 : 1));
    CHECK(shards(mixed.gradients, stage, 64) == (stage >= 2 ? 64 : 1));
    CHECK(shards(mixed.weights, stage, 64) == (stage >= 3 ? 64 : 1));
  }
  CHECK(mixed.weights.bytes + mixed.gradients.bytes + mixed.optimizer.bytes == 16);
  CHECK(policies::fsdp.weights.bytes + policies::fsdp.gradients.bytes + policies::fsdp.optimizer.bytes == 16);
  // Megatron-LM, "Distributed Optimizer": 18 bytes, 6 + 12/d.
  auto const& megatron = policies::megatron;
  CHECK(megatron.weights.bytes / shards(megatron.weights, 1, 8) +
            megatron.gradients.bytes / shards(megatron.gradients, 1, 8) +
            megatron.optimizer.bytes / shards(megatron.optimizer, 1, 8) ==
        6 + 12.0 / 8);
}

TEST_CASE("in full fp32 every state keeps four bytes") {
  auto const plain = in_fp32(policies::megatron);
  CHECK(plain.weights.bytes == 4);
  CHECK(plain.gradients.bytes == 4);
  CHECK(plain.optimizer.bytes == 8);
  CHECK(plain.activation == 4);
  CHECK(plain.optimizer.sharded_from_stage == policies::megatron.optimizer.sharded_from_stage);
}

}  // namespace
