#pragma once
#include <shardplan/cost/symbol.hpp>
#include <shardplan/expr/environment.hpp>
#include <shardplan/expr/math.hpp>
#include <shardplan/model/description.hpp>
#include <shardplan/model/symbol.hpp>
#include <shardplan/planner/plan.hpp>
#include <shardplan/strategy/mesh.hpp>

/// The values of all symbols that block records read: one environment type for every layer kind, so that records can be
/// erased behind one function signature.
namespace shardplan::planner {

template <class Tag> using value = expr::binding<Tag, double>;

/// Shape of the block, batch, mesh and rates.
using block_environment = expr::environment<
    value<model::tag::sequence_length>, value<model::tag::micro_batch>, value<model::tag::hidden>,
    value<model::tag::feed_forward>, value<model::tag::heads>, value<model::tag::key_value_heads>,
    value<model::tag::head_dimension>, value<model::tag::vocabulary>, value<model::tag::learned_positions>,
    value<model::tag::mlp_norms>, value<model::tag::post_norms>, value<model::tag::norm_vectors>,
    value<model::tag::head_norms>, value<model::tag::query_key_value_bias>, value<model::tag::attention_output_bias>,
    value<model::tag::mlp_bias>, value<model::tag::sequential>, value<model::tag::hidden_dropout>,
    value<model::tag::attention_dropout>, value<model::tag::head_weights>, value<model::tag::keys_computed>,
    value<model::tag::keys_counted>, value<model::tag::activation_bytes>, value<model::tag::logit_bytes>,
    value<strategy::tag::tensor_degree>, value<strategy::tag::sequence_degree>, value<cost::tag::matrix_rate>,
    value<cost::tag::half_precision_rate>, value<cost::tag::attention_rate>, value<cost::tag::memory_bandwidth>,
    value<cost::tag::operation_launch_time>, value<cost::tag::tensor_bandwidth>, value<cost::tag::tensor_latency>>;

/// Sets one symbol of an environment.
template <class Tag, class Environment> constexpr void set(Environment& environment, double number) {
  static_cast<value<Tag>&>(environment).value = number;
}

/// Rates that a device and its links reach for a job, and the values of the links' symbols.
struct rates {
  double matrix = 0;
  double half_precision = 0;
  double attention = 0;
  double memory = 0;
  double peak = 0;
};

constexpr rates rates_of(device::cluster const& machine, workload const& job, assumptions const& assumed) {
  auto const& engine = machine.device.matrix;
  double const matmul_share =
      assumed.matmul_efficiency > 0 ? assumed.matmul_efficiency : engine.matmul_efficiency.value;
  double const attention_share =
      assumed.attention_efficiency > 0 ? assumed.attention_efficiency : engine.attention_efficiency.value;
  // Attention and the output head stay in 16 bits where the other products are fp8.
  auto const wide = job.precision == device::number_format::fp8 ? device::number_format::bf16 : job.precision;
  return {.matrix = matmul_share * peak_rate(engine, job.precision).value,
          .half_precision = matmul_share * peak_rate(engine, wide).value,
          .attention = attention_share * peak_rate(engine, wide).value,
          .memory = machine.device.memory.efficiency.value * machine.device.memory.bandwidth.value.value,
          .peak = peak_rate(engine, job.precision).value};
}

/// Keys that a query could see without a causal mask.
constexpr double keys_in_window(double sequence_length, double window) {
  return window > 0 && window < sequence_length ? window : sequence_length;
}

/// Keys that a query sees on average under a causal mask, in a window of w keys (0: no window):
/// a query at position i sees min(i + 1, w) keys.
constexpr double causal_keys(double sequence_length, double window) {
  double const s = sequence_length;
  double const w = keys_in_window(s, window);
  return w - w * (w - 1) / (2 * s);
}

/// The vocabulary as a framework pads it: to a multiple of `multiple` times the tensor-parallel degree.
constexpr double padded_vocabulary(double vocabulary, cost::byte_policy const& policy, long long tensor) {
  double const multiple = static_cast<double>(policy.vocabulary_multiple) * static_cast<double>(tensor);
  return expr::ceiling(vocabulary / multiple) * multiple;
}

/// The byte policy in force: in full fp32 every policy keeps four bytes.
constexpr cost::byte_policy policy_of(workload const& job, assumptions const& assumed) {
  bool const convert = job.precision == device::number_format::fp32 && !assumed.policy.full_precision;
  return convert ? cost::in_fp32(assumed.policy) : assumed.policy;
}

/// All values for blocks of one shape.
template <class Model>
constexpr block_environment make_block_environment(Model const& model, model::block_shape const& shape,
                                                   device::cluster const& machine, workload const& job,
                                                   plan const& choice, assumptions const& assumed) {
  namespace mt = model::tag;
  namespace ct = cost::tag;
  auto const policy = policy_of(job, assumed);
  auto const rate = rates_of(machine, job, assumed);
  auto const link = device::group_link(machine, choice.tensor, 1);
  double const s = job.sequence_length;
  double const seen = causal_keys(s, shape.window);
  bool const copied = model.tied_embeddings && choice.pipeline > 1;
  auto const t = static_cast<double>(choice.tensor);
  return {value<mt::sequence_length>{s}, value<mt::micro_batch>{static_cast<double>(choice.micro_batch)},
          value<mt::hidden>{shape.hidden}, value<mt::feed_forward>{shape.feed_forward}, value<mt::heads>{shape.heads},
          value<mt::key_value_heads>{shape.key_value_heads}, value<mt::head_dimension>{shape.head_dimension},
          value<mt::vocabulary>{padded_vocabulary(model.vocabulary, policy, choice.tensor)},
          value<mt::learned_positions>{model.learned_positions}, value<mt::mlp_norms>{shape.mlp_norms},
          value<mt::post_norms>{shape.post_norms}, value<mt::norm_vectors>{shape.norm_vectors},
          value<mt::head_norms>{shape.head_norms}, value<mt::query_key_value_bias>{shape.query_key_value_bias},
          value<mt::attention_output_bias>{shape.attention_output_bias}, value<mt::mlp_bias>{shape.mlp_bias},
          value<mt::sequential>{shape.sequential}, value<mt::hidden_dropout>{shape.hidden_dropout},
          value<mt::attention_dropout>{shape.attention_dropout},
          // A tied head on another stage than the embedding holds a copy of its weights.
          value<mt::head_weights>{!model.tied_embeddings || copied ? 1.0 : 0.0},
          value<mt::keys_computed>{choice.kernel == attention_kernel::flash ? seen : s},
          value<mt::keys_counted>{assumed.flops == flop_convention::causal ? seen : keys_in_window(s, shape.window)},
          value<mt::activation_bytes>{policy.activation}, value<mt::logit_bytes>{policy.logit},
          value<strategy::tag::tensor_degree>{t},
          value<strategy::tag::sequence_degree>{choice.sequence_parallel ? t : 1.0},
          value<ct::matrix_rate>{rate.matrix}, value<ct::half_precision_rate>{rate.half_precision},
          value<ct::attention_rate>{rate.attention}, value<ct::memory_bandwidth>{rate.memory},
          value<ct::operation_launch_time>{assumed.operation_launch_time.value},
          value<ct::tensor_bandwidth>{link.bandwidth.value}, value<ct::tensor_latency>{link.latency.value}};
}

}  // namespace shardplan::planner
