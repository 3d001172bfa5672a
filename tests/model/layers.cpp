#include <doctest/doctest.h>

#include <shardplan/model.hpp>
#include <shardplan/model/published.hpp>

#include <support/terms.hpp>

// What the built-in layers own, keep and compute, by hand-written formulas. Source of the kept tensors: Korthikanti et
// al. 2022 (arXiv 2205.05198), section 4.1; of the work: 2 FLOP per weight and token.
struct own_name {
  static constexpr const char* value = "product";
};

namespace {

using namespace shardplan;
using namespace support;
namespace role = model::role;
namespace reason = model::reason;
namespace kernel = model::kernel;
using kept_operand = role::kept<reason::operand>;
using kept_listed_operand = role::kept<reason::operand, reason::listed>;
using kept_input = role::kept<reason::block_input>;
using kept_score = role::kept<reason::score>;

// The values of `everything_on`, by the symbols of the formulas.
constexpr double s = 64, b = 3, h = 96, f = 512, a = 12, a_kv = 4, d_h = 20, V = 1024, positions = 64;
constexpr double q = a * d_h, kv = a_kv * d_h, e = 2;

constexpr strategy::rules<> uncut{};

TEST_CASE("a matrix product owns its weights and bias, computes 2 FLOP per weight and token, and moves its operands") {
  constexpr auto product = model::matmul(own_name{}, model::traits<>{}, model::axes<model::axis::hidden>{},
                                         model::axes<model::axis::feed_forward>{}, expr::literal<1>{});
  constexpr auto layer = model::make_layer(own_name{}, product);
  auto const values = everything_on();
  CHECK(sum_of_roles<role::parameter>(layer, uncut, values) == h * f + f);
  CHECK(sum_of_roles<role::matrix_work>(layer, uncut, values) == 2 * b * s * h * f);
  CHECK(sum_of_roles<role::traffic>(layer, uncut, values) == e * (b * s * h + b * s * f + h * f));
  constexpr auto no_bias =
      model::make_layer(own_name{}, model::matmul(own_name{}, model::traits<>{}, model::axes<model::axis::hidden>{},
                                                  model::axes<model::axis::feed_forward>{}, expr::literal<0>{}));
  CHECK(sum_of_roles<role::parameter>(no_bias, uncut, values) == h * f);
}

TEST_CASE("parameters of the decoder blocks") {
  auto values = everything_on();
  double const attention = h * q + 2 * h * kv + q * h;
  // norms: attention, MLP, two after; two vectors each; and one pair on the heads
  double const norms = 4 * 2 * h + 2 * d_h;
  double const sinks = a;
  double const attention_bias = q + 2 * kv + h;
  auto const plain = model::decoder_block(model::mlp::plain{}, kernel::flash{});
  auto const gated = model::decoder_block(model::mlp::gated{}, kernel::flash{});
  CHECK(sum_of_roles<role::parameter>(plain, uncut, values) ==
        attention + norms + attention_bias + sinks + 2 * h * f + f + h);
  CHECK(sum_of_roles<role::parameter>(gated, uncut, values) ==
        attention + norms + attention_bias + sinks + 3 * h * f + 2 * f + h);
  // Norms without a scale own nothing.
  planner::set<model::tag::head_norm_vectors>(values, 0);
  CHECK(sum_of_roles<role::parameter>(gated, uncut, values) ==
        attention + norms - 2 * d_h + attention_bias + sinks + 3 * h * f + 2 * f + h);

  // Llama's block: no biases, two norms of one vector.
  namespace mt = model::tag;
  planner::set<mt::query_key_value_bias>(values, 0);
  planner::set<mt::attention_output_bias>(values, 0);
  planner::set<mt::mlp_bias>(values, 0);
  planner::set<mt::post_norms>(values, 0);
  planner::set<mt::head_norms>(values, 0);
  planner::set<mt::norm_vectors>(values, 1);
  planner::set<mt::head_parameters>(values, 0);
  CHECK(sum_of_roles<role::parameter>(gated, uncut, values) == attention + 2 * h + 3 * h * f);
  // The kernel owns nothing.
  CHECK(sum_of_roles<role::parameter>(model::decoder_block(model::mlp::gated{}, kernel::plain{}), uncut, values) ==
        attention + 2 * h + 3 * h * f);
}

TEST_CASE("parameters of embedding and head") {
  auto values = everything_on();
  CHECK(sum_of_roles<role::parameter>(model::embedding_layer(), uncut, values) == V * h + positions * h);
  CHECK(sum_of_roles<role::parameter>(model::head_layer(), uncut, values) == 2 * h + V * h);
  planner::set<model::tag::head_weights>(values, 0);
  CHECK(sum_of_roles<role::parameter>(model::head_layer(), uncut, values) == 2 * h);
  planner::set<model::tag::learned_positions>(values, 0);
  CHECK(sum_of_roles<role::parameter>(model::embedding_layer(), uncut, values) == V * h);
}

TEST_CASE("matrix work of the blocks' forward pass") {
  auto const values = everything_on();
  double const projections = 2 * b * s * (h * q + 2 * h * kv + q * h);
  double const plain_scores = 4 * b * s * s * q;
  auto const flash = model::decoder_block(model::mlp::gated{}, kernel::flash{});
  auto const plain = model::decoder_block(model::mlp::plain{}, kernel::plain{});
  CHECK(sum_of_roles<role::matrix_work>(flash, uncut, values) == projections + 6 * b * s * h * f);
  CHECK(sum_of_roles<role::matrix_work>(plain, uncut, values) == projections + 4 * b * s * h * f);
  // Scores and head stay in 16 bits where the other products are fp8.
  CHECK(sum_of_roles<role::half_precision_work>(plain, uncut, values) == plain_scores);
  CHECK(sum_of_roles<role::half_precision_work>(model::head_layer(), uncut, values) == 2 * b * s * h * V);
  CHECK(sum_of_roles<role::half_precision_work>(flash, uncut, values) == 0);
  // The fused kernel computes the pairs that a causal mask leaves: (s + 1) / 2 keys a query.
  CHECK(sum_of_roles<role::attention_work>(flash, uncut, values) == 4 * b * s * q * (s + 1) / 2);
  CHECK(sum_of_roles<role::attention_work>(plain, uncut, values) == 0);
  // Both count the same for MFU, by default attention in full.
  CHECK(sum_of_roles<role::counted_attention_work>(flash, uncut, values) == plain_scores);
  CHECK(sum_of_roles<role::counted_attention_work>(plain, uncut, values) == plain_scores);
}

TEST_CASE("tensors kept for the backward pass, by the reason for keeping them") {
  auto const values = everything_on();
  auto const plain = model::decoder_block(model::mlp::plain{}, kernel::plain{});
  double const stream = b * s * h;
  CHECK(sum_of_roles<kept_input>(plain, uncut, values) == e * stream);
  // softmax output, its mask of one byte, and the output of dropout
  CHECK(sum_of_roles<kept_score>(plain, uncut, values) == 5 * b * a * s * s);
  // norm output; query, key, value; attention output; two dropout masks; MLP norm input and output; two norms after;
  // input and output of the activation function; inputs of the norms on query and key heads
  double const operands = e * stream + e * b * s * (q + 2 * kv) + e * b * s * q + 2 * stream + 2 * e * stream +
                          2 * e * stream + 2 * e * b * s * f + e * b * s * (q + kv);
  CHECK(sum_of_roles<kept_operand, kept_listed_operand>(plain, uncut, values) == operands);

  auto const flash = model::decoder_block(model::mlp::plain{}, kernel::flash{});
  CHECK(sum_of_roles<kept_score>(flash, uncut, values) == 0);
  // four bytes of statistics per query and head instead
  CHECK(sum_of_roles<kept_operand, kept_listed_operand>(flash, uncut, values) == operands + 4 * b * s * a);

  auto const gated = model::decoder_block(model::mlp::gated{}, kernel::plain{});
  // the gate's output and that of the up projection; their product
  CHECK(sum_of_roles<kept_operand, kept_listed_operand>(gated, uncut, values) == operands + e * b * s * f);
}

TEST_CASE("attention and MLP side by side share a norm, its input, and one sum over devices") {
  // Wang and Komatsuzaki 2021 (GPT-J), Falcon: y = x + attention(norm(x)) + MLP(norm(x)).
  namespace mt = model::tag;
  auto const block = model::decoder_block(model::mlp::plain{}, kernel::flash{});
  auto const sequential = everything_on();
  auto parallel = sequential;
  planner::set<mt::sequential>(parallel, 0);
  double const stream = b * s * h;
  auto const difference = [&]<class... Roles>(model::traits<Roles...>) {
    return sum_of_roles<Roles...>(block, uncut, sequential) - sum_of_roles<Roles...>(block, uncut, parallel);
  };
  using sums = model::traits<role::forward_sum<model::axis::head>, role::forward_sum<model::axis::feed_forward>>;
  using gradient_sums =
      model::traits<role::backward_sum<model::axis::head>, role::backward_sum<model::axis::feed_forward>>;
  CHECK(difference(model::traits<kept_operand>{}) == e * stream);
  CHECK(difference(sums{}) == e * stream);
  CHECK(difference(gradient_sums{}) == e * stream);
  CHECK(difference(model::traits<role::parameter>{}) == 0);

  // Without a norm of its own the MLP has neither its parameters nor its output.
  auto shared = parallel;
  planner::set<mt::mlp_norms>(shared, 0);
  CHECK(sum_of_roles<role::parameter>(block, uncut, parallel) - sum_of_roles<role::parameter>(block, uncut, shared) ==
        2 * h);
  CHECK(sum_of_roles<kept_operand>(block, uncut, parallel) - sum_of_roles<kept_operand>(block, uncut, shared) ==
        e * stream);
}

TEST_CASE("logits live while the loss is computed") {
  auto values = everything_on();
  planner::set<model::tag::logit_bytes>(values, 14);
  CHECK(sum_of_roles<role::loss_buffer>(model::head_layer(), uncut, values) == 14 * b * s * V);
  CHECK(sum_of_roles<role::loss_buffer>(model::embedding_layer(), uncut, values) == 0);
}

TEST_CASE("published models have their published parameter counts") {
  // Touvron et al. 2023 (arXiv 2307.09288) and Grattafiori et al. 2024 (arXiv 2407.21783): the models' config.json and
  // the element counts of their published weights.
  auto const count = [](auto const& decoder) {
    auto const& shape = decoder.shapes[0];
    double const width = shape.heads * shape.head_dimension, key_width = shape.key_value_heads * shape.head_dimension;
    double const block =
        shape.hidden * (2 * width + 2 * key_width) + 3 * shape.hidden * shape.feed_forward + 2 * shape.hidden;
    return static_cast<double>(decoder.layers()) * block + 2 * decoder.vocabulary * shape.hidden + shape.hidden;
  };
  CHECK(count(model::llama_2_7b) == 6738415616.0);
  CHECK(count(model::llama_3_1_8b) == 8030261248.0);
  CHECK(count(model::llama_3_1_70b) == 70553706496.0);
  CHECK(count(model::llama_3_1_405b) == 405853388800.0);
}

TEST_CASE("runs of blocks add up to the model") {
  model::decoder<std::array<model::block_run, 3>> mixed;
  mixed.runs = {model::block_run{0, 5}, model::block_run{1, 1}, model::block_run{0, 4}};
  CHECK(mixed.layers() == 10);
  mixed.shapes[0].hidden = 640;
  CHECK(mixed.hidden() == 640);
  CHECK(model::uniform_decoder("x", model::llama_block(512, 1024, 8, 2), 7, 100).layers() == 7);
  CHECK(model::llama_block(512, 1024, 8, 2).head_dimension == 64);
}

}  // namespace
