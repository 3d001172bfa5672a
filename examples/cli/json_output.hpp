#pragma once
#include <string>
#include <vector>

#include <shardplan/planner/explain.hpp>

#include "engine.hpp"
#include "layers.hpp"

/// The outputs of `--json`; docs/reference/output.schema.json describes them.
namespace command_line {

using explained_terms = std::vector<shardplan::planner::explained_term>;

std::string plan_json(job const& work, shardplan::planner::plan_space const& space, search_result const& found,
                      std::vector<shardplan::planner::plan_report> const& reports, explained_terms const& explained);

std::string estimate_json(job const& work, shardplan::planner::plan_report const& report,
                          explained_terms const& explained);

/// Of a whole model; FLOP of the forward and backward pass.
struct model_totals {
  double parameters = 0;
  double active_parameters = 0;
  double flop_per_token = 0;
  long long sequence_length = 0;
};
std::string model_json(model_file const& file, std::vector<layer_row> const& rows, model_totals const& totals);

}  // namespace command_line
