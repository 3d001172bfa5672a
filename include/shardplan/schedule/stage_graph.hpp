#pragma once
#include <algorithm>
#include <cstddef>
#include <vector>

/// Which chunk of the model lies on which device, and which chunk feeds which.
namespace shardplan::schedule {

/// A chunk of the model: a stage, or one of several virtual stages of a device.
struct chunk {
  int device = 0;
  /// Chunks whose output it reads.
  std::vector<int> after = {};
  /// Micro-batches that pass through it: `micro_batches` of them from `first_micro_batch` on.
  int first_micro_batch = 0;
  int micro_batches = 0;
  /// Without a backward pass: nothing before it learns, or it is run again by another chunk.
  bool forward_only = false;
};

/// Chunks and what they feed. A chunk is fed by chunks before it in the list.
struct stage_graph {
  int devices = 0;
  int micro_batches = 0;
  std::vector<chunk> chunks = {};

  /// Chunks that read the output of each chunk.
  std::vector<std::vector<int>> fed_by() const {
    std::vector<std::vector<int>> result(chunks.size());
    for (std::size_t index = 0; index < chunks.size(); ++index)
      for (int const before : chunks[index].after)
        result[static_cast<std::size_t>(before)].push_back(static_cast<int>(index));
    return result;
  }

  /// Chunks whose backward pass a chunk's backward pass waits for: those that it feeds, and beyond chunks without a
  /// backward pass the next ones that have one.
  std::vector<std::vector<int>> gradients_from() const {
    auto const fed = fed_by();
    std::vector<std::vector<int>> result(chunks.size());
    for (std::size_t index = chunks.size(); index-- > 0;)
      for (int const next : fed[index]) {
        auto const other = static_cast<std::size_t>(next);
        if (!chunks[other].forward_only)
          result[index].push_back(next);
        else
          for (int const beyond : result[other])
            if (std::find(result[index].begin(), result[index].end(), beyond) == result[index].end())
              result[index].push_back(beyond);
      }
    for (std::size_t index = 0; index < chunks.size(); ++index)
      if (chunks[index].forward_only)
        result[index].clear();
    return result;
  }
};

/// p devices in a row, and v rounds through them: chunk c lies on device c mod p.
inline stage_graph rounds(int devices, int virtual_stages, int micro_batches) {
  stage_graph graph{devices, micro_batches};
  for (int index = 0; index < devices * virtual_stages; ++index)
    graph.chunks.push_back({.device = index % devices,
                            .after = index > 0 ? std::vector{index - 1} : std::vector<int>{},
                            .micro_batches = micro_batches});
  return graph;
}

/// Down the devices and back up: two chunks on each, the first and the last of the model on the first device.
inline stage_graph v_shape(int devices, int micro_batches) {
  stage_graph graph = rounds(devices, 2, micro_batches);
  for (int index = devices; index < 2 * devices; ++index)
    graph.chunks[static_cast<std::size_t>(index)].device = 2 * devices - 1 - index;
  return graph;
}

/// Two copies of the model in opposite directions: half of the micro-batches enter at each end.
inline stage_graph both_ways(int devices, int micro_batches) {
  stage_graph graph = rounds(devices, 2, micro_batches);
  int const half = micro_batches / 2;
  for (int index = 0; index < 2 * devices; ++index) {
    chunk& each = graph.chunks[static_cast<std::size_t>(index)];
    bool const back = index >= devices;
    each.device = back ? 2 * devices - 1 - index : index;
    each.first_micro_batch = back ? half : 0;
    each.micro_batches = back ? micro_batches - half : half;
  }
  graph.chunks[static_cast<std::size_t>(devices)].after.clear();
  return graph;
}

}  // namespace shardplan::schedule
