#pragma once
#include <algorithm>
#include <cstddef>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include <shardplan/schedule/compiled_order.hpp>

/// Orders by list scheduling: each device takes, whenever it is free, the task that matters most among those that can
/// start. For pipelines whose order no published schedule gives: modules side by side, several forward passes, layers
/// spread over all devices.
namespace shardplan::schedule {

/// Backward passes before forward passes, later chunks before earlier ones, and on each device no more passes in flight
/// than `in_flight` says (any number where it says nothing), but for one that no backward pass is left to free.
inline work_order list_order(stage_graph graph, std::vector<chunk_times> const& times, std::vector<int> in_flight) {
  auto const gradients_from = graph.gradients_from();
  std::size_t const chunks = graph.chunks.size();
  auto const micro_batches = static_cast<std::size_t>(graph.micro_batches);
  constexpr double never = std::numeric_limits<double>::infinity();
  std::vector<double> forward_end(chunks * micro_batches, never), backward_end(chunks * micro_batches, never);
  std::vector<int> forwards(chunks, 0), backwards(chunks, 0);
  std::vector<double> free_at(static_cast<std::size_t>(graph.devices), 0);
  std::vector<int> held(static_cast<std::size_t>(graph.devices), 0);
  std::vector<std::vector<std::size_t>> of_device(static_cast<std::size_t>(graph.devices));
  for (std::size_t index = 0; index < chunks; ++index)
    of_device[static_cast<std::size_t>(graph.chunks[index].device)].push_back(index);
  work_order order{graph, std::vector<std::vector<task>>(static_cast<std::size_t>(graph.devices))};

  // When a chunk's next pass can start; never, if what it waits for has not been placed.
  auto const next_of = [&](int done, std::size_t index) {
    return static_cast<std::size_t>(graph.chunks[index].first_micro_batch + done);
  };
  auto const forward_ready = [&](std::size_t index) {
    chunk const& each = graph.chunks[index];
    if (forwards[index] == each.micro_batches)
      return never;
    double ready = 0;
    for (int const before : each.after) {
      auto const other = static_cast<std::size_t>(before);
      double const sent = graph.chunks[other].device == each.device ? 0 : times[other].send_forward;
      ready = std::max(ready, forward_end[other * micro_batches + next_of(forwards[index], index)] + sent);
    }
    return ready;
  };
  auto const backward_ready = [&](std::size_t index) {
    chunk const& each = graph.chunks[index];
    if (each.forward_only || backwards[index] == each.micro_batches)
      return never;
    std::size_t const k = next_of(backwards[index], index);
    double ready = forward_end[index * micro_batches + k];
    for (int const next : gradients_from[index]) {
      auto const other = static_cast<std::size_t>(next);
      double const sent = graph.chunks[other].device == each.device ? 0 : times[other].send_backward;
      ready = std::max(ready, backward_end[other * micro_batches + k] + sent);
    }
    return ready;
  };

  struct choice {
    double begin = never;
    bool backward = false;
    std::size_t chunk = 0;
    int micro_batch = 0;
  };
  auto const better = [](choice const& left, choice const& right) {
    if (left.begin != right.begin)
      return left.begin < right.begin;
    if (left.backward != right.backward)
      return left.backward;
    if (left.chunk != right.chunk)
      return left.backward ? left.chunk < right.chunk : left.chunk > right.chunk;
    return left.micro_batch < right.micro_batch;
  };
  std::size_t left = 0;
  for (chunk const& each : graph.chunks)
    left += static_cast<std::size_t>(each.micro_batches) * (each.forward_only ? 1 : 2);
  while (left > 0) {
    // The device that can start first; limits are lifted only where nothing else could ever start.
    choice best;
    for (bool const limited : {true, false}) {
      for (std::size_t device = 0; device < of_device.size(); ++device)
        for (std::size_t const index : of_device[device]) {
          bool const holds = !graph.chunks[index].forward_only;
          if (!limited || !holds || device >= in_flight.size() || held[device] < in_flight[device]) {
            double const ready = forward_ready(index);
            choice const forward{std::max(ready, free_at[device]), false, index, forwards[index]};
            if (ready < never && better(forward, best))
              best = forward;
          }
          double const ready = backward_ready(index);
          choice const backward{std::max(ready, free_at[device]), true, index, backwards[index]};
          if (ready < never && better(backward, best))
            best = backward;
        }
      if (best.begin < never)
        break;
    }
    // Nothing can ever start: what is missing is said where the order is compiled.
    if (!(best.begin < never))
      return order;
    chunk const& each = graph.chunks[best.chunk];
    auto const device = static_cast<std::size_t>(each.device);
    auto& done = (best.backward ? backwards : forwards)[best.chunk];
    std::size_t const k = next_of(done++, best.chunk);
    double const end = best.begin + (best.backward ? times[best.chunk].backward() : times[best.chunk].forward);
    (best.backward ? backward_end : forward_end)[best.chunk * micro_batches + k] = end;
    free_at[device] = end;
    if (!each.forward_only)
      held[device] += best.backward ? -1 : 1;
    order.tasks[device].push_back(
        {best.backward ? pass::backward : pass::forward, static_cast<int>(best.chunk), static_cast<int>(k)});
    --left;
  }
  return order;
}

/// n forward passes of every micro-batch through all devices, and one backward pass, of the last of them: the output of
/// one pass enters the next (recycling, as AlphaFold 2 trains).
inline stage_graph several_forwards(int devices, int forwards, int micro_batches) {
  stage_graph graph = rounds(devices, forwards, micro_batches);
  for (int index = 0; index < devices * (forwards - 1); ++index)
    graph.chunks[static_cast<std::size_t>(index)].forward_only = true;
  return graph;
}

/// A pipeline whose first layer is spread over all devices (interlaced; SuperScaler, arXiv 2301.08984): every device
/// works on its part of it, the first stage reads all parts. Chunk i < p is the part on device i, chunk p + i stage i.
inline stage_graph interlaced(int devices, int micro_batches) {
  stage_graph graph{devices, micro_batches};
  std::vector<int> parts;
  for (int device = 0; device < devices; ++device) {
    graph.chunks.push_back({.device = device, .micro_batches = micro_batches});
    parts.push_back(device);
  }
  for (int device = 0; device < devices; ++device)
    graph.chunks.push_back({.device = device,
                            .after = device == 0 ? parts : std::vector{devices + device - 1},
                            .micro_batches = micro_batches});
  return graph;
}

}  // namespace shardplan::schedule
