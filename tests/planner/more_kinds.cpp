// Mixtures and latent attention in plans: what a registry reads is what the terms count, and plans behave as those of
// dense blocks do.
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include <shardplan/device/catalogue/nvidia_h100_sxm.hpp>
#include <shardplan/model/counts.hpp>
#include <shardplan/model/published.hpp>
#include <shardplan/planner/legality_text.hpp>
#include <shardplan/planner/missing.hpp>
#include <shardplan/planner/more_kinds.hpp>
#include <shardplan/planner/search_plans.hpp>

namespace {

using namespace shardplan;
namespace ct = cost::tag;
using model::block_kind;
using planner::plan;

constexpr auto machine = device::make_cluster(device::catalogue::h100_sxm, 16, 8);
constexpr planner::workload job{.sequence_length = 4096, .global_batch = 512};

planner::block_registry const& registry() {
  static planner::block_registry const all = [] {
    auto result = planner::block_registry::standard();
    planner::add_mixtures(result);
    planner::add_latent_attention(result);
    planner::add_low_rank_latent_attention(result);
    return result;
  }();
  return all;
}

planner::block_values read(model::block_shape const& shape, plan const& choice,
                           planner::assumptions const& assumed = {}) {
  auto const described = model::uniform_decoder("test", shape, 32, 32000);
  return registry()(shape.kind, choice.recompute, choice.kernel,
                    planner::make_block_environment(described, shape, machine, job, choice, assumed));
}
double of(planner::block_values const& values, auto entry) { return planner::get<decltype(entry)>(values); }

/// Shapes of all kinds that are planned beyond dense blocks.
std::vector<model::block_shape> shapes() {
  auto const& routed = model::mixtral_8x7b.shapes[0];
  auto const& low_rank_dense = model::deepseek_v3.shapes[0];
  auto const& low_rank_routed = model::deepseek_v3.shapes[1];
  auto dense = low_rank_dense;
  dense.kind = block_kind::latent_gated_mlp;
  auto latent_routed = low_rank_routed;
  latent_routed.kind = block_kind::latent_routed_experts;
  return {routed, low_rank_dense, low_rank_routed, dense, latent_routed};
}

TEST_CASE("records own and compute what the layers count") {
  for (auto const& shape : shapes()) {
    CAPTURE(model::name_of(shape));
    auto const described = model::uniform_decoder("test", shape, 1, 32000);
    auto const counts = model::counts_of_block(described, shape, job.sequence_length);
    for (auto const kernel : {planner::attention_kernel::flash, planner::attention_kernel::plain}) {
      auto const values = read(shape, {.data = 128, .kernel = kernel});
      CHECK(of(values, ct::block_parameters{}) == counts.parameters);
      CHECK(of(values, ct::block_model_flop{}) == doctest::Approx(counts.forward_flop).epsilon(1e-12));
    }
    CHECK(counts.parameters - counts.active_parameters == model::idle_parameters(shape));
  }
}

TEST_CASE("whole models count alike in planner and model room") {
  CHECK(planner::parameters(model::mixtral_8x7b, registry()) == 46702792704);
  CHECK(planner::parameters(model::deepseek_v3, registry()) == 671026419200);
  CHECK(planner::active_parameters(model::deepseek_v3, registry()) ==
        model::counts_of_model(model::deepseek_v3).active_parameters);
}

TEST_CASE("tensor parallelism cuts experts inside; routers, norms and compressions are copies") {
  auto const& mixtral = model::mixtral_8x7b.shapes[0];
  double const h = 4096, router = h * 8, norms = 2 * h;
  double const whole = of(read(mixtral, {.data = 128}), ct::block_parameters{});
  double const cut = of(read(mixtral, {.tensor = 8, .data = 16}), ct::block_parameters{});
  CHECK(cut == (whole - router - norms) / 8 + router + norms);

  auto const& latent = model::deepseek_v3.shapes[0];
  double const copies = 7168.0 * 1536 + 1536 + 7168.0 * 576 + 512 + 2 * 7168.0;
  double const latent_whole = of(read(latent, {.data = 128}), ct::block_parameters{});
  CHECK(of(read(latent, {.tensor = 8, .data = 16}), ct::block_parameters{}) == (latent_whole - copies) / 8 + copies);
}

TEST_CASE("activations of a mixture: by hand, uncut, cut, and with sequence parallelism") {
  // In units of the tokens of a micro-batch: block input, norm output, MLP norm input and output; query, key, value,
  // output, statistics; router scores; what experts get and give back; gate, up and product.
  auto const& mixtral = model::mixtral_8x7b.shapes[0];
  double const h = 4096, kv = 1024, f = 14336, tokens = 4096;
  double const stream = 4 * 2 * h, core = 2 * (h + 2 * kv + h) + 4 * 32, scores = 4 * 8;
  double const sent = 2 * 2 * 2 * h, inner = 2 * 2 * 3 * f;
  CHECK(of(read(mixtral, {.data = 128}), ct::block_kept{}) == tokens * (stream + core + scores + sent + inner));
  CHECK(of(read(mixtral, {.tensor = 8, .data = 16}), ct::block_kept{}) ==
        tokens * (stream + core / 8 + scores + sent + inner / 8));
  CHECK(of(read(mixtral, {.tensor = 8, .data = 16, .sequence_parallel = true}), ct::block_kept{}) ==
        tokens * (stream / 8 + core / 8 + scores / 8 + sent + inner / 8));
  // Full recomputation keeps the block's input.
  CHECK(of(read(mixtral, {.data = 128, .recompute = planner::recomputation::full}), ct::block_kept{}) ==
        tokens * 2 * h);
}

TEST_CASE("a mixture of one expert that sees every token costs what a gated MLP costs, and its routing") {
  auto dense = model::llama_block(4096, 14336, 32, 8);
  auto routed = dense;
  routed.kind = block_kind::routed_experts;
  routed.feed_forward = 0;
  routed.experts = routed.experts_per_token = 1;
  routed.expert_feed_forward = 14336;
  plan const choice{.tensor = 2, .data = 64};
  auto const one = read(dense, choice), other = read(routed, choice);
  CHECK(of(other, ct::block_parameters{}) == of(one, ct::block_parameters{}) + 4096);
  CHECK(of(other, ct::block_model_flop{}) == of(one, ct::block_model_flop{}) + 2 * 4096.0 * 4096);
  CHECK(of(other, ct::block_forward_communication{}) == doctest::Approx(of(one, ct::block_forward_communication{})));
  CHECK(of(other, ct::block_backward_communication{}) == doctest::Approx(of(one, ct::block_backward_communication{})));
  CHECK(of(other, ct::block_kept{}) == of(one, ct::block_kept{}) + 4096.0 * (4 + 2 * 2 * 4096));
  CHECK(of(other, ct::block_forward{}) > of(one, ct::block_forward{}));
}

TEST_CASE("Mixtral is planned; what the search finds is what an estimate says") {
  auto const found = planner::search_plans(model::mixtral_8x7b, machine, job, {}, {}, 3, registry());
  REQUIRE(found.best.size() == 3);
  for (auto const& candidate : found.best) {
    CHECK(planner::fits(model::mixtral_8x7b, machine, job, candidate.candidate, {}, registry()));
    auto const estimated = planner::estimate(model::mixtral_8x7b, machine, job, candidate.candidate, {}, registry());
    CHECK(estimated.step_time == doctest::Approx(candidate.cost).epsilon(1e-9));
    // 3 forward passes of all sequences.
    CHECK(estimated.model_flop ==
          doctest::Approx(3 * 512 * model::counts_of_model(model::mixtral_8x7b, 4096).forward_flop).epsilon(1e-3));
  }
  // PaLM's convention takes the parameters that a token meets.
  planner::assumptions assumed;
  assumed.flops = planner::flop_convention::all_parameters;
  auto const estimated =
      planner::estimate(model::mixtral_8x7b, machine, job, found.best[0].candidate, assumed, registry());
  double const per_token = planner::model_flop(model::mixtral_8x7b, estimated, job, assumed, registry()) / (4096 * 512);
  CHECK(per_token == doctest::Approx(6 * 12879925248.0 + 12.0 * 32 * 4096 * 4096).epsilon(1e-12));
}

TEST_CASE("feed-forward sizes of experts must be divisible, too") {
  auto mixtral = model::mixtral_8x7b;
  plan const choice{.tensor = 8, .data = 16};
  CHECK(planner::first_broken_rule(mixtral, machine, job, choice, {}) == planner::rule::none);
  mixtral.shapes[0].expert_feed_forward = 14338;
  CHECK(planner::first_broken_rule(mixtral, machine, job, choice, {}) ==
        planner::rule::feed_forward_divisible_by_tensor);
  auto const said =
      planner::broken_rule_text(mixtral, machine, job, choice, {}, planner::rule::feed_forward_divisible_by_tensor);
  CHECK(said.find("14338 feed-forward channels are not divisible by tensor = 8") == 0);
  mixtral.shapes[0].expert_feed_forward = 14336;
  mixtral.shapes[0].shared_feed_forward = 12;
  CHECK(planner::first_broken_rule(mixtral, machine, job, choice, {}) ==
        planner::rule::feed_forward_divisible_by_tensor);
}

TEST_CASE("what cannot be planned is named") {
  CHECK(planner::missing_for(model::mixtral_8x7b, registry()) == "");
  CHECK(planner::missing_for(model::deepseek_v3, registry()) == "");
  auto const standard = planner::block_registry::standard();
  CHECK(planner::missing_for(model::mixtral_8x7b, standard) ==
        "blocks of the kind \"decoder block, mixture of experts\"");
  CHECK(!planner::fits(model::mixtral_8x7b, machine, job, {.data = 128}, {}, standard));
  auto other = model::llama_3_1_8b;
  CHECK(planner::missing_for(other, standard) == "");
  other.input = model::input_kind::patches;
  CHECK(planner::missing_for(other, standard) == "the first layer \"patch embedding\"");
  other = model::llama_3_1_8b;
  other.output = model::output_kind::pooler;
  CHECK(planner::missing_for(other, standard) == "the last layer \"pooler\"");
  other = model::llama_3_1_8b;
  other.encoder_layers = 16;
  CHECK(planner::missing_for(other, standard) == "an encoder that feeds a decoder");
  other.shapes[0].kind = block_kind::cross_gated_mlp;
  CHECK(planner::missing_for(other, registry()) == "blocks of the kind \"decoder block, cross attention, gated MLP\"");
}

}  // namespace
