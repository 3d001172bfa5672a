#pragma once
#include <array>
#include <cstddef>
#include <utility>

#include <shardplan/cost/stage.hpp>
#include <shardplan/planner/blocks.hpp>
#include <shardplan/planner/stages.hpp>
#include <shardplan/planner/step.hpp>

/// What one plan costs: memory of the worst device and time of a step. Reads block records once per shape, adds them up
/// per stage, reads the stage records, and lets the schedule's expressions combine the stages. constexpr throughout.
namespace shardplan::planner {

namespace detail {

/// The layout whose strategies act on a stage; any layer serves, stage records look at the strategies only.
using stage_layout = decltype(model::embedding_layer() | strategy::tensor{} | strategy::sequence{} | strategy::data{} |
                              strategy::zero{} | strategy::pipeline{});

namespace ct = cost::tag;

/// Inputs of the stage records.
using stage_environment = expr::environment<
    value<ct::stage_parameters>, value<ct::stage_gathered_parameters>, value<ct::stage_largest_matrix>,
    value<ct::stage_layers>, value<ct::stage_kept>, value<ct::stage_recomputed>, value<ct::stage_logits>,
    value<ct::stage_forward_compute>, value<ct::stage_backward_compute>, value<ct::stage_recompute>,
    value<ct::stage_forward_communication>, value<ct::stage_backward_communication>, value<ct::stage_receives_forward>,
    value<ct::stage_receives_backward>, value<ct::tied_parameters>, value<ct::micro_batches_in_flight>>;

/// What a plan binds for all of its stages.
using plan_environment =
    expr::environment<value<model::tag::sequence_length>, value<model::tag::micro_batch>, value<model::tag::hidden>,
                      value<model::tag::activation_bytes>, value<strategy::tag::sequence_degree>,
                      value<strategy::tag::data_degree>, value<ct::weight_bytes>, value<ct::gradient_bytes>,
                      value<ct::optimizer_bytes>, value<ct::weight_shards>, value<ct::gradient_shards>,
                      value<ct::optimizer_shards>, value<ct::gathered_bytes>, value<ct::weight_gradient_bytes>,
                      value<ct::communication_buffer>, value<ct::reduced_bytes>, value<ct::gathered_wire_bytes>,
                      value<ct::reductions_per_step>, value<ct::gathers_per_step>, value<ct::forward_gathers_per_step>,
                      value<ct::data_overlap>, value<ct::optimizer_traffic>, value<ct::memory_bandwidth>,
                      value<ct::data_bandwidth>, value<ct::data_latency>, value<ct::pipeline_bandwidth>,
                      value<ct::pipeline_latency>>;

using stage_memory_values =
    expr::environment<value<ct::weights>, value<ct::gradients>, value<ct::optimizer_states>, value<ct::activations>,
                      value<ct::recomputed_activations>, value<ct::logits>, value<ct::gathered_weights>,
                      value<ct::weight_gradient>, value<ct::buffers>>;
using stage_peak_values = expr::environment<value<ct::static_memory>, value<ct::peak_memory>>;
using stage_time_values =
    expr::environment<value<ct::forward_time>, value<ct::backward_time>, value<ct::hop_time>,
                      value<ct::data_communication>, value<ct::tied_embedding_time>, value<ct::optimizer_time>>;

}  // namespace detail

/// The number that an environment binds to a tag.
using expr::get;

/// One stage of a plan: inputs and results of its records.
struct stage_estimate {
  long long index = 0;
  long long first_layer = 0;
  long long layers = 0;
  detail::stage_environment inputs;
  detail::stage_memory_values memory;
  detail::stage_peak_values peak;
  detail::stage_time_values time;
  double exposed_data_communication = 0;

