#pragma once
#include <algorithm>
#include <array>
#include <concepts>
#include <cstddef>
#include <span>
#include <vector>

#include <shardplan/expr/share.hpp>
#include <shardplan/expr/table.hpp>
#include <shardplan/planner/estimate.hpp>
#include <shardplan/planner/registry.hpp>

/// The costs of many plans at once: the records that one estimate reads, read as columns.
namespace shardplan::planner {

/// Inputs of the plan's records for a block of plans: what differs between plans of a block is a column.
template <class Number>
using plan_columns =
    with_columns_of<Number, plan_inputs,
                    expr::tag_list<model::tag::micro_batch, strategy::tag::tensor_degree, strategy::tag::data_degree,
                                   cost::tag::data_bandwidth, cost::tag::data_latency>>;
/// The links of the tensor-parallel groups.
template <class Number>
using link_columns =
    as_columns<expr::environment<value<cost::tag::tensor_bandwidth>, value<cost::tag::tensor_latency>>, Number>;
/// What a plan is chosen by.
template <class Number>
using plan_results = as_results<expr::environment<value<tag::step_time>, value<tag::highest_peak>>, Number>;

/// A plan's record as it is read in columns: what does not differ between plans comes first in every product.
template <class... Entries> constexpr auto grouped_plan(expr::record<Entries...> record) {
  namespace ct = cost::tag;
  return expr::group<model::tag::micro_batch, strategy::tag::tensor_degree, strategy::tag::data_degree,
                     strategy::tag::sequence_degree, schedule::tag::micro_batches, model::tag::vocabulary,
                     ct::data_bandwidth, ct::data_latency, ct::weight_shards, ct::gradient_shards, ct::optimizer_shards,
                     ct::reductions_per_step, ct::gathers_per_step, ct::forward_gathers_per_step, ct::tied_parameters>(
      record);
}

/// Groups of equal stages, at most, that are read in columns. Plans with more of them are estimated one by one.
inline constexpr std::size_t max_stage_groups = 128;

/// Bytes of a parameter's states on one device: what the stages of a plan have in common beside the times.
consteval auto held_record() {
  using cost::of;
  namespace ct = cost::tag;
  return expr::make_record(define(of<tag::weight_bytes_held>, of<ct::weight_bytes> / of<ct::weight_shards>),
                           define(of<tag::gradient_bytes_held>, of<ct::gradient_bytes> / of<ct::gradient_shards>),
                           define(of<tag::optimizer_bytes_held>, of<ct::optimizer_bytes> / of<ct::optimizer_shards>));
}

/// All records of a plan but those of its blocks, in the order in which they are read.
consteval auto whole_plan_sequence() {
  constexpr auto stages =
      expr::tabulate<stage_scope, max_stage_groups, tag::stages_alike, schedule::tag::forward, schedule::tag::backward,
                     schedule::tag::in_flight, tag::end_of_step, cost::tag::peak_memory>(
          expr::share(stage_sequence(), held_record()));
  return expr::in_sequence(grouped_plan(shares_record()), grouped_plan(repetitions_record()),
                           grouped_plan(cost::shared_time_record(stage_layout{})), held_record(), stages, pass_record(),
                           pipeline_record(), step_time_record());
}

/// What blocks read of the derived values.
using block_derived = expr::environment<value<strategy::tag::sequence_degree>, value<model::tag::vocabulary>>;

/// Plans of a block share what the types and the number of stages depend on.
constexpr bool in_one_block(plan const& left, plan const& right) {
  return left.pipeline == right.pipeline && left.sequence_parallel == right.sequence_parallel &&
         left.zero_stage == right.zero_stage && left.recompute == right.recompute && left.kernel == right.kernel;
}

/// Evaluates legal plans in blocks. Views its arguments, which must outlive it; `Blocks` is a `block_registry` or has
/// its function `read`. `Number` is what is calculated with.
template <class Model, class Blocks, class Number = double> class plan_column_reader {
 public:
  using plan_columns = planner::plan_columns<Number>;
  using link_columns = planner::link_columns<Number>;
  using plan_results = planner::plan_results<Number>;
  /// Plans in a block, at most.
  static constexpr std::size_t capacity = 256;

  plan_column_reader(Model const& model, device::cluster const& machine, workload const& job,
                     assumptions const& assumed, Blocks const& blocks)
      : model_(model), machine_(machine), job_(job), assumed_(assumed), blocks_(blocks) {}

  /// Step time in s and peak memory in bytes of each plan. All plans must be `in_one_block`, at most `capacity`.
  void read(std::span<plan const> plans, std::span<double> step_times, std::span<double> peaks) {
    plan const& any = plans.front();
    std::size_t groups = 0;
    for_each_stage_group(model_, any.pipeline, [&](stage_group const&) { ++groups; });
    if (groups > max_stage_groups)
      return estimate_each(plans, step_times, peaks);
    used_ = 0;
    count_ = padded(plans.size());
    plan_columns inputs;
    copy_numbers(make_plan_inputs(model_, machine_, job_, any, assumed_), inputs);
    link_columns links;
    bind_plans(plans, inputs, links);
    plan_results results;
    place_results(results, [&] { return next(); });
    evaluate(any, inputs, links, results);
    std::copy_n(expr::value_of<tag::step_time>(results).data(), plans.size(), step_times.data());
    std::copy_n(expr::value_of<tag::highest_peak>(results).data(), plans.size(), peaks.data());
  }

  /// The same for callers that have columns of their own: of `count` plans, a multiple of the width of a pack and at
  /// most `capacity`. What is no column is taken from `any`, which has at most `max_stage_groups` groups of stages.
  void read(plan const& any, std::size_t count, plan_columns inputs, link_columns const& links,
            plan_results const& results) {
    used_ = 0;
    count_ = count;
    copy_numbers(make_plan_inputs(model_, machine_, job_, any, assumed_), inputs);
    evaluate(any, inputs, links, results);
  }

 private:
  /// Without end where `Blocks` cannot be read for one configuration, so that no such plan is chosen.
  void estimate_each(std::span<plan const> plans, std::span<double> step_times, std::span<double> peaks) const {
    for (std::size_t index = 0; index < plans.size(); ++index) {
      step_times[index] = peaks[index] = unknown_cost;
      if constexpr (std::invocable<Blocks const&, model::block_kind, recomputation, attention_kernel,
                                   block_environment const&>) {
        plan_reader<Model, Blocks> const one{model_, machine_, job_, plans[index], assumed_, blocks_};
        auto const found = one.estimate(job_);
        step_times[index] = found.step_time;
        peaks[index] = found.worst.peak_bytes();
      }
    }
  }

  void evaluate(plan const& any, plan_columns const& inputs, link_columns const& links, plan_results const& results) {
    // Blocks need two of the derived values; the others are read where they are used.
    as_columns<block_derived, Number> derived;
    read_into(as_results<block_derived, Number>{}, shares_record(), inputs, derived);

    block_columns_of<Number> columns;
    copy_columns(inputs, columns);
    copy_columns(derived, columns);
    copy_columns(links, columns);
    as_columns<common_values, Number> common;
    read_into(as_results<common_values, Number>{}, common_record(), columns, common);
    copy_columns(common, columns);
    std::array<block_value_columns, model::max_shapes> blocks;
    for (std::size_t shape = 0; shape < model_.shape_count; ++shape) {
      set_shape(model_.shapes[shape], any, columns);
      auto const places = places_for_block(blocks[shape]);
      blocks_.read(model_.shapes[shape].kind, any.recompute, any.kernel, count_, columns, places);
    }
    set_shape(model_.shapes[0], any, columns);
    block_value_columns embedding, head;
    auto const embedding_places = places_for_block(embedding), head_places = places_for_block(head);
    read_ends(count_, columns, embedding_places, head_places);

    runs_.clear();
    stages_.clear();
    for_each_stage_group(model_, any.pipeline, [&](stage_group const& group) {
      std::size_t const first = runs_.size();
      auto const add_run = [&](block_value_columns const& values, double layers, double is_end) {
        run_columns run;
        set<tag::run_layers>(run, layers);
        set<tag::run_is_end>(run, is_end);
        copy_columns(values, run);
        runs_.push_back(run);
      };
      if (group.holds_embedding)
        add_run(embedding, 1, 1);
      for (std::size_t shape = 0; shape < model_.shape_count; ++shape)
        if (group.layers[shape] > 0)
          add_run(blocks[shape], static_cast<double>(group.layers[shape]), 0);
      if (group.holds_head)
        add_run(head, 1, 1);
      stage_columns stage;
      copy_numbers(place_of(group, model_.tied_embeddings), stage);
      stages_.push_back({stage, first, runs_.size() - first});
    });
    for (auto& each : stages_)
      static_cast<stage_runs&>(each.stage).value = std::span<run_columns const>{runs_}.subspan(each.first, each.count);
    elements_.clear();
    for (auto const& each : stages_)
      elements_.push_back(each.stage);
    expr::environment const over_stages{expr::each<stage_scope> = std::span<stage_columns const>{elements_}};
    evaluate_into(whole_plan_sequence(), expr::scope{over_stages, inputs}, count_, results);
  }

  /// A run of layers on a stage, and a stage, with columns of their costs.
  using block_results = as_results<block_values, Number>;
  using block_value_columns = as_columns<block_values, Number>;
  using run_columns = joined<expr::environment<value<tag::run_layers>, value<tag::run_is_end>>, block_value_columns>;
  using stage_runs = expr::binding<expr::elements_of<run_scope>, std::span<run_columns const>>;
  using stage_columns = joined<stage_place, expr::environment<stage_runs>>;
  struct stage_and_runs {
    stage_columns stage;
    std::size_t first;
    std::size_t count;
  };

  static constexpr std::size_t padded(std::size_t count) {
    constexpr std::size_t width = expr::native_width<Number>;
    return (count + width - 1) / width * width;
  }

  /// A column of scratch memory, valid until the next block is read.
  std::span<Number> next() {
    if (used_ == scratch_.size())
      scratch_.push_back(std::vector<Number>(capacity + expr::native_width<Number>));
    return std::span<Number>{scratch_[used_++]}.first(count_);
  }

  /// Reads the entries of `results` and binds them in `columns`.
  template <class Results, class Expressions, class Environment, class Columns>
  void read_into(Results results, Expressions expressions, Environment const& environment, Columns& columns) {
    place_results(results, [&] { return next(); });
    evaluate_into(expressions, environment, count_, results);
    view_results(results, columns);
  }
  block_results places_for_block(block_value_columns& columns) {
    block_results results;
    place_results(results, [&] { return next(); });
    view_results(results, columns);
    return results;
  }

  template <class Value> std::span<Number> column_of(std::span<plan const> plans, Value value) {
    auto const result = next();
    for (std::size_t index = 0; index < plans.size(); ++index)
      result[index] = static_cast<Number>(value(plans[index]));
    for (std::size_t index = plans.size(); index < result.size(); ++index)
      result[index] = result[plans.size() - 1];
    return result;
  }
  /// As `column_of`, of a link: groups are asked for once where they repeat.
  template <class Group>
  void bind_link(std::span<plan const> plans, Group group, std::span<Number>& bandwidth, std::span<Number>& latency) {
    bandwidth = next();
    latency = next();
    for (std::size_t index = 0; index < count_; ++index) {
      std::size_t const from = std::min(index, plans.size() - 1);
      bool const repeats =
          from > 0 && plans[from].tensor == plans[from - 1].tensor && plans[from].data == plans[from - 1].data;
      if (index > 0 && (repeats || from < index)) {
        bandwidth[index] = bandwidth[index - 1];
        latency[index] = latency[index - 1];
        continue;
      }
      device::link_level const link = group(plans[from]);
      bandwidth[index] = static_cast<Number>(link.bandwidth.value);
      latency[index] = static_cast<Number>(link.latency.value);
    }
  }

  void bind_plans(std::span<plan const> plans, plan_columns& inputs, link_columns& links) {
    set_column<model::tag::micro_batch>(inputs, column_of(plans, [](plan const& each) { return each.micro_batch; }));
    set_column<strategy::tag::tensor_degree>(inputs, column_of(plans, [](plan const& each) { return each.tensor; }));
    set_column<strategy::tag::data_degree>(inputs, column_of(plans, [](plan const& each) { return each.data; }));
    std::span<Number> bandwidth, latency;
    bind_link(
        plans, [&](plan const& each) { return device::group_link(machine_, each.data, each.tensor); }, bandwidth,
        latency);
    set_column<cost::tag::data_bandwidth>(inputs, bandwidth);
    set_column<cost::tag::data_latency>(inputs, latency);
    bind_link(
        plans, [&](plan const& each) { return device::group_link(machine_, each.tensor, 1); }, bandwidth, latency);
    set_column<cost::tag::tensor_bandwidth>(links, bandwidth);
    set_column<cost::tag::tensor_latency>(links, latency);
  }

  /// The numbers of a shape; those that are columns are left alone.
  void set_shape(model::block_shape const& shape, plan const& any, block_columns_of<Number>& columns) const {
    copy_numbers(make_block_environment(model_, shape, machine_, job_, any, assumed_), columns);
  }

  Model const& model_;
  device::cluster const& machine_;
  workload const& job_;
  assumptions const& assumed_;
  Blocks const& blocks_;
  std::vector<std::vector<Number>> scratch_;
  std::vector<run_columns> runs_;
  std::vector<stage_and_runs> stages_;
  std::vector<stage_columns> elements_;
  std::size_t used_ = 0;
  std::size_t count_ = 0;
};

}  // namespace shardplan::planner
