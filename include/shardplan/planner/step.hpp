#pragma once
#include <shardplan/cost/symbol.hpp>
#include <shardplan/expr/record.hpp>
#include <shardplan/model/symbol.hpp>
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
struct step_time : expr::symbol_tag<unit::time_dimension> {
  static constexpr const char* name = "step_time";
  static constexpr const char* meaning = "time of a training step";
};
struct global_batch : expr::symbol_tag<> {
  static constexpr const char* name = "B";
  static constexpr const char* meaning = "sequences in a step, all replicas together";
};
struct devices : expr::symbol_tag<> {
  static constexpr const char* name = "N";
  static constexpr const char* meaning = "devices";
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

/// What the schedule makes of one stage; the largest over the stages counts.
constexpr auto schedule_record() {
  return expr::make_record(
      define(expr::symbol<schedule::tag::pipeline_time>{}, schedule::one_forward_one_backward::step_bound()));
}

/// What the slowest stage spends its time on, over all m micro-batches, and the step.
constexpr auto step_record() {
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
      define(of<tag::bubble>, positive_part(pipeline_time - m * (f_i + b_i))),
      define(of<tag::step_time>, pipeline_time + of<tag::end_of_step>));
}

/// What a stage spends after its last backward pass.
constexpr auto end_record() {
  using cost::of;
  namespace ct = cost::tag;
  return expr::make_record(define(of<tag::end_of_step>, of<ct::exposed_data_communication> +
                                                            of<ct::tied_embedding_time> + of<ct::optimizer_time>));
}

/// What follows from the step's time.
constexpr auto rate_record() {
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