  constexpr double peak_bytes() const { return get<cost::tag::peak_memory>(peak); }
  constexpr double static_bytes() const { return get<cost::tag::static_memory>(peak); }
  constexpr double forward() const { return get<cost::tag::forward_time>(time); }
  constexpr double backward() const { return get<cost::tag::backward_time>(time); }
  /// What the stage spends after its last backward pass.
  double after_pipeline = 0;
};

/// What a plan costs.
struct plan_estimate {
  /// The stage with the highest peak memory, which decides whether the plan fits.
  stage_estimate worst;
  /// The stage that bounds the time of the pipeline.
  stage_estimate slowest;
  /// The stage whose end of step takes longest.
  stage_estimate ending;
  /// Forward and backward passes of all micro-batches.
  double pipeline_time = 0;
  double step_time = 0;
  /// Time that the slowest stage's devices compute in a step, the bubble being the rest of `pipeline_time`.
  double busy_time = 0;
  /// Matrix FLOP of a step, all devices, by the convention asked for; and with what recomputation repeats.
  double model_flop = 0;
  double hardware_flop = 0;

  constexpr double tokens_per_second_per_device(workload const& job, long long devices) const {
    expr::environment const rate{value<tag::step_time>{step_time}, value<tag::devices>{static_cast<double>(devices)},
                                 value<tag::global_batch>{static_cast<double>(job.global_batch)},
                                 value<model::tag::sequence_length>{job.sequence_length}};
    return expr::evaluate(expr::expression_of<tag::tokens_rate>(rate_record()), rate).value;
  }
};

/// Where a block lies in the model.
enum class block_place { embedding, inside, head };

/// Reads a plan stage by stage; views the model, which must outlive it. `Blocks` reads block records by kind, for
/// instance `standard_blocks`.
template <class Model, class Blocks> class plan_reader {
 public:
  constexpr plan_reader(Model const& model, device::cluster const& machine, workload const& job, plan const& choice,
                        assumptions const& assumed, Blocks const& blocks)
      : model_(model), choice_(choice), policy_(policy_of(job, assumed)),
        micro_batches_(static_cast<double>(micro_batches(choice, job))), environment_(bind_plan(machine, job, assumed)),
        ends_(make_block_environment(model, model.shapes[0], machine, job, choice, assumed)),
        embedding_(read_embedding(ends_)), head_(read_head(ends_)),
        blocks_(read_all(blocks, machine, job, assumed, std::make_index_sequence<model::max_shapes>{})) {}

  constexpr long long stages() const { return choice_.pipeline; }
  constexpr block_values const& embedding() const { return embedding_; }
  constexpr block_values const& head() const { return head_; }
  constexpr block_values const& block(int shape) const { return blocks_[static_cast<std::size_t>(shape)]; }
  constexpr detail::plan_environment const& plan_values() const { return environment_; }
  constexpr double micro_batch_count() const { return micro_batches_; }

  /// Calls `visit(place, values, count)` for the embedding, the runs of blocks and the head that lie on a stage.
  template <class Visit> constexpr void for_each_block(long long index, Visit&& visit) const {
    long long const first = first_layer_of(model_.layers(), stages(), index);
    long long const last = first_layer_of(model_.layers(), stages(), index + 1);
    if (index == 0)
      visit(block_place::embedding, embedding_, 1LL);
    long long begin = 0;
    for (model::block_run const& run : model_.runs) {
      long long const low = begin > first ? begin : first;
      long long const high = begin + run.count < last ? begin + run.count : last;
      if (high > low)
        visit(block_place::inside, block(run.shape), high - low);
      begin += run.count;
    }
    if (index + 1 == stages())
      visit(block_place::head, head_, 1LL);
  }

  /// Stage `index` of the pipeline, from 0.
  constexpr stage_estimate stage(long long index) const {
    long long const first = first_layer_of(model_.layers(), stages(), index);
    long long const last = first_layer_of(model_.layers(), stages(), index + 1);
    detail::stage_environment const inputs = stage_inputs(index, first, last);
    expr::scope const all{inputs, environment_};
    auto const memory = expr::evaluate(cost::stage_memory_record(detail::stage_layout{}), all);
    auto const time = expr::evaluate(cost::stage_time_record(detail::stage_layout{}), all);
    expr::scope const with_time{time, all};
    auto const exposed = expr::evaluate(cost::stage_exposed_record(), with_time);
    expr::scope const at_end{exposed, with_time};
    return {index,
            first,
            last - first,
            inputs,
            memory,
            expr::evaluate(cost::stage_peak_record(), memory),
            time,
            get<cost::tag::exposed_data_communication>(exposed),
            get<tag::end_of_step>(expr::evaluate(end_record(), at_end))};
  }

  /// What the step record reads beside the slowest stage's inputs and times.
  constexpr auto step_environment(plan_estimate const& estimated) const {
    namespace st = schedule::tag;
    return expr::environment{value<st::pipeline_time>{estimated.pipeline_time},
                             value<tag::end_of_step>{estimated.ending.after_pipeline},
                             value<st::micro_batches>{micro_batches_}, value<st::forward>{estimated.slowest.forward()},
                             value<st::backward>{estimated.slowest.backward()}};
  }

  /// What the schedule reads of a stage; `before` and `one_pass` are sums of forward and backward times over the
  /// earlier and over all stages.
  constexpr auto schedule_environment(stage_estimate const& stage, double before, double one_pass) const {
    namespace st = schedule::tag;
    double const both = stage.forward() + stage.backward();
    return expr::environment{value<st::forward>{stage.forward()},
                             value<st::backward>{stage.backward()},
                             value<st::before>{before},
                             value<st::after>{one_pass - before - both},
                             value<st::micro_batches>{micro_batches_},
                             value<st::in_flight>{get<cost::tag::micro_batches_in_flight>(stage.inputs)}};
  }

  /// The step record: where the time goes.
  constexpr auto read_step(plan_estimate const& estimated) const {
    auto const step = step_environment(estimated);
    expr::scope const with_times{estimated.slowest.time, step};
    expr::scope const all{estimated.slowest.inputs, with_times};
    return expr::evaluate(step_record(), all);
  }

  /// All stages together.
  constexpr plan_estimate estimate(workload const& job) const {
    namespace st = schedule::tag;
    long long const p = stages();
    double one_pass = 0;
    for (long long index = 0; index < p; ++index) {
      stage_estimate const current = stage(index);
      one_pass += current.forward() + current.backward();
    }
    stage_estimate const front = stage(0);
    plan_estimate result{front, front, front};
    double before = 0;
    for (long long index = 0; index < p; ++index) {
      stage_estimate const current = index == 0 ? result.worst : stage(index);
      double const both = current.forward() + current.backward();
      auto const at = schedule_environment(current, before, one_pass);
      double const bound = get<st::pipeline_time>(expr::evaluate(schedule_record(), at));
      if (bound > result.pipeline_time) {
        result.pipeline_time = bound;
        result.slowest = current;
      }
      if (current.after_pipeline > result.ending.after_pipeline)
        result.ending = current;
      // Written so that a peak that is no number is the worst.
      if (!(current.peak_bytes() <= result.worst.peak_bytes()))
        result.worst = current;
      before += both;
    }
    result.busy_time = micro_batches_ * (result.slowest.forward() + result.slowest.backward());
    result.step_time = get<tag::step_time>(read_step(result));
    count_flop(result, job);
    return result;
  }

 private:
  constexpr detail::plan_environment bind_plan(device::cluster const& machine, workload const& job,
                                               assumptions const& assumed) const {
    namespace mt = model::tag;
    namespace ct = cost::tag;
    auto const d = static_cast<double>(choice_.data);
    int const stage = choice_.zero_stage;
    bool const whole_in_pipeline = policy_.pipeline_keeps_gathered && choice_.pipeline > 1;
    bool const weights_sharded = shards(policy_.weights, stage, d) > 1;
    // ZeRO 3 gathers for the forward and again for the backward pass of every micro-batch; from ZeRO 2 on every
    // micro-batch reduces. Frameworks that keep gathered weights in a pipeline do either once.
    double const per_micro_batch = whole_in_pipeline ? 1.0 : micro_batches_;
    double const reductions = stage >= 2 ? per_micro_batch : 1.0;
    bool const gathers_often = stage >= 3 || (stage == 2 && policy_.gathers_every_micro_batch);
    double const forward_gathers = stage == 0 ? 0.0 : (gathers_often ? per_micro_batch : 1.0);
    bool const gathers_again = stage >= 3 && !whole_in_pipeline;
    // Without ZeRO the gather is the second half of the gradients' all-reduce.
    double const gathers = stage == 0 ? 1.0 : forward_gathers * (gathers_again ? 2.0 : 1.0);
    auto const data_link = device::group_link(machine, choice_.data, choice_.tensor);
    auto const stage_link = device::neighbour_link(machine);
    double const bucket = choice_.data > 1 ? policy_.bucket_elements * (policy_.reduced + policy_.gathered_on_wire) : 0;
    return {
        value<mt::sequence_length>{job.sequence_length},
        value<mt::micro_batch>{static_cast<double>(choice_.micro_batch)}, value<mt::hidden>{model_.hidden()},
        value<mt::activation_bytes>{policy_.activation},
        value<strategy::tag::sequence_degree>{choice_.sequence_parallel ? static_cast<double>(choice_.tensor) : 1.0},
        value<strategy::tag::data_degree>{d}, value<ct::weight_bytes>{policy_.weights.bytes},
        value<ct::gradient_bytes>{policy_.gradients.bytes}, value<ct::optimizer_bytes>{policy_.optimizer.bytes},
        value<ct::weight_shards>{shards(policy_.weights, stage, d)},
        value<ct::gradient_shards>{whole_in_pipeline ? 1.0 : shards(policy_.gradients, stage, d)},
        value<ct::optimizer_shards>{shards(policy_.optimizer, stage, d)},
        value<ct::gathered_bytes>{weights_sharded ? policy_.gathered : 0.0},
        value<ct::weight_gradient_bytes>{policy_.weight_gradient}, value<ct::communication_buffer>{bucket},
        value<ct::reduced_bytes>{policy_.reduced},
        value<ct::gathered_wire_bytes>{stage == 0 ? policy_.reduced : policy_.gathered_on_wire},
        value<ct::reductions_per_step>{reductions}, value<ct::gathers_per_step>{gathers},
        value<ct::forward_gathers_per_step>{forward_gathers},
        value<ct::data_overlap>{assumed.overlap_data_parallel ? 1.0 : 0.0},
        // The step reads the gradients for their norm and again for the update, reads and writes its states, and
        // writes the weights.
        value<ct::optimizer_traffic>{2 * policy_.gradients.bytes + 2 * policy_.optimizer.bytes + policy_.weights.bytes},
        value<ct::memory_bandwidth>{rates_of(machine, job, assumed).memory},
        value<ct::data_bandwidth>{data_link.bandwidth.value}, value<ct::data_latency>{data_link.latency.value},
        value<ct::pipeline_bandwidth>{stage_link.bandwidth.value},
        value<ct::pipeline_latency>{stage_link.latency.value}};
  }

  template <std::size_t... Index>
  constexpr std::array<block_values, model::max_shapes> read_all(Blocks const& blocks, device::cluster const& machine,
                                                                 workload const& job, assumptions const& assumed,
                                                                 std::index_sequence<Index...>) const {
    auto const read_one = [&](std::size_t index) {
      if (index >= model_.shape_count)
        return embedding_;  // never used
      auto const& shape = model_.shapes[index];
      return blocks(shape.kind, choice_.recompute, choice_.kernel,
                    make_block_environment(model_, shape, machine, job, choice_, assumed));
    };
    return {read_one(Index)...};
  }

  constexpr detail::stage_environment stage_inputs(long long index, long long first, long long last) const {
    namespace ct = cost::tag;
    double parameters = 0, largest_block = 0, largest_matrix = 0, kept = 0, recomputed = 0, logits = 0, ends = 0;
    double forward = 0, backward = 0, again = 0, forward_sent = 0, backward_sent = 0;
    auto const add = [&](block_values const& block, double count, bool end) {
      double const owned = get<ct::block_parameters>(block);
      parameters += count * owned;
      if (end)
        ends = expr::maximum(ends, owned);
      else
        largest_block = expr::maximum(largest_block, owned);
      largest_matrix = expr::maximum(largest_matrix, get<ct::block_largest_matrix>(block));
      kept += count * get<ct::block_kept>(block);
      recomputed = expr::maximum(recomputed, get<ct::block_working>(block));
      logits += count * get<ct::block_loss_buffer>(block);
      forward += count * get<ct::block_forward>(block);
      backward += count * get<ct::block_backward>(block);
      again += count * get<ct::block_recompute>(block);
      forward_sent += count * get<ct::block_forward_communication>(block);
      backward_sent += count * get<ct::block_backward_communication>(block);
    };
    bool const is_first = index == 0;
    bool const is_last = index + 1 == stages();
    bool const tied = model_.tied_embeddings && stages() > 1 && (is_first || is_last);
    for_each_block(index, [&](block_place place, block_values const& block, long long count) {
      add(block, static_cast<double>(count), place != block_place::inside);
    });
    // Sharded weights are gathered for the block in work and the next one, the ends being units of their own; where the
    // framework keeps them gathered, all of them are.
    bool const all_gathered = (policy_.pipeline_keeps_gathered && stages() > 1) || choice_.zero_stage < 3;
    double const gathered = all_gathered ? parameters : 2 * largest_block + ends;
    expr::environment const position{value<schedule::tag::stages>{static_cast<double>(stages())},
                                     value<schedule::tag::stage_index>{static_cast<double>(index)},
                                     value<schedule::tag::micro_batches>{micro_batches_}};
    double const in_flight = expr::evaluate(schedule::one_forward_one_backward::in_flight(), position).value;
    return {value<ct::stage_parameters>{parameters},
            value<ct::stage_gathered_parameters>{gathered},
            value<ct::stage_largest_matrix>{largest_matrix},
            value<ct::stage_layers>{static_cast<double>(last - first) + (is_first ? 1 : 0) + (is_last ? 1 : 0)},
            value<ct::stage_kept>{kept},
            value<ct::stage_recomputed>{recomputed},
            value<ct::stage_logits>{logits},
            value<ct::stage_forward_compute>{forward},
            value<ct::stage_backward_compute>{backward},
            value<ct::stage_recompute>{again},
            value<ct::stage_forward_communication>{forward_sent},
            value<ct::stage_backward_communication>{backward_sent},
            value<ct::stage_receives_forward>{is_first ? 0.0 : 1.0},
            value<ct::stage_receives_backward>{is_last ? 0.0 : 1.0},
            value<ct::tied_parameters>{tied ? get<model::tag::vocabulary>(ends_) * model_.hidden() /
                                                  static_cast<double>(choice_.tensor)
                                            : 0.0},
            value<ct::micro_batches_in_flight>{in_flight}};
  }

  constexpr void count_flop(plan_estimate& result, workload const& job) const {
    namespace ct = cost::tag;
    double counted = get<ct::block_model_flop>(head_);
    double repeated = 0;
    for (model::block_run const& run : model_.runs) {
      counted += static_cast<double>(run.count) * get<ct::block_model_flop>(block(run.shape));
      repeated += static_cast<double>(run.count) * get<ct::block_recomputed_flop>(block(run.shape));
    }
    double const in_step = static_cast<double>(job.global_batch) / static_cast<double>(choice_.micro_batch);
    result.model_flop = 3 * in_step * counted;
    result.hardware_flop = result.model_flop + in_step * repeated;
  }

  Model const& model_;
  plan choice_;
  cost::byte_policy policy_;
  double micro_batches_;
  detail::plan_environment environment_;
  block_environment ends_;
  block_values embedding_;
  block_values head_;
  std::array<block_values, model::max_shapes> blocks_;
};

}  // namespace shardplan::planner
