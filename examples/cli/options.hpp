#pragma once
#include <string>
#include <vector>

#include <shardplan/io.hpp>
#include <shardplan/planner.hpp>

namespace CLI {
class App;
}

/// What the commands share: the model, the machine, the job and what is assumed.
namespace command_line {

/// An input that cannot be used: printed on one line, exit status 2.
struct usage_error {
  std::string message;
};

/// As typed.
struct job_options {
  std::string model;
  std::string cluster;
  long long global_batch = 0;
  long long sequence_length = 0;
  std::string precision = "bf16";
  std::string policy = "megatron";
  std::string kernel = "flash";
  std::string flop_convention = "matrix-products";
  double reserve_gib = 5;
  double matmul_efficiency = 0;
  double attention_efficiency = 0;
  double launch_us = 57;
  double weight_bytes = 0;
  double gradient_bytes = 0;
  double optimizer_bytes = 0;
  double logit_bytes = 0;
  bool no_overlap = false;
  bool tensor_across_nodes = false;
  bool json = false;
  std::vector<std::string> explain;
};

/// Adds the options to a command.
void add_job_options(CLI::App& command, job_options& options);

/// As understood.
struct job {
  shardplan::io::named_model model;
  shardplan::io::named_cluster cluster;
  shardplan::planner::workload workload;
  shardplan::planner::assumptions assumed;
  shardplan::planner::attention_kernel kernel;
  shardplan::planner::block_registry blocks;
};

/// Reads the files and names; throws `io::input_error` or `usage_error`.
job understand(job_options const& options);

shardplan::planner::recomputation recomputation_named(std::string const& name);

}  // namespace command_line
