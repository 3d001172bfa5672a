// What the layers of mixtures, latent attention, cross attention and encoders own, keep and compute, by hand-written
// formulas; and what whole models count.
#include <cmath>
#include <string>

#include <doctest/doctest.h>

#include <shardplan/model.hpp>
#include <shardplan/model/published.hpp>

#include <support/terms.hpp>

namespace {

using namespace shardplan;
using namespace support;
namespace axis = model::axis;
namespace attention = model::attention;
namespace kernel = model::kernel;
namespace mlp = model::mlp;
namespace reason = model::reason;
namespace role = model::role;
namespace mt = model::tag;
using model::symbols::E;
using model::symbols::k;
using kept_operand = role::kept<reason::operand>;
using kept_listed_operand = role::kept<reason::operand, reason::listed>;
using kept_input = role::kept<reason::block_input>;

// The values of `everything_on`, and those of the other families.
constexpr double s = 64, b = 3, h = 96, f = 512, a = 12, a_kv = 4, d_h = 20, e = 2;
constexpr double q = a * d_h, kv = a_kv * d_h;
constexpr double experts = 16, chosen = 4, f_e = 32, f_s = 48;
constexpr double r_q = 28, r_kv = 36, d_r = 8, d_n = 24, d_v = 40;
constexpr double s_x = 80;

constexpr strategy::rules<> uncut{};

auto all_values() {
  using namespace model::symbols;
  return expr::environment{E = experts,
                           k = chosen,
                           model::symbols::f_e = ::f_e,
                           model::symbols::f_s = ::f_s,
                           bias_r = 1.0,
                           gate_s = 1.0,
                           model::symbols::r_q = ::r_q,
                           model::symbols::r_kv = ::r_kv,
                           model::symbols::d_r = ::d_r,
                           model::symbols::d_n = ::d_n,
                           model::symbols::d_v = ::d_v,
                           model::symbols::s_x = ::s_x,
                           n_type = 2.0,
                           n_patch = 63.0,
                           n_px = 108.0,
                           n_label = 10.0};
}

/// Sums of roles with all values known.
template <class... Roles, class Layer, class Rules> double sum(Layer layer, Rules rules) {
  auto const inner = all_values();
  auto const outer = everything_on();
  return sum_of_roles<Roles...>(layer, rules, expr::scope{inner, outer});
}
template <class... Roles, class Layer> double sum(Layer layer) { return sum<Roles...>(layer, uncut); }

constexpr auto dense = model::decoder_block(mlp::gated{}, kernel::flash{});
constexpr auto routed = model::transformer_block(attention::grouped{}, mlp::routed{}, kernel::flash{});
constexpr auto latent =
    model::transformer_block(attention::latent<model::query::direct>{}, mlp::gated{}, kernel::flash{});
constexpr auto low_rank =
    model::transformer_block(attention::latent<model::query::low_rank>{}, mlp::gated{}, kernel::flash{});
constexpr auto cross = model::transformer_block(attention::grouped_then_cross{}, mlp::gated{}, kernel::flash{});

// Of the blocks above without their feed-forward layer.
constexpr double dense_mlp = 3 * h * f + 2 * f + h;

TEST_CASE("a mixture owns a router, E experts with biases, and shared experts with a gate") {
  double const router = h * experts + experts;
  double const each = 3 * h * f_e + 2 * f_e + h;
  double const shared = 3 * h * f_s + h;
  CHECK(sum<role::parameter>(routed) - (sum<role::parameter>(dense) - dense_mlp) == router + experts * each + shared);
}

TEST_CASE("a mixture computes k experts for each token, and the shared ones") {
  double const others = sum<role::matrix_work>(dense) - 2 * b * s * 3 * h * f;
  CHECK(sum<role::matrix_work>(routed) - others == 2 * b * s * 3 * h * (chosen * f_e + f_s));
  CHECK(sum<role::half_precision_work>(routed) == 2 * b * s * h * experts);
}

TEST_CASE("a mixture keeps 2 k (2h + 3 f_e) bytes a token, 6 f_s for the shared experts, and fp32 scores") {
  double const others = sum<kept_operand, kept_listed_operand>(dense) - e * b * s * 3 * f;
  CHECK(sum<kept_operand, kept_listed_operand>(routed) - others ==
        b * s * (e * chosen * (2 * h + 3 * f_e) + 3 * e * f_s + 4 * experts));
}

TEST_CASE("experts are cut inside by tensor parallelism, and tokens sent to them are not cut by sequence parallelism") {
  // What is sent to experts and comes back is whole on every device: the products need all tokens of the group.
  using tensor_axis = model::axes<axis::batch, axis::assignment, axis::hidden>;
  using inner_axis = model::axes<axis::batch, axis::assignment, axis::expert_feed_forward>;
  using weights = model::axes<axis::expert, axis::hidden, axis::expert_feed_forward>;
  constexpr auto both = strategy::tensor::rule_list{} + strategy::sequence::rule_list{};
  auto values = everything_on();
  set_degrees(values, 4, 4);
  auto const divided = [&](auto list) { return expr::evaluate(strategy::divisor(list, both), values).value; };
  CHECK(divided(tensor_axis{}) == 1);
  CHECK(divided(inner_axis{}) == 4);
  CHECK(divided(weights{}) == 4);
  CHECK(divided(model::axes<axis::batch, axis::sequence, axis::candidate>{}) == 4);
  CHECK(divided(model::axes<axis::hidden, axis::candidate>{}) == 1);
  // One sum over devices after the experts and one before, as after a dense MLP.
  CHECK(sum<role::forward_sum<axis::expert_feed_forward, axis::shared_feed_forward>>(routed) == e * b * s * h);
  CHECK(sum<role::backward_sum<axis::expert_feed_forward, axis::shared_feed_forward>>(routed) == e * b * s * h);
}

TEST_CASE("latent attention owns compression, norm, expansion and output") {
  double const others = sum<role::parameter>(dense) - (h * q + 2 * h * kv + q * h) - (q + 2 * kv) - 2 * d_h - a;
  double const compression = h * (r_kv + d_r) + (r_kv + d_r) + r_kv;
  double const expansion = r_kv * a * (d_n + d_v);
  double const output = a * d_v * h;
  double const core = a;
  double const queries = h * a * (d_n + d_r);
  CHECK(sum<role::parameter>(latent) == others + compression + expansion + output + core - a + queries);
  CHECK(sum<role::parameter>(low_rank) - sum<role::parameter>(latent) ==
        h * r_q + r_q + r_q + r_q * a * (d_n + d_r) - queries);
}

TEST_CASE("latent attention computes scores of keys of d_n + d_r and sums of values of d_v") {
  double const others = sum<role::matrix_work>(dense) - 2 * b * s * (2 * h * q + 2 * h * kv);
  double const projections = h * a * (d_n + d_r) + h * (r_kv + d_r) + r_kv * a * (d_n + d_v) + a * d_v * h;
  CHECK(sum<role::matrix_work>(latent) - others == 2 * b * s * projections);
  CHECK(sum<role::attention_work>(latent) == 2 * b * s * a * (d_n + d_r + d_v) * (s + 1) / 2);
  CHECK(sum<role::counted_attention_work>(latent) == 2 * b * s * a * (d_n + d_r + d_v) * s);
  constexpr auto plain =
      model::transformer_block(attention::latent<model::query::low_rank>{}, mlp::gated{}, kernel::plain{});
  CHECK(sum<role::half_precision_work>(plain) == 2 * b * s * s * a * (d_n + d_r + d_v));
  CHECK(sum<role::counted_attention_work>(plain) == sum<role::counted_attention_work>(low_rank));
}

TEST_CASE("latent attention keeps compressed vectors, queries, keys, values and the output") {
  // Of the dense block's: query, key, value, output, statistics, inputs of the norms on heads.
  double const grouped = e * b * s * (q + 2 * kv + q) + 4 * b * s * a + e * b * s * (q + kv);
  double const others = sum<kept_operand, kept_listed_operand>(dense) - grouped;
  double const heads = a * (2 * (d_n + d_r) + 2 * d_v);
  double const compressed = (r_kv + d_r) + r_kv;
  CHECK(sum<kept_operand, kept_listed_operand>(latent) - others == e * b * s * (heads + compressed) + 4 * b * s * a);
  CHECK(sum<kept_operand, kept_listed_operand>(low_rank) - sum<kept_operand, kept_listed_operand>(latent) ==
        e * b * s * 2 * r_q);
  CHECK(sum<kept_input>(latent) == sum<kept_input>(dense));
}

TEST_CASE("a cross-attending block has a second attention over the s_x tokens of the encoder") {
  double const second = h * q + q + 2 * (h * kv + kv) + q * h + h + 2 * h;
  CHECK(sum<role::parameter>(cross) - sum<role::parameter>(dense) == second);
  CHECK(sum<role::matrix_work>(cross) - sum<role::matrix_work>(dense) == 2 * b * (s * 2 * h * q + s_x * 2 * h * kv));
  CHECK(sum<role::counted_attention_work>(cross) - sum<role::counted_attention_work>(dense) == 4 * b * s * s_x * q);
  // norm input and output; query, keys, values, output, statistics; a dropout mask
  CHECK(sum<kept_operand, kept_listed_operand>(cross) - sum<kept_operand, kept_listed_operand>(dense) ==
        2 * e * b * s * h + 2 * e * b * s * q + 2 * e * b * s_x * kv + 4 * b * s * a + 2 * b * s * h);
}

TEST_CASE("the ends of encoders") {
  constexpr double V = 1024, positions = 64;
  CHECK(sum<role::parameter>(model::typed_embedding_layer()) == V * h + positions * h + 2 * h + 2 * h);
  CHECK(sum<role::parameter>(model::patch_embedding_layer()) == 108 * h + h + h + positions * h);
  CHECK(sum<role::matrix_work>(model::patch_embedding_layer()) == 2 * b * 63 * 108 * h);
  CHECK(sum<role::parameter>(model::pooler_layer()) == h * h + h);
  CHECK(sum<role::matrix_work>(model::pooler_layer()) == 2 * b * h * h);
  CHECK(sum<role::parameter>(model::norm_and_pooler_layer()) == 2 * h + h * h + h);
  CHECK(sum<role::parameter>(model::classifier_layer()) == 2 * h + h * 10 + 10);
  CHECK(sum<role::parameter>(model::encoder_norm_layer()) == 2 * h);
}

TEST_CASE("keys that queries see: counted one by one") {
  for (double const length : {1.0, 5.0, 12.0, 13.0})
    for (double const window : {0.0, 1.0, 3.0, 20.0})
      for (double const chunk : {0.0, 1.0, 4.0, 20.0})
        for (double const causal : {0.0, 1.0}) {
          if (window > 0 && (chunk > 0 || causal == 0))
            continue;
          if (chunk > 0 && causal == 0)
            continue;
          model::block_shape shape;
          shape.window = window;
          shape.chunk = chunk;
          shape.causal = causal;
          double seen = 0, reach = 0;
          for (int query = 0; query < length; ++query)
            for (int key = 0; key < length; ++key) {
              bool const same_chunk = chunk == 0 || std::floor(query / chunk) == std::floor(key / chunk);
              bool const before = causal == 0 || key <= query;
              seen += same_chunk && before && (window == 0 || query - key < window) ? 1 : 0;
              reach += same_chunk ? 1 : 0;
            }
          CAPTURE(length);
          CAPTURE(window);
          CAPTURE(chunk);
          CHECK(model::keys_seen(shape, length) == doctest::Approx(seen / length).epsilon(1e-12));
          if (window == 0)
            CHECK(model::keys_in_reach(shape, length) == doctest::Approx(reach / length).epsilon(1e-12));
        }
}

TEST_CASE("whole models: parameters, active ones, FLOP") {
  // DeepSeek-AI 2025 (arXiv 2505.09343), table 2: 250 GFLOP a token in training, causal attention at 4096 tokens.
  auto const v3 = model::counts_of_model(model::deepseek_v3, 4096, true);
  CHECK(v3.parameters == 671026419200);
  CHECK(3 * v3.forward_flop / 4096 / 1e9 == doctest::Approx(250).epsilon(0.005));
  // 6 FLOP for each active parameter that is multiplied with (no embedding, no norms), and the attention scores.
  auto const mixtral = model::counts_of_model(model::mixtral_8x7b, 4096);
  CHECK(mixtral.parameters == 46702792704);
  double const multiplied = mixtral.active_parameters - 32000.0 * 4096 - 65 * 4096.0;
  CHECK(3 * mixtral.forward_flop / 4096 == 6 * multiplied + 12.0 * 32 * 4096 * 4096);
  // All parameters of a dense model are active.
  auto const llama = model::counts_of_model(model::llama_3_1_8b);
  CHECK(llama.parameters == llama.active_parameters);
}

TEST_CASE("kinds of blocks have names, and an unknown one has neither name nor layer") {
  for (std::size_t kind = 0; kind < model::block_kind_count; ++kind) {
    CHECK(std::string(model::name_of(static_cast<model::block_kind>(kind))) != "unknown kind");
    CHECK(model::with_block(static_cast<model::block_kind>(kind), kernel::flash{}, [](auto) {}));
  }
  auto const unknown = static_cast<model::block_kind>(model::block_kind_count);
  CHECK(std::string(model::name_of(unknown)) == "unknown kind");
  CHECK(!model::with_block(unknown, kernel::flash{}, [](auto) {}));
}

}  // namespace
