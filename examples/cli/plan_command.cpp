#include <CLI/CLI.hpp>
#include <fmt/core.h>

#include <shardplan/io/report_json.hpp>
#include <shardplan/planner/search_plans.hpp>

#include "commands.hpp"
#include "explain.hpp"
#include "print.hpp"
#include "table.hpp"

/// `shardplan plan`: the best plans for a model, a cluster and a batch.
namespace command_line {

using namespace shardplan;

namespace {

class plan_command : public command {
 public:
  explicit plan_command(CLI::App& application) {
    auto& self = *application.add_subcommand("plan", "The fastest plans that fit, and why others lose");
    add_job_options(self, job_);
    self.add_option("--top", top_, "how many plans to list")->capture_default_str();
    self.add_option("--tp", space_.tensor, "restrict the tensor-parallel degree to these values")->delimiter(',');
    self.add_option("--pp", space_.pipeline, "restrict the pipeline stages")->delimiter(',');
    self.add_option("--dp", space_.data, "restrict the data-parallel degree")->delimiter(',');
    self.add_option("--micro-batch", space_.micro_batch, "restrict the micro-batch")->delimiter(',');
    self.add_option("--zero", space_.zero_stage, "restrict the ZeRO stage")->delimiter(',');
    self.add_option("--recompute", recompute_, "restrict recomputation: none, selective, operators, full")
        ->delimiter(',');
    self.add_option("--sp", sequence_parallel_, "restrict sequence parallelism: on or off");
  }

  int run() override {
    job const work = understand(job_);
    if (top_ < 1 || top_ > 10000)
      throw usage_error{fmt::format("--top is {}; it must be from 1 to 10000", top_)};
    planner::plan_space const space = chosen_space(work);
    auto const found = planner::search_plans(work.model.model, work.cluster.cluster, work.workload, work.assumed, space,
                                             static_cast<std::size_t>(top_), work.blocks);
    std::vector<planner::plan_report> reports;
    for (auto const& best : found.best)
      reports.push_back(report_of(work, best.candidate));
    if (job_.json)
      print_json(work, found, reports);
    else
      print_text(work, found, reports);
    return reports.empty() ? 1 : 0;
  }

 private:
  using result = search::exhaustive_result<planner::plan>;

  planner::plan_space chosen_space(job const& work) const {
    planner::plan_space space = space_;
    auto const positive = [](const char* option, std::vector<long long> const& values) {
      for (long long const value : values)
        if (value < 1)
          throw usage_error{fmt::format("{} is {}; it must be a whole number of at least 1", option, value)};
    };
    positive("--tp", space.tensor);
    positive("--pp", space.pipeline);
    positive("--dp", space.data);
    positive("--micro-batch", space.micro_batch);
    for (auto const& name : recompute_)
      space.recompute.push_back(recomputation_named(name));
    if (sequence_parallel_ == "on" || sequence_parallel_ == "off")
      space.sequence_parallel = {sequence_parallel_ == "on"};
    else if (!sequence_parallel_.empty())
      throw usage_error{fmt::format("--sp is \"{}\"; it must be on or off", sequence_parallel_)};
    space.kernel = work.kernel;
    return space;
  }

  static planner::plan_report report_of(job const& work, planner::plan const& choice) {
    return planner::make_report(work.model.model, work.cluster.cluster, work.workload, choice, work.assumed,
                                work.blocks);
  }

  void print_json(job const& work, result const& found, std::vector<planner::plan_report> const& reports) const {
    io::json output{{"schema_version", io::output_schema_version},
                    {"command", "plan"},
                    {"model", work.model.name},
                    {"cluster", io::to_json(work.cluster.cluster)},
                    {"job", io::to_json(work.workload)},
                    {"parameters", static_cast<long long>(planner::parameters(work.model.model, work.blocks))},
                    {"fits", !reports.empty()},
                    {"status", search::name_of(found.certificate.status)},
                    {"candidates", found.certificate.candidates},
                    {"evaluated", found.certificate.evaluated}};
    output["plans"] = io::json::array();
    for (auto const& report : reports)
      output["plans"].push_back(io::to_json(report));
    output["rejected"] = io::rejected_json(found, work.model.model, work.cluster.cluster, work.workload, work.assumed);
    output["assumptions"] = io::to_json(work.assumed, work.cluster.cluster, work.workload);
    output["notes"] = work.model.notes;
    if (!job_.explain.empty() && !reports.empty()) {
      output["explained"] = io::json::array();
      auto const terms = explain_plan(work, reports.front().plan);
      for (auto const& name : job_.explain)
        for (auto const& term : terms_named(terms, name))
          output["explained"].push_back(io::to_json(term));
    }
    fmt::print("{}\n", output.dump(2));
  }

