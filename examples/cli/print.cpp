#include "print.hpp"

#include <fmt/core.h>

#include "engine.hpp"
#include "layers.hpp"
#include "table.hpp"

namespace command_line {

using namespace shardplan;

std::string gib(double bytes) { return fmt::format("{:.2f}", bytes / unit::gibi); }

std::string plan_text(planner::plan const& choice) {
  return fmt::format("tp={} pp={} dp={} micro-batch={} sp={} zero={} recompute={} kernel={}", choice.tensor,
                     choice.pipeline, choice.data, choice.micro_batch, choice.sequence_parallel ? "on" : "off",
                     choice.zero_stage, planner::name_of(choice.recompute), planner::name_of(choice.kernel));
}

std::string heading(job const& work) {
  auto const& model = work.model;
  auto const& machine = work.cluster;
  std::string const network = machine.nodes > 1 ? fmt::format(", between nodes {} per device",
                                                              unit::bandwidth_text(machine.network_level.bandwidth))
                                                : "";
  return fmt::format("model    {} ({}): {:.0f} parameters, {} layers, hidden {:.0f}\n"
                     "cluster  {} node{} x {} {} = {} devices, {} GiB each; in a node {} {}{}\n"
                     "job      global batch {} sequences of {:.0f} tokens, {}\n",
                     work.model_name, model.family, parameters_of(model), model.layers(), model.hidden(), machine.nodes,
                     machine.nodes == 1 ? "" : "s", machine.devices_per_node, machine.device.name, machine.devices(),
                     gib(machine.device.memory.capacity.value.value), machine.node_level.name,
                     unit::bandwidth_text(machine.node_level.bandwidth), network, work.workload.global_batch,
                     work.workload.sequence_length, device::name_of(work.workload.precision));
}

std::string memory_table(planner::plan_report const& report) {
  auto const& worst = report.estimate.worst;
  std::string text =
      fmt::format("Memory of the worst device (stage {} of {}), GiB = 2^30 bytes; peak in the {} phase\n", worst.index,
                  report.plan.pipeline, cost::name_of(report.peak_phase));
  table rows({"term", "GiB", "at peak", "what it is"});
  rows.left(3);
  for (auto const& item : report.memory) {
    if (item.value == 0)
      continue;
    rows.add({item.name, gib(item.value),
              planner::at_peak(report, item) ? fmt::format("{:.1f} %", 100 * item.value / worst.peak_bytes()) : "-",
              item.meaning});
  }
  rows.add({"peak", gib(worst.peak_bytes()), "100 %", "allocated by the framework"});
  rows.add({"usable", gib(report.usable_bytes), "", "device memory less the reserve"});
  rows.add({report.headroom_bytes() < 0 ? "missing" : "headroom", gib(std::abs(report.headroom_bytes())), "",
            std::string("verdict: ") + planner::name_of(report.verdict)});
  return text + rows.text();
}

std::string stage_table(planner::plan_report const& report) {
  if (report.stages.size() < 2)
    return "";
  namespace tag = cost::tag;
  table rows(
      {"stage", "layers", "in flight", "static GiB", "activations GiB", "peak GiB", "forward ms", "backward ms"});
  auto const add = [&](planner::stage_estimate const& stage, std::string const& name) {
    bool const fits = report.fits();
    rows.add({name, fmt::format("{}", stage.layers),
              fmt::format("{:.0f}", planner::get<tag::micro_batches_in_flight>(stage.values)),
              gib(stage.static_bytes()), gib(planner::get<tag::activations>(stage.values)), gib(stage.peak_bytes()),
              fits ? fmt::format("{:.2f}", stage.forward() * 1e3) : "-",
              fits ? fmt::format("{:.2f}", stage.backward() * 1e3) : "-"});
  };
  std::size_t const shown = 8;
  for (std::size_t index = 0; index < report.stages.size(); ++index) {
    if (report.stages.size() > shown && index == shown / 2) {
      rows.add({"...", "", "", "", "", "", "", ""});
      index = report.stages.size() - shown / 2;
    }
    add(report.stages[index], std::to_string(report.stages[index].index));
  }
  return "Stages\n" + rows.text();
}

std::string time_table(planner::plan_report const& report) {
  table rows({"term", "seconds", "share", "what it is"});
  rows.left(3);
  for (auto const& item : report.time) {
    if (item.value == 0)
      continue;
    rows.add({item.name, fmt::format("{:.4f}", item.value),
              fmt::format("{:.1f} %", 100 * item.value / report.estimate.step_time), item.meaning});
  }
  rows.add({"step", fmt::format("{:.4f}", report.estimate.step_time), "100 %",
            fmt::format("{:.0f} tokens/s per device, MFU {:.1f} %, HFU {:.1f} %", report.tokens_per_second_per_device,
                        100 * report.model_utilisation, 100 * report.hardware_utilisation)});
  return "Time of a step\n" + rows.text();
}

std::string assumption_lines(job const& work) {
  auto const& assumed = work.assumed;
  auto const& machine = work.cluster;
  auto const policy = planner::policy_of(work.workload, assumed);
  auto const rate = planner::rates_of(machine, work.workload, assumed);
  auto const& matrix = machine.device.matrix;
  std::string text = "Assumptions\n";
  table rows({"what", "value", "set with"});
  rows.left(1);
  rows.left(2);
  rows.add({"byte policy",
            fmt::format("{}: {} + {} + {} bytes for weights, gradients, optimizer; {} per logit", policy.name,
                        policy.weights.bytes, policy.gradients.bytes, policy.optimizer.bytes, policy.logit),
            "--policy, --weight-bytes, ..."});
  rows.add({"reserve", unit::bytes_text(assumed.reserve) + " for context, communication library, fragmentation",
            "--reserve-gib"});
  rows.add({"matrix products",
            fmt::format("{} of {} peak", unit::flop_rate_text(unit::flop_per_second{rate.matrix}),
                        unit::flop_rate_text(unit::flop_per_second{rate.peak})),
            "--matmul-efficiency"});
  rows.add({"attention kernel", unit::flop_rate_text(unit::flop_per_second{rate.attention}), "--attention-efficiency"});
  rows.add({"device memory", unit::bandwidth_text(unit::bytes_per_second{rate.memory}), "a cluster file"});
  rows.add({"launch", unit::seconds_text(assumed.operation_launch_time) + " per operation", "--launch-us"});
  rows.add({"data-parallel overlap", assumed.overlap_data_parallel ? "on" : "off", "--no-overlap"});
  rows.add({"schedule", schedule::one_forward_one_backward::name, ""});
  rows.add({"MFU counts", planner::name_of(assumed.flops), "--flops"});
  text += rows.text();
  if (assumed.matmul_efficiency == 0)
    text += fmt::format("  matrix products: {}\n", matrix.matmul_efficiency.source);
  if (assumed.attention_efficiency == 0)
    text += fmt::format("  attention kernel: {}\n", matrix.attention_efficiency.source);
  return text;
}

std::string note_lines(job const& work, planner::plan_report const& report) {
  std::string text;
  for (auto const& note : work.notes)
    text += "note: " + note + "\n";
  for (auto const& note : report.notes)
    text += "note: " + note + "\n";
  return text;
}

}  // namespace command_line
