#include <string_view>
#include <vector>

#include <doctest/doctest.h>

#include <shardplan/cost/block.hpp>
#include <shardplan/strategy.hpp>

#include <support/numbers.hpp>
#include <support/terms.hpp>

// Rules on named axes: what they divide, how often, and that composing them in another order changes nothing.
namespace {

using namespace shardplan;
using namespace support;
namespace axis = model::axis;
namespace mesh = strategy::mesh;
using std::string_view;

/// Layers that together hold every kind of term.
template <class Check> void for_each_layer(Check check) {
  check(model::embedding_layer());
  check(model::head_layer());
  check(model::decoder_block(model::mlp::plain{}, model::kernel::plain{}));
  check(model::decoder_block(model::mlp::gated{}, model::kernel::flash{}));
}

template <class... Axes> bool extends_over(model::axes<Axes...>, string_view wanted) {
  return ((string_view{Axes::name} == wanted) || ...);
}
/// Shoeybi et al. 2019 (arXiv 1909.08053), section 3: what tensor parallelism cuts.
template <class AxisList> bool tensor_cuts(AxisList list) {
  return extends_over(list, "head") || extends_over(list, "key_value_head") || extends_over(list, "feed_forward") ||
         extends_over(list, "vocabulary");
}

using tensor_rules = strategy::tensor::rule_list;
using both_rules = decltype(strategy::tensor::rule_list{} + strategy::sequence::rule_list{});
constexpr strategy::rules<> uncut{};

/// A term: what should cut it, and its amounts with degrees 1 and 2.
struct seen_term {
  bool tensor_cuts, along_sequence;
  double whole, degree_1_tensor, degree_1_both, tensor, sequence_off, both;
};

TEST_CASE("degrees divide exactly the terms whose axes the rules name, each term once; degree 1 changes nothing") {
  // Sequence parallelism cuts along the sequence what tensor parallelism does not cut: Korthikanti et al. 2022
  // (arXiv 2205.05198), section 4.2.2.
  auto const one = everything_on();  // t = t_s = 1
  auto tensor_only = one, both = one;
  set_degrees(tensor_only, 2, 1);
  set_degrees(both, 2, 2);
  // Collected first: a check in a generic lambda is compiled once per term.
  std::vector<seen_term> terms;
  for_each_layer([&](auto layer) {
    for_each_term(layer, [&](auto term, auto) {
      constexpr typename decltype(term)::axis_list axes{};
      terms.push_back({tensor_cuts(axes), extends_over(axes, "sequence"), amount(term, uncut, one),
                       amount(term, tensor_rules{}, one), amount(term, both_rules{}, one),
                       amount(term, tensor_rules{}, tensor_only), amount(term, both_rules{}, tensor_only),
                       amount(term, both_rules{}, both)});
    });
  });
  int by_tensor = 0, by_sequence = 0, by_none = 0;
  for (seen_term const& term : terms) {
    double const half = term.whole / 2;
    CHECK(term.whole > 0);
    CHECK(term.degree_1_tensor == term.whole);
    CHECK(term.degree_1_both == term.whole);
    CHECK(term.tensor == (term.tensor_cuts ? half : term.whole));
    CHECK(term.sequence_off == (term.tensor_cuts ? half : term.whole));
    CHECK(term.both == (term.tensor_cuts || term.along_sequence ? half : term.whole));
    ++(term.tensor_cuts ? by_tensor : term.along_sequence ? by_sequence : by_none);
  }
  CHECK(by_tensor > 0);
  CHECK(by_sequence > 0);
  CHECK(by_none > 0);
}

TEST_CASE("a rule that yields does so where another rule cuts over the same mesh axis, and only there") {
  using degree_t = expr::symbol<strategy::tag::tensor_degree>;
  using degree_s = expr::symbol<strategy::tag::sequence_degree>;
  using degree_d = expr::symbol<strategy::tag::data_degree>;
  using heads_over_tensor = strategy::shard<axis::head, mesh::tensor, degree_t>;
  using sequence_otherwise = strategy::shard_otherwise<axis::sequence, mesh::tensor, degree_s>;
  using batch_otherwise = strategy::shard_otherwise<axis::batch, mesh::tensor, degree_t>;
  using batch_over_data = strategy::shard<axis::batch, mesh::data, degree_d>;

  auto const at = [](auto axes, auto rules) {
    using namespace strategy::symbols;
    return static_cast<double>(
        expr::evaluate(strategy::divisor(axes, rules), expr::environment{t = 3.0, t_s = 5.0, d = 7.0}));
  };
  constexpr model::axes<axis::batch, axis::sequence, axis::head> all{};
  constexpr model::axes<axis::batch, axis::sequence> no_head{};
  constexpr model::axes<axis::hidden> hidden{};

  CHECK(at(all, strategy::rules<heads_over_tensor, sequence_otherwise>{}) == 3);
  CHECK(at(all, strategy::rules<sequence_otherwise, heads_over_tensor>{}) == 3);
  CHECK(at(no_head, strategy::rules<heads_over_tensor, sequence_otherwise>{}) == 5);
  CHECK(at(hidden, strategy::rules<heads_over_tensor, sequence_otherwise>{}) == 1);
  // Of two that yield the first is in force.
  CHECK(at(no_head, strategy::rules<batch_otherwise, sequence_otherwise>{}) == 3);
  CHECK(at(no_head, strategy::rules<sequence_otherwise, batch_otherwise>{}) == 5);
  CHECK(at(all, strategy::rules<sequence_otherwise, batch_otherwise, heads_over_tensor>{}) == 3);
  // The same rule twice is in force once.
  CHECK(at(no_head, strategy::rules<sequence_otherwise, sequence_otherwise>{}) == 5);
  // Different mesh axes divide independently.
  CHECK(at(all, strategy::rules<heads_over_tensor, batch_over_data>{}) == 21);
  CHECK(at(no_head, strategy::rules<sequence_otherwise, batch_over_data>{}) == 35);

  CHECK(strategy::is_cut<mesh::tensor>(no_head, strategy::rules<sequence_otherwise>{}));
  CHECK_FALSE(strategy::is_cut<mesh::tensor>(hidden, strategy::rules<sequence_otherwise>{}));
  CHECK_FALSE(strategy::is_cut<mesh::data>(all, strategy::rules<sequence_otherwise>{}));
}

/// All results of a block's record, in order.
template <class Layout> std::vector<double> results(Layout layout, planner::block_environment const& values) {
  std::vector<double> list;
  auto const record = cost::block_record(layout);
  expr::for_each_entry(record, [&](auto entry) {
    list.push_back(expr::evaluate(typename decltype(entry)::expression_type{}, values).value);
  });
  return list;
}

TEST_CASE("the order of independent strategies does not matter") {
  using strategy::data, strategy::pipeline, strategy::sequence, strategy::tensor, strategy::zero;
  using full = strategy::recompute<strategy::block_again>;
  auto values = everything_on();
  set_degrees(values, 4, 2);
  constexpr auto layer = model::head_layer();
  auto const expected = results(layer | tensor{} | sequence{} | full{} | data{} | zero{} | pipeline{}, values);
  CHECK(expected != results(layer | tensor{} | full{}, values));
  CHECK(results(layer | full{} | pipeline{} | data{} | tensor{} | zero{} | sequence{}, values) == expected);
  CHECK(results(layer | data{} | zero{} | tensor{} | sequence{} | pipeline{} | full{}, values) == expected);
  CHECK(results(layer | tensor{} | data{} | full{} | zero{} | sequence{} | pipeline{}, values) == expected);
}

TEST_CASE("strategies that act on stages leave a block as it is") {
  using strategy::data, strategy::pipeline, strategy::zero;
  auto const values = everything_on();
  constexpr auto layer = model::head_layer();
  CHECK(results(layer | data{} | zero{} | pipeline{}, values) == results(strategy::layout<decltype(layer)>{}, values));
}

TEST_CASE("a layout knows its strategies and mesh axes") {
  using strategy::data, strategy::sequence, strategy::tensor, strategy::zero;
  using layout = decltype(model::head_layer() | tensor{} | sequence{} | data{});
  CHECK(layout::has<tensor>);
  CHECK(layout::has<sequence>);
  CHECK_FALSE(layout::has<zero>);
  CHECK(layout::uses<mesh::tensor>);
  CHECK(layout::uses<mesh::data>);
  CHECK_FALSE(layout::uses<mesh::pipeline>);
}

}  // namespace
