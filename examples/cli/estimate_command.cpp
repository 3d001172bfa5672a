#include <fmt/core.h>

#include "commands.hpp"
#include "explain.hpp"
#include "json_output.hpp"
#include "print.hpp"

/// `shardplan estimate`: one plan.
namespace command_line {

using namespace shardplan;

namespace {

planner::plan chosen_plan(job const& work, estimate_options const& options) {
  auto const positive = [](const char* option, long long value) {
    if (value < 1 || value > 1'000'000'000)
      throw usage_error{fmt::format("{} is {}; it must be a whole number from 1 to 1000000000", option, value)};
  };
  positive("--tp", options.tensor);
  positive("--pp", options.pipeline);
  positive("--micro-batch", options.micro_batch);
  long long const devices = work.cluster.devices();
  if (!options.data && (devices % options.tensor != 0 || devices / options.tensor % options.pipeline != 0))
    throw usage_error{fmt::format("--tp * --pp = {} * {} does not divide the {} devices of the cluster", options.tensor,
                                  options.pipeline, devices)};
  long long const data = options.data.value_or(devices / options.tensor / options.pipeline);
  positive("--dp", data);
  int const stage = options.zero_stage.value_or(work.assumed.policy.usual_stage);
  if (stage < 0 || stage > 3)
    throw usage_error{fmt::format("--zero is {}; it must be 0, 1, 2 or 3", stage)};
  return {options.tensor,
          options.pipeline,
          data,
          options.micro_batch,
          options.sequence_parallel,
          stage,
          recomputation_named(options.recompute),
          work.kernel};
}

void print_text(job const& work, planner::plan_report const& report) {
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
  fmt::print("{}{}", note_lines(work, report), assumption_lines(work));
}

}  // namespace

int run_estimate(estimate_options const& options) {
  job const work = understand(options.job);
  refuse_what_cannot_be_planned(work.model_name, work.model);
  auto const report = report_of(work, chosen_plan(work, options));
  if (!report.legal())
    throw usage_error{"illegal plan: " + broken_rule_of(work, report.plan, report.broken) + " (rule " +
                      planner::statement_of(report.broken).name + ")"};
  auto const explained = explained_in(work, report.plan, options.job.explain);
  if (options.job.json) {
    fmt::print("{}\n", estimate_json(work, report, explained));
  } else {
    fmt::print("{}plan     {}; {:.0f} micro-batches\n\n", heading(work), plan_text(report.plan), report.micro_batches);
    if (explained.empty())
      print_text(work, report);
    else
      fmt::print("{}{}", explained_text(explained), assumption_lines(work));
  }
  return report.fits() ? 0 : 1;
}

}  // namespace command_line
