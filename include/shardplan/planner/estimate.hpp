#pragma once
#include <array>
#include <cstddef>
#include <span>
#include <vector>

#include <shardplan/planner/blocks.hpp>
#include <shardplan/planner/columns.hpp>
#include <shardplan/planner/stage_group.hpp>
#include <shardplan/planner/stage_record.hpp>
#include <shardplan/planner/step.hpp>

/// What one plan costs: memory of the worst device and time of a step. Reads block records once per shape, the stage
/// records once per group of equal stages, and the plan's records over the stages. constexpr throughout.
namespace shardplan::planner {

/// A run of equal layers on a stage: how many, and what one costs.
using run_values = joined<expr::environment<value<tag::run_layers>, value<tag::run_is_end>>, block_values>;
/// The runs on one stage, every shape at most once, and the ends.
using stage_runs = expr::environment<expr::binding<expr::elements_of<run_scope>, std::span<run_values const>>>;
/// Where a stage lies.
using stage_place = expr::environment<value<tag::first_index>, value<tag::last_index>, value<tag::stages_alike>,
                                      value<cost::tag::holds_tied_embedding>, value<cost::tag::stage_receives_forward>,
                                      value<cost::tag::stage_receives_backward>>;

/// Where a group of stages lies.
constexpr stage_place place_of(stage_group const& group, bool tied_embeddings) {
  auto const one_if = [](bool condition) { return condition ? 1.0 : 0.0; };
  bool const alone = group.holds_embedding && group.holds_head;
  bool const end = group.holds_embedding || group.holds_head;
  return {value<tag::first_index>{static_cast<double>(group.first)},
          value<tag::last_index>{static_cast<double>(group.last)},
          value<tag::stages_alike>{static_cast<double>(group.count())},
          value<cost::tag::holds_tied_embedding>{one_if(tied_embeddings && end && !alone)},
          value<cost::tag::stage_receives_forward>{one_if(!group.holds_embedding)},
          value<cost::tag::stage_receives_backward>{one_if(!group.holds_head)}};
}

/// Results of all records of a stage.
using stage_values = expr::values_of<decltype(stage_sequence())>;

/// The number that an environment binds to a tag.
using expr::get;

/// One stage of a plan: where it lies and the results of its records.
struct stage_estimate {
  long long index = 0;
  long long first_layer = 0;
  long long layers = 0;
  stage_place place;
  stage_values values;

