#pragma once
#include <shardplan/cost/stage.hpp>
#include <shardplan/expr/operators.hpp>
#include <shardplan/expr/sequence.hpp>
#include <shardplan/model/decoder.hpp>
#include <shardplan/planner/symbol.hpp>
#include <shardplan/schedule/symbol.hpp>
#include <shardplan/strategy/data.hpp>
#include <shardplan/strategy/tensor.hpp>

/// What follows from a plan's choices alone: micro-batches, shards, how often replicas talk.
namespace shardplan::planner {

/// The layout whose strategies act on a stage; any layer serves, stage records look at the strategies only.
using stage_layout = decltype(model::embedding_layer() | strategy::tensor{} | strategy::sequence{} | strategy::data{} |
                              strategy::zero{} | strategy::pipeline{});

/// Micro-batches and what is cut into how many parts.
consteval auto shares_record() {
  using namespace expr::literals;
  using cost::of;
  using strategy::symbols::d;
  using strategy::symbols::t;
  namespace ct = cost::tag;
  constexpr auto block = of<tag::vocabulary_multiple> * t;
  return expr::make_record(
      define(schedule::symbols::m, of<tag::global_batch> / (d * model::symbols::b)),
      define(strategy::symbols::t_s, select(of<tag::in_sequence>, t, 1_n)),
      // The vocabulary as a framework pads it.
      define(model::symbols::V, ceil(of<tag::vocabulary_entries> / block) * block),
      define(of<ct::weight_shards>, select(of<tag::weights_shared>, d, 1_n)),
      define(of<ct::gradient_shards>, select(of<tag::gradients_shared>, d, 1_n)),
      define(of<ct::optimizer_shards>, select(of<tag::optimizer_shared>, d, 1_n)),
      // One replica has nothing to gather, and no use for buckets.
      define(of<ct::gathered_bytes>,
             select(of<tag::weights_shared> * (d - 1_n), of<tag::gathered_copy_bytes>, 0_n * expr::byte)),
      define(of<ct::communication_buffer>, select(d - 1_n, of<tag::bucket_bytes>, 0_n * expr::byte)));
}

/// How often a step reduces gradients and gathers weights. Without ZeRO the one gather is the second half of the
/// gradients' all-reduce.
consteval auto repetitions_record() {
  using namespace expr::literals;
  using cost::of;
  using schedule::symbols::m;
  namespace ct = cost::tag;
  constexpr auto forward = select(of<tag::gathers_often>, m, 1_n);
  return expr::make_record(
      define(of<ct::reductions_per_step>, select(of<tag::reduces_often>, m, 1_n)),
      define(of<ct::forward_gathers_per_step>, of<tag::gathers> * forward),
      define(of<ct::gathers_per_step>, select(of<tag::gathers>, forward * (1_n + of<tag::gathers_again>), 1_n)),
      define(of<ct::tied_parameters>, model::symbols::V * model::symbols::h / strategy::symbols::t));
}

consteval auto derived_sequence() {
  return expr::in_sequence(shares_record(), repetitions_record(), cost::shared_time_record(stage_layout{}));
}

}  // namespace shardplan::planner
