#pragma once
#include <array>
#include <cstddef>

#include <shardplan/planner/environment.hpp>
#include <shardplan/planner/stages.hpp>

/// Which layouts exist at all. Each rule has a name and a statement; a plan that breaks one is refused, never rounded.
namespace shardplan::planner {

enum class rule {
  positive_sizes,
  device_count,
  number_format_supported,
  zero_stage_offered,
  zero_stage_offered_in_pipeline,
  sequence_length_in_range,
  heads_divisible_by_tensor,
  key_value_heads_divisible_by_tensor,
  feed_forward_divisible_by_tensor,
  tensor_inside_node,
  sequence_parallel_needs_tensor,
  sequence_divisible_by_tensor,
  layers_divisible_by_pipeline,
  batch_divisible,
  none
};

struct rule_statement {
  rule id;
  const char* name;
  const char* statement;
};

inline constexpr std::array<rule_statement, 14> rules{{
    {rule::positive_sizes, "positive-sizes",
     "degrees, micro-batch, global batch and sequence length must be at least 1"},
    {rule::device_count, "device-count", "tensor * pipeline * data must equal the number of devices"},
    {rule::number_format_supported, "number-format-supported",
     "the device's matrix engine must work in the precision asked for"},
    {rule::zero_stage_offered, "zero-stage-offered", "the framework of the byte policy must offer the ZeRO stage"},
    {rule::zero_stage_offered_in_pipeline, "zero-stage-offered-in-pipeline",
     "the framework of the byte policy must offer the ZeRO stage together with pipeline stages"},
    {rule::sequence_length_in_range, "sequence-length-in-range",
     "the sequence must not be longer than the model's table of learned positions"},
    {rule::heads_divisible_by_tensor, "heads-divisible-by-tensor",
     "attention heads must be divisible by the tensor-parallel degree"},
    {rule::key_value_heads_divisible_by_tensor, "key-value-heads-divisible-by-tensor",
     "key/value heads must be divisible by the tensor-parallel degree"},
    {rule::feed_forward_divisible_by_tensor, "feed-forward-divisible-by-tensor",
     "the feed-forward size, also that of experts, must be divisible by the tensor-parallel degree"},
    {rule::tensor_inside_node, "tensor-inside-node",
     "a tensor-parallel group must lie inside one node: the degree must divide the devices of a node"},
    {rule::sequence_parallel_needs_tensor, "sequence-parallel-needs-tensor",
     "sequence parallelism cuts over the tensor-parallel group, which must have more than one device"},
    {rule::sequence_divisible_by_tensor, "sequence-divisible-by-tensor",
     "under sequence parallelism the sequence length must be divisible by the tensor-parallel degree"},
    {rule::layers_divisible_by_pipeline, "layers-divisible-by-pipeline",
     "layers must be divisible by the number of pipeline stages, or layers + 2 where embedding and head count as a "
     "layer each"},
    {rule::batch_divisible, "batch-divisible", "the global batch must be data * micro-batch * a whole number"},
}};

constexpr rule_statement const& statement_of(rule id) { return rules[static_cast<std::size_t>(id)]; }

/// Where plans are counted by the reason for which they were refused: the rules, and after them memory.
inline constexpr std::size_t memory_reason = rules.size();

namespace detail {
/// `value` is a multiple of `divisor`; both are whole numbers held as double.
constexpr bool divisible(double value, long long divisor) {
  auto const whole = static_cast<long long>(value);
  return static_cast<double>(whole) == value && whole % divisor == 0;
}
/// The first of a block's feed-forward sizes (dense, of an expert, of the shared experts) that is no multiple of
/// `divisor`, or else the first.
constexpr double first_indivisible_feed_forward(model::block_shape const& shape, long long divisor) {
  for (double const size : {shape.feed_forward, shape.expert_feed_forward, shape.shared_feed_forward})
    if (!divisible(size, divisor))
      return size;
  return shape.feed_forward;
}
}  // namespace detail

/// The first rule that the plan breaks, in the order of `rules`; `rule::none` for a legal plan. Degrees must be
/// positive.
template <class Model>
constexpr rule first_broken_rule(Model const& model, device::cluster const& machine, workload const& job,
                                 plan const& choice, assumptions const& assumed) {
  long long const t = choice.tensor;
  long long const devices = machine.devices();
  if (t < 1 || choice.pipeline < 1 || choice.data < 1 || choice.micro_batch < 1 || job.global_batch < 1 ||
      !(job.sequence_length >= 1))
    return rule::positive_sizes;
  // By division: products of what a user asks for may overflow.
  if (devices % t != 0 || devices / t % choice.pipeline != 0 || devices / t / choice.pipeline != choice.data)
    return rule::device_count;
  if (!(peak_rate(machine.device.matrix, job.precision).value > 0))
    return rule::number_format_supported;
  auto const& policy = assumed.policy;
  if (choice.zero_stage < policy.lowest_stage || choice.zero_stage > policy.highest_stage)
    return rule::zero_stage_offered;
  if (choice.pipeline > 1 && choice.zero_stage > policy.highest_stage_in_pipeline)
    return rule::zero_stage_offered_in_pipeline;
  if (model.longest_sequence > 0 && job.sequence_length > model.longest_sequence)
    return rule::sequence_length_in_range;
  for (std::size_t index = 0; index < model.shape_count; ++index) {
    auto const& shape = model.shapes[index];
    if (!detail::divisible(shape.heads, t))
      return rule::heads_divisible_by_tensor;
    if (!detail::divisible(shape.key_value_heads, t))
      return rule::key_value_heads_divisible_by_tensor;
    if (!detail::divisible(detail::first_indivisible_feed_forward(shape, t), t))
      return rule::feed_forward_divisible_by_tensor;
  }
  if (!assumed.tensor_across_nodes && machine.devices_per_node % t != 0)
    return rule::tensor_inside_node;
  if (choice.sequence_parallel && t == 1)
    return rule::sequence_parallel_needs_tensor;
  if (choice.sequence_parallel && !detail::divisible(job.sequence_length, t))
    return rule::sequence_divisible_by_tensor;
  if (split_of(model.layers(), choice.pipeline) == stage_split::none)
    return rule::layers_divisible_by_pipeline;
  if (job.global_batch % choice.data != 0 || job.global_batch / choice.data % choice.micro_batch != 0)
    return rule::batch_divisible;
  return rule::none;
}

}  // namespace shardplan::planner
