#include <CLI/CLI.hpp>
#include <fmt/core.h>

#include <shardplan/io/report_json.hpp>
#include <shardplan/planner/legality_text.hpp>

#include "commands.hpp"
#include "explain.hpp"
#include "print.hpp"

/// `shardplan estimate`: one plan.
namespace command_line {

using namespace shardplan;

namespace {

class estimate_command : public command {
 public:
  explicit estimate_command(CLI::App& application) {
    auto& self = *application.add_subcommand("estimate", "Memory and step time of one plan");
    add_job_options(self, job_);
    self.add_option("--tp", tensor_, "tensor-parallel degree (Megatron --tensor-model-parallel-size)")
        ->capture_default_str();
    self.add_option("--pp", pipeline_, "pipeline stages (Megatron --pipeline-model-parallel-size)")
        ->capture_default_str();
    self.add_option("--dp", data_, "data-parallel degree (default: devices / (tp * pp))");
    self.add_option("--micro-batch", micro_batch_, "sequences in a micro-batch (Megatron --micro-batch-size)")
        ->capture_default_str();
    self.add_option("--zero", zero_, "ZeRO stage 0 to 3 (default: the lowest sharding stage of the policy)");
    self.add_flag("--sp", sequence_parallel_, "Megatron sequence parallelism (--sequence-parallel)");
    self.add_option("--recompute", recompute_, "none, selective, operators or full")->capture_default_str();
  }

  int run() override {
    job const work = understand(job_);
    auto const& machine = work.cluster.cluster;
    planner::plan const choice = chosen(work);
    auto const report =
        planner::make_report(work.model.model, machine, work.workload, choice, work.assumed, work.blocks);
    if (!report.legal())
      throw usage_error{
          "illegal plan: " +
          planner::broken_rule_text(work.model.model, machine, work.workload, choice, work.assumed, report.broken) +
          " (rule " + planner::statement_of(report.broken).name + ")"};
    if (job_.json)
      print_json(work, report);
    else
      print_text(work, report);
    return report.fits() ? 0 : 1;
  }

 private:
  planner::plan chosen(job const& work) const {
    auto const positive = [](const char* option, long long value) {
      if (value < 1 || value > 1'000'000'000)
        throw usage_error{fmt::format("{} is {}; it must be a whole number from 1 to 1000000000", option, value)};
    };
    positive("--tp", tensor_);
    positive("--pp", pipeline_);
    positive("--micro-batch", micro_batch_);
    long long const devices = work.cluster.cluster.devices();
    long long data = data_;
    if (data == 0) {
      if (tensor_ > devices || pipeline_ > devices || devices % (tensor_ * pipeline_) != 0)
        throw usage_error{fmt::format("--tp * --pp = {} * {} does not divide the {} devices of the cluster", tensor_,
                                      pipeline_, devices)};
      data = devices / (tensor_ * pipeline_);
    }
    positive("--dp", data);
    auto const& policy = work.assumed.policy;
    int const stage = zero_ >= 0 ? zero_ : std::max(policy.lowest_stage, std::min(1, policy.highest_stage));
    return {tensor_,    pipeline_, data, micro_batch_, sequence_parallel_, stage, recomputation_named(recompute_),
            work.kernel};
  }

  void print_json(job const& work, planner::plan_report const& report) const {
    io::json result{{"schema_version", io::output_schema_version},
                    {"command", "estimate"},
                    {"model", work.model.name},
                    {"cluster", io::to_json(work.cluster.cluster)},
                    {"job", io::to_json(work.workload)}};
    result.update(io::to_json(report));
    result["assumptions"] = io::to_json(work.assumed, work.cluster.cluster, work.workload);
    if (!job_.explain.empty()) {
      auto const terms = explain_plan(work, report.plan);
      result["explained"] = io::json::array();
      for (auto const& name : job_.explain) {
        if (name == "list") {
          for (auto const& term : terms)
            result["explained"].push_back(io::to_json(term));
        } else {
          for (auto const& term : terms_named(terms, name))
            result["explained"].push_back(io::to_json(term));
        }
      }
    }
    fmt::print("{}\n", result.dump(2));
  }

  void print_text(job const& work, planner::plan_report const& report) const {
    fmt::print("{}plan     {}; {:.0f} micro-batches\n\n", heading(work), plan_text(report.plan), report.micro_batches);
    if (!job_.explain.empty()) {
      auto const terms = explain_plan(work, report.plan);
      for (auto const& name : job_.explain) {
        if (name == "list") {
          for (auto const& term : terms)
            fmt::print("{:<28} {:<10} {}\n", term.name, term.record, term.meaning);
        } else {
          for (auto const& term : terms_named(terms, name))
            fmt::print("{}\n", explained_text(term));
        }
      }
      return;
    }
    fmt::print("{}\n", memory_table(report));
    if (auto const stages = stage_table(report); !stages.empty())
      fmt::print("{}\n", stages);
    if (report.fits()) {
      fmt::print("{}\n", time_table(report));
    } else {
      auto const largest = planner::largest_term(report);
      fmt::print("The plan does not fit: {} GiB are missing. The largest term is {} ({} GiB).\n\n",
                 gib(-report.headroom_bytes()), largest.name, gib(largest.value));
    }
    for (auto const& note : work.model.notes)
      fmt::print("note: {}\n", note);
    fmt::print("{}{}", note_lines(report), assumption_lines(work));
  }

  job_options job_;
  long long tensor_ = 1, pipeline_ = 1, data_ = 0, micro_batch_ = 1;
  int zero_ = -1;
  bool sequence_parallel_ = false;
  std::string recompute_ = "none";
};

}  // namespace

std::unique_ptr<command> add_estimate_command(CLI::App& application) {
  return std::make_unique<estimate_command>(application);
}

}  // namespace command_line
