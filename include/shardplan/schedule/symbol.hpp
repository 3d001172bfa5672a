#pragma once
#include <shardplan/expr/symbol.hpp>

/// The symbols of pipeline schedules.
namespace shardplan::schedule {

namespace tag {
struct stages : expr::symbol_tag<unit::count_dimension, expr::sign::at_least_one> {
  static constexpr const char* name = "p";
  static constexpr const char* meaning = "pipeline stages";
};
struct stage_index : expr::symbol_tag<unit::count_dimension, expr::sign::non_negative> {
  static constexpr const char* name = "i";
  static constexpr const char* meaning = "index of the stage, from 0";
};
struct micro_batches : expr::symbol_tag<unit::count_dimension, expr::sign::at_least_one> {
  static constexpr const char* name = "m";
  static constexpr const char* meaning = "micro-batches per step and replica";
};
struct in_flight : expr::symbol_tag<unit::count_dimension, expr::sign::at_least_one> {
  static constexpr const char* name = "w";
  static constexpr const char* meaning = "micro-batches in flight on the stage";
};
struct forward : expr::symbol_tag<unit::time_dimension, expr::sign::non_negative> {
  static constexpr const char* name = "f_i";
  static constexpr const char* meaning = "forward pass of one micro-batch on the stage";
};
struct backward : expr::symbol_tag<unit::time_dimension, expr::sign::non_negative> {
  static constexpr const char* name = "b_i";
  static constexpr const char* meaning = "backward pass of one micro-batch on the stage";
};
struct weight_gradient : expr::symbol_tag<unit::time_dimension, expr::sign::non_negative> {
  static constexpr const char* name = "b_w";
  static constexpr const char* meaning = "the part of b_i that computes the gradient of the weights";
};
struct first_and_last : expr::symbol_tag<unit::time_dimension, expr::sign::non_negative> {
  static constexpr const char* name = "d_i";
  static constexpr const char* meaning = "what the first and the last micro-batch take longer on the stage: gathering "
                                         "weights, reducing gradients, offload";
};
struct virtual_stages : expr::symbol_tag<unit::count_dimension, expr::sign::at_least_one> {
  static constexpr const char* name = "v";
  static constexpr const char* meaning = "virtual stages of a device";
};
struct before : expr::symbol_tag<unit::time_dimension, expr::sign::non_negative> {
  static constexpr const char* name = "T_before";
  static constexpr const char* meaning = "forward and backward passes of one micro-batch on all earlier stages";
};
struct after : expr::symbol_tag<unit::time_dimension, expr::sign::non_negative> {
  static constexpr const char* name = "T_after";
  static constexpr const char* meaning = "forward and backward passes of one micro-batch on all later stages";
};
struct pipeline_time : expr::symbol_tag<unit::time_dimension, expr::sign::non_negative> {
  static constexpr const char* name = "pipeline_time";
  static constexpr const char* meaning = "forward and backward passes of all micro-batches through the pipeline";
};
}  // namespace tag

namespace symbols {
inline constexpr expr::symbol<tag::stages> p{};
inline constexpr expr::symbol<tag::stage_index> i{};
inline constexpr expr::symbol<tag::micro_batches> m{};
inline constexpr expr::symbol<tag::in_flight> w{};
inline constexpr expr::symbol<tag::virtual_stages> v{};
inline constexpr expr::symbol<tag::first_and_last> d_i{};
inline constexpr expr::symbol<tag::weight_gradient> b_w{};
inline constexpr expr::symbol<tag::forward> f_i{};
inline constexpr expr::symbol<tag::backward> b_i{};
inline constexpr expr::symbol<tag::before> T_before{};
inline constexpr expr::symbol<tag::after> T_after{};
}  // namespace symbols

}  // namespace shardplan::schedule
