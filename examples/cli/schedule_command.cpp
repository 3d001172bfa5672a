#include <algorithm>

#include <fmt/core.h>
#include <nlohmann/json.hpp>

#include <shardplan/io/nearest.hpp>
#include <shardplan/io/report_json.hpp>
#include <shardplan/schedule/catalogue.hpp>
#include <shardplan/schedule/simulation.hpp>
#include <shardplan/schedule/step_bound.hpp>
#include <shardplan/schedule/text_gantt.hpp>

#include "commands.hpp"
#include "pictures.hpp"
#include "table.hpp"

/// `shardplan schedule`: what pipeline schedules make of stage times.
namespace command_line {

using namespace shardplan;

namespace {

std::vector<double> per_stage(const char* option, std::vector<double> given, std::size_t stages, double otherwise) {
  if (given.empty())
    given.push_back(otherwise);
  if (given.size() == 1)
    given.resize(stages, given.front());
  if (given.size() != stages)
    throw usage_error{fmt::format("{} has {} times; it must have one for each of the {} stages, or one for all", option,
                                  given.size(), stages)};
  return given;
}

void check_times(const char* option, std::vector<double> const& given) {
  for (double const each : given)
    if (each != 0 && !(each >= 1e-100 && each <= 1e100))
      throw usage_error{fmt::format("{} is {}; a time must be 0 or a number from 1e-100 to 1e100", option, each)};
}

int in_range(const char* option, long long value, long long most) {
  if (value < 1 || value > most)
    throw usage_error{fmt::format("{} is {}; it must be from 1 to {}", option, value, most)};
  return static_cast<int>(value);
}

struct pipeline {
  schedule::pipeline_shape shape;
  std::vector<schedule::stage_times> stages;
};

pipeline understand(schedule_options const& options) {
  std::size_t count = std::max(options.forward.size(), options.backward.size());
  if (options.stages)
    count = static_cast<std::size_t>(in_range("--stages", *options.stages, 4096));
  if (count == 0)
    throw usage_error{"give the times of the stages (--forward 1,3,1), or how many there are (--stages 4)"};
  if (count > 4096)
    throw usage_error{fmt::format("--forward has {} times; there must be at most 4096 stages", count)};
  pipeline result;
  result.shape = {.devices = static_cast<int>(count),
                  .micro_batches = in_range("--micro-batches", options.micro_batches, 1'000'000),
                  .virtual_stages = in_range("--virtual", options.virtual_stages, 256),
                  .forwards = in_range("--forwards", options.forwards, 64)};
  long long const chunks = std::max(options.virtual_stages, options.forwards);
  if (static_cast<double>(count) * static_cast<double>(options.micro_batches) * static_cast<double>(chunks) > 4e6)
    throw usage_error{
        fmt::format("{} stages times {} micro-batches times {} (the larger of --virtual and --forwards) is "
                    "more than the 4 million that are simulated",
                    count, options.micro_batches, chunks)};
  check_times("--forward", options.forward);
  check_times("--backward", options.backward);
  check_times("--weight-gradient", options.weight_gradient);
  check_times("--send", options.send);
  auto const forward = per_stage("--forward", options.forward, count, 1);
  std::vector<double> backward = options.backward, weight = options.weight_gradient;
  if (backward.empty())
    for (double const each : forward)
      backward.push_back(2 * each);
  backward = per_stage("--backward", backward, count, 2);
  if (weight.empty())
    for (double const each : backward)
      weight.push_back(each / 2);
  weight = per_stage("--weight-gradient", weight, count, 1);
  auto const send = per_stage("--send", options.send, count, 0);
  for (std::size_t stage = 0; stage < count; ++stage) {
    if (weight[stage] > backward[stage])
      throw usage_error{fmt::format("--weight-gradient is {} on stage {}; it is a part of the backward pass, {}",
                                    weight[stage], stage, backward[stage])};
    result.stages.push_back({forward[stage], backward[stage], weight[stage], send[stage], send[stage]});
  }
  return result;
}

/// What a schedule makes of the pipeline.
struct outcome {
  schedule::named_schedule const* of = nullptr;
  std::string refusal;
  double makespan = 0;
  double bubble = 0;
  double bound = 0;
  std::optional<schedule::form_value> form;
  /// Activations of whole devices at the peak, and copies of the weights.
  std::vector<double> in_flight;
  std::vector<int> weight_versions;
};

/// Share of the time in which devices do not compute.
double bubble_of(schedule::compiled_order const& order, std::vector<schedule::chunk_times> const& times,
                 double makespan) {
  double busy = 0;
  for (auto const& tasks : order.order().tasks)
    for (auto const& each : tasks)
      busy += times[static_cast<std::size_t>(each.chunk)].of(each.kind);
  return makespan > 0 ? std::max(0.0, 1 - busy / (makespan * order.devices())) : 0;
}

outcome look_at(schedule::named_schedule const& of, pipeline const& given) {
  outcome result;
  result.of = &of;
  result.refusal = of.refusal(given.shape);
  if (!result.refusal.empty())
    return result;
  auto const times = of.times(given.shape, given.stages);
  schedule::compiled_order const order{of.order(given.shape)};
  result.makespan = schedule::step_time(of, given.shape, times);
  result.bubble = bubble_of(order, times, result.makespan);
  result.form = of.step_form(given.shape, given.stages);
  result.bound = of.asynchronous ? result.form->value : schedule::step_bound(order, times);
  bool const halves = of.layout == schedule::chunk_layout::virtual_stages;
  auto const held = schedule::peak_in_flight(order.order());
  for (std::size_t device = 0; device < held.size(); ++device) {
    // Without a flush what is in flight belongs to several steps.
    auto const index = static_cast<int>(device);
    result.in_flight.push_back(of.asynchronous ? of.in_flight_form(given.shape, index)->value
                               : halves        ? static_cast<double>(held[device]) / of.chunks_per_device(given.shape)
                                               : static_cast<double>(held[device]));
    result.weight_versions.push_back(schedule::weight_versions(of, given.shape, static_cast<int>(device)));
  }
  return result;
}

io::json to_json(outcome const& each) {
  io::json output{{"name", each.of->name}, {"title", each.of->title}, {"source", each.of->source}};
  if (!each.refusal.empty()) {
    output["refusal"] = each.refusal;
    return output;
  }
  output["makespan"] = each.makespan;
  output["bubble"] = each.bubble;
  output["in_flight"] = each.in_flight;
  output["weight_versions"] = each.weight_versions;
  output["bound"] = each.bound;
  output["closed_form"] = each.form ? io::json(each.form->value) : io::json(nullptr);
  output["kind"] = each.form ? io::json(schedule::name_of(each.form->kind)) : io::json(nullptr);
  return output;
}

std::string form_text(outcome const& each) {
  return each.form ? fmt::format("{:.6g} ({})", each.form->value, schedule::name_of(each.form->kind)) : "-";
}

std::string comparison(std::vector<outcome> const& all) {
  table rows({"schedule", "step", "bubble %", "in flight", "bound", "closed form", "what it is"});
  rows.left(6);
  for (outcome const& each : all) {
    if (!each.refusal.empty()) {
      rows.add({each.of->name, "-", "-", "-", "-", "-", each.refusal});
      continue;
    }
    double const most = *std::max_element(each.in_flight.begin(), each.in_flight.end());
    rows.add({each.of->name, fmt::format("{:.6g}", each.makespan), fmt::format("{:.1f}", 100 * each.bubble),
              fmt::format("{:g}", most), fmt::format("{:.6g}", each.bound), form_text(each), each.of->title});
  }
  return rows.text();
}

}  // namespace

int run_schedule(schedule_options const& options) {
  pipeline const given = understand(options);
  if (options.compare && (!options.trace.empty() || !options.gantt.empty()))
    throw usage_error{"--trace and --gantt draw one schedule; give its --name and leave --compare out"};
  std::vector<outcome> outcomes;
  if (options.compare) {
    if (!options.name.empty())
      throw usage_error{"--compare looks at all schedules; leave --name out"};
    for (auto const& each : schedule::all_schedules())
      outcomes.push_back(look_at(each, given));
  } else {
    std::string const name = options.name.empty() ? "1f1b" : options.name;
    auto const* found = schedule::find_schedule(name);
    if (found == nullptr) {
      std::vector<std::string> names;
      std::string listed;
      for (auto const& each : schedule::all_schedules()) {
        names.push_back(each.name);
        listed += (listed.empty() ? "" : ", ") + names.back();
      }
      throw usage_error{fmt::format("--name is \"{}\"; it must be one of {}", name, listed)};
    }
    outcomes.push_back(look_at(*found, given));
    if (!outcomes.back().refusal.empty())
      throw usage_error{fmt::format("{} {}", found->title, outcomes.back().refusal)};
  }
  auto const& first = outcomes.front();
  std::optional<schedule::simulated_step> step;
  if (!options.compare) {
    schedule::pipeline_load load;
    load.times = first.of->times(given.shape, given.stages);
    // Memory in activations of a whole device.
    double const share = first.of->layout == schedule::chunk_layout::virtual_stages
                             ? 1.0 / first.of->chunks_per_device(given.shape)
                             : 1.0;
    load.chunks.assign(load.times.size(), {.kept_bytes = share});
    step = schedule::simulate(schedule::compiled_order{first.of->order(given.shape)}, load);
    if (step->tasks.size() > 2'000'000 && !(options.trace.empty() && options.gantt.empty()))
      throw usage_error{
          fmt::format("--trace and --gantt draw up to 2 million passes; these are {}", step->tasks.size())};
    write_pictures({options.trace, options.gantt}, *step, first.of->title, false);
  }
  if (options.json) {
    io::json output{{"schema_version", io::output_schema_version},
                    {"command", "schedule"},
                    {"stages", given.shape.devices},
                    {"micro_batches", given.shape.micro_batches}};
    if (options.compare) {
      output["schedules"] = io::json::array();
      for (outcome const& each : outcomes)
        output["schedules"].push_back(to_json(each));
    } else {
      output.update(to_json(first));
    }
    fmt::print("{}\n", output.dump(2));
    return 0;
  }
  fmt::print("{} stages, {} micro-batches; times in the unit that they were given in\n\n", given.shape.devices,
             given.shape.micro_batches);
  if (options.compare) {
    fmt::print(
        "{}\nstep: from the first pass to the last, or between steps where there is no flush (pipedream, 2bw)\n"
        "in flight: micro-batches whose activations the fullest device holds, in activations of a whole device\n",
        comparison(outcomes));
    return 0;
  }
  fmt::print("{}: step {:.6g}, bubble {:.1f} %, bound {:.6g}, closed form {}\n", first.of->title, first.makespan,
             100 * first.bubble, first.bound, form_text(first));
  if (first.of->asynchronous)
    fmt::print("The picture shows one step with its start and end; without a flush they overlap with other steps.\n");
  fmt::print("\n");
  if (given.shape.devices <= 64) {
    fmt::print("{}\ndigits are forward passes, letters backward passes (a is micro-batch 0, 10, ...), commas weight "
               "gradients\n\n",
               schedule::text_gantt(*step));
    table rows({"device", "in flight", "busy %", "weights"});
    for (std::size_t device = 0; device < first.in_flight.size(); ++device)
      rows.add({std::to_string(device), fmt::format("{:g}", first.in_flight[device]),
                fmt::format("{:.1f}", step->makespan > 0 ? 100 * step->busy[device] / step->makespan : 0),
                fmt::format("{}x", first.weight_versions[device])});
    fmt::print("{}\n", rows.text());
  }
  table path({"on the critical path", "time", "share %"});
  for (std::size_t index = 0; index < schedule::activities; ++index)
    if (step->attribution[index] > 0)
      path.add({schedule::name_of(static_cast<schedule::activity>(index)),
                fmt::format("{:.6g}", step->attribution[index]),
                fmt::format("{:.1f}", 100 * step->attribution[index] / step->makespan)});
  fmt::print("{}", path.text());
  return 0;
}

}  // namespace command_line