  static std::string ranked_table(std::vector<planner::plan_report> const& reports) {
    table rows({"#", "tp", "pp", "dp", "micro-batch", "m", "sp", "zero", "recompute", "step s", "tokens/s/GPU", "MFU %",
                "peak GiB", "headroom GiB", "verdict"});
    rows.left(8);
    rows.left(14);
    for (std::size_t index = 0; index < reports.size(); ++index) {
      auto const& report = reports[index];
      auto const& plan = report.plan;
      rows.add(
          {std::to_string(index + 1), std::to_string(plan.tensor), std::to_string(plan.pipeline),
           std::to_string(plan.data), std::to_string(plan.micro_batch), fmt::format("{:.0f}", report.micro_batches),
           plan.sequence_parallel ? "on" : "off", std::to_string(plan.zero_stage), planner::name_of(plan.recompute),
           fmt::format("{:.3f}", report.estimate.step_time), fmt::format("{:.0f}", report.tokens_per_second_per_device),
           fmt::format("{:.1f}", 100 * report.model_utilisation), gib(report.estimate.worst.peak_bytes()),
           gib(report.headroom_bytes()), planner::name_of(report.verdict)});
    }
    return rows.text();
  }

  static void print_refused(job const& work, result const& found) {
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
                  planner::broken_rule_text(work.model.model, work.cluster.cluster, work.workload, refused.nearest,
                                            work.assumed, broken)});
      }
    }
    fmt::print("Plans that lost before time was looked at\n{}\n", rows.text());
  }

  /// What keeps the best plan from being beaten: a faster one that does not fit, and the runner-up.
  static void print_rivals(job const& work, result const& found, std::vector<planner::plan_report> const& reports) {
    auto const& best = reports.front();
    auto const& refused = found.refused[planner::memory_reason];
    if (refused.count > 0 && refused.cost < best.estimate.step_time) {
      auto const rival = report_of(work, refused.cheapest);
      auto const largest = planner::largest_term(rival);
      fmt::print(
          "With more memory {} would be faster; it needs {} GiB, {} GiB more than usable. Its largest term is {} "
          "({} GiB).\n",
          plan_text(rival.plan), gib(rival.estimate.worst.peak_bytes()), gib(-rival.headroom_bytes()), largest.name,
          gib(largest.value));
    }
    if (reports.size() > 1) {
      auto const& second = reports[1];
      std::size_t grows = 0;
      for (std::size_t index = 1; index < best.time.size(); ++index)
        if (second.time[index].value - best.time[index].value > second.time[grows].value - best.time[grows].value)
          grows = index;
      fmt::print("The next plan, {}, is {:.1f} % slower, mostly by {} ({:.3f} s against {:.3f} s).\n",
                 plan_text(second.plan), 100 * (second.estimate.step_time / best.estimate.step_time - 1),
                 best.time[grows].name, second.time[grows].value, best.time[grows].value);
    }
    fmt::print("\n");
  }

  void print_text(job const& work, result const& found, std::vector<planner::plan_report> const& reports) const {
    fmt::print("{}search   {} plans, all evaluated: {}\n\n", heading(work), found.certificate.candidates,
               search::name_of(found.certificate.status));
    if (reports.empty()) {
      print_nothing(work, found);
      return;
    }
    fmt::print("{}\n", ranked_table(reports));
    auto const& best = reports.front();
    if (!job_.explain.empty()) {
      auto const terms = explain_plan(work, best.plan);
      for (auto const& name : job_.explain)
        for (auto const& term : terms_named(terms, name))
          fmt::print("{}\n", explained_text(term));
      return;
    }
    fmt::print("The best plan: {}\n\n{}\n", plan_text(best.plan), memory_table(best));
    if (auto const stages = stage_table(best); !stages.empty())
      fmt::print("{}\n", stages);
    fmt::print("{}\n", time_table(best));
    print_rivals(work, found, reports);
    print_refused(work, found);
    for (auto const& note : work.model.notes)
      fmt::print("note: {}\n", note);
    fmt::print("{}{}", note_lines(best), assumption_lines(work));
  }

  static void print_nothing(job const& work, result const& found) {
    auto const& refused = found.refused[planner::memory_reason];
    if (refused.count > 0) {
      auto const nearest = report_of(work, refused.nearest);
      auto const largest = planner::largest_term(nearest);
      fmt::print(
          "Nothing fits. The least memory is that of {}: {} GiB, {} GiB more than usable. Its largest term is {} "
          "({} GiB).\n\n{}\n",
          plan_text(nearest.plan), gib(nearest.estimate.worst.peak_bytes()), gib(-nearest.headroom_bytes()),
          largest.name, gib(largest.value), memory_table(nearest));
    } else {
      fmt::print("No plan of the space is legal.\n\n");
    }
    print_refused(work, found);
    fmt::print("{}", assumption_lines(work));
  }

  job_options job_;
  planner::plan_space space_;
  std::vector<std::string> recompute_;
  std::string sequence_parallel_;
  long long top_ = 5;
};

}  // namespace

std::unique_ptr<command> add_plan_command(CLI::App& application) { return std::make_unique<plan_command>(application); }

}  // namespace command_line
