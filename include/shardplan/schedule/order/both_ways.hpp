#pragma once
#include <cstddef>
#include <vector>

#include <shardplan/schedule/work_order.hpp>

/// DualPipe and DualPipeV (DeepSeek-V3 technical report, arXiv 2412.19437, section 3.2.1; the order of passes as in the
/// published implementation, github.com/deepseek-ai/DualPipe).
namespace shardplan::schedule {

namespace detail {

/// What one device does: it has a near chunk (phase 0), whose micro-batches it sees first, and a far one.
class dual_pipe_device {
 public:
  dual_pipe_device(std::vector<task>& tasks, chunk const& near_chunk, int near_index, chunk const& far_chunk,
                   int far_index)
      : tasks_(tasks), chunk_{near_index, far_index},
        forward_{near_chunk.first_micro_batch, far_chunk.first_micro_batch},
        backward_{near_chunk.first_micro_batch, far_chunk.first_micro_batch} {}

  void forward(int phase, bool joined = false) {
    tasks_.push_back({pass::forward, chunk_[phase], forward_[phase]++, joined});
  }
  void backward(int phase, bool split = false) {
    tasks_.push_back({split ? pass::input_gradient : pass::backward, chunk_[phase], backward_[phase]});
    if (split)
      later_.push_back({pass::weight_gradient, chunk_[phase], backward_[phase]});
    ++backward_[phase];
  }
  void weights() { tasks_.push_back(later_[done_++]); }

  /// All passes of a device that is `from_end` devices before the one where the ways turn or meet; `steady` is how
  /// often both phases run forward and backward.
  void run(int from_end, int from_start, int steady) {
    for (int turn = 0; turn < 2 * from_end; ++turn)
      forward(0);
    for (int turn = 0; turn < from_start + 1; ++turn) {
      forward(0);
      forward(1);
    }
    for (int turn = 0; turn < from_end; ++turn) {
      backward(1, true);
      weights();
      forward(1);
    }
    for (int turn = 0; turn < steady; ++turn) {
      // Where the ways meet the first two are not joined.
      forward(0, turn > 0 || from_end > 0);
      backward(1);
      forward(1, true);
      backward(0);
    }
    for (int turn = 0; turn < from_end; ++turn) {
      backward(1);
      forward(1, true);
      backward(0);
    }
    bool split = false;
    for (int turn = 0; turn < from_start + 1; ++turn) {
      bool const half = turn == (from_start + 1) / 2;
      split = split || (half && from_start % 2 == 1);
      backward(1, split);
      split = split || (half && from_start % 2 == 0);
      backward(0, split);
    }
    for (int turn = 0; turn < from_end; ++turn) {
      weights();
      backward(0, true);
    }
    while (done_ < later_.size())
      weights();
  }

 private:
  std::vector<task>& tasks_;
  int chunk_[2];
  int forward_[2];
  int backward_[2];
  std::vector<task> later_;
  std::size_t done_ = 0;
};

}  // namespace detail

/// DualPipe: forward and backward passes of opposite directions run together, so that one computes while the other
/// communicates. Two copies of the model in opposite directions. Needs an even number of devices and of micro-batches,
/// and at least twice as many of these.
inline work_order dual_pipe_order(int devices, int micro_batches) {
  work_order order{both_ways(devices, micro_batches), {}};
  for (int device = 0; device < devices; ++device) {
    int const there = device, back = 2 * devices - 1 - device;
    bool const first_half = device < devices / 2;
    int const near_index = first_half ? there : back, far_index = first_half ? back : there;
    int const from_start = first_half ? device : devices - 1 - device;
    auto const& chunks = order.graph.chunks;
    detail::dual_pipe_device{order.tasks.emplace_back(), chunks[static_cast<std::size_t>(near_index)], near_index,
                             chunks[static_cast<std::size_t>(far_index)], far_index}
        .run(devices / 2 - 1 - from_start, from_start, micro_batches / 2 - devices + from_start + 1);
  }
  return order;
}

/// DualPipeV: one copy of the model in a V, half of DualPipe's devices for the same stages. Needs at least twice as
/// many micro-batches as devices.
inline work_order dual_pipe_v_order(int devices, int micro_batches) {
  work_order order{v_shape(devices, micro_batches), {}};
  for (int device = 0; device < devices; ++device) {
    int const down = device, up = 2 * devices - 1 - device;
    auto const& chunks = order.graph.chunks;
    detail::dual_pipe_device{order.tasks.emplace_back(), chunks[static_cast<std::size_t>(down)], down,
                             chunks[static_cast<std::size_t>(up)], up}
        .run(devices - 1 - device, device, micro_batches - 2 * devices + device + 1);
  }
  return order;
}

}  // namespace shardplan::schedule
