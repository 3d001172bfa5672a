#pragma once
#include <string>

#include <nlohmann/json.hpp>

#include <shardplan/planner/explain.hpp>
#include <shardplan/planner/legality_text.hpp>
#include <shardplan/planner/report.hpp>
#include <shardplan/planner/search_plans.hpp>

/// Results as JSON. docs/reference/output.schema.json describes it; keys keep their order. Sizes are bytes, times
/// seconds.
namespace shardplan::io {

using json = nlohmann::ordered_json;

/// Changes when a key changes its meaning or goes away.
inline constexpr int output_schema_version = 1;

inline json to_json(planner::plan const& choice) {
  return {{"tensor", choice.tensor},
          {"pipeline", choice.pipeline},
          {"data", choice.data},
          {"micro_batch", choice.micro_batch},
          {"sequence_parallel", choice.sequence_parallel},
          {"zero_stage", choice.zero_stage},
          {"recompute", planner::name_of(choice.recompute)},
          {"attention_kernel", planner::name_of(choice.kernel)}};
}

inline json to_json(planner::workload const& job) {
  return {{"sequence_length", static_cast<long long>(job.sequence_length)},
          {"global_batch", job.global_batch},
          {"precision", device::name_of(job.precision)}};
}

inline json to_json(device::link_level const& level) {
  return {{"kind", level.name}, {"bandwidth_bytes_per_s", level.bandwidth.value}, {"latency_s", level.latency.value}};
}

inline json to_json(device::cluster const& machine) {
  return {{"device", machine.device.name},
          {"nodes", machine.nodes},
          {"devices_per_node", machine.devices_per_node},
          {"devices", machine.devices()},
          {"device_memory_bytes", machine.device.memory.capacity.value.value},
          {"node_level", to_json(machine.node_level)},
          {"network_level", to_json(machine.network_level)}};
}

/// Everything that was assumed, with the catalogue's sources.
inline json to_json(planner::assumptions const& assumed, device::cluster const& machine, planner::workload const& job) {
  auto const policy = planner::policy_of(job, assumed);
  auto const rate = planner::rates_of(machine, job, assumed);
  auto const state = [](cost::state_policy const& item) {
    return json{{"bytes", item.bytes}, {"sharded_from_zero_stage", item.sharded_from_stage}};
  };
  auto const& figures = machine.device;
  return {{"byte_policy",
           {{"name", policy.name},
            {"meaning", policy.meaning},
            {"weights", state(policy.weights)},
            {"gradients", state(policy.gradients)},
            {"optimizer", state(policy.optimizer)},
            {"activation_bytes", policy.activation},
            {"logit_bytes", policy.logit}}},
          {"reserve_bytes", assumed.reserve.value},
          {"tight_above", assumed.tight_above},
          {"peak_flop_per_s", rate.peak},
          {"matmul_flop_per_s", rate.matrix},
          {"attention_flop_per_s", rate.attention},
          {"memory_bytes_per_s", rate.memory},
          {"matmul_efficiency_source",
           assumed.matmul_efficiency > 0 ? "set by the user" : figures.matrix.matmul_efficiency.source},
          {"attention_efficiency_source",
           assumed.attention_efficiency > 0 ? "set by the user" : figures.matrix.attention_efficiency.source},
          {"device_memory_source", figures.memory.capacity.source},
          {"operation_launch_time_s", assumed.operation_launch_time.value},
          {"overlap_data_parallel", assumed.overlap_data_parallel},
          {"tensor_across_nodes", assumed.tensor_across_nodes},
          {"flop_convention", planner::name_of(assumed.flops)},
          {"schedule", schedule::one_forward_one_backward::name}};
}

namespace detail {

inline json breakdown(std::vector<planner::report_item> const& items) {
  json result = json::object();
  for (auto const& item : items)
    result[item.name] = item.value;
  return result;
}

inline json stage_json(planner::stage_estimate const& stage, bool with_times) {
  namespace tag = cost::tag;
  std::vector<planner::report_item> items;
  planner::detail::list_terms(stage.values, items, cost::stage_memory{});
  json result{{"stage", stage.index},
              {"first_layer", stage.first_layer},
              {"layers", stage.layers},
              {"parameters_per_device", planner::get<tag::stage_parameters>(stage.values)},
              {"micro_batches_in_flight", planner::get<tag::micro_batches_in_flight>(stage.values)},
              {"static_bytes", stage.static_bytes()},
              {"peak_bytes", stage.peak_bytes()},
              {"breakdown", breakdown(items)}};
  if (with_times) {
    result["forward_s"] = stage.forward();
    result["backward_s"] = stage.backward();
    result["exposed_data_communication_s"] = planner::get<cost::tag::exposed_data_communication>(stage.values);
    result["optimizer_s"] = planner::get<tag::optimizer_time>(stage.values);
  }
  return result;
}

}  // namespace detail

/// The report of a legal plan. Times are null where the plan does not fit: there is no speed of a plan that does not
/// run.
inline json to_json(planner::plan_report const& report) {
  bool const fits = report.fits();
  auto const if_fits = [&](double value) { return fits ? json(value) : json(nullptr); };
  json result{{"plan", to_json(report.plan)},
              {"fits", fits},
              {"verdict", planner::name_of(report.verdict)},
              {"parameters", static_cast<long long>(report.parameters)},
              {"micro_batches", static_cast<long long>(report.micro_batches)},
              {"step_time_s", if_fits(report.estimate.step_time)},
              {"tokens_per_s_per_gpu", if_fits(report.tokens_per_second_per_device)},
              {"mfu", if_fits(report.model_utilisation)},
              {"hfu", if_fits(report.hardware_utilisation)},
              {"memory",
               {{"static_bytes", report.estimate.worst.static_bytes()},
                {"peak_bytes", report.estimate.worst.peak_bytes()},
                {"usable_bytes", report.usable_bytes},
                {"headroom_bytes", report.headroom_bytes()},
                {"worst_stage", report.estimate.worst.index},
                {"peak_phase", cost::name_of(report.peak_phase)},
                {"breakdown", detail::breakdown(report.memory)}}}};
  result["time"] = fits ? detail::breakdown(report.time) : json(nullptr);
  result["stages"] = json::array();
  for (auto const& stage : report.stages)
    result["stages"].push_back(detail::stage_json(stage, fits));
  result["notes"] = report.notes;
  return result;
}

/// Why plans lost: by legality rule, and by memory.
template <class Model>
json rejected_json(search::exhaustive_result<planner::plan> const& found, Model const& model,
                   device::cluster const& machine, planner::workload const& job, planner::assumptions const& assumed) {
  json result = json::array();
  for (std::size_t reason = 0; reason < found.refused.size(); ++reason) {
    auto const& refused = found.refused[reason];
    if (refused.count == 0)
      continue;
    json item;
    if (reason == planner::memory_reason) {
      item = {{"rule", "memory"},
              {"statement", "the peak memory of the worst device must not exceed its usable memory"},
              {"count", refused.count},
              {"nearest", to_json(refused.nearest)},
              {"missing_bytes", refused.excess}};
    } else {
      auto const broken = static_cast<planner::rule>(reason);
      item = {{"rule", planner::statement_of(broken).name},
              {"statement", planner::statement_of(broken).statement},
              {"count", refused.count},
              {"example", planner::broken_rule_text(model, machine, job, refused.nearest, assumed, broken)}};
    }
    result.push_back(std::move(item));
  }
  return result;
}

/// A term and where it comes from.
inline json to_json(planner::explained_term const& term) {
  json symbols = json::object();
  auto const collect = [&symbols](auto const& self, expr::tree const& formula) -> void {
    if (formula.kind == expr::tree::kind::symbol)
      symbols[formula.name] = {{"value", formula.value}, {"meaning", formula.meaning}};
    for (auto const& operand : formula.operands)
      self(self, operand);
  };
  collect(collect, term.formula);
  return {{"record", term.record},
          {"term", term.name},
          {"meaning", term.meaning},
          {"formula", expr::text(term.formula)},
          {"with_values", expr::text(term.formula, expr::symbols_as::values)},
          {"value", term.value},
          {"symbols", symbols}};
}

}  // namespace shardplan::io
