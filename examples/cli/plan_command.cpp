#include <fmt/core.h>

#include <shardplan/planner/pipeline.hpp>

#include "commands.hpp"
#include "explain.hpp"
#include "json_output.hpp"
#include "pictures.hpp"
#include "print.hpp"
#include "table.hpp"

/// `shardplan plan`: the best plans for a model, a cluster and a batch.
namespace command_line {

using namespace shardplan;

namespace {

planner::plan_space chosen_space(job const& work, plan_options const& options) {
  auto const positive = [](const char* option, std::vector<long long> const& values) {
    for (long long const value : values)
      if (value < 1)
        throw usage_error{fmt::format("{} is {}; it must be a whole number of at least 1", option, value)};
  };
  auto const degree = [&](const char* option, std::vector<long long> const& values) {
    positive(option, values);
    for (long long const value : values)
      if (work.cluster.devices() % value != 0)
        throw usage_error{fmt::format("{} is {}; it must divide the {} devices of the cluster", option, value,
                                      work.cluster.devices())};
  };
  degree("--tp", options.tensor);
  degree("--pp", options.pipeline);
  degree("--dp", options.data);
  positive("--micro-batch", options.micro_batch);
  for (long long const value : options.micro_batch)
    if (value > work.workload.global_batch)
      throw usage_error{fmt::format("--micro-batch is {}; it must not be above the global batch, {}", value,
                                    work.workload.global_batch)};
  for (int const stage : options.zero_stage)
    if (stage < 0 || stage > 3)
      throw usage_error{fmt::format("--zero is {}; it must be 0, 1, 2 or 3", stage)};
  planner::plan_space space;
  space.tensor = options.tensor;
  space.pipeline = options.pipeline;
  space.data = options.data;
  space.micro_batch = options.micro_batch;
  space.zero_stage = options.zero_stage;
  space.kernel = work.kernel;
  for (auto const& name : options.recompute)
    space.recompute.push_back(recomputation_named(name));
  if (options.sequence_parallel == "on" || options.sequence_parallel == "off")
    space.sequence_parallel = {options.sequence_parallel == "on"};
  else if (!options.sequence_parallel.empty())
    throw usage_error{fmt::format("--sp is \"{}\"; it must be on or off", options.sequence_parallel)};
  return space;
}

std::string ranked_table(std::vector<planner::plan_report> const& reports) {
  table rows({"#", "tp", "pp", "dp", "micro-batch", "m", "sp", "zero", "recompute", "step s", "tokens/s/GPU", "MFU %",
              "peak GiB", "headroom GiB", "verdict"});
  rows.left(8);
  rows.left(14);
  for (std::size_t index = 0; index < reports.size(); ++index) {
    auto const& report = reports[index];
    auto const& plan = report.plan;
    rows.add({std::to_string(index + 1), std::to_string(plan.tensor), std::to_string(plan.pipeline),
              std::to_string(plan.data), std::to_string(plan.micro_batch), fmt::format("{:.0f}", report.micro_batches),
              plan.sequence_parallel ? "on" : "off", std::to_string(plan.zero_stage), planner::name_of(plan.recompute),
              fmt::format("{:.3f}", report.estimate.step_time),
              fmt::format("{:.0f}", report.tokens_per_second_per_device),
              fmt::format("{:.1f}", 100 * report.model_utilisation), gib(report.estimate.worst.peak_bytes()),
              gib(report.headroom_bytes()), planner::name_of(report.verdict)});
  }
  return rows.text();
}

void print_refused(job const& work, search_result const& found) {
  table rows({"why not", "plans", "for instance"});
  rows.left(2);
  for (std::size_t reason = 0; reason < found.refused.size(); ++reason) {
    auto const& refused = found.refused[reason];
    if (refused.count == 0)
      continue;
    if (reason == planner::memory_reason) {
      rows.add({"memory", std::to_string(refused.count),
                fmt::format("nearest: {} misses {} GiB", plan_text(refused.nearest), gib(refused.excess))});
    } else {
      auto const broken = static_cast<planner::rule>(reason);
      rows.add({planner::statement_of(broken).name, std::to_string(refused.count),
                broken_rule_of(work, refused.nearest, broken)});
    }
  }
  fmt::print("Plans that lost before time was looked at\n{}\n", rows.text());
}

/// What keeps the best plan from being beaten: a faster one that does not fit, and the runner-up.
void print_rivals(job const& work, planner::plan_space const& space, std::vector<planner::plan_report> const& reports) {
  auto const& best = reports.front();
  if (auto const faster = nearest_faster_misfit(work, space, best.estimate.step_time)) {
    auto const rival = report_of(work, *faster);
    auto const largest = planner::largest_term(rival);
    fmt::print(
        "Faster, did it fit: {}.\n  It needs {} GiB, {} GiB more than usable; its largest term is {} ({} GiB).\n",
        plan_text(rival.plan), gib(rival.estimate.worst.peak_bytes()), gib(-rival.headroom_bytes()), largest.name,
        gib(largest.value));
  } else {
    fmt::print("No plan of the space would be faster if it had more memory.\n");
  }
  if (reports.size() > 1) {
    auto const& second = reports[1];
    std::size_t grows = 0;
    for (std::size_t index = 1; index < best.time.size(); ++index)
      if (second.time[index].value - best.time[index].value > second.time[grows].value - best.time[grows].value)
        grows = index;
    double const slower = second.estimate.step_time / best.estimate.step_time - 1;
    if (slower < 0.0005)
      fmt::print("The next plan, {}, is as fast.\n", plan_text(second.plan));
    else
      fmt::print("The next plan, {}, is {:.1f} % slower, mostly by {} ({:.3f} s against {:.3f} s).\n",
                 plan_text(second.plan), 100 * slower, best.time[grows].name, second.time[grows].value,
                 best.time[grows].value);
  }
  fmt::print("\n");
}

void print_nothing(job const& work, search_result const& found) {
  auto const& refused = found.refused[planner::memory_reason];
  if (refused.count > 0) {
    auto const nearest = report_of(work, refused.nearest);
    auto const largest = planner::largest_term(nearest);
    fmt::print("Nothing fits. The least memory is that of {}: {} GiB, {} GiB more than usable. Its largest term is {} "
               "({} GiB).\n\n{}\n",
               plan_text(nearest.plan), gib(nearest.estimate.worst.peak_bytes()), gib(-nearest.headroom_bytes()),
               largest.name, gib(largest.value), memory_table(nearest));
  } else {
    fmt::print("No plan of the space is legal.\n\n");
  }
  print_refused(work, found);
  fmt::print("{}", assumption_lines(work));
}

void print_text(job const& work, planner::plan_space const& space, search_result const& found,
                std::vector<planner::plan_report> const& reports) {
  auto const& best = reports.front();
  fmt::print("The best plan: {}\n\n{}\n", plan_text(best.plan), memory_table(best));
  if (auto const stages = stage_table(best); !stages.empty())
    fmt::print("{}\n", stages);
  fmt::print("{}\n", time_table(best));
  print_rivals(work, space, reports);
  print_refused(work, found);
  fmt::print("{}{}", note_lines(work, best), assumption_lines(work));
}

}  // namespace

namespace {

/// The step of the best plan, task by task, where pictures are wanted. Returns a line that says what came out.
std::string draw(job const& work, plan_options const& options, planner::plan_report const& best) {
  if (options.trace.empty() && options.gantt.empty())
    return "";
  double const tasks = 2 * best.micro_batches * static_cast<double>(best.stages.size());
  if (tasks > 2e6)
    throw usage_error{
        fmt::format("--trace and --gantt draw up to 2 million passes; the best plan's step has {:.0f}", tasks)};
  schedule::compiled_order const order{planner::pipeline_order(best.stages.size(), best.micro_batches)};
  auto const step = schedule::simulate(order, planner::pipeline_load_of(best.stages));
  write_pictures({options.trace, options.gantt}, step,
                 fmt::format("{}: {} (1F1B)", work.model_name, plan_text(best.plan)), true);
  return fmt::format("Simulated pass by pass the step takes {:.3f} s ({:.3f} s by its bound).\n\n", step.makespan,
                     best.estimate.step_time);
}

}  // namespace

int run_plan(plan_options const& options) {
  job const work = understand(options.job);
  refuse_what_cannot_be_planned(work.model_name, work.model);
  if (options.top < 1 || options.top > 10000)
    throw usage_error{fmt::format("--top is {}; it must be from 1 to 10000", options.top)};
  planner::plan_space const space = chosen_space(work, options);
  auto const found = find_plans(work, space, static_cast<std::size_t>(options.top));
  if (found.certificate.candidates == 0)
    throw usage_error{
        fmt::format("--tp, --pp and --dp leave no way to write the {} devices of the cluster as tp * pp * dp",
                    work.cluster.devices())};
  std::vector<planner::plan_report> reports;
  for (auto const& best : found.best)
    reports.push_back(report_of(work, best.candidate));
  std::string const drawn = reports.empty() ? "" : draw(work, options, reports.front());
  explained_terms explained;
  // Where nothing fits, the plan that comes nearest is explained.
  auto const& by_memory = found.refused[planner::memory_reason];
  if (!reports.empty() || by_memory.count > 0)
    explained = explained_in(work, reports.empty() ? by_memory.nearest : reports.front().plan, options.job.explain);
  if (options.job.json) {
    fmt::print("{}\n", plan_json(work, space, found, reports, explained));
    return reports.empty() ? 1 : 0;
  }
  fmt::print("{}search   {} plans, all evaluated: {}\n\n", heading(work), found.certificate.candidates,
             search::name_of(found.certificate.status));
  if (reports.empty()) {
    print_nothing(work, found);
    fmt::print("{}", explained_text(explained));
    return 1;
  }
  fmt::print("{}\n{}", ranked_table(reports), drawn);
  if (explained.empty())
    print_text(work, space, found, reports);
  else
    fmt::print("Of plan 1: {}\n\n{}{}", plan_text(reports.front().plan), explained_text(explained),
               assumption_lines(work));
  return 0;
}

}  // namespace command_line
