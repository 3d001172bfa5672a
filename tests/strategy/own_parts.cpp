#include <doctest/doctest.h>

#include <shardplan/cost/block.hpp>
#include <shardplan/model.hpp>
#include <shardplan/strategy.hpp>

// A layer, an axis, a mesh axis, a strategy and a recomputation mechanism that the library does not know.
namespace own_parts {

using namespace shardplan;
using namespace expr::literals;
namespace ct = cost::tag;
namespace axis = model::axis;
namespace role = model::role;
namespace reason = model::reason;

// ---- a convolution along the sequence, with channels as an axis of its own ------------------------------------------

struct channels_tag : expr::symbol_tag<> {
  static constexpr const char* name = "n_ch";
  static constexpr const char* meaning = "channels";
};
inline constexpr expr::symbol<channels_tag> n_ch{};

struct channel {
  static constexpr const char* name = "channel";
  static constexpr auto extent = n_ch;
};

namespace trait {
struct cheap {};
}  // namespace trait
namespace why {
struct expensive {};
}  // namespace why

struct convolution_name {
  static constexpr const char* value = "convolution";
};
struct activation_name {
  static constexpr const char* value = "activation";
};
struct layer_name {
  static constexpr const char* value = "convolution layer";
};

using rows = model::axes<axis::batch, axis::sequence, channel>;

/// Kernel width 3 along the sequence, one filter per channel.
constexpr auto own_layer() {
  using model::symbols::e_a;
  return model::make_layer(
      layer_name{},
      model::make_operation(convolution_name{}, model::backward_ratio<2>{}, model::traits<>{},
                            model::make_term<role::parameter>(3_n, model::axes<channel>{}),
                            model::make_term<role::kept<reason::block_input>>(e_a, rows{}),
                            model::make_term<role::matrix_work>(6_n * expr::flop, rows{}),
                            model::make_term<role::forward_sum<channel>>(e_a, rows{})),
      model::make_operation(activation_name{}, model::backward_ratio<1>{}, model::traits<trait::cheap>{},
                            model::make_term<role::kept<reason::operand, why::expensive>>(e_a, rows{}),
                            model::make_term<role::kept<reason::operand>>(expr::byte, rows{}),
                            model::make_term<role::traffic>(2_n * e_a, rows{})));
}

// ---- strategies -----------------------------------------------------------------------------------------------------

struct space_degree : expr::symbol_tag<> {
  static constexpr const char* name = "g";
  static constexpr const char* meaning = "spatial-parallel degree";
};
struct space_axis {
  static constexpr const char* name = "space";
  static constexpr expr::symbol<space_degree> degree{};
};

/// Cuts the sequence over a mesh axis of its own.
struct spatial : strategy::strategy_base {
  static constexpr const char* name = "spatial parallelism";
  using mesh_axis = space_axis;
  using needs_mesh_axis = void;
  using rule_list = strategy::rules<strategy::shard<axis::sequence, space_axis, expr::symbol<space_degree>>>;
};
/// Cuts channels over the tensor mesh axis.
struct channel_parallel : strategy::strategy_base {
  static constexpr const char* name = "channel parallelism";
  using mesh_axis = strategy::mesh::tensor;
  using needs_mesh_axis = void;
  using rule_list =
      strategy::rules<strategy::shard<channel, strategy::mesh::tensor, expr::symbol<strategy::tag::tensor_degree>>>;
};

/// Keeps the block's input and what is marked as expensive; runs again what is marked as cheap.
struct cheap_again {
  static constexpr const char* name = "cheap";
  template <class... Reasons>
  static constexpr bool keeps =
      (std::same_as<Reasons, reason::block_input> || ...) || (std::same_as<Reasons, why::expensive> || ...);
  template <class Traits> static constexpr bool runs_again = std::same_as<Traits, model::traits<trait::cheap>>;
};

static_assert(model::named_axis<channel>);
static_assert(model::layer_description<decltype(own_layer())>);
static_assert(strategy::strategy_description<spatial>);
static_assert(!strategy::strategy_description<channel>);

template <class Layout> auto read(Layout layout, double t_value, double g_value) {
  using namespace model::symbols;
  using namespace strategy::symbols;
  // Rates of 1: times count FLOP and bytes.
  expr::environment const values{s = 8.0,
                                 b = 2.0,
                                 n_ch = 12.0,
                                 e_a = 2.0,
                                 t = t_value,
                                 t_s = 1.0,
                                 expr::symbol<space_degree>{} = g_value,
                                 cost::of<ct::matrix_rate> = 1.0,
                                 cost::of<ct::attention_rate> = 1.0,
                                 cost::of<ct::memory_bandwidth> = 1.0,
                                 cost::of<ct::operation_launch_time> = 0.0,
                                 cost::of<ct::tensor_bandwidth> = 1.0,
                                 cost::of<ct::tensor_latency> = 0.0};
  return expr::evaluate(cost::block_record(layout), values);
}
template <class Tag, class Values> double of(Values const& values) { return expr::value_of<Tag>(values); }

constexpr double elements = 2 * 8 * 12;

TEST_CASE("a layer of one's own is costed by its terms") {
  auto const found = read(strategy::layout<decltype(own_layer())>{}, 1, 1);
  CHECK(of<ct::block_parameters>(found) == 36);
  CHECK(of<ct::block_largest_matrix>(found) == 36);
  CHECK(of<ct::block_kept>(found) == (2 + 2 + 1) * elements);
  CHECK(of<ct::block_forward>(found) == (6 + 4) * elements);
  CHECK(of<ct::block_backward>(found) == (12 + 4) * elements);
  CHECK(of<ct::block_model_flop>(found) == 6 * elements);
  CHECK(of<ct::block_forward_communication>(found) == 0);
}

TEST_CASE("a strategy of one's own divides what its rules name, over a mesh axis of its own") {
  auto const spatial_only = read(own_layer() | spatial{}, 1, 4);
  CHECK(of<ct::block_parameters>(spatial_only) == 36);
  CHECK(of<ct::block_kept>(spatial_only) == 5 * elements / 4);
  CHECK(of<ct::block_forward>(spatial_only) == 10 * elements / 4);

  auto const both = read(own_layer() | channel_parallel{} | spatial{}, 3, 4);
  CHECK(of<ct::block_parameters>(both) == 12);
  CHECK(of<ct::block_kept>(both) == 5 * elements / 12);
  CHECK(of<ct::block_forward>(both) == 10 * elements / 12);
  // A sum over a cut axis becomes an all-reduce: 2 (t - 1) / t of the message.
  CHECK(of<ct::block_forward_communication>(both) == doctest::Approx(2.0 * 2 / 3 * 2 * elements));
}

TEST_CASE("own and built-in strategies compose on built-in layers") {
  using strategy::tensor;
  constexpr auto block = model::decoder_block(model::mlp::gated{}, model::kernel::plain{});
  constexpr auto both = block | tensor{} | spatial{};
  // Over two mesh axes: heads by t and the sequence by g.
  using scores = model::axes<axis::batch, axis::head, axis::sequence, axis::score>;
  using namespace strategy::symbols;
  expr::environment const degrees{t = 2.0, expr::symbol<space_degree>{} = 5.0};
  CHECK(expr::evaluate(strategy::divisor(scores{}, decltype(both)::rule_list{}), degrees) == 10.0);
}

TEST_CASE("a recomputation mechanism of one's own") {
  auto const found = read(own_layer() | strategy::recompute<cheap_again>{}, 1, 1);
  CHECK(of<ct::block_kept>(found) == 4 * elements);
  CHECK(of<ct::block_working>(found) == elements);
  CHECK(of<ct::block_recompute>(found) == 4 * elements);
  CHECK(of<ct::block_recomputed_flop>(found) == 0);
}

}  // namespace own_parts
