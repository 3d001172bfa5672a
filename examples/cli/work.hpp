#pragma once
#include <memory>
#include <string>
#include <vector>

#include <shardplan/model/description.hpp>
#include <shardplan/planner/plan.hpp>

#include "arguments.hpp"

/// The job as understood: files read, names resolved, ranges checked.
namespace command_line {

using transformer = shardplan::model::transformer<std::vector<shardplan::model::block_run>>;

struct model_file {
  std::string name;
  transformer model;
  std::vector<std::string> notes;
};

struct job {
  std::string model_name;
  transformer model;
  shardplan::device::cluster cluster;
  /// What the cluster's names point into.
  std::shared_ptr<void const> cluster_strings;
  shardplan::planner::workload workload;
  shardplan::planner::assumptions assumed;
  shardplan::planner::attention_kernel kernel;
  std::vector<std::string> notes;
};

/// Throw `usage_error`, or `io::input_error` for what a file says.
job understand(job_options const& options);
model_file read_model_file(std::string const& path);
shardplan::planner::recomputation recomputation_named(std::string const& name);

}  // namespace command_line
