#pragma once
#include <shardplan/cost/symbol.hpp>
#include <shardplan/expr/environment.hpp>
#include <shardplan/expr/math.hpp>
#include <shardplan/model/description.hpp>
#include <shardplan/model/keys.hpp>
#include <shardplan/model/symbol.hpp>
#include <shardplan/planner/derived.hpp>
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
    value<model::tag::head_norms>, value<model::tag::head_norm_vectors>, value<model::tag::head_parameters>,
    value<model::tag::query_key_value_bias>, value<model::tag::attention_output_bias>, value<model::tag::mlp_bias>,
    value<model::tag::sequential>, value<model::tag::hidden_dropout>, value<model::tag::attention_dropout>,
    value<model::tag::experts>, value<model::tag::experts_per_token>, value<model::tag::expert_feed_forward>,
    value<model::tag::shared_feed_forward>, value<model::tag::router_bias>, value<model::tag::shared_gate>,
    value<model::tag::query_rank>, value<model::tag::key_value_rank>, value<model::tag::rotary_dimension>,
    value<model::tag::plain_dimension>, value<model::tag::value_dimension>, value<model::tag::head_weights>,
    value<model::tag::keys_computed>, value<model::tag::keys_counted>, value<model::tag::activation_bytes>,
    value<model::tag::logit_bytes>, value<strategy::tag::tensor_degree>, value<strategy::tag::sequence_degree>,
    value<cost::tag::matrix_rate>, value<cost::tag::half_precision_rate>, value<cost::tag::attention_rate>,
    value<cost::tag::memory_bandwidth>, value<cost::tag::operation_launch_time>, value<cost::tag::tensor_bandwidth>,
    value<cost::tag::tensor_latency>>;

/// What a plan, its job and its framework bind for all layers and stages.
using plan_inputs = expr::environment<
    value<model::tag::sequence_length>, value<model::tag::micro_batch>, value<model::tag::hidden>,
    value<model::tag::activation_bytes>, value<strategy::tag::tensor_degree>, value<strategy::tag::data_degree>,
    value<schedule::tag::stages>, value<tag::global_batch>, value<tag::vocabulary_entries>,
    value<tag::vocabulary_multiple>, value<tag::in_sequence>, value<tag::weights_shared>, value<tag::gradients_shared>,
    value<tag::optimizer_shared>, value<tag::reduces_often>, value<tag::gathers>, value<tag::gathers_often>,
    value<tag::gathers_again>, value<tag::gathers_whole_stage>, value<tag::gathered_copy_bytes>,
    value<tag::bucket_bytes>, value<cost::tag::weight_bytes>, value<cost::tag::gradient_bytes>,
    value<cost::tag::optimizer_bytes>, value<cost::tag::weight_gradient_bytes>, value<cost::tag::reduced_bytes>,
    value<cost::tag::gathered_wire_bytes>, value<cost::tag::data_overlap>, value<cost::tag::optimizer_traffic>,
    value<cost::tag::memory_bandwidth>, value<cost::tag::data_bandwidth>, value<cost::tag::data_latency>,
    value<cost::tag::pipeline_bandwidth>, value<cost::tag::pipeline_latency>>;

/// What follows from them.
using derived_values = expr::values_of<decltype(derived_sequence())>;

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

/// The vocabulary as a framework pads it: to a multiple of `multiple` times the tensor-parallel degree.
constexpr double padded_vocabulary(double vocabulary, cost::byte_policy const& policy, long long tensor) {
  expr::environment const at{value<tag::vocabulary_entries>{vocabulary},
                             value<tag::vocabulary_multiple>{static_cast<double>(policy.vocabulary_multiple)},
                             value<strategy::tag::tensor_degree>{static_cast<double>(tensor)}};
  return expr::evaluate(expr::expression_of<model::tag::vocabulary>(shares_record()), at).value;
}

/// The byte policy in force: in full fp32 every policy keeps four bytes.
constexpr cost::byte_policy policy_of(workload const& job, assumptions const& assumed) {
  bool const convert = job.precision == device::number_format::fp32 && !assumed.policy.full_precision;
  return convert ? cost::in_fp32(assumed.policy) : assumed.policy;
}