  constexpr double peak_bytes() const { return get<cost::tag::peak_memory>(values); }
  constexpr double static_bytes() const { return get<cost::tag::static_memory>(values); }
  constexpr double forward() const { return get<cost::tag::forward_time>(values); }
  constexpr double backward() const { return get<cost::tag::backward_time>(values); }
  /// What the stage spends after its last backward pass.
  constexpr double after_pipeline() const { return get<tag::end_of_step>(values); }
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
  /// Forward and backward passes of one micro-batch on the stages before and after the slowest one.
  double before_slowest = 0;
  double after_slowest = 0;
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

/// A stage as the records over all stages see it.
using stage_element =
    expr::environment<value<tag::stages_alike>, value<schedule::tag::forward>, value<schedule::tag::backward>,
                      value<schedule::tag::in_flight>, value<tag::end_of_step>, value<cost::tag::peak_memory>>;

/// Reads a plan stage by stage; views the model, which must outlive it. `Blocks` reads block records by kind, for
/// instance `standard_blocks`.
template <class Model, class Blocks> class plan_reader {
 public:
  constexpr plan_reader(Model const& model, device::cluster const& machine, workload const& job, plan const& choice,
                        assumptions const& assumed, Blocks const& blocks)
      : model_(model), choice_(choice), inputs_(make_plan_inputs(model, machine, job, choice, assumed)),
        derived_(expr::evaluate(derived_sequence(), inputs_)),
        ends_(make_block_environment(model, model.shapes[0], machine, job, choice, assumed, derived_)),
        embedding_(read_embedding(ends_)), head_(read_head(ends_)) {
    for (std::size_t index = 0; index < model.shape_count; ++index) {
      auto const& shape = model.shapes[index];
      blocks_[index] = blocks(shape.kind, choice.recompute, choice.kernel,
                              make_block_environment(model, shape, machine, job, choice, assumed, derived_));
    }
  }

  constexpr long long stages() const { return choice_.pipeline; }
  constexpr block_values const& embedding() const { return embedding_; }
  constexpr block_values const& head() const { return head_; }
  constexpr block_values const& block(int shape) const { return blocks_[static_cast<std::size_t>(shape)]; }
  constexpr double micro_batch_count() const { return get<schedule::tag::micro_batches>(derived_); }
  /// What all stages see. Views the reader.
  constexpr expr::scope<derived_values, plan_inputs> plan_values() const { return {derived_, inputs_}; }

  /// Calls `visit(place, values, count)` for the embedding, the blocks by shape and the head that lie on a stage.
  template <class Visit> constexpr void for_each_block(stage_group const& group, Visit&& visit) const {
    if (group.holds_embedding)
      visit(block_place::embedding, embedding_, 1LL);
    for (std::size_t shape = 0; shape < model_.shape_count; ++shape)
      if (group.layers[shape] > 0)
        visit(block_place::inside, blocks_[shape], group.layers[shape]);
    if (group.holds_head)
      visit(block_place::head, head_, 1LL);
  }

  /// What a stage holds.
  constexpr stage_group group_at(long long index) const { return stage_at(model_, stages(), index); }
  /// Stage `index` of the pipeline, from 0.
  constexpr stage_estimate stage(long long index) const { return stage(group_at(index)); }
  /// Stages that hold the same: times are those of the last of them, memory is that of the first.
  constexpr stage_estimate stage(stage_group const& group) const {
    std::array<run_values, model::max_shapes + 2> runs{};
    std::size_t count = 0;
    for_each_block(group, [&](block_place place, block_values const& block, long long layers) {
      run_values& run = runs[count++];
      copy_numbers(block, run);
      set<tag::run_layers>(run, static_cast<double>(layers));
      set<tag::run_is_end>(run, place == block_place::inside ? 0.0 : 1.0);
    });
    stage_runs const on_stage{expr::each<run_scope> = std::span<run_values const>{runs.data(), count}};
    stage_place const place = place_of(group, model_.tied_embeddings);
    auto const shared = plan_values();
    expr::scope const placed{place, shared};
    expr::scope const all{on_stage, placed};
    long long const first = first_layer_of(model_.layers(), stages(), group.first);
    return {group.first, first, first_layer_of(model_.layers(), stages(), group.first + 1) - first, place,
            expr::evaluate(stage_sequence(), all)};
  }

  /// What the step record reads beside the slowest stage's values. Views the estimate and the reader.
  constexpr auto step_environment(plan_estimate const& estimated) const {
    return expr::environment{
        value<schedule::tag::pipeline_time>{estimated.pipeline_time},
        value<cost::tag::stage_receives_forward>{get<cost::tag::stage_receives_forward>(estimated.slowest.place)},
        value<cost::tag::stage_receives_backward>{get<cost::tag::stage_receives_backward>(estimated.slowest.place)},
        value<cost::tag::hop_time>{get<cost::tag::hop_time>(derived_)},
        value<schedule::tag::micro_batches>{micro_batch_count()}};
  }

  /// The step record: where the time goes.
  constexpr auto read_step(plan_estimate const& estimated) const {
    auto const step = step_environment(estimated);
    expr::scope const all{estimated.slowest.values, step};
    return expr::evaluate(step_record(), all);
  }

  /// All stages together.
  constexpr plan_estimate estimate(workload const& job) const {
    std::vector<stage_element> elements;
    plan_estimate result;
    bool first = true;
    for_each_stage_group(model_, stages(), [&](stage_group const& group) {
      stage_estimate const current = stage(group);
      stage_element element;
      copy_numbers(expr::scope{current.values, current.place}, element);
      elements.push_back(element);
      // Written so that a peak that is no number is the worst.
      if (first || !(current.peak_bytes() <= result.worst.peak_bytes()))
        result.worst = current;
      if (first || current.after_pipeline() > result.ending.after_pipeline())
        result.ending = current;
      first = false;
    });
    expr::environment const over_stages{expr::each<stage_scope> =
                                            std::span<stage_element const>{elements.data(), elements.size()}};
    auto const shared = plan_values();
    auto const step = expr::evaluate(plan_sequence(), expr::scope{over_stages, shared});
    result.pipeline_time = get<schedule::tag::pipeline_time>(step);
    result.step_time = get<tag::step_time>(step);
    find_slowest(result, elements);
    result.busy_time = micro_batch_count() * (result.slowest.forward() + result.slowest.backward());
    count_flop(result, job);
    return result;
  }

  /// What the schedule reads of the slowest stage.
  constexpr auto schedule_environment(plan_estimate const& estimated) const {
    return schedule_environment(
        get<schedule::tag::forward>(estimated.slowest.values), get<schedule::tag::backward>(estimated.slowest.values),
        get<schedule::tag::in_flight>(estimated.slowest.values), estimated.before_slowest, estimated.after_slowest);
  }

 private:
  constexpr auto schedule_environment(double forward, double backward, double in_flight, double before,
                                      double after) const {
    namespace st = schedule::tag;
    return expr::environment{value<st::forward>{forward},     value<st::backward>{backward},
                             value<st::in_flight>{in_flight}, value<st::before>{before},
                             value<st::after>{after},         value<st::micro_batches>{micro_batch_count()}};
  }

  /// The stage with the largest bound: the last of its group.
  constexpr void find_slowest(plan_estimate& result, std::vector<stage_element> const& elements) const {
    namespace st = schedule::tag;
    double one_pass = 0;
    for (auto const& element : elements)
      one_pass += get<tag::stages_alike>(element) * (get<st::forward>(element) + get<st::backward>(element));
    double before = 0, longest = -1;
    std::size_t position = 0;
    for_each_stage_group(model_, stages(), [&](stage_group const& group) {
      auto const& element = elements[position++];
      double const pass = get<st::forward>(element) + get<st::backward>(element);
      double const to_last = before + (get<tag::stages_alike>(element) - 1) * pass;
      double const after = expr::maximum(one_pass - to_last - pass, 0.0);
      double const bound = expr::evaluate(schedule::one_forward_one_backward::step_bound(),
                                          schedule_environment(get<st::forward>(element), get<st::backward>(element),
                                                               get<st::in_flight>(element), to_last, after))
                               .value;
      if (bound > longest) {
        longest = bound;
        result.slowest = stage(group.last);
        result.before_slowest = to_last;
        result.after_slowest = after;
      }
      before += get<tag::stages_alike>(element) * pass;
    });
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
  plan_inputs inputs_;
  derived_values derived_;
  block_environment ends_;
  block_values embedding_;
  block_values head_;
  std::array<block_values, model::max_shapes> blocks_{};
};

}  // namespace shardplan::planner
