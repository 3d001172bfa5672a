#pragma once
#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

#include <shardplan/schedule/stage_graph.hpp>
#include <shardplan/schedule/task.hpp>

/// A schedule of a pipeline: what each device does, in which order. When it does it follows from the times.
namespace shardplan::schedule {

struct work_order {
  stage_graph graph;
  /// The tasks of each device, in the order in which it runs them.
  std::vector<std::vector<task>> tasks;

  std::size_t size() const {
    std::size_t all = 0;
    for (auto const& each : tasks)
      all += each.size();
    return all;
  }
};

/// A task in words: "forward pass of micro-batch 3 through chunk 1".
inline std::string text(task const& each) {
  std::string const kind = each.kind == pass::forward || each.kind == pass::backward
                               ? std::string(name_of(each.kind)) + " pass"
                               : std::string(name_of(each.kind));
  return kind + " of micro-batch " + std::to_string(each.micro_batch) + " through chunk " + std::to_string(each.chunk);
}

/// The most chunk passes whose activations each device holds at once: from the start of a forward pass to the end of
/// its backward pass, or of its weight gradient where the two are apart. The order alone decides it.
inline std::vector<int> peak_in_flight(work_order const& order) {
  std::vector<int> result;
  for (auto const& tasks : order.tasks) {
    int held = 0, most = 0;
    auto const taken = [&](task const& each) {
      return each.kind == pass::forward && !order.graph.chunks[static_cast<std::size_t>(each.chunk)].forward_only ? 1
                                                                                                                  : 0;
    };
    auto const freed = [](task const& each) {
      return each.kind == pass::backward || each.kind == pass::weight_gradient ? 1 : 0;
    };
    for (std::size_t at = 0; at < tasks.size(); ++at) {
      // Of two joined passes both start before either ends.
      bool const joined = tasks[at].joined && at + 1 < tasks.size();
      held += taken(tasks[at]) + (joined ? taken(tasks[at + 1]) : 0);
      most = std::max(most, held);
      held -= freed(tasks[at]) + (joined ? freed(tasks[at + 1]) : 0);
      at += joined ? 1 : 0;
    }
    result.push_back(most);
  }
  return result;
}

}  // namespace shardplan::schedule
