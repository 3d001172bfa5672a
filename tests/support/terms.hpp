#pragma once
#include <boost/hana/for_each.hpp>

#include <shardplan/expr.hpp>
#include <shardplan/model.hpp>
#include <shardplan/planner/environment.hpp>
#include <shardplan/strategy.hpp>

/// Walking over the terms of layers, and values for all symbols that they use.
namespace support {

namespace sp = shardplan;

/// Calls `visit(term, operation)` for every term of every operation of a layer.
template <class Layer, class Visit> void for_each_term(Layer, Visit visit) {
  boost::hana::for_each(Layer::operations, [&](auto operation) {
    boost::hana::for_each(decltype(operation)::terms, [&](auto term) { visit(term, operation); });
  });
}

/// The amount of a term under rules, as a number.
template <class Term, class Rules, class Environment>
double amount(Term term, Rules rules, Environment const& environment) {
  return sp::expr::evaluate(sp::strategy::amount(term, rules), environment).value;
}

/// The sum of the amounts of the terms whose role is one of those given.
template <class... Roles, class Layer, class Rules, class Environment>
double sum_of_roles(Layer layer, Rules rules, Environment const& environment) {
  double sum = 0;
  for_each_term(layer, [&](auto term, auto) {
    if ((std::same_as<typename decltype(term)::role, Roles> || ...))
      sum += amount(term, rules, environment);
  });
  return sum;
}

/// A GPT-like block: every switch on, all values different, every extent divisible by 4. Rates are 1 in their base unit
/// and latencies 0, so that times count FLOP and bytes.
inline sp::planner::block_environment everything_on() {
  sp::model::block_shape const shape{.kind = sp::model::block_kind::plain_mlp,
                                     .hidden = 96,
                                     .feed_forward = 512,
                                     .heads = 12,
                                     .key_value_heads = 4,
                                     .head_dimension = 20,
                                     .mlp_norms = 1,
                                     .post_norms = 2,
                                     .norm_vectors = 2,
                                     .head_norms = 1,
                                     .query_key_value_bias = 1,
                                     .attention_output_bias = 1,
                                     .mlp_bias = 1,
                                     .sequential = 1,
                                     .hidden_dropout = 1,
                                     .attention_dropout = 1,
                                     .head_parameters = 1};
  auto model = sp::model::uniform_decoder("test", shape, 1, 1024);
  model.learned_positions = 64;
  sp::planner::workload const job{.sequence_length = 64, .global_batch = 3};
  sp::planner::plan const choice{.micro_batch = 3};
  auto environment = sp::planner::make_block_environment(model, shape, sp::device::unit_cluster(), job, choice,
                                                         sp::planner::assumptions{});
  sp::planner::set<sp::cost::tag::operation_launch_time>(environment, 0);
  sp::planner::set<sp::cost::tag::tensor_latency>(environment, 0);
  return environment;
}

/// Sets both tensor-parallel degrees: that of tensor and that of sequence parallelism.
inline void set_degrees(sp::planner::block_environment& environment, double tensor, double sequence) {
  sp::planner::set<sp::strategy::tag::tensor_degree>(environment, tensor);
  sp::planner::set<sp::strategy::tag::sequence_degree>(environment, sequence);
}

}  // namespace support
