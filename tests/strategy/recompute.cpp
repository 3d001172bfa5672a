#include <doctest/doctest.h>

#include <shardplan/cost/block.hpp>
#include <shardplan/strategy.hpp>

#include <support/numbers.hpp>
#include <support/terms.hpp>

// Recomputation: every tensor that the backward pass needs is either kept or brought back, and what runs again is what
// brings it back.
namespace {

using namespace shardplan;
using namespace support;
namespace ct = cost::tag;
namespace role = model::role;
namespace reason = model::reason;
using strategy::recompute;

template <class Mechanism, class Layer> auto read(Layer layer, planner::block_environment const& values) {
  return expr::evaluate(cost::block_record(layer | strategy::tensor{} | strategy::sequence{} | recompute<Mechanism>{}),
                        values);
}
template <class Tag, class Values> double of(Values const& values) { return expr::value_of<Tag>(values); }

template <class Check> void for_each_block(Check check) {
  check(model::decoder_block(model::mlp::plain{}, model::kernel::plain{}));
  check(model::decoder_block(model::mlp::plain{}, model::kernel::flash{}));
  check(model::decoder_block(model::mlp::gated{}, model::kernel::plain{}));
  check(model::decoder_block(model::mlp::gated{}, model::kernel::flash{}));
}

template <class Mechanism, class Layer>
void check_mechanism(Layer layer, planner::block_environment const& values, bool keeps_listed) {
  auto const none = read<strategy::keep_everything>(layer, values);
  auto const some = read<Mechanism>(layer, values);
  // Tensors that are kept because a framework's list says so, though no gradient needs them.
  using cuts = decltype(strategy::tensor::rule_list{} + strategy::sequence::rule_list{});
  double const listed_only = keeps_listed ? sum_of_roles<role::kept<reason::listed>>(layer, cuts{}, values) : 0;
  CHECK(close(of<ct::block_kept>(some) + of<ct::block_working>(some), of<ct::block_kept>(none) + listed_only));
  // The rest of the block is the same.
  CHECK(of<ct::block_parameters>(some) == of<ct::block_parameters>(none));
  CHECK(of<ct::block_forward>(some) == of<ct::block_forward>(none));
  CHECK(of<ct::block_backward>(some) == of<ct::block_backward>(none));
  CHECK(of<ct::block_model_flop>(some) == of<ct::block_model_flop>(none));
  CHECK(of<ct::block_forward_communication>(some) == of<ct::block_forward_communication>(none));
}

template <class Mechanism, class Layer> void check_choice(Layer layer, planner::block_environment const& values) {
  using decided = strategy::mechanism_values<Layer>;
  auto const decisions = strategy::values_of_mechanism<decided, Mechanism>::get();
  auto const typed = read<Mechanism>(layer, values);
  auto const chosen = expr::evaluate(
      cost::block_record(layer | strategy::tensor{} | strategy::sequence{} | recompute<strategy::chosen_mechanism>{}),
      expr::scope{decisions, values});
  auto const check = [&]<class Tag>(expr::symbol<Tag>) {
    INFO(Tag::name);
    CHECK(close(of<Tag>(chosen), of<Tag>(typed)));
  };
  [&]<class... Tags>(expr::environment<expr::binding<Tags, double>...> const&) {
    (check(expr::symbol<Tags>{}), ...);
  }(typed);
}

TEST_CASE("a mechanism chosen by values costs what the mechanism of the type costs") {
  auto values = everything_on();
  set_degrees(values, 4.0, 4.0);
  for_each_block([&](auto block) {
    check_choice<strategy::keep_everything>(block, values);
    check_choice<strategy::attention_core_again>(block, values);
    check_choice<strategy::unlisted_operators_again>(block, values);
    check_choice<strategy::block_again>(block, values);
  });
}

TEST_CASE("kept and recomputed tensors add up to those that the backward pass needs") {
  for (double const degree : {1.0, 4.0}) {
    auto values = everything_on();
    set_degrees(values, degree, degree);
    for_each_block([&](auto block) {
      check_mechanism<strategy::attention_core_again>(block, values, false);
      check_mechanism<strategy::unlisted_operators_again>(block, values, true);
      check_mechanism<strategy::block_again>(block, values, false);
    });
  }
}

TEST_CASE("none repeats nothing, full repeats the forward pass with its communication") {
  auto values = everything_on();
  set_degrees(values, 4, 1);
  for_each_block([&](auto block) {
    auto const none = read<strategy::keep_everything>(block, values);
    CHECK(of<ct::block_working>(none) == 0);
    CHECK(of<ct::block_recompute>(none) == 0);
    CHECK(of<ct::block_recomputed_flop>(none) == 0);
    auto const full = read<strategy::block_again>(block, values);
    CHECK(
        close(of<ct::block_recompute>(full), of<ct::block_forward>(none) + of<ct::block_forward_communication>(none)));
    CHECK(of<ct::block_forward_communication>(none) > 0);
    CHECK(of<ct::block_recomputed_flop>(full) == of<ct::block_model_flop>(none));
  });
}

TEST_CASE("Megatron's selective recomputation gives up the scores and runs the attention core again") {
  // Korthikanti et al. 2022 (arXiv 2205.05198), section 5: saves 5 a s^2 b bytes; 4 b s^2 h FLOP run again.
  auto const values = everything_on();
  constexpr double s = 64, b = 3, a = 12, d_h = 20;
  auto const block = model::decoder_block(model::mlp::plain{}, model::kernel::plain{});
  auto const selective = read<strategy::attention_core_again>(block, values);
  CHECK(of<ct::block_working>(selective) == 5 * a * s * s * b);
  CHECK(of<ct::block_recomputed_flop>(selective) == 4 * b * s * s * a * d_h);
  // With fused attention there are no scores to give up: it costs time and saves nothing.
  auto const fused = model::decoder_block(model::mlp::plain{}, model::kernel::flash{});
  auto const fused_selective = read<strategy::attention_core_again>(fused, values);
  CHECK(of<ct::block_working>(fused_selective) == 0);
  CHECK(of<ct::block_recompute>(fused_selective) > 0);
}

TEST_CASE("torchtitan's list keeps the attention output and every second matrix product") {
  // pytorch/torchtitan, torchtitan/models/llama3/parallelize.py: the save list holds scaled-dot-product attention, and
  // of the matrix products every second one is recomputed. In a Llama block the seven products are wq wk wv wo w1 w3 w2
  // in this order, so wq, wv, w1 and w2 are saved.
  auto values = everything_on();
  namespace mt = model::tag;
  planner::set<mt::post_norms>(values, 0);
  planner::set<mt::hidden_dropout>(values, 0);
  constexpr double s = 64, b = 3, h = 96, f = 512, q = 12 * 20, kv = 4 * 20, a = 12, e = 2;
  auto const block = model::decoder_block(model::mlp::gated{}, model::kernel::flash{});
  auto const listed = read<strategy::unlisted_operators_again>(block, values);
  double const input = e * b * s * h;
  double const saved_products = e * b * s * (q + kv + f + h);
  double const attention = e * b * s * q + 4 * b * s * a;
  CHECK(of<ct::block_kept>(listed) == input + saved_products + attention);
  // wk, wo and w3 run again
  CHECK(of<ct::block_recomputed_flop>(listed) == 2 * b * s * (h * kv + q * h + h * f));
}

TEST_CASE("the last recomputation composed is in force") {
  using full = recompute<strategy::block_again>;
  using none = recompute<strategy::keep_everything>;
  constexpr auto block = model::decoder_block(model::mlp::plain{}, model::kernel::flash{});
  using twice = decltype(block | none{} | strategy::tensor{} | full{});
  using back = decltype(block | full{} | none{});
  using unsaid = decltype(block | strategy::tensor{});
  CHECK(std::same_as<strategy::recomputation_of<twice>, strategy::block_again>);
  CHECK(std::same_as<strategy::recomputation_of<back>, strategy::keep_everything>);
  CHECK(std::same_as<strategy::recomputation_of<unsaid>, strategy::keep_everything>);
}

}  // namespace
