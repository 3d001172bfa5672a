#include <concepts>
#include <type_traits>

#include <shardplan/cost/block.hpp>
#include <shardplan/expr.hpp>
#include <shardplan/model.hpp>
#include <shardplan/strategy.hpp>

// Layers, rules and what composes with what, at compile time.
namespace {

using namespace shardplan;
using namespace shardplan::expr::literals;
namespace axis = model::axis;
namespace mesh = strategy::mesh;
using strategy::data, strategy::pipeline, strategy::sequence, strategy::tensor, strategy::zero;

constexpr auto block = model::decoder_block(model::mlp::gated{}, model::kernel::flash{});

static_assert(model::layer_description<decltype(block)>);
static_assert(!model::layer_description<int>);
static_assert(model::named_axis<axis::hidden> && !model::named_axis<model::name::decoder_block>);
static_assert(std::is_empty_v<decltype(block)>);

// ---- composition ----------------------------------------------------------------------------------------------------

template <class Left, class Right>
concept composes = requires(Left left, Right right) { left | right; };
using bare = decltype(block);
using cut = decltype(block | tensor{});
static_assert(composes<bare, tensor> && composes<bare, data> && composes<bare, pipeline>);
static_assert(!composes<bare, sequence> && composes<cut, sequence>);
static_assert(!composes<bare, zero> && !composes<cut, zero> && composes<decltype(block | data{}), zero>);
static_assert(!composes<bare, int>);

// The same strategy twice would cut one term twice.
static_assert(!composes<cut, tensor>);

/// Cuts the hidden axis over the devices that tensor parallelism uses already.
struct hidden_over_tensor : strategy::strategy_base {
  static constexpr const char* name = "hidden over tensor";
  using mesh_axis = mesh::tensor;
  using needs_mesh_axis = void;
  using rule_list = strategy::rules<strategy::shard<axis::hidden, mesh::tensor, tensor::degree>>;
};
/// The same, where nothing else is cut.
struct hidden_otherwise : hidden_over_tensor {
  using rule_list = strategy::rules<strategy::shard_otherwise<axis::hidden, mesh::tensor, tensor::degree>>;
};
/// Over a mesh axis of its own.
struct hidden_over_data : hidden_over_tensor {
  using rule_list =
      strategy::rules<strategy::shard<axis::hidden, mesh::data, expr::symbol<strategy::tag::data_degree>>>;
};
static_assert(strategy::strategy_description<hidden_over_tensor>);
static_assert(!composes<cut, hidden_over_tensor>);
static_assert(composes<cut, hidden_otherwise>);
static_assert(composes<cut, hidden_over_data>);

// ---- divisors -------------------------------------------------------------------------------------------------------

template <class Left, class Right> constexpr bool same(Left, Right) { return std::same_as<Left, Right>; }
using rules = decltype(tensor::rule_list{} + sequence::rule_list{});
using strategy::divisor;
static_assert(same(divisor(model::axes<axis::hidden>{}, rules{}), 1_n));
static_assert(same(divisor(model::axes<axis::head>{}, rules{}), strategy::symbols::t));
static_assert(same(divisor(model::axes<axis::batch, axis::sequence>{}, rules{}), strategy::symbols::t_s));
static_assert(same(divisor(model::axes<axis::sequence, axis::head>{}, rules{}), strategy::symbols::t));
static_assert(same(divisor(model::axes<axis::sequence, axis::score>{}, rules{}), strategy::symbols::t_s));
static_assert(same(divisor(model::axes<axis::head>{}, strategy::rules<>{}), 1_n));
// Composed twice, a rule that yields is still in force once.
using twice = decltype(rules{} + sequence::rule_list{});
static_assert(same(divisor(model::axes<axis::batch, axis::sequence>{}, twice{}), strategy::symbols::t_s));

// ---- a strategy that changes nothing leaves the formula as it was ---------------------------------------------------

using bare_record = decltype(cost::block_record(block));
using data_record = decltype(cost::block_record(block | data{} | zero{} | pipeline{}));
static_assert(std::same_as<bare_record, data_record>);
static_assert(
    std::same_as<bare_record, decltype(cost::block_record(block | strategy::recompute<strategy::keep_everything>{}))>);
static_assert(!std::same_as<bare_record, decltype(cost::block_record(block | tensor{}))>);

}  // namespace
