#pragma once
#include <shardplan/cost/symbol.hpp>
#include <shardplan/expr/record.hpp>
#include <shardplan/model/symbol.hpp>
#include <shardplan/schedule/one_forward_one_backward.hpp>

/// The record of a whole step: what the schedule makes of the slowest stage, and what follows from the step's length.
namespace shardplan::planner {

namespace tag {
struct end_of_step : expr::symbol_tag<unit::time_dimension, expr::sign::non_negative> {
  static constexpr const char* name = "end_of_step";
  static constexpr const char* meaning =
      "exposed data-parallel communication and optimizer step, of the stage where they take longest";
};
struct bubble : expr::symbol_tag<unit::time_dimension, expr::sign::any> {
  static constexpr const char* name = "pipeline_bubble";
  static constexpr const char* meaning = "time that the slowest stage waits for other stages";
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

/// What follows from the pipeline's time.
constexpr auto step_record() {
  using namespace schedule::symbols;
  constexpr expr::symbol<schedule::tag::pipeline_time> pipeline_time{};
  constexpr expr::symbol<tag::end_of_step> end_of_step{};
  return expr::make_record(define(expr::symbol<tag::bubble>{}, pipeline_time - m * (f_i + b_i)),
                           define(expr::symbol<tag::step_time>{}, pipeline_time + end_of_step));
}

/// What follows from the step's time.
constexpr auto rate_record() {
  constexpr expr::symbol<tag::step_time> step_time{};
  constexpr expr::symbol<tag::devices> N{};
  constexpr expr::symbol<tag::global_batch> B{};
  return expr::make_record(
      define(expr::symbol<tag::tokens_rate>{}, B * model::symbols::s / (step_time * N)),
      define(expr::symbol<tag::model_utilisation>{},
             expr::symbol<tag::counted_flop>{} / (step_time * N * expr::symbol<tag::peak_rate>{})));
}

}  // namespace shardplan::planner
