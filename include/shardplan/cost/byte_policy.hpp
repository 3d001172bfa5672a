#pragma once

/// Byte policies: how many bytes a framework spends on each model state of a parameter, and from which ZeRO stage on
/// the data-parallel group shares it out. Data, not code: `docs/explanation/memory.md` lists the sources.
namespace shardplan::cost {

/// A model state: bytes per parameter, and the first ZeRO stage that shards it.
struct state_policy {
  double bytes = 0;
  int sharded_from_stage = 1;
};

struct byte_policy {
  /// As typed on the command line.
  const char* name = "";
  const char* meaning = "";
  state_policy weights;
  state_policy gradients;
  /// Moments and, where the framework keeps one, the fp32 master weight.
  state_policy optimizer;
  /// Bytes of an activation element.
  double activation = 2;
  /// Bytes alive per logit at the peak of the loss: 6 for a fused loss (bf16 logits, fp32 softmax), 14 for a plain one
  /// (bf16 2, fp32 4, log-softmax 4, gradient 4).
  double logit = 6;
  /// The same in full fp32: 8 fused (logits, softmax), 12 plain (logits, log-softmax, gradient).
  double logit_in_fp32 = 8;
  /// Bytes of a gathered parameter where weights are sharded.
  double gathered = 2;
  /// Bytes on the wire: of a gradient that is reduced, of a parameter that is gathered.
  double reduced = 2;
  double gathered_on_wire = 2;
  /// Bytes per element of the temporary weight gradient of one matrix.
  double weight_gradient = 2;
  /// Elements of a bucket for reducing and of one for gathering, at most; 0 where the framework reduces in place.
  double bucket_elements = 0;
  /// The ZeRO stages that the framework offers.
  int lowest_stage = 0;
  int highest_stage = 3;
  /// The highest stage that it offers together with pipeline stages.
  int highest_stage_in_pipeline = 3;
  /// The stage that its users mean when they name none.
  int usual_stage = 1;
  /// The framework offers recomputation of the attention core (Megatron), by operator list (torchtitan).
  bool recomputes_attention_core = false;
  bool recomputes_by_operator = false;
  /// With pipeline stages, weights stay gathered and gradients whole until the last micro-batch.
  bool pipeline_keeps_gathered = false;
  /// In stage 2 weights are sharded as well and gathered for every micro-batch (FSDP), not once a step.
  bool gathers_every_micro_batch = false;
  /// The vocabulary is padded to a multiple of this times t; 1 pads to a multiple of t.
  int vocabulary_multiple = 1;
  /// The bytes are those of training in full fp32, see `in_fp32`.
  bool full_precision = false;
};

namespace policies {

/// Megatron-LM with the distributed optimizer: bf16 weights, fp32 gradients in one buffer, fp32 master weights and
/// moments: 6 + 12/d bytes; weights and gradients would be shared out in stages that it does not offer. Source:
/// Megatron-LM, docs "Distributed Optimizer", table of memory by configuration.
inline constexpr byte_policy megatron{
    .name = "megatron",
    .meaning = "Megatron-LM: 2 weights + 4 gradients + 12 optimizer (sharded by the distributed optimizer, ZeRO 1)",
    .weights = {2, 3},
    .gradients = {4, 2},
    .optimizer = {12, 1},
    .logit = 6,
    .reduced = 4,
    .lowest_stage = 0,
    .highest_stage = 1,
    .recomputes_attention_core = true,
    .vocabulary_multiple = 128};

/// PyTorch FSDP2 with a mixed-precision policy, as torchtitan uses it: fp32 weights, gradients and moments, all
/// sharded; bf16 gathered weights, gradients reduced in fp32. Stage 2 keeps the gathered weights between forward and
/// backward. With pipeline parallelism torchtitan keeps weights gathered and gradients whole until the last
/// micro-batch.
inline constexpr byte_policy fsdp{
    .name = "fsdp",
    .meaning = "PyTorch FSDP: 4 weights + 4 gradients + 8 optimizer, all sharded; gathered in 2 bytes",
    .weights = {4, 1},
    .gradients = {4, 1},
    .optimizer = {8, 1},
    .logit = 14,
    .logit_in_fp32 = 12,
    .reduced = 4,
    .lowest_stage = 2,
    .highest_stage = 3,
    .usual_stage = 3,
    .recomputes_by_operator = true,
    .pipeline_keeps_gathered = true,
    .gathers_every_micro_batch = true};

/// Plain mixed precision with ZeRO 0 to 3 (Rajbhandari et al. 2020, arXiv 1910.02054, section 3.1): 2 + 2 + 12 bytes.
/// Buckets as in DeepSpeed's defaults (reduce_bucket_size and allgather_bucket_size, 5e8 elements); its pipeline engine
/// refuses stages 2 and 3.
inline constexpr byte_policy mixed{
    .name = "mixed",
    .meaning =
        "mixed precision as in the ZeRO paper: 2 weights + 2 gradients + 12 optimizer, sharded from stage 3, 2, 1",
    .weights = {2, 3},
    .gradients = {2, 2},
    .optimizer = {12, 1},
    .logit = 14,
    .logit_in_fp32 = 12,
    .bucket_elements = 5e8,
    .highest_stage_in_pipeline = 1};

}  // namespace policies

/// The policy in full fp32: every state and activation at four bytes, no master weight.
constexpr byte_policy in_fp32(byte_policy policy) {
  policy.full_precision = true;
  policy.weights.bytes = 4;
  policy.gradients.bytes = 4;
  policy.optimizer.bytes = 8;
  policy.activation = 4;
  policy.logit = policy.logit_in_fp32;
  policy.gathered = 4;
  policy.reduced = 4;
  policy.gathered_on_wire = 4;
  policy.weight_gradient = 4;
  return policy;
}

/// Devices that share out a state in a ZeRO stage.
constexpr double shards(state_policy state, int stage, double data_degree) {
  return stage >= state.sharded_from_stage ? data_degree : 1.0;
}

}  // namespace shardplan::cost
