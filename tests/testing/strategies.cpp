#include <doctest/doctest.h>

#include <shardplan/model.hpp>
#include <shardplan/testing/strategy_laws.hpp>

#include "support.hpp"

namespace strategy_law_tests {

using namespace shardplan;
using namespace expr::literals;
using testing::broken_laws_of_composition;
using testing::broken_laws_of_strategy;
using testing_support::reports;
namespace axis = model::axis;
namespace mesh = strategy::mesh;

/// A strategy of one rule.
template <class Rule> struct of_rule : strategy::strategy_base {
  static constexpr const char* name = "of the test";
  using mesh_axis = typename Rule::mesh_axis;
  using needs_mesh_axis = void;
  using rule_list = strategy::rules<Rule>;
};

struct slice_degree : expr::symbol_tag<unit::count_dimension, expr::sign::at_least_one> {
  static constexpr const char* name = "n_slice";
  static constexpr const char* meaning = "slices of the sequence";
};
struct slices {
  static constexpr const char* name = "slices";
  static constexpr expr::symbol<slice_degree> degree{};
};
using slice = expr::symbol<slice_degree>;
using slicing = of_rule<strategy::shard<axis::sequence, slices, slice>>;

TEST_CASE("the strategies of the library keep the laws") {
  CHECK(broken_laws_of_strategy(strategy::tensor{}).empty());
  CHECK(broken_laws_of_strategy(strategy::sequence{}).empty());
  CHECK(broken_laws_of_strategy(strategy::data{}).empty());
  CHECK(broken_laws_of_strategy(strategy::zero{}).empty());
  CHECK(broken_laws_of_strategy(strategy::pipeline{}).empty());
  CHECK(broken_laws_of_strategy(strategy::recompute<strategy::keep_everything>{}).empty());
  CHECK(broken_laws_of_strategy(strategy::tensor{}, model::head_layer()).empty());
}

TEST_CASE("so does one with a mesh axis of its own, and in either order") {
  CHECK(broken_laws_of_strategy(slicing{}).empty());
  constexpr auto block = model::decoder_block(model::mlp::gated{}, model::kernel::flash{});
  CHECK(broken_laws_of_strategy(slicing{}, block | strategy::tensor{}).empty());
  CHECK(broken_laws_of_composition(block, slicing{}, strategy::tensor{}).empty());
}

TEST_CASE("a strategy that cuts though its degree is one is reported") {
  using always = of_rule<strategy::shard<axis::head, mesh::tensor, expr::literal<2>>>;
  CHECK(reports(broken_laws_of_strategy(always{}), "a strategy of degree 1 changes nothing"));
}

TEST_CASE("a strategy that makes parts larger is reported") {
  using grows = of_rule<strategy::shard<axis::head, slices, decltype(1_n / slice{})>>;
  auto const broken = broken_laws_of_strategy(grows{});
  CHECK(reports(broken, "with a strategy a device owns and keeps no more"));
  CHECK(reports(broken, "with a strategy a device computes no more"));
}

TEST_CASE("a strategy whose devices lose a part of the layer is reported") {
  using loses = of_rule<strategy::shard<axis::head, slices, decltype(slice{} * slice{})>>;
  CHECK(reports(broken_laws_of_strategy(loses{}), "with a strategy all devices together own and keep no less"));
}

TEST_CASE("two that yield on one mesh axis depend on their order, which is reported") {
  using by_sequence = of_rule<strategy::shard_otherwise<axis::sequence, slices, slice>>;
  using by_hidden = of_rule<strategy::shard_otherwise<axis::hidden, slices, decltype(slice{} * slice{})>>;
  constexpr auto block = model::decoder_block(model::mlp::gated{}, model::kernel::flash{});
  CHECK(reports(broken_laws_of_composition(block, by_sequence{}, by_hidden{}),
                "two strategies cost the same in either order"));
}

}  // namespace strategy_law_tests
