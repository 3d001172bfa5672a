#pragma once
#include <shardplan/cost/stage.hpp>
#include <shardplan/expr/let.hpp>
#include <shardplan/expr/over.hpp>
#include <shardplan/expr/sequence.hpp>
#include <shardplan/planner/derived.hpp>
#include <shardplan/planner/step.hpp>
#include <shardplan/planner/symbol.hpp>

/// The records of a stage: what the layers on it add up to, its memory, its times.
namespace shardplan::planner {

/// How the layers of a stage are added up: over run-time elements, each with the symbol n and the results of a block
/// record.
struct over_runs {
  template <expr::expression Each> static consteval auto sum(Each each) {
    return expr::over<run_scope>(expr::sum, cost::of<tag::run_layers> * each);
  }
  template <expr::expression Each> static consteval auto largest(Each each) {
    return expr::over<run_scope>(expr::largest, each);
  }
};

/// What the layers on a stage add up to, on one device and for one micro-batch.
template <class Runs = over_runs> consteval auto stage_sums_record(Runs runs = {}) {
  using cost::of;
  namespace ct = cost::tag;
  constexpr expr::literal<1> one{};
  return expr::make_record(
      define(of<ct::stage_parameters>, runs.sum(of<ct::block_parameters>)),
      define(of<ct::stage_largest_block>, runs.largest((one - of<tag::run_is_end>)*of<ct::block_parameters>)),
      define(of<ct::stage_largest_end>, runs.largest(of<tag::run_is_end> * of<ct::block_parameters>)),
      define(of<ct::stage_largest_matrix>, runs.largest(of<ct::block_largest_matrix>)),
      define(of<ct::stage_layers>, runs.sum(one)), define(of<ct::stage_kept>, runs.sum(of<ct::block_kept>)),
      define(of<ct::stage_recomputed>, runs.largest(of<ct::block_working>)),
      define(of<ct::stage_logits>, runs.sum(of<ct::block_loss_buffer>)),
      define(of<ct::stage_forward_compute>, runs.sum(of<ct::block_forward>)),
      define(of<ct::stage_backward_compute>, runs.sum(of<ct::block_backward>)),
      define(of<ct::stage_recompute>, runs.sum(of<ct::block_recompute>)),
      define(of<ct::stage_forward_communication>, runs.sum(of<ct::block_forward_communication>)),
      define(of<ct::stage_backward_communication>, runs.sum(of<ct::block_backward_communication>)));
}

/// What follows from them and from where the stage lies.
consteval auto stage_inputs_record() {
  using cost::of;
  namespace ct = cost::tag;
  constexpr expr::literal<2> two{};
  constexpr auto in_flight = schedule::one_forward_one_backward::in_flight();
  return expr::make_record(
      // Sharded weights are gathered for the block in work and the next one, the ends being units of their own; where
      // the framework keeps them gathered, all of them are.
      define(of<ct::stage_gathered_parameters>, select(of<tag::gathers_whole_stage>, of<ct::stage_parameters>,
                                                       two * of<ct::stage_largest_block> + of<ct::stage_largest_end>)),
      // Memory is highest on the first of equal stages, the way through the pipeline longest for the last.
      define(of<ct::micro_batches_in_flight>, let(schedule::symbols::i, of<tag::first_index>, in_flight)),
      define(schedule::symbols::w, let(schedule::symbols::i, of<tag::last_index>, in_flight)));
}

/// What the schedule reads of a stage.
consteval auto stage_passes_record() {
  using cost::of;
  return expr::make_record(define(schedule::symbols::f_i, of<cost::tag::forward_time>),
                           define(schedule::symbols::b_i, of<cost::tag::backward_time>));
}

/// All records of a stage in the order in which they are read.
template <class Runs = over_runs> consteval auto stage_sequence(Runs runs = {}) {
  return expr::in_sequence(stage_sums_record(runs), stage_inputs_record(), cost::stage_memory_record(stage_layout{}),
                           cost::stage_peak_record(), cost::stage_time_record(), stage_passes_record(),
                           cost::stage_exposed_record(), end_record());
}

}  // namespace shardplan::planner
