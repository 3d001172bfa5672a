#pragma once
#include <algorithm>
#include <vector>

#include <shardplan/schedule/work_order.hpp>

/// Orders of schedules in which a micro-batch passes each device once forward and once backward.
namespace shardplan::schedule {

/// GPipe (Huang et al. 2018, arXiv 1811.06965): all forward passes, then all backward passes.
inline work_order gpipe_order(int devices, int micro_batches) {
  work_order order{rounds(devices, 1, micro_batches), {}};
  for (int device = 0; device < devices; ++device) {
    auto& tasks = order.tasks.emplace_back();
    for (pass const kind : {pass::forward, pass::backward})
      for (int k = 0; k < micro_batches; ++k)
        tasks.push_back({kind, device, k});
  }
  return order;
}

/// 1F1B (Narayanan et al. 2019, PipeDream; with a flush, Narayanan et al. 2021, arXiv 2104.04473): stage i runs
/// min(m, p - i) forward passes, then backward and forward passes in turn.
inline work_order one_forward_one_backward_order(int devices, int micro_batches) {
  work_order order{rounds(devices, 1, micro_batches), {}};
  for (int device = 0; device < devices; ++device) {
    auto& tasks = order.tasks.emplace_back();
    int const warm_up = std::min(micro_batches, devices - device);
    for (int k = 0; k < warm_up; ++k)
      tasks.push_back({pass::forward, device, k});
    for (int k = 0; k < micro_batches; ++k) {
      tasks.push_back({pass::backward, device, k});
      if (warm_up + k < micro_batches)
        tasks.push_back({pass::forward, device, warm_up + k});
    }
  }
  return order;
}

/// nF1B (3F1B; Lin et al. 2023, SuperScaler, arXiv 2301.08984): as 1F1B, but a stage runs its layers n times for a
/// micro-batch before one backward pass. Chunks i n to i n + n - 1 are the runs of stage i.
inline work_order several_forwards_one_backward_order(int devices, int forwards, int micro_batches) {
  work_order order{{devices, micro_batches}, {}};
  for (int index = 0; index < devices * forwards; ++index)
    order.graph.chunks.push_back({.device = index / forwards,
                                  .after = index > 0 ? std::vector{index - 1} : std::vector<int>{},
                                  .micro_batches = micro_batches,
                                  .forward_only = index % forwards + 1 < forwards});
  work_order const plain = one_forward_one_backward_order(devices, micro_batches);
  for (auto const& tasks : plain.tasks) {
    auto& added = order.tasks.emplace_back();
    for (task const& each : tasks)
      if (each.kind == pass::forward)
        for (int run = 0; run < forwards; ++run)
          added.push_back({pass::forward, each.chunk * forwards + run, each.micro_batch});
      else
        added.push_back({each.kind, each.chunk * forwards + forwards - 1, each.micro_batch});
  }
  return order;
}

namespace detail {
/// As 1F1B with split backward passes: `warm_up` forward passes, and weight gradients `lag` micro-batches behind the
/// input gradients, so that what is not needed at once fills the end.
inline void zero_bubble_tasks(std::vector<task>& tasks, int device, int micro_batches, int warm_up, int lag) {
  for (int k = 0; k < warm_up; ++k)
    tasks.push_back({pass::forward, device, k});
  for (int k = 0; k < micro_batches; ++k) {
    tasks.push_back({pass::input_gradient, device, k});
    if (k >= lag)
      tasks.push_back({pass::weight_gradient, device, k - lag});
    if (warm_up + k < micro_batches)
      tasks.push_back({pass::forward, device, warm_up + k});
  }
  for (int k = std::max(0, micro_batches - lag); k < micro_batches; ++k)
    tasks.push_back({pass::weight_gradient, device, k});
}
}  // namespace detail

/// ZB-H1 (Qi et al. 2023, arXiv 2401.10241, section 2.1): 1F1B with split backward passes, in the memory of 1F1B's
/// first stage on every stage.
inline work_order zero_bubble_h1_order(int devices, int micro_batches) {
  work_order order{rounds(devices, 1, micro_batches), {}};
  for (int device = 0; device < devices; ++device)
    detail::zero_bubble_tasks(order.tasks.emplace_back(), device, micro_batches,
                              std::min(micro_batches, devices - device), device);
  return order;
}

/// ZB-H2 (section 2.2): more forward passes at the start, in nearly twice the memory; no bubble where the three passes
/// take equally long and m is large enough.
inline work_order zero_bubble_h2_order(int devices, int micro_batches) {
  work_order order{rounds(devices, 1, micro_batches), {}};
  for (int device = 0; device < devices; ++device)
    detail::zero_bubble_tasks(order.tasks.emplace_back(), device, micro_batches,
                              std::min(micro_batches, 2 * (devices - device) - 1), 2 * device);
  return order;
}

}  // namespace shardplan::schedule
