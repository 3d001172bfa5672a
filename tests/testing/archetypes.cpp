#include <doctest/doctest.h>

#include <string_view>
#include <vector>

#include <shardplan/cost/block.hpp>
#include <shardplan/device/cluster.hpp>
#include <shardplan/expr.hpp>
#include <shardplan/testing/archetypes.hpp>

// The library asks of a type no more than its concept says: everything here works with the least types.
namespace {

using namespace shardplan;
using namespace shardplan::testing;
using namespace expr::literals;

constexpr expr::symbol<symbol_archetype> any{};
constexpr expr::function<function_archetype> call{};

static_assert(!expr::function_description<symbol_archetype>);
static_assert(!strategy::strategy_description<mechanism_archetype>);
static_assert(!strategy::recomputation_mechanism<strategy_archetype>);
static_assert(!device::training_device<device::matrix_engine>);

TEST_CASE("the least symbol and function make formulas") {
  auto const formula = call(any * 2_n) - any;
  auto const negated = [](double value) { return -value; };
  CHECK(expr::evaluate(formula, expr::environment{any = 3.0, call = negated}) == -9.0);
}

TEST_CASE("the least reader reads every operation") {
  auto const formula = select(any, ceil(any), log2(any)) + min(any, max(any, floor(any))) / positive_part(any) - 2_n;
  static_assert(std::same_as<decltype(expr::read(formula, reader_archetype{})), reader_archetype::value_type>);
}

TEST_CASE("the least layer, strategy and mechanism have a record, in which all is nothing") {
  constexpr auto layout = layer_archetype{} | strategy_archetype{} | strategy::recompute<mechanism_archetype>{};
  expr::environment const values{cost::of<cost::tag::operation_launch_time> = 1.0,
                                 cost::of<cost::tag::matrix_rate> = 1.0, cost::of<cost::tag::memory_bandwidth> = 1.0};
  auto const found = expr::evaluate(cost::block_record(layout), values);
  CHECK(expr::value_of<cost::tag::block_parameters>(found) == 0);
  CHECK(expr::value_of<cost::tag::block_kept>(found) == 0);
  CHECK(expr::value_of<cost::tag::block_forward>(found) == 0);
  CHECK(expr::value_of<cost::tag::block_recompute>(found) == 0);
}

TEST_CASE("the least axis has an amount of one") {
  using model::role::parameter;
  constexpr auto term = model::make_term<parameter>(3_n, model::axes<axis_archetype>{});
  CHECK(expr::evaluate(strategy::amount(term, strategy::rules<>{}), expr::environment<>{}) == 3.0);
}

TEST_CASE("the least device makes a cluster") {
  auto const machine = device::make_cluster(device_archetype{}, 2, 4, device::network_link{});
  CHECK(machine.devices() == 8);
  CHECK(std::string_view(machine.node_level.name) == "host link");
}

TEST_CASE("the least problem is searched") {
  std::vector<int> const candidates{3, 1, 2};
  auto const found = search::exhaustive<int>(candidates, problem_archetype<int>{}, 1);
  CHECK(found.certificate.status == search::status::optimal);
  CHECK(found.certificate.evaluated == 3);
}

}  // namespace
