#include "engine.hpp"

#include <shardplan/planner/legality_text.hpp>
#include <shardplan/planner/search_plans.hpp>

namespace command_line {

using namespace shardplan;

planner::block_registry const& blocks() {
  static planner::block_registry const registry = planner::block_registry::standard();
  return registry;
}

search_result find_plans(job const& work, planner::plan_space const& space, std::size_t keep) {
  return planner::search_plans(work.model, work.cluster, work.workload, work.assumed, space, keep, blocks());
}

std::optional<planner::plan> nearest_faster_misfit(job const& work, planner::plan_space const& space,
                                                   double step_time) {
  return planner::nearest_faster_misfit(work.model, work.cluster, work.workload, work.assumed, space, step_time,
                                        blocks());
}

planner::plan_report report_of(job const& work, planner::plan const& choice) {
  return planner::make_report(work.model, work.cluster, work.workload, choice, work.assumed, blocks());
}

double parameters_of(decoder const& model) { return planner::parameters(model, blocks()); }

std::string broken_rule_of(job const& work, planner::plan const& choice, planner::rule broken) {
  return planner::broken_rule_text(work.model, work.cluster, work.workload, choice, work.assumed, broken);
}

std::vector<layer_row> layers_of(decoder const& model, double sequence_length) {
  planner::workload const one_sequence{.sequence_length = sequence_length, .global_batch = 1};
  planner::assumptions assumed;
  assumed.policy.vocabulary_multiple = 1;
  auto const machine = device::unit_cluster();
  planner::plan const single;
  auto const row = [&](std::string name, long long count, planner::block_values const& values) {
    return layer_row{std::move(name), count, planner::get<cost::tag::block_parameters>(values),
                     planner::get<cost::tag::block_model_flop>(values) / sequence_length};
  };
  std::vector<layer_row> rows;
  auto const ends = planner::make_block_environment(model, model.shapes[0], machine, one_sequence, single, assumed);
  rows.push_back(row("embedding", 1, planner::read_embedding(ends)));
  for (std::size_t index = 0; index < model.shape_count; ++index) {
    auto const& shape = model.shapes[index];
    long long count = 0;
    for (auto const& run : model.runs)
      if (static_cast<std::size_t>(run.shape) == index)
        count += run.count;
    auto const environment = planner::make_block_environment(model, shape, machine, one_sequence, single, assumed);
    rows.push_back(
        row(blocks().name(shape.kind), count, blocks()(shape.kind, single.recompute, single.kernel, environment)));
    rows.back().shape = &shape;
  }
  rows.push_back(row("head", 1, planner::read_head(ends)));
  return rows;
}

}  // namespace command_line
