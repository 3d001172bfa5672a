#pragma once
#include <array>
#include <string>
#include <string_view>
#include <vector>

#include <shardplan/planner/fits.hpp>
#include <shardplan/unit/text.hpp>

/// A plan's estimate in the form that people and scripts read.
namespace shardplan::planner {

/// A term of a sum, with what it stands for.
struct report_item {
  const char* name;
  const char* meaning;
  double value;
};

struct plan_report {
  planner::plan plan;
  rule broken = rule::none;
  planner::verdict verdict = planner::verdict::no;
  plan_estimate estimate;
  std::vector<stage_estimate> stages;
  /// Of the worst stage: all memory terms, and the phase in which they peak.
  std::vector<report_item> memory;
  cost::phase peak_phase = cost::phase::forward;
  /// The step time by what it is spent on; adds up to it.
  std::vector<report_item> time;
  double micro_batches = 0;
  double parameters = 0;
  double usable_bytes = 0;
  double tokens_per_second_per_device = 0;
  /// Model FLOP over what the devices could do at their peak; with recomputation counted in `hardware_utilisation`.
  double model_utilisation = 0;
  double hardware_utilisation = 0;
  /// Things that a user should know of this plan.
  std::vector<std::string> notes;

  bool legal() const { return broken == rule::none; }
  bool fits() const { return legal() && verdict != planner::verdict::no; }
  double headroom_bytes() const { return usable_bytes - estimate.worst.peak_bytes(); }
};

namespace detail {

template <class Values, class... Terms>
double live_sum(Values const& values, cost::phase moment, cost::live_terms<Terms...>) {
  return (0.0 + ... + (Terms::lives_in(moment) ? get<typename Terms::tag>(values) : 0.0));
}

template <class Values, class... Terms>
void list_terms(Values const& values, std::vector<report_item>& items, cost::live_terms<Terms...>) {
  (items.push_back({Terms::tag::name, Terms::tag::meaning, get<typename Terms::tag>(values)}), ...);
}

template <class... Tags> struct tags {};
template <class Values, class... Tags>
void list_entries(Values const& values, std::vector<report_item>& items, tags<Tags...>) {
  (items.push_back({Tags::name, Tags::meaning, get<Tags>(values)}), ...);
}

/// Whether a memory term of this name is alive in a phase.
template <class... Terms> bool lives_in(const char* name, cost::phase moment, cost::live_terms<Terms...>) {
  return ((std::string_view(Terms::tag::name) == name && Terms::lives_in(moment)) || ...);
}

}  // namespace detail

/// Whether the report's memory item counts towards the peak.
inline bool at_peak(plan_report const& report, report_item const& item) {
  return detail::lives_in(item.name, report.peak_phase, cost::stage_memory{});
}

/// The largest term at the peak.
inline report_item largest_term(plan_report const& report) {
  report_item largest = report.memory.front();
  for (report_item const& item : report.memory)
    if (at_peak(report, item) && item.value > largest.value)
      largest = item;
  return largest;
}

/// Things that a user should know of a plan though they break no rule.
template <class Model>
std::vector<std::string> notes_on(Model const& model, workload const& job, plan const& choice,
                                  assumptions const& assumed) {
  std::vector<std::string> notes;
  double const padded = padded_vocabulary(model.vocabulary, policy_of(job, assumed), choice.tensor);
  if (padded != model.vocabulary)
    notes.push_back("vocabulary padded from " + unit::number_text(model.vocabulary) + " to " +
                    unit::number_text(padded) + ", a multiple of " +
                    unit::number_text(static_cast<double>(assumed.policy.vocabulary_multiple * choice.tensor)));
  if (choice.zero_stage > 0 && choice.data == 1)
    notes.push_back("ZeRO stage " + std::to_string(choice.zero_stage) +
                    " shards nothing: there is one data-parallel replica");
  if (choice.recompute == recomputation::selective && choice.kernel == attention_kernel::flash)
    notes.push_back("selective recomputation saves no memory with fused attention, which keeps no scores");
  if (micro_batches(choice, job) < choice.pipeline)
    notes.push_back("fewer micro-batches (" + std::to_string(micro_batches(choice, job)) + ") than pipeline stages (" +
                    std::to_string(choice.pipeline) + "): most of the pipeline idles");
  long long const layers = model.layers();
  if (split_of(layers, choice.pipeline) == stage_split::ends_counted)
    notes.push_back(std::to_string(layers) + " layers in " + std::to_string(choice.pipeline) +
                    " stages with embedding and head counted as a layer each: " +
                    std::to_string((layers + 2) / choice.pipeline - 1) + " layers on the first and last stage, " +
                    std::to_string((layers + 2) / choice.pipeline) + " on the others");
  if (model.tied_embeddings && choice.pipeline > 1)
    notes.push_back("tied embeddings: the last stage holds a copy of the embedding");
  return notes;
}

/// What the rate record reads.
inline auto rate_environment(plan_estimate const& estimated, device::cluster const& machine, workload const& job,
                             assumptions const& assumed, double counted) {
  return expr::environment{value<tag::step_time>{estimated.step_time},
                           value<tag::devices>{static_cast<double>(machine.devices())},
                           value<tag::global_batch>{static_cast<double>(job.global_batch)},
                           value<model::tag::sequence_length>{job.sequence_length},
                           value<tag::counted_flop>{counted},
                           value<tag::repeated_flop>{estimated.hardware_flop - estimated.model_flop},
                           value<tag::peak_rate>{rates_of(machine, job, assumed).peak}};
}

/// The full report of a plan. An illegal plan's report has `broken` set and no estimate.
template <class Model, class Blocks>
plan_report make_report(Model const& model, device::cluster const& machine, workload const& job, plan const& choice,
                        assumptions const& assumed, Blocks const& blocks) {
  namespace ct = cost::tag;
  plan_report report;
  report.plan = choice;
  report.parameters = parameters(model, blocks);
  report.usable_bytes = usable_memory(machine, assumed).value;
  report.broken = first_broken_rule(model, machine, job, choice, assumed);
  if (!report.legal())
    return report;

  plan_reader<Model, Blocks> const reader{model, machine, job, choice, assumed, blocks};
  report.estimate = reader.estimate(job);
  for (long long index = 0; index < reader.stages(); ++index)
    report.stages.push_back(reader.stage(index));
  report.verdict = judge(report.estimate.worst.peak_bytes(), machine, assumed);
  report.micro_batches = reader.micro_batch_count();

  detail::list_terms(report.estimate.worst.values, report.memory, cost::stage_memory{});
  double highest = -1;
  for (int moment = 0; moment < cost::phase_count; ++moment) {
    double const sum =
        detail::live_sum(report.estimate.worst.values, static_cast<cost::phase>(moment), cost::stage_memory{});
    if (sum > highest) {
      highest = sum;
      report.peak_phase = static_cast<cost::phase>(moment);
    }
  }

  detail::list_entries(reader.read_step(report.estimate), report.time,
                       detail::tags<tag::compute, tag::recompute, tag::tensor_communication,
                                    tag::pipeline_communication, tag::bubble>{});
  stage_estimate const& ending = report.estimate.ending;
  report.time.push_back({ct::exposed_data_communication::name, ct::exposed_data_communication::meaning,
                         get<ct::exposed_data_communication>(ending.values)});
  detail::list_entries(ending.values, report.time, detail::tags<ct::tied_embedding_time, ct::optimizer_time>{});

  auto const rate = rate_environment(report.estimate, machine, job, assumed,
                                     model_flop(model, report.estimate, job, assumed, blocks));
  auto const rates = expr::evaluate(rate_record(), rate);
  report.model_utilisation = get<tag::model_utilisation>(rates);
  report.hardware_utilisation = get<tag::hardware_utilisation>(rates);
  report.tokens_per_second_per_device = get<tag::tokens_rate>(rates);
  report.notes = notes_on(model, job, choice, assumed);
  return report;
}

}  // namespace shardplan::planner