/// The values of a plan's choices.
template <class Model>
constexpr plan_inputs make_plan_inputs(Model const& model, device::cluster const& machine, workload const& job,
                                       plan const& choice, assumptions const& assumed) {
  namespace mt = model::tag;
  namespace ct = cost::tag;
  auto const policy = policy_of(job, assumed);
  int const stage = choice.zero_stage;
  // Frameworks that keep gathered weights in a pipeline keep whole gradients, too, and talk once a step.
  bool const whole_in_pipeline = policy.pipeline_keeps_gathered && choice.pipeline > 1;
  auto const shared = [stage](cost::state_policy const& state) { return stage >= state.sharded_from_stage; };
  auto const one_if = [](bool condition) { return condition ? 1.0 : 0.0; };
  auto const count = [](long long whole) { return static_cast<double>(whole); };
  // ZeRO 3 gathers for the forward and again for the backward pass of every micro-batch; from ZeRO 2 on every
  // micro-batch reduces.
  bool const gathers_often = stage >= 3 || (stage == 2 && policy.gathers_every_micro_batch);
  auto const data_link = device::group_link(machine, choice.data, choice.tensor);
  auto const stage_link = device::neighbour_link(machine);
  return {value<mt::sequence_length>{job.sequence_length}, value<mt::micro_batch>{count(choice.micro_batch)},
          value<mt::hidden>{model.hidden()}, value<mt::activation_bytes>{policy.activation},
          value<strategy::tag::tensor_degree>{count(choice.tensor)},
          value<strategy::tag::data_degree>{count(choice.data)}, value<schedule::tag::stages>{count(choice.pipeline)},
          value<tag::global_batch>{count(job.global_batch)}, value<tag::vocabulary_entries>{model.vocabulary},
          value<tag::vocabulary_multiple>{static_cast<double>(policy.vocabulary_multiple)},
          value<tag::in_sequence>{one_if(choice.sequence_parallel)},
          value<tag::weights_shared>{one_if(shared(policy.weights))},
          value<tag::gradients_shared>{one_if(shared(policy.gradients) && !whole_in_pipeline)},
          value<tag::optimizer_shared>{one_if(shared(policy.optimizer))},
          value<tag::reduces_often>{one_if(stage >= 2 && !whole_in_pipeline)}, value<tag::gathers>{one_if(stage > 0)},
          value<tag::gathers_often>{one_if(gathers_often && !whole_in_pipeline)},
          value<tag::gathers_again>{one_if(stage >= 3 && !whole_in_pipeline)},
          value<tag::gathers_whole_stage>{one_if(whole_in_pipeline || stage < 3)},
          value<tag::gathered_copy_bytes>{policy.gathered},
          value<tag::bucket_bytes>{policy.bucket_elements * (policy.reduced + policy.gathered_on_wire)},
          value<ct::weight_bytes>{policy.weights.bytes}, value<ct::gradient_bytes>{policy.gradients.bytes},
          value<ct::optimizer_bytes>{policy.optimizer.bytes}, value<ct::weight_gradient_bytes>{policy.weight_gradient},
          value<ct::reduced_bytes>{policy.reduced},
          value<ct::gathered_wire_bytes>{stage == 0 ? policy.reduced : policy.gathered_on_wire},
          value<ct::data_overlap>{one_if(assumed.overlap_data_parallel)},
          // The step reads the gradients for their norm and again for the update, reads and writes its states, and
          // writes the weights.
          value<ct::optimizer_traffic>{2 * policy.gradients.bytes + 2 * policy.optimizer.bytes + policy.weights.bytes},
          value<ct::memory_bandwidth>{rates_of(machine, job, assumed).memory},
          value<ct::data_bandwidth>{data_link.bandwidth.value}, value<ct::data_latency>{data_link.latency.value},
          value<ct::pipeline_bandwidth>{stage_link.bandwidth.value},
          value<ct::pipeline_latency>{stage_link.latency.value}};
}

