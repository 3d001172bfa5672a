#pragma once
#include <optional>
#include <string>
#include <vector>

#include <shardplan/planner/registry.hpp>
#include <shardplan/planner/report.hpp>
#include <shardplan/planner/space.hpp>
#include <shardplan/search/exhaustive.hpp>

#include "work.hpp"

/// The calls into the library that instantiate many records, in one translation unit.
namespace command_line {

using search_result = shardplan::search::exhaustive_result<shardplan::planner::plan>;

search_result find_plans(job const& work, shardplan::planner::plan_space const& space, std::size_t keep);

/// The faster plan that comes nearest to fitting.
std::optional<shardplan::planner::plan>
nearest_faster_misfit(job const& work, shardplan::planner::plan_space const& space, double step_time);

shardplan::planner::plan_report report_of(job const& work, shardplan::planner::plan const& choice);

/// Refuses a model that can be read and counted, but not planned.
void refuse_what_cannot_be_planned(std::string const& name, transformer const& model);

/// Names the rule that a plan breaks and the numbers that break it.
std::string broken_rule_of(job const& work, shardplan::planner::plan const& choice, shardplan::planner::rule broken);

/// The layer kinds that the command line knows.
shardplan::planner::block_registry const& blocks();

}  // namespace command_line
