#pragma once
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include <shardplan/schedule/task.hpp>

/// What a simulation gives: every task and message as it ran, memory over time, the critical path.
namespace shardplan::schedule {

/// What a piece of the step is.
enum class activity : std::uint8_t {
  forward,
  backward,
  input_gradient,
  weight_gradient,
  first_or_last,
  transfer,
  wait_for_link,
  gradient_reduction,
  end_of_step,
};
inline constexpr std::size_t activities = 9;
constexpr const char* name_of(activity what) {
  constexpr const char* names[activities] = {
      "forward",  "backward",        "input gradient",     "weight gradient", "first and last extras",
      "transfer", "wait for a link", "gradient reduction", "end of step"};
  return names[static_cast<std::size_t>(what)];
}

/// A task as it ran.
struct ran_task {
  task what;
  std::uint32_t device = 0;
  double begin = 0;
  double end = 0;
};
/// A message as it was sent.
struct ran_transfer {
  int from = 0;
  int to = 0;
  int chunk = 0;
  int micro_batch = 0;
  /// Gradients of the chunk's weights, activations or gradients of activations.
  activity what = activity::transfer;
  bool backward = false;
  /// When it could have begun, had the link been free.
  double asked = 0;
  double begin = 0;
  double end = 0;
};
struct memory_point {
  double time = 0;
  double bytes = 0;
};
/// A piece of the chain of events without which the step would be shorter.
struct path_piece {
  activity what = activity::forward;
  int device = 0;
  int chunk = 0;
  int micro_batch = 0;
  double begin = 0;
  double end = 0;
};

struct simulated_step {
  double makespan = 0;
  /// Tasks of all devices, one device after the other; `first_task[d]` is where those of device d begin.
  std::vector<ran_task> tasks;
  std::vector<std::size_t> first_task;
  std::vector<ran_transfer> transfers;
  /// Time in which each device computes, and when its first task starts and its step ends.
  std::vector<double> busy;
  std::vector<double> begin;
  std::vector<double> end;
  /// Bytes of each device over time, each point valid until the next, and the most.
  std::vector<std::vector<memory_point>> memory;
  std::vector<double> peak_bytes;
  std::vector<path_piece> critical_path;
  std::array<double, activities> attribution{};

  /// Share of the devices' time in which they do not compute.
  double bubble() const {
    double all = 0;
    for (double const each : busy)
      all += each;
    return makespan > 0 ? std::max(0.0, 1 - all / (makespan * static_cast<double>(busy.size()))) : 0;
  }
};

}  // namespace shardplan::schedule
