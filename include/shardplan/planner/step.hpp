#pragma once
#include <shardplan/cost/symbol.hpp>
#include <shardplan/expr/let.hpp>
#include <shardplan/expr/over.hpp>
#include <shardplan/expr/sequence.hpp>
#include <shardplan/model/symbol.hpp>
#include <shardplan/planner/symbol.hpp>
#include <shardplan/schedule/one_forward_one_backward.hpp>

/// The record of a whole step: what the schedule makes of the slowest stage, and what follows from the step's length.
namespace shardplan::planner {

namespace tag {
struct compute : expr::symbol_tag<unit::time_dimension, expr::sign::non_negative> {
  static constexpr const char* name = "compute";
  static constexpr const char* meaning = "forward and backward passes of the slowest stage, without recomputation";
};
struct recompute : expr::symbol_tag<unit::time_dimension, expr::sign::non_negative> {
  static constexpr const char* name = "recompute";
  static constexpr const char* meaning = "recomputation in its backward passes";
};
struct tensor_communication : expr::symbol_tag<unit::time_dimension, expr::sign::non_negative> {
  static constexpr const char* name = "tensor_communication";
  static constexpr const char* meaning = "tensor-parallel collectives of its passes";
};
struct pipeline_communication : expr::symbol_tag<unit::time_dimension, expr::sign::non_negative> {
  static constexpr const char* name = "pipeline_communication";
  static constexpr const char* meaning = "messages between pipeline stages";
};
struct bubble : expr::symbol_tag<unit::time_dimension, expr::sign::non_negative> {
  static constexpr const char* name = "pipeline_bubble";
  static constexpr const char* meaning = "waiting for other stages";
};
struct end_of_step : expr::symbol_tag<unit::time_dimension, expr::sign::non_negative> {
  static constexpr const char* name = "end_of_step";
  static constexpr const char* meaning =
      "exposed data-parallel communication, tied embedding and optimizer step, of the stage where they take longest";
};
struct longest_end : expr::symbol_tag<unit::time_dimension, expr::sign::non_negative> {
  static constexpr const char* name = "longest_end";
  static constexpr const char* meaning = "end of the step on the stage where it takes longest";
};
struct one_pass : expr::symbol_tag<unit::time_dimension, expr::sign::non_negative> {
  static constexpr const char* name = "one_pass";
  static constexpr const char* meaning = "forward and backward passes of one micro-batch on all stages";
};
struct highest_peak : expr::symbol_tag<unit::byte_dimension, expr::sign::non_negative> {
  static constexpr const char* name = "highest_peak";
  static constexpr const char* meaning = "peak memory of the stage where it is highest";
};
struct step_time : expr::symbol_tag<unit::time_dimension> {
  static constexpr const char* name = "step_time";
  static constexpr const char* meaning = "time of a training step";
};
struct peak_rate : expr::symbol_tag<unit::flop_rate_dimension> {
  static constexpr const char* name = "R_peak";
  static constexpr const char* meaning = "peak rate of the device's matrix engine in the job's precision";
};
struct counted_flop : expr::symbol_tag<unit::flop_dimension> {
  static constexpr const char* name = "F_model";
  static constexpr const char* meaning = "model FLOP of a step by the convention asked for";
};
struct tokens_rate : expr::symbol_tag<unit::dimension<0, 0, -1>> {
  static constexpr const char* name = "tokens_per_s_per_gpu";
  static constexpr const char* meaning = "tokens per second and device";
};
struct repeated_flop : expr::symbol_tag<unit::flop_dimension, expr::sign::non_negative> {
  static constexpr const char* name = "F_again";
  static constexpr const char* meaning = "matrix FLOP of a step that recomputation repeats";
};
struct hardware_utilisation : expr::symbol_tag<> {
  static constexpr const char* name = "hfu";
  static constexpr const char* meaning = "model FLOP and repeated FLOP over what the devices could do at their peak";
};
struct model_utilisation : expr::symbol_tag<> {
  static constexpr const char* name = "mfu";
  static constexpr const char* meaning = "model FLOP over what the devices could do at their peak";
};
}  // namespace tag

/// What all stages need for one micro-batch.
consteval auto pass_record() {
  using namespace schedule::symbols;
  return expr::make_record(
      define(cost::of<tag::one_pass>, expr::over<stage_scope>(expr::sum, cost::of<tag::stages_alike> * (f_i + b_i))));
}

/// What the schedule makes of the stages, for the last of those that are alike: the earlier ones have the same bound or
/// a lower one, as T_before and m - w only grow along them. And what is highest of all stages.
consteval auto pipeline_record() {
  using namespace schedule::symbols;
  using namespace expr::literals;
  using cost::of;
  constexpr auto pass = of<tag::stages_alike> * (f_i + b_i);
  constexpr auto before = expr::earlier<stage_scope>(pass) + (of<tag::stages_alike> - 1_n) * (f_i + b_i);
  constexpr auto after = positive_part(of<tag::one_pass> - T_before - (f_i + b_i));
  constexpr auto bound = let(T_before, before, let(T_after, after, schedule::one_forward_one_backward::step_bound()));
  return expr::make_record(
      define(of<schedule::tag::pipeline_time>, expr::over<stage_scope>(expr::largest, bound)),
      define(of<tag::longest_end>, expr::over<stage_scope>(expr::largest, of<tag::end_of_step>)),
      define(of<tag::highest_peak>, expr::over<stage_scope>(expr::largest, of<cost::tag::peak_memory>)));
}

/// The step.
consteval auto step_time_record() {
  using cost::of;
  return expr::make_record(define(of<tag::step_time>, of<schedule::tag::pipeline_time> + of<tag::longest_end>));
}

/// All records over the stages of a plan in the order in which they are read.
consteval auto plan_sequence() { return expr::in_sequence(pass_record(), pipeline_record(), step_time_record()); }

/// What the slowest stage spends its time on, over all m micro-batches.
consteval auto step_record() {
  using namespace schedule::symbols;
  using cost::of;
  namespace ct = cost::tag;
  constexpr expr::symbol<schedule::tag::pipeline_time> pipeline_time{};
  return expr::make_record(
      define(of<tag::compute>, m * (of<ct::stage_forward_compute> + of<ct::stage_backward_compute>)),
      define(of<tag::recompute>, m * of<ct::stage_recompute>),
      define(of<tag::tensor_communication>,
             m * (of<ct::stage_forward_communication> + of<ct::stage_backward_communication>)),
      define(of<tag::pipeline_communication>,
             m * (of<ct::stage_receives_forward> + of<ct::stage_receives_backward>)*of<ct::hop_time>),
      define(of<tag::bubble>, positive_part(pipeline_time - m * (f_i + b_i))));
}

/// What a stage spends after its last backward pass.
consteval auto end_record() {
  using cost::of;
  namespace ct = cost::tag;
  return expr::make_record(define(of<tag::end_of_step>, of<ct::exposed_data_communication> +
                                                            of<ct::tied_embedding_time> + of<ct::optimizer_time>));
}

/// What follows from the step's time.
consteval auto rate_record() {
  constexpr expr::symbol<tag::step_time> step_time{};
  constexpr expr::symbol<tag::devices> N{};
  constexpr expr::symbol<tag::global_batch> B{};
  return expr::make_record(define(expr::symbol<tag::tokens_rate>{}, B * model::symbols::s / (step_time * N)),
                           define(expr::symbol<tag::model_utilisation>{},
                                  expr::symbol<tag::counted_flop>{} / (step_time * N * expr::symbol<tag::peak_rate>{})),
                           define(expr::symbol<tag::hardware_utilisation>{},
                                  (expr::symbol<tag::counted_flop>{} + expr::symbol<tag::repeated_flop>{}) /
                                      (step_time * N * expr::symbol<tag::peak_rate>{})));
}

}  // namespace shardplan::planner
