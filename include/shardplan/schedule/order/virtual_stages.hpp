#pragma once
#include <algorithm>
#include <utility>
#include <vector>

#include <shardplan/schedule/work_order.hpp>

/// Orders of schedules with several virtual stages on each device.
namespace shardplan::schedule {

/// Breadth-first (Lamy-Poirier 2022, arXiv 2211.05953): all micro-batches through one chunk, then through the next.
inline work_order breadth_first_order(int devices, int virtual_stages, int micro_batches) {
  work_order order{rounds(devices, virtual_stages, micro_batches), {}};
  for (int device = 0; device < devices; ++device) {
    auto& tasks = order.tasks.emplace_back();
    for (int round = 0; round < virtual_stages; ++round)
      for (int k = 0; k < micro_batches; ++k)
        tasks.push_back({pass::forward, round * devices + device, k});
    for (int round = virtual_stages; round-- > 0;)
      for (int k = 0; k < micro_batches; ++k)
        tasks.push_back({pass::backward, round * devices + device, k});
  }
  return order;
}

/// Micro-batches go through the virtual stages in groups of p. Where p does not divide m the groups take one more each,
/// from the first on; with fewer than p micro-batches there is one group.
inline std::vector<int> interleaved_groups(int devices, int micro_batches) {
  int const count = std::max(1, micro_batches / devices);
  std::vector<int> groups;
  for (int group = 0; group < count; ++group)
    groups.push_back(micro_batches / count + (group < micro_batches % count ? 1 : 0));
  return groups;
}

/// Interleaved 1F1B (Narayanan et al. 2021, arXiv 2104.04473, section 2.2): stage i runs
/// min(m v, 2 (p - i - 1) + (v - 1) g + 1) forward passes, with g micro-batches in the first group, then backward and
/// forward passes in turn.
inline work_order interleaved_order(int devices, int virtual_stages, int micro_batches) {
  work_order order{rounds(devices, virtual_stages, micro_batches), {}};
  // Virtual micro-batches in the order of forward passes: (round, micro-batch). Backward passes take the rounds from
  // the last.
  std::vector<std::pair<int, int>> turns;
  auto const groups = interleaved_groups(devices, micro_batches);
  int first = 0;
  for (int const group : groups) {
    for (int round = 0; round < virtual_stages; ++round)
      for (int k = first; k < first + group; ++k)
        turns.emplace_back(round, k);
    first += group;
  }
  auto const all = static_cast<int>(turns.size());
  for (int device = 0; device < devices; ++device) {
    auto& tasks = order.tasks.emplace_back();
    auto const add = [&](pass kind, int turn) {
      auto const [round, k] = turns[static_cast<std::size_t>(turn)];
      int const taken = kind == pass::forward ? round : virtual_stages - 1 - round;
      tasks.push_back({kind, taken * devices + device, k});
    };
    int const warm_up = std::min(all, 2 * (devices - device - 1) + (virtual_stages - 1) * groups.front() + 1);
    for (int turn = 0; turn < warm_up; ++turn)
      add(pass::forward, turn);
    for (int turn = 0; turn < all; ++turn) {
      add(pass::backward, turn);
      if (warm_up + turn < all)
        add(pass::forward, warm_up + turn);
    }
  }
  return order;
}

/// ZB-V (Qi et al. 2024, arXiv 2405.15362): two chunks a device in a V, split backward passes, in the memory of 1F1B's
/// first stage.
inline work_order zero_bubble_v_order(int devices, int micro_batches) {
  work_order order{v_shape(devices, micro_batches), {}};
  for (int device = 0; device < devices; ++device) {
    auto& tasks = order.tasks.emplace_back();
    int const down = device, up = 2 * devices - 1 - device;
    // The next micro-batch of each kind of pass, first down, then up.
    int forwards[2] = {0, 0}, inputs[2] = {0, 0}, weights[2] = {0, 0};
    auto const add = [&](pass kind, int way) {
      int& next = (kind == pass::forward ? forwards : kind == pass::input_gradient ? inputs : weights)[way];
      if (next < micro_batches)
        tasks.push_back({kind, way == 0 ? down : up, next++});
    };
    auto const both_gradients = [&](int way) {
      add(pass::input_gradient, way);
      add(pass::weight_gradient, way);
    };
    for (int turn = 0; turn < 2 * (devices - device) - 1; ++turn)
      add(pass::forward, 0);
    for (int turn = 0; turn < device; ++turn) {
      add(pass::forward, 1);
      add(pass::forward, 0);
    }
    for (int turn = 0; turn < devices - device; ++turn) {
      add(pass::forward, 1);
      both_gradients(1);
    }
    while (forwards[1] < micro_batches) {
      add(pass::forward, 0);
      both_gradients(0);
      add(pass::forward, 1);
      both_gradients(1);
    }
    for (int turn = 0; turn < device; ++turn) {
      add(pass::input_gradient, 0);
      add(pass::input_gradient, 1);
    }
    while (inputs[0] < micro_batches || inputs[1] < micro_batches) {
      add(pass::input_gradient, 0);
      add(pass::weight_gradient, 0);
      if (inputs[0] == micro_batches)
        add(pass::input_gradient, 1);
    }
    for (int const way : {1, 0})
      while (weights[way] < micro_batches)
        add(pass::weight_gradient, way);
  }
  return order;
}

}  // namespace shardplan::schedule
