#pragma once
#include <string>

#include <shardplan/planner/legality.hpp>
#include <shardplan/planner/space.hpp>
#include <shardplan/unit/text.hpp>

/// What a plan does wrong and what would be right, in a sentence with the numbers.
namespace shardplan::planner {

namespace detail {

/// "1, 2, 4, 8".
inline std::string list_text(std::vector<long long> const& numbers) {
  std::string list;
  for (long long const number : numbers)
    list += (list.empty() ? "" : ", ") + std::to_string(number);
  return list;
}

/// "32 attention heads are not divisible by tensor = 3; it may be 1, 2, 4, 8, 16, 32".
inline std::string indivisible(double amount, const char* what, const char* degree_name, long long degree) {
  auto const whole = static_cast<long long>(amount);
  return std::to_string(whole) + " " + what + " are not divisible by " + degree_name + " = " + std::to_string(degree) +
         "; it may be " + list_text(divisors(whole));
}

/// The stage counts that only come out even with embedding and head counted.
inline std::vector<long long> stages_with_ends(long long layers) {
  std::vector<long long> counts;
  for (long long const count : divisors(layers + 2))
    if (split_of(layers, count) == stage_split::ends_counted)
      counts.push_back(count);
  return counts;
}

}  // namespace detail

/// The sentence for the rule that a plan breaks.
template <class Model>
std::string broken_rule_text(Model const& model, device::cluster const& machine, workload const& job,
                             plan const& choice, assumptions const& assumed, rule broken) {
  auto const number = [](double value) { return unit::number_text(value); };
  auto const whole = [](long long value) { return std::to_string(value); };
  auto const first_shape = [&](auto amount) {
    for (std::size_t index = 0; index < model.shape_count; ++index)
      if (!detail::divisible(amount(model.shapes[index]), choice.tensor))
        return amount(model.shapes[index]);
    return amount(model.shapes[0]);
  };
  switch (broken) {
  case rule::positive_sizes:
    return "tensor, pipeline, data, micro-batch, global batch and sequence length are " + whole(choice.tensor) + ", " +
           whole(choice.pipeline) + ", " + whole(choice.data) + ", " + whole(choice.micro_batch) + ", " +
           whole(job.global_batch) + " and " + number(job.sequence_length) + "; each must be at least 1";
  case rule::device_count:
    return "tensor * pipeline * data = " + whole(choice.tensor) + " * " + whole(choice.pipeline) + " * " +
           whole(choice.data) + " = " +
           number(static_cast<double>(choice.tensor) * static_cast<double>(choice.pipeline) *
                  static_cast<double>(choice.data)) +
           ", but the cluster has " + whole(machine.devices()) + " devices";
  case rule::number_format_supported:
    return std::string(machine.device.name) + " has no matrix engine for " + device::name_of(job.precision);
  case rule::zero_stage_offered:
    return "ZeRO stage " + whole(choice.zero_stage) + " is not offered by the byte policy \"" + assumed.policy.name +
           "\"; it may be " + whole(assumed.policy.lowest_stage) + " to " + whole(assumed.policy.highest_stage);
  case rule::zero_stage_offered_in_pipeline:
    return "ZeRO stage " + whole(choice.zero_stage) + " with " + whole(choice.pipeline) +
           " pipeline stages is not offered by the byte policy \"" + assumed.policy.name +
           "\"; with pipeline stages it " + "may be at most " + whole(assumed.policy.highest_stage_in_pipeline);
  case rule::sequence_length_in_range:
    return "the sequence length " + number(job.sequence_length) + " is longer than the model's " +
           number(model.longest_sequence) + " learned positions";
  case rule::heads_divisible_by_tensor:
    return detail::indivisible(first_shape([](auto const& shape) { return shape.heads; }), "attention heads", "tensor",
                               choice.tensor);
  case rule::key_value_heads_divisible_by_tensor:
    return detail::indivisible(first_shape([](auto const& shape) { return shape.key_value_heads; }), "key/value heads",
                               "tensor", choice.tensor);
  case rule::feed_forward_divisible_by_tensor:
    return detail::indivisible(
        first_shape([&](auto const& shape) { return detail::first_indivisible_feed_forward(shape, choice.tensor); }),
        "feed-forward channels", "tensor", choice.tensor);
  case rule::tensor_inside_node:
    return "a tensor-parallel group of " + whole(choice.tensor) + " does not lie inside a node of " +
           whole(machine.devices_per_node) + " devices; tensor may be " +
           detail::list_text(divisors(machine.devices_per_node));
  case rule::sequence_parallel_needs_tensor:
    return "sequence parallelism with tensor = 1 has no devices to cut over; tensor must be at least 2";
  case rule::sequence_divisible_by_tensor:
    return "under sequence parallelism the sequence length " + number(job.sequence_length) +
           " is not divisible by tensor = " + whole(choice.tensor);
  case rule::layers_divisible_by_pipeline:
    return whole(model.layers()) + " layers are not divisible by pipeline = " + whole(choice.pipeline) +
           ", nor are they with embedding and head counted as a layer each; it may be " +
           detail::list_text(divisors(model.layers())) + " or " +
           detail::list_text(detail::stages_with_ends(model.layers()));
  case rule::batch_divisible:
    return "the global batch " + whole(job.global_batch) +
           " is not divisible by data * micro-batch = " + whole(choice.data) + " * " + whole(choice.micro_batch);
  case rule::none:
    break;
  }
  return "";
}

}  // namespace shardplan::planner
