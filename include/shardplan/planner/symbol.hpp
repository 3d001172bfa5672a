#pragma once
#include <shardplan/expr/over.hpp>
#include <shardplan/expr/symbol.hpp>

/// The symbols that a plan gives: choices as 0 or 1, where a stage lies, and what repeats how often.
namespace shardplan::planner {

/// The stages of a pipeline; stages that hold the same layers and lie side by side are one element.
struct stage_scope {
  static constexpr const char* name = "stage";
};
/// The runs of equal layers in a stage; embedding and head are runs of one.
struct run_scope {
  static constexpr const char* name = "run";
};

namespace tag {
using expr::sign;
using expr::symbol_tag;
using unit::byte_dimension;
using unit::count_dimension;
using unit::time_dimension;

/// Base of symbols that are 1 or 0.
using choice_tag = symbol_tag<count_dimension, sign::non_negative>;
/// Base of symbols that count something that is there.
using count_tag = symbol_tag<count_dimension, sign::at_least_one>;

// The job and the model.
struct global_batch : count_tag {
  static constexpr const char* name = "B";
  static constexpr const char* meaning = "sequences in a step, all replicas together";
};
struct devices : count_tag {
  static constexpr const char* name = "N";
  static constexpr const char* meaning = "devices";
};
struct vocabulary_entries : count_tag {
  static constexpr const char* name = "V_0";
  static constexpr const char* meaning = "entries of the vocabulary, not padded";
};
struct vocabulary_multiple : count_tag {
  static constexpr const char* name = "k_V";
  static constexpr const char* meaning = "the vocabulary is padded to a multiple of this times t";
};

// What the plan and the framework choose.
struct in_sequence : choice_tag {
  static constexpr const char* name = "x_sp";
  static constexpr const char* meaning = "1 with sequence parallelism";
};
struct weights_shared : choice_tag {
  static constexpr const char* name = "x_w";
  static constexpr const char* meaning = "1 if the replicas share out the weights";
};
struct gradients_shared : choice_tag {
  static constexpr const char* name = "x_g";
  static constexpr const char* meaning = "1 if the replicas share out the gradients";
};
struct optimizer_shared : choice_tag {
  static constexpr const char* name = "x_o";
  static constexpr const char* meaning = "1 if the replicas share out the optimizer states";
};
struct reduces_often : choice_tag {
  static constexpr const char* name = "x_red";
  static constexpr const char* meaning = "1 if gradients are reduced after every micro-batch, not once a step";
};
struct gathers : choice_tag {
  static constexpr const char* name = "x_ag";
  static constexpr const char* meaning = "1 if forward passes gather weights";
};
struct gathers_often : choice_tag {
  static constexpr const char* name = "x_agm";
  static constexpr const char* meaning = "1 if they do so for every micro-batch, not once a step";
};
struct gathers_again : choice_tag {
  static constexpr const char* name = "x_agb";
  static constexpr const char* meaning = "1 if backward passes gather weights again";
};
struct gathers_whole_stage : choice_tag {
  static constexpr const char* name = "x_all";
  static constexpr const char* meaning = "1 if all gathered weights of a stage stay, not those of the blocks in work";
};
struct gathered_copy_bytes : symbol_tag<byte_dimension> {
  static constexpr const char* name = "e_copy";
  static constexpr const char* meaning = "bytes of a gathered parameter";
};
struct bucket_bytes : symbol_tag<byte_dimension, sign::non_negative> {
  static constexpr const char* name = "bucket";
  static constexpr const char* meaning = "buckets for communication between replicas";
};

// Where a stage lies.
struct stages_alike : count_tag {
  static constexpr const char* name = "n_s";
  static constexpr const char* meaning = "stages that hold the same layers, side by side";
};
struct first_index : symbol_tag<count_dimension, sign::non_negative> {
  static constexpr const char* name = "i_0";
  static constexpr const char* meaning = "index of the first of them, from 0";
};
struct last_index : symbol_tag<count_dimension, sign::non_negative> {
  static constexpr const char* name = "i_1";
  static constexpr const char* meaning = "index of the last of them";
};

// A run of layers.
struct run_layers : symbol_tag<count_dimension, sign::non_negative> {
  static constexpr const char* name = "n";
  static constexpr const char* meaning = "layers of the run that lie on the stage";
};
struct run_is_end : choice_tag {
  static constexpr const char* name = "x_end";
  static constexpr const char* meaning = "1 for the embedding and the head";
};

// What is in many formulas and depends on the plan only, where plans are read in columns.
struct micro_batch_cut : symbol_tag<> {
  static constexpr const char* name = "b_t";
  static constexpr const char* meaning = "micro-batch over tensor-parallel degree";
};
struct micro_batch_cut_in_sequence : symbol_tag<> {
  static constexpr const char* name = "b_ts";
  static constexpr const char* meaning = "micro-batch over sequence-parallel degree";
};
struct tensor_share : symbol_tag<> {
  static constexpr const char* name = "r_t";
  static constexpr const char* meaning = "one over the tensor-parallel degree";
};
struct vocabulary_cut : symbol_tag<> {
  static constexpr const char* name = "V_t";
  static constexpr const char* meaning = "vocabulary over tensor-parallel degree";
};
struct logit_rows_cut : symbol_tag<> {
  static constexpr const char* name = "bV_t";
  static constexpr const char* meaning = "micro-batch times vocabulary over tensor-parallel degree";
};
struct tensor_steps_time : symbol_tag<time_dimension, sign::non_negative> {
  static constexpr const char* name = "lambda_t";
  static constexpr const char* meaning = "latency of a gather in a tensor-parallel group";
};
struct tensor_wire_time : symbol_tag<unit::quotient_dimension<time_dimension, byte_dimension>, sign::non_negative> {
  static constexpr const char* name = "kappa_t";
  static constexpr const char* meaning = "gather in a tensor-parallel group per byte of a sequence";
};
struct weight_bytes_held : symbol_tag<byte_dimension> {
  static constexpr const char* name = "c_w";
  static constexpr const char* meaning = "bytes of weights per parameter that a device holds";
};
struct gradient_bytes_held : symbol_tag<byte_dimension> {
  static constexpr const char* name = "c_g";
  static constexpr const char* meaning = "bytes of gradients per parameter that a device holds";
};
struct optimizer_bytes_held : symbol_tag<byte_dimension> {
  static constexpr const char* name = "c_o";
  static constexpr const char* meaning = "bytes of optimizer states per parameter that a device holds";
};
}  // namespace tag

}  // namespace shardplan::planner
