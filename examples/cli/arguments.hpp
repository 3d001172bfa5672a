#pragma once
#include <optional>
#include <string>
#include <vector>

#include <shardplan/planner/plan.hpp>

/// The command line as typed. Only arguments.cpp knows the library that parses it.
namespace command_line {

/// An input that cannot be used: printed on one line, exit status 2.
struct usage_error {
  std::string message;
};

/// What `plan` and `estimate` share: the model, the machine, the job and what is assumed. What is not given is
/// left to the policy or the catalogue.
struct job_options {
  std::string model;
  std::string cluster;
  long long global_batch = 0;
  long long sequence_length = 0;
  std::string precision = "bf16";
  std::string policy = "megatron";
  std::string kernel = "flash";
  std::string flop_convention = "matrix-products";
  double reserve_gib = shardplan::unit::in_gib(shardplan::planner::assumptions{}.reserve);
  std::optional<double> matmul_efficiency;
  std::optional<double> attention_efficiency;
  double launch_us = shardplan::planner::assumptions{}.operation_launch_time.value * 1e6;
  std::optional<double> weight_bytes;
  std::optional<double> gradient_bytes;
  std::optional<double> optimizer_bytes;
  std::optional<double> logit_bytes;
  bool no_overlap = false;
  bool tensor_across_nodes = false;
  bool json = false;
  std::vector<std::string> explain;
};

/// Empty lists leave a dimension free.
struct plan_options {
  job_options job;
  long long top = 5;
  std::vector<long long> tensor, pipeline, data, micro_batch;
  std::vector<int> zero_stage;
  std::vector<std::string> recompute;
  std::string sequence_parallel;
  /// Files for pictures of the best plan's step.
  std::string trace;
  std::string gantt;
};

struct estimate_options {
  job_options job;
  long long tensor = 1, pipeline = 1, micro_batch = 1;
  /// Not given: what tensor and pipeline leave of the devices.
  std::optional<long long> data;
  /// Not given: the usual stage of the policy.
  std::optional<int> zero_stage;
  bool sequence_parallel = false;
  std::string recompute = "none";
};

/// A list of one value stands for all stages; an empty one for the default.
struct schedule_options {
  std::string name;
  std::vector<double> forward, backward, weight_gradient, send;
  std::optional<long long> stages;
  long long micro_batches = 0;
  long long virtual_stages = 2;
  long long forwards = 3;
  bool compare = false;
  bool json = false;
  std::string trace;
  std::string gantt;
};

struct model_options {
  std::string model;
  /// Not given: 4096, or what the model fixes.
  std::optional<long long> sequence_length;
  bool json = false;
};

struct fidelity_options {
  /// A file or a folder.
  std::string rows;
  bool json = false;
};

/// The command that was named, and the options of all.
struct arguments {
  enum class command_kind { plan, estimate, model, devices, schedule, fidelity, none };
  command_kind command = command_kind::none;
  /// For `none`: help or version was printed (0), or the line was wrong (2).
  int exit_status = 0;
  plan_options plan;
  estimate_options estimate;
  model_options model;
  schedule_options schedule;
  fidelity_options fidelity;
};

arguments parse(int count, char** words);

}  // namespace command_line
