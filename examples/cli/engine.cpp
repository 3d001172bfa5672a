#include "engine.hpp"

#include <shardplan/planner/legality_text.hpp>
#include <shardplan/planner/missing.hpp>
#include <shardplan/planner/search_plans.hpp>

#include "kinds.hpp"

namespace command_line {

using namespace shardplan;

planner::block_registry const& blocks() {
  static planner::block_registry const registry = [] {
    auto all = planner::block_registry::standard();
    add_mixtures(all);
    add_latent_attention(all);
    add_low_rank_latent_attention(all);
    return all;
  }();
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

void refuse_what_cannot_be_planned(std::string const& name, transformer const& model) {
  auto const missing = planner::missing_for(model, blocks());
  if (!missing.empty())
    throw usage_error{"--model is " + name + " of the family " + model.family + ", which can be counted " +
                      "(`shardplan model`), but not planned yet: the planner has no costs of " + missing};
}

std::string broken_rule_of(job const& work, planner::plan const& choice, planner::rule broken) {
  return planner::broken_rule_text(work.model, work.cluster, work.workload, choice, work.assumed, broken);
}

}  // namespace command_line
