// Step 2: a layer is a list of terms over named axes, a strategy is a list of rules "axis -> mesh axis", and
// `layer | strategy` is a layout. What a device keeps, computes and sends follows from the two.
//
// The figures are those of Korthikanti et al. 2022 (arXiv 2205.05198), table 2: bytes of activations per layer.
#include <cstdio>

#include <shardplan/core.hpp>

using namespace shardplan;
using strategy::sequence;
using strategy::tensor;

// --- What may be composed --------------------------------------------------------------------------------------------

constexpr auto block = model::decoder_block(model::mlp::plain{}, model::kernel::plain{});

template <class Left, class Right>
concept composes = requires(Left left, Right right) { left | right; };

using block_type = std::remove_cv_t<decltype(block)>;
static_assert(composes<block_type, tensor>);
// Sequence parallelism cuts over the tensor-parallel group, so tensor parallelism comes first.
static_assert(!composes<block_type, sequence>);
static_assert(composes<decltype(block | tensor{}), sequence>);
// Two rules that insist would cut one term twice over one mesh axis.
static_assert(!composes<decltype(block | tensor{}), tensor>);

// --- What a layout keeps ---------------------------------------------------------------------------------------------

// GPT-3 175B: s = 2048, h = 12288, a = 96, f = 4h, dropout in the residual stream and on the scores.
constexpr model::block_shape gpt_3{.kind = model::block_kind::plain_mlp,
                                   .hidden = 12288,
                                   .feed_forward = 4 * 12288,
                                   .heads = 96,
                                   .key_value_heads = 96,
                                   .head_dimension = 128,
                                   .norm_vectors = 2,
                                   .query_key_value_bias = 1,
                                   .attention_output_bias = 1,
                                   .mlp_bias = 1,
                                   .hidden_dropout = 1,
                                   .attention_dropout = 1};
constexpr double s = 2048, h = 12288, a = 96, L = 96, V = 51200;
constexpr double sh = s * h;  // one sequence: b = 1

// The values of all symbols of a layer, for t devices on which the rest has the value of a unit device.
constexpr planner::block_environment values(long long t, bool in_sequence) {
  auto const described = model::uniform_decoder("gpt", gpt_3, static_cast<long long>(L), V);
  planner::workload const job{.sequence_length = s, .global_batch = 1};
  planner::plan const choice{.tensor = t, .sequence_parallel = in_sequence, .kernel = planner::attention_kernel::plain};
  return planner::make_block_environment(described, gpt_3, device::unit_cluster(), job, choice, {});
}

// One entry of the record of a layout. A record is what a layer costs one device for one micro-batch.
template <class Tag, class Layout> constexpr double read(Layout layout, long long t, bool in_sequence) {
  return planner::get<Tag>(expr::evaluate(cost::block_record(layout), values(t, in_sequence)));
}
using kept = cost::tag::block_kept;

constexpr auto scores_again = strategy::recompute<strategy::attention_core_again>{};
constexpr auto all_again = strategy::recompute<strategy::block_again>{};

// The paper's table, term by term.
static_assert(read<kept>(block | tensor{}, 1, false) == sh * (34 + 5 * a * s / h));
static_assert(read<kept>(block | tensor{}, 8, false) == sh * (10 + 24 / 8.0 + 5 * a * s / (h * 8)));
static_assert(read<kept>(block | tensor{} | sequence{}, 8, true) == sh / 8 * (34 + 5 * a * s / h));
static_assert(read<kept>(block | tensor{} | scores_again, 8, false) == sh * (10 + 24 / 8.0));
static_assert(read<kept>(block | tensor{} | sequence{} | scores_again, 8, true) == 34 * sh / 8);
static_assert(read<kept>(block | tensor{} | sequence{} | all_again, 8, true) == 2 * sh / 8);

// Another layer kind, the same terms: Llama-3-8B has grouped key/value heads and a gated MLP. 41,943,040 parameters of
// attention and 176,160,768 of the MLP (Amer et al. 2026, arXiv 2602.09109, formulas for GQA and SwiGLU), and two
// norms.
static_assert([] {
  constexpr auto llama = model::llama_3_1_8b;
  planner::workload const job{.sequence_length = 8192, .global_batch = 1};
  auto const values = planner::make_block_environment(llama, llama.shapes[0], device::unit_cluster(), job, {}, {});
  auto const layer = model::decoder_block(model::mlp::gated{}, model::kernel::flash{});
  return planner::get<cost::tag::block_parameters>(expr::evaluate(cost::block_record(layer), values));
}() == 41943040.0 + 176160768 + 2 * 4096);

// --- Laws ------------------------------------------------------------------------------------------------------------

int failures = 0;

void check(bool holds, char const* law, long long t) {
  if (!holds)
    std::printf("FAIL  t = %lld: %s\n", t, law);
  failures += holds ? 0 : 1;
}

int main() {
  using namespace cost::tag;
  constexpr auto whole = block | tensor{} | scores_again;
  constexpr auto in_sequence = block | tensor{} | sequence{} | scores_again;
  double const one_device = read<block_model_flop>(whole, 1, false);
  for (long long t = 1; t <= 32; t *= 2) {
    double const cut = static_cast<double>(t);
    check(read<kept>(in_sequence, t, true) * cut == read<kept>(whole, 1, false),
          "with sequence parallelism every kept tensor is cut into t parts", t);
    check(read<kept>(in_sequence, t, false) == read<kept>(whole, t, false),
          "sequence parallelism that is off (t_s = 1) changes nothing", t);
    check(read<block_model_flop>(whole, t, false) == one_device, "model FLOP do not depend on how a layer is cut", t);
    check(read<block_working>(whole, t, false) + read<kept>(whole, t, false) == read<kept>(block | tensor{}, t, false),
          "what selective recomputation gives up comes back in the backward pass", t);
    bool const sends = read<block_forward_communication>(whole, t, false) > 0;
    check(sends == (t > 1), "one device sends nothing", t);
  }
  check(read<block_parameters>(block | tensor{}, 1, false) == 12 * h * h + 13 * h,
        "a block has 12 h^2 + 13 h parameters", 1);
  if (failures == 0)
    std::printf("all laws hold\n");
  return failures;
}
