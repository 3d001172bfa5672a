#pragma once
#include <string>

#include <shardplan/planner/report.hpp>

#include "work.hpp"

/// Reports for people.
namespace command_line {

/// "t=2 p=4 d=8 b=1 sp zero=1 recompute=full": a plan in a line.
std::string plan_text(shardplan::planner::plan const& choice);

/// The model, the machine and the job.
std::string heading(job const& work);

/// Where the memory of the worst device goes.
std::string memory_table(shardplan::planner::plan_report const& report);

/// The stages, where there is more than one.
std::string stage_table(shardplan::planner::plan_report const& report);

/// Where the time of a step goes.
std::string time_table(shardplan::planner::plan_report const& report);

/// What was assumed, and what could be set.
std::string assumption_lines(job const& work);

std::string note_lines(job const& work, shardplan::planner::plan_report const& report);

std::string gib(double bytes);

}  // namespace command_line
