#pragma once
#include <string>

#include <nlohmann/json.hpp>

#include <shardplan/schedule/simulated_step.hpp>

/// A simulated step in the Trace Event Format (JSON), which chrome://tracing and ui.perfetto.dev show.
namespace shardplan::io {

/// Devices are processes, with a thread for what they compute, one for what they send and a counter for their memory.
/// `seconds` is what one unit of the simulation's time is.
inline std::string trace_json(schedule::simulated_step const& step, double seconds = 1) {
  using schedule::activity;
  double const microseconds = seconds * 1e6;
  // Event by event, as a tree of all of them would take much memory.
  std::string text = "{\"traceEvents\":[";
  auto const add = [&](nlohmann::ordered_json const& event) {
    if (text.back() != '[')
      text += ",\n";
    text += event.dump();
  };
  auto const named = [&](const char* what, std::size_t device, int thread, std::string const& name) {
    add({{"name", what}, {"ph", "M"}, {"pid", device}, {"tid", thread}, {"args", {{"name", name}}}});
  };
  for (std::size_t device = 0; device < step.first_task.size(); ++device) {
    named("process_name", device, 0, "device " + std::to_string(device));
    named("thread_name", device, 0, "compute");
    named("thread_name", device, 1, "send");
  }
  for (schedule::ran_task const& each : step.tasks)
    add({{"name", std::string(schedule::name_of(each.what.kind)) + " " + std::to_string(each.what.micro_batch)},
         {"cat", schedule::name_of(each.what.kind)},
         {"ph", "X"},
         {"pid", each.device},
         {"tid", 0},
         {"ts", each.begin * microseconds},
         {"dur", (each.end - each.begin) * microseconds},
         {"args", {{"micro_batch", each.what.micro_batch}, {"chunk", each.what.chunk}}}});
  for (schedule::ran_transfer const& each : step.transfers)
    add({{"name", each.what == activity::gradient_reduction ? "gradient reduction"
                  : each.backward                           ? "gradients to device " + std::to_string(each.to)
                                                            : "activations to device " + std::to_string(each.to)},
         {"cat", schedule::name_of(each.what)},
         {"ph", "X"},
         {"pid", each.from},
         {"tid", 1},
         {"ts", each.begin * microseconds},
         {"dur", (each.end - each.begin) * microseconds},
         {"args", {{"micro_batch", each.micro_batch}, {"chunk", each.chunk}}}});
  for (std::size_t device = 0; device < step.memory.size(); ++device)
    for (schedule::memory_point const& each : step.memory[device])
      add({{"name", "memory"},
           {"ph", "C"},
           {"pid", device},
           {"ts", each.time * microseconds},
           {"args", {{"bytes", each.bytes}}}});
  return text + "],\"displayTimeUnit\":\"ms\"}";
}

}  // namespace shardplan::io