/// All values for blocks of one shape.
template <class Model>
constexpr block_environment make_block_environment(Model const& model, model::block_shape const& shape,
                                                   device::cluster const& machine, workload const& job,
                                                   plan const& choice, assumptions const& assumed,
                                                   derived_values const& derived) {
  namespace mt = model::tag;
  namespace ct = cost::tag;
  auto const policy = policy_of(job, assumed);
  auto const rate = rates_of(machine, job, assumed);
  auto const link = device::group_link(machine, choice.tensor, 1);
  double const s = job.sequence_length;
  double const seen = model::keys_seen(shape, s);
  bool const copied = model.tied_embeddings && choice.pipeline > 1;
  return {
      value<mt::sequence_length>{s}, value<mt::micro_batch>{static_cast<double>(choice.micro_batch)},
      value<mt::hidden>{shape.hidden}, value<mt::feed_forward>{shape.feed_forward}, value<mt::heads>{shape.heads},
      value<mt::key_value_heads>{shape.key_value_heads}, value<mt::head_dimension>{shape.head_dimension},
      value<mt::vocabulary>{expr::get<mt::vocabulary>(derived)}, value<mt::learned_positions>{model.learned_positions},
      value<mt::mlp_norms>{shape.mlp_norms}, value<mt::post_norms>{shape.post_norms},
      value<mt::norm_vectors>{shape.norm_vectors}, value<mt::head_norms>{shape.head_norms},
      value<mt::head_norm_vectors>{shape.head_norm_vectors}, value<mt::head_parameters>{shape.head_parameters},
      value<mt::query_key_value_bias>{shape.query_key_value_bias},
      value<mt::attention_output_bias>{shape.attention_output_bias}, value<mt::mlp_bias>{shape.mlp_bias},
      value<mt::sequential>{shape.sequential}, value<mt::hidden_dropout>{shape.hidden_dropout},
      value<mt::attention_dropout>{shape.attention_dropout}, value<mt::experts>{shape.experts},
      value<mt::experts_per_token>{shape.experts_per_token}, value<mt::expert_feed_forward>{shape.expert_feed_forward},
      value<mt::shared_feed_forward>{shape.shared_feed_forward}, value<mt::router_bias>{shape.router_bias},
      value<mt::shared_gate>{shape.shared_gate}, value<mt::query_rank>{shape.query_rank},
      value<mt::key_value_rank>{shape.key_value_rank}, value<mt::rotary_dimension>{shape.rotary_dimension},
      value<mt::plain_dimension>{shape.plain_dimension}, value<mt::value_dimension>{shape.value_dimension},
      // A tied head on another stage than the embedding holds a copy of its weights.
      value<mt::head_weights>{!model.tied_embeddings || copied ? 1.0 : 0.0},
      value<mt::keys_computed>{choice.kernel == attention_kernel::flash ? seen : s},
      value<mt::keys_counted>{assumed.flops == flop_convention::causal ? seen : model::keys_in_reach(shape, s)},
      value<mt::activation_bytes>{policy.activation}, value<mt::logit_bytes>{policy.logit},
      value<strategy::tag::tensor_degree>{static_cast<double>(choice.tensor)},
      value<strategy::tag::sequence_degree>{expr::get<strategy::tag::sequence_degree>(derived)},
      value<ct::matrix_rate>{rate.matrix}, value<ct::half_precision_rate>{rate.half_precision},
      value<ct::attention_rate>{rate.attention}, value<ct::memory_bandwidth>{rate.memory},
      value<ct::operation_launch_time>{assumed.operation_launch_time.value},
      value<ct::tensor_bandwidth>{link.bandwidth.value}, value<ct::tensor_latency>{link.latency.value}};
}
template <class Model>
constexpr block_environment make_block_environment(Model const& model, model::block_shape const& shape,
                                                   device::cluster const& machine, workload const& job,
                                                   plan const& choice, assumptions const& assumed) {
  auto const inputs = make_plan_inputs(model, machine, job, choice, assumed);
  return make_block_environment(model, shape, machine, job, choice, assumed,
                                expr::evaluate(derived_sequence(), inputs));
}

}  // namespace shardplan::planner
