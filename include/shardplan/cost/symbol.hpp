#pragma once
#include <shardplan/expr/symbol.hpp>

/// The symbols of costs: what a device and its links can do, what a block costs, what a stage costs.
namespace shardplan::cost {

namespace tag {
using expr::sign;
using expr::symbol_tag;
using unit::bandwidth_dimension;
using unit::byte_dimension;
using unit::count_dimension;
using unit::flop_dimension;
using unit::flop_rate_dimension;
using unit::time_dimension;

// What the device and its links can do.
struct matrix_rate : symbol_tag<flop_rate_dimension> {
  static constexpr const char* name = "R_mm";
  static constexpr const char* meaning = "rate that matrix multiplications reach";
};
struct half_precision_rate : symbol_tag<flop_rate_dimension> {
  static constexpr const char* name = "R_16";
  static constexpr const char* meaning = "rate that matrix multiplications reach that are never fp8";
};
struct attention_rate : symbol_tag<flop_rate_dimension> {
  static constexpr const char* name = "R_attn";
  static constexpr const char* meaning = "rate that the fused attention kernel reaches";
};
struct memory_bandwidth : symbol_tag<bandwidth_dimension> {
  static constexpr const char* name = "B_mem";
  static constexpr const char* meaning = "memory bandwidth that streaming kernels reach";
};
struct operation_launch_time : symbol_tag<time_dimension, sign::non_negative> {
  static constexpr const char* name = "l_op";
  static constexpr const char* meaning = "host time to launch one operation";
};
struct tensor_bandwidth : symbol_tag<bandwidth_dimension> {
  static constexpr const char* name = "B_t";
  static constexpr const char* meaning = "bus bandwidth of a tensor-parallel group";
};
struct tensor_latency : symbol_tag<time_dimension, sign::non_negative> {
  static constexpr const char* name = "alpha_t";
  static constexpr const char* meaning = "latency of one step of a collective in a tensor-parallel group";
};
struct data_bandwidth : symbol_tag<bandwidth_dimension> {
  static constexpr const char* name = "B_d";
  static constexpr const char* meaning = "bus bandwidth of a data-parallel group";
};
struct data_latency : symbol_tag<time_dimension, sign::non_negative> {
  static constexpr const char* name = "alpha_d";
  static constexpr const char* meaning = "latency of one step of a collective in a data-parallel group";
};
struct pipeline_bandwidth : symbol_tag<bandwidth_dimension> {
  static constexpr const char* name = "B_p";
  static constexpr const char* meaning = "bandwidth between neighbouring stages";
};
struct pipeline_latency : symbol_tag<time_dimension, sign::non_negative> {
  static constexpr const char* name = "alpha_p";
  static constexpr const char* meaning = "latency of a message between neighbouring stages";
};

// What one block costs on one device, for one micro-batch.
struct block_parameters : symbol_tag<count_dimension, sign::non_negative> {
  static constexpr const char* name = "parameters";
  static constexpr const char* meaning = "parameters of the block on one device";
};
struct block_largest_matrix : symbol_tag<count_dimension, sign::non_negative> {
  static constexpr const char* name = "largest_matrix";
  static constexpr const char* meaning = "parameters of the block's largest matrix on one device";
};
struct block_kept : symbol_tag<byte_dimension, sign::non_negative> {
  static constexpr const char* name = "kept";
  static constexpr const char* meaning = "activations that the block keeps for its backward pass";
};
struct block_working : symbol_tag<byte_dimension, sign::non_negative> {
  static constexpr const char* name = "recomputed";
  static constexpr const char* meaning = "activations that come back while the block's backward pass recomputes them";
};
struct block_loss_buffer : symbol_tag<byte_dimension, sign::non_negative> {
  static constexpr const char* name = "logits";
  static constexpr const char* meaning = "logits and their copies while the loss is computed";
};
struct block_forward : symbol_tag<time_dimension, sign::non_negative> {
  static constexpr const char* name = "forward_compute";
  static constexpr const char* meaning = "computation of the block's forward pass";
};
struct block_backward : symbol_tag<time_dimension, sign::non_negative> {
  static constexpr const char* name = "backward_compute";
  static constexpr const char* meaning = "computation of the block's backward pass, without recomputation";
};
struct block_recompute : symbol_tag<time_dimension, sign::non_negative> {
  static constexpr const char* name = "recompute";
  static constexpr const char* meaning = "computation and communication that the backward pass repeats";
};
struct block_forward_communication : symbol_tag<time_dimension, sign::non_negative> {
  static constexpr const char* name = "forward_communication";
  static constexpr const char* meaning = "tensor-parallel communication of the block's forward pass";
};
struct block_backward_communication : symbol_tag<time_dimension, sign::non_negative> {
  static constexpr const char* name = "backward_communication";
  static constexpr const char* meaning = "tensor-parallel communication of the block's backward pass";
};
struct block_model_flop : symbol_tag<flop_dimension, sign::non_negative> {
  static constexpr const char* name = "model_flop";
  static constexpr const char* meaning =
      "matrix FLOP of the whole block's forward pass, all tensor-parallel devices together";
};
struct block_recomputed_flop : symbol_tag<flop_dimension, sign::non_negative> {
  static constexpr const char* name = "recomputed_flop";
  static constexpr const char* meaning = "matrix FLOP that recomputation repeats, all tensor-parallel devices together";
};

// Sums over the blocks of a stage, on one device.
struct stage_parameters : symbol_tag<count_dimension, sign::non_negative> {
  static constexpr const char* name = "P_s";
  static constexpr const char* meaning = "parameters of the stage on one device";
};
struct stage_gathered_parameters : symbol_tag<count_dimension, sign::non_negative> {
  static constexpr const char* name = "P_g";
  static constexpr const char* meaning = "parameters that are gathered at one time where weights are sharded";
};
struct stage_largest_block : symbol_tag<count_dimension, sign::non_negative> {
  static constexpr const char* name = "P_block";
  static constexpr const char* meaning = "parameters of the largest block of the stage, on one device";
};
struct stage_largest_end : symbol_tag<count_dimension, sign::non_negative> {
  static constexpr const char* name = "P_end";
  static constexpr const char* meaning = "parameters of the embedding or the head, if the stage holds one";
};
struct stage_largest_matrix : symbol_tag<count_dimension, sign::non_negative> {
  static constexpr const char* name = "P_max";
  static constexpr const char* meaning = "parameters of the stage's largest matrix on one device";
};
struct stage_layers : symbol_tag<count_dimension, sign::at_least_one> {
  static constexpr const char* name = "L_s";
  static constexpr const char* meaning = "layers of the stage, embedding and head included";
};
struct stage_kept : symbol_tag<byte_dimension, sign::non_negative> {
  static constexpr const char* name = "A_s";
  static constexpr const char* meaning = "activations that the stage keeps of one micro-batch";
};
struct stage_recomputed : symbol_tag<byte_dimension, sign::non_negative> {
  static constexpr const char* name = "A_again";
  static constexpr const char* meaning = "largest amount of activations that one block of the stage recomputes";
};
struct stage_logits : symbol_tag<byte_dimension, sign::non_negative> {
  static constexpr const char* name = "A_logits";
  static constexpr const char* meaning = "logits and their copies on the last stage";
};
struct stage_forward_compute : symbol_tag<time_dimension, sign::non_negative> {
  static constexpr const char* name = "F_comp";
  static constexpr const char* meaning = "computation of the stage's forward pass of one micro-batch";
};
struct stage_backward_compute : symbol_tag<time_dimension, sign::non_negative> {
  static constexpr const char* name = "B_comp";
  static constexpr const char* meaning = "computation of the stage's backward pass of one micro-batch";
};
struct stage_recompute : symbol_tag<time_dimension, sign::non_negative> {
  static constexpr const char* name = "B_again";
  static constexpr const char* meaning = "recomputation in the stage's backward pass of one micro-batch";
};
struct stage_forward_communication : symbol_tag<time_dimension, sign::non_negative> {
  static constexpr const char* name = "F_comm";
  static constexpr const char* meaning = "tensor-parallel communication of the stage's forward pass of one micro-batch";
};
struct stage_backward_communication : symbol_tag<time_dimension, sign::non_negative> {
  static constexpr const char* name = "B_comm";
  static constexpr const char* meaning =
      "tensor-parallel communication of the stage's backward pass of one micro-batch";
};
struct stage_receives_forward : symbol_tag<count_dimension, sign::non_negative> {
  static constexpr const char* name = "hop_f";
  static constexpr const char* meaning = "1 if the stage receives activations from an earlier stage";
};
struct stage_receives_backward : symbol_tag<count_dimension, sign::non_negative> {
  static constexpr const char* name = "hop_b";
  static constexpr const char* meaning = "1 if the stage receives gradients from a later stage";
};

// Byte policy and sharding of model states, see cost/byte_policy.hpp.
struct weight_bytes : symbol_tag<byte_dimension> {
  static constexpr const char* name = "e_w";
  static constexpr const char* meaning = "bytes of a stored weight";
};
struct gradient_bytes : symbol_tag<byte_dimension> {
  static constexpr const char* name = "e_g";
  static constexpr const char* meaning = "bytes of a stored gradient";
};
struct optimizer_bytes : symbol_tag<byte_dimension> {
  static constexpr const char* name = "e_o";
  static constexpr const char* meaning = "bytes of optimizer states and master weight per parameter";
};
struct weight_shards : symbol_tag<count_dimension, sign::at_least_one> {
  static constexpr const char* name = "z_w";
  static constexpr const char* meaning = "devices that share out the weights";
};
struct gradient_shards : symbol_tag<count_dimension, sign::at_least_one> {
  static constexpr const char* name = "z_g";
  static constexpr const char* meaning = "devices that share out the gradients";
};
struct optimizer_shards : symbol_tag<count_dimension, sign::at_least_one> {
  static constexpr const char* name = "z_o";
  static constexpr const char* meaning = "devices that share out the optimizer states";
};
struct gathered_bytes : symbol_tag<byte_dimension, sign::non_negative> {
  static constexpr const char* name = "e_gather";
  static constexpr const char* meaning = "bytes of a gathered parameter (0 where weights are not sharded)";
};
struct weight_gradient_bytes : symbol_tag<byte_dimension, sign::non_negative> {
  static constexpr const char* name = "e_wg";
  static constexpr const char* meaning = "bytes per element of the temporary weight gradient of one matrix";
};
struct communication_buffer : symbol_tag<byte_dimension, sign::non_negative> {
  static constexpr const char* name = "buffer";
  static constexpr const char* meaning = "communication buckets that the framework allocates";
};
struct reduced_bytes : symbol_tag<byte_dimension> {
  static constexpr const char* name = "e_red";
  static constexpr const char* meaning = "bytes of a gradient on the wire";
};
struct gathered_wire_bytes : symbol_tag<byte_dimension> {
  static constexpr const char* name = "e_ag";
  static constexpr const char* meaning = "bytes of a parameter on the wire where the data-parallel group gathers it";
};
struct reductions_per_step : symbol_tag<count_dimension, sign::at_least_one> {
  static constexpr const char* name = "n_red";
  static constexpr const char* meaning = "times that the data-parallel group reduces the gradients in a step";
};
struct gathers_per_step : symbol_tag<count_dimension, sign::at_least_one> {
  static constexpr const char* name = "n_ag";
  static constexpr const char* meaning = "times that the data-parallel group gathers in a step";
};
struct forward_gathers_per_step : symbol_tag<count_dimension, sign::non_negative> {
  static constexpr const char* name = "n_agf";
  static constexpr const char* meaning = "gathers of a step that a forward pass can hide (0 without ZeRO)";
};
struct tied_parameters : symbol_tag<count_dimension, sign::non_negative> {
  static constexpr const char* name = "P_tied";
  static constexpr const char* meaning = "parameters of the embedding, on one device";
};
struct holds_tied_embedding : symbol_tag<count_dimension, sign::non_negative> {
  static constexpr const char* name = "x_tied";
  static constexpr const char* meaning = "1 if another stage holds the same embedding";
};
struct data_overlap : symbol_tag<count_dimension, sign::non_negative> {
  static constexpr const char* name = "overlap_d";
  static constexpr const char* meaning = "1 if data-parallel communication runs beside computation";
};
struct optimizer_traffic : symbol_tag<byte_dimension> {
  static constexpr const char* name = "e_step";
  static constexpr const char* meaning = "bytes that the optimizer step moves per parameter";
};

// What a stage costs on one device.
struct weights : symbol_tag<byte_dimension, sign::non_negative> {
  static constexpr const char* name = "weights";
  static constexpr const char* meaning = "stored weights";
};
struct gradients : symbol_tag<byte_dimension, sign::non_negative> {
  static constexpr const char* name = "gradients";
  static constexpr const char* meaning = "stored gradients";
};
struct optimizer_states : symbol_tag<byte_dimension, sign::non_negative> {
  static constexpr const char* name = "optimizer";
  static constexpr const char* meaning = "optimizer states and master weights";
};
struct activations : symbol_tag<byte_dimension, sign::non_negative> {
  static constexpr const char* name = "activations";
  static constexpr const char* meaning = "kept activations of the micro-batches in flight";
};
struct recomputed_activations : symbol_tag<byte_dimension, sign::non_negative> {
  static constexpr const char* name = "recomputed";
  static constexpr const char* meaning = "activations of the block that is being recomputed";
};
struct logits : symbol_tag<byte_dimension, sign::non_negative> {
  static constexpr const char* name = "logits";
  static constexpr const char* meaning = "logits and their copies while the loss is computed";
};
struct gathered_weights : symbol_tag<byte_dimension, sign::non_negative> {
  static constexpr const char* name = "gathered";
  static constexpr const char* meaning = "gathered weights of the blocks in work";
};
struct weight_gradient : symbol_tag<byte_dimension, sign::non_negative> {
  static constexpr const char* name = "weight_gradient";
  static constexpr const char* meaning = "temporary gradient of the largest matrix";
};
struct buffers : symbol_tag<byte_dimension, sign::non_negative> {
  static constexpr const char* name = "buffers";
  static constexpr const char* meaning = "communication buckets";
};
struct static_memory : symbol_tag<byte_dimension, sign::non_negative> {
  static constexpr const char* name = "static";
  static constexpr const char* meaning = "weights, gradients and optimizer states";
};
struct peak_memory : symbol_tag<byte_dimension, sign::non_negative> {
  static constexpr const char* name = "peak";
  static constexpr const char* meaning = "largest sum of live terms over the phases of a step";
};
struct forward_time : symbol_tag<time_dimension, sign::non_negative> {
  static constexpr const char* name = "forward_time";
  static constexpr const char* meaning = "forward pass of one micro-batch through the stage";
};
struct backward_time : symbol_tag<time_dimension, sign::non_negative> {
  static constexpr const char* name = "backward_time";
  static constexpr const char* meaning = "backward pass of one micro-batch through the stage";
};
struct hop_time : symbol_tag<time_dimension, sign::non_negative> {
  static constexpr const char* name = "hop_time";
  static constexpr const char* meaning = "message of one micro-batch between neighbouring stages";
};
struct data_time_per_parameter : symbol_tag<time_dimension, sign::non_negative> {
  static constexpr const char* name = "tau_d";
  static constexpr const char* meaning = "data-parallel communication of a step for one parameter";
};
struct data_time_per_layer : symbol_tag<time_dimension, sign::non_negative> {
  static constexpr const char* name = "lambda_d";
  static constexpr const char* meaning = "latency of data-parallel communication of a step for one layer";
};
struct optimizer_time_per_parameter : symbol_tag<time_dimension, sign::non_negative> {
  static constexpr const char* name = "tau_o";
  static constexpr const char* meaning = "optimizer step for one parameter";
};
struct tied_exchange_time : symbol_tag<time_dimension, sign::non_negative> {
  static constexpr const char* name = "T_tied";
  static constexpr const char* meaning = "sum of an embedding's gradients over the two stages that hold it";
};
struct data_communication : symbol_tag<time_dimension, sign::non_negative> {
  static constexpr const char* name = "data_communication";
  static constexpr const char* meaning = "data-parallel communication of a step";
};
struct exposed_data_communication : symbol_tag<time_dimension, sign::non_negative> {
  static constexpr const char* name = "exposed_data_communication";
  static constexpr const char* meaning = "data-parallel communication that no computation hides";
};
struct tied_embedding_time : symbol_tag<time_dimension, sign::non_negative> {
  static constexpr const char* name = "tied_embedding_time";
  static constexpr const char* meaning = "adding up the gradients of an embedding that two pipeline stages hold";
};
struct optimizer_time : symbol_tag<time_dimension, sign::non_negative> {
  static constexpr const char* name = "optimizer_time";
  static constexpr const char* meaning = "optimizer step";
};
}  // namespace tag

/// `of<tag::weights>` is the symbol of that tag.
template <class Tag> inline constexpr expr::symbol<Tag> of{};

}  // namespace shardplan::cost
