#include <doctest/doctest.h>

#include <shardplan/device/catalogue/nvidia_h100_sxm.hpp>
#include <shardplan/shardplan.hpp>

#include <support/numbers.hpp>

// A layer kind with a layer, an axis, a strategy, a mechanism, cost terms and a curve of its own, in a search.
namespace own_kinds {

using namespace shardplan;
using namespace expr::literals;
using namespace model;
using support::close;
namespace ct = cost::tag;

struct channels : expr::symbol_tag<> {
  static constexpr const char* name = "r";
  static constexpr const char* meaning = "channels of the adapter";
};
constexpr expr::symbol<channels> r{};
struct channel {
  static constexpr const char* name = "channel";
  static constexpr auto extent = r;
};
struct adapter {
  static constexpr const char* value = "adapter";
};
struct adapted {
  static constexpr const char* value = "decoder block with adapter";
};
struct wide_row {};
struct makes_rows {};

constexpr auto block = [](auto kernel) {
  using hidden = axes<axis::hidden>;
  using rows = axes<axis::batch, axis::sequence>;
  return extend_layer(adapted{}, decoder_block(mlp::gated{}, kernel),
                      matmul(adapter{}, traits<makes_rows>{}, hidden{}, axes<channel>{}, 0_n),
                      matmul(adapter{}, traits<>{}, axes<channel>{}, hidden{}, 0_n,
                             make_term<role::kept<reason::operand, wide_row>>(symbols::e_a, rows{} + axes<channel>{}),
                             make_term<role::forward_sum<channel>>(symbols::e_a, rows{} + hidden{})));
};

struct adapter_parallel : strategy::strategy_base {
  static constexpr const char* name = "adapter parallelism";
  using mesh_axis = strategy::mesh::tensor;
  using needs_mesh_axis = strategy::mesh::tensor;
  using rule_list = strategy::rules<strategy::shard<channel, strategy::mesh::tensor, strategy::tensor::degree>>;
};

struct rows_again : strategy::keep_everything {
  static constexpr const char* name = "wide rows";
  template <class... Reasons>
  static constexpr bool keeps = keep_everything::keeps<Reasons...> && !(std::same_as<Reasons, wide_row> || ...);
  template <class Traits> static constexpr bool runs_again = std::same_as<Traits, traits<makes_rows>>;
};

struct routing : expr::function_tag<unit::time_dimension, expr::sign::non_negative, unit::count_dimension> {
  static constexpr const char* name = "route";
  static constexpr const char* meaning = "time by rows";
};
constexpr expr::function<routing> route{};
constexpr expr::curve_point measured[]{{0, 0}, {4096, 1e-3}, {16384, 2e-3}};

constexpr auto plain_kind() {
  return planner::layer_kind{block}
      .with(adapter_parallel{})
      .with_mechanisms<strategy::keep_everything, planner::in_place_of<strategy::attention_core_again, rows_again>>();
}
constexpr double width = 2048;

planner::block_values read(planner::block_registry const& blocks, block_kind kind, planner::recomputation again,
                           planner::plan const& choice) {
  auto const machine = device::make_cluster(device::catalogue::h100_sxm, 1, 8);
  auto const shape = llama_block(4096, 14336, 32, 8);
  auto const described = uniform_decoder("llama", shape, 32, 128256);
  planner::workload const job{.sequence_length = 4096, .global_batch = 64};
  return blocks(kind, again, planner::attention_kernel::flash,
                planner::make_block_environment(described, shape, machine, job, choice, {}));
}
template <class Tag> double of(planner::block_values const& values) { return expr::value_of<Tag>(values); }

TEST_CASE("own parts of a layer kind add to what the block costs") {
  auto blocks = planner::block_registry::standard();
  auto const kind = blocks.add("adapted", plain_kind().with_values(expr::environment{r = width}));
  auto const terms = expr::make_record(define(cost::of<ct::block_forward>, route(symbols::b * symbols::s)),
                                       define(cost::of<ct::block_kept>, symbols::b * symbols::s * expr::byte));
  auto const with_terms = blocks.add("with terms", plain_kind().with_terms(terms).with_values(expr::environment{
                                                       r = width, route = expr::piecewise_linear{measured}}));
  planner::plan const choice{.tensor = 4, .data = 2, .micro_batch = 2};
  using enum planner::recomputation;
  auto const gated = read(blocks, block_kind::gated_mlp, none, choice);
  auto const own = read(blocks, kind, none, choice);
  double const rows = 2 * 4096;

  // Two matrices, and the wide rows that the second one keeps, in a quarter each.
  CHECK(of<ct::block_parameters>(own) - of<ct::block_parameters>(gated) == 2 * 4096 * width / 4);
  CHECK(of<ct::block_kept>(own) - of<ct::block_kept>(gated) == 2 * rows * width / 4);
  CHECK(of<ct::block_forward_communication>(own) > of<ct::block_forward_communication>(gated));

  auto const termed = read(blocks, with_terms, none, choice);
  CHECK(close(of<ct::block_forward>(termed) - of<ct::block_forward>(own), 1e-3 + 1e-3 / 3, 1e-9));
  CHECK(of<ct::block_kept>(termed) - of<ct::block_kept>(own) == rows);
  CHECK(of<ct::block_backward>(termed) == of<ct::block_backward>(own));

  // The own mechanism stands where it was put; others than those listed do not fit.
  auto const again = read(blocks, kind, selective, choice);
  CHECK(of<ct::block_working>(again) == 2 * rows * width / 4);
  CHECK(of<ct::block_kept>(again) == of<ct::block_kept>(gated));
  CHECK(of<ct::block_recompute>(again) > 0);
  CHECK(of<ct::block_kept>(read(blocks, kind, full, choice)) == planner::unknown_cost);
}

TEST_CASE("a search reads own kinds in columns as an estimate reads them one by one") {
  auto blocks = planner::block_registry::standard();
  auto const terms = expr::make_record(define(cost::of<ct::block_forward>, route(symbols::b * symbols::s)));
  auto shape = llama_block(4096, 14336, 32, 8);
  shape.kind = blocks.add("adapted", plain_kind().with_terms(terms).with_values(
                                         expr::environment{r = width, route = expr::piecewise_linear{measured}}));
  auto const llama = uniform_decoder("llama", shape, 32, 128256);
  auto const machine = device::make_cluster(device::catalogue::h100_sxm, 2, 8);
  planner::workload const job{.sequence_length = 4096, .global_batch = 128};
  planner::assumptions const assumed;
  planner::plan_space space;
  space.recompute = {planner::recomputation::none, planner::recomputation::selective, planner::recomputation::full};
  auto const found = planner::search_plans(llama, machine, job, assumed, space, 40, blocks);
  REQUIRE(found.best.size() == 40);
  bool recomputes = false;
  for (auto const& [choice, time] : found.best) {
    auto const estimated = planner::estimate(llama, machine, job, choice, assumed, blocks);
    CHECK(close(estimated.step_time, time, 1e-9));
    CHECK(planner::fits(llama, machine, job, choice, assumed, blocks));
    CHECK(choice.recompute != planner::recomputation::full);
    recomputes = recomputes || choice.recompute == planner::recomputation::selective;
  }
  CHECK(recomputes);
}

}  // namespace own_kinds
