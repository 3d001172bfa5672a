#pragma once
#include <shardplan/schedule/task.hpp>

/// Times of the chunks of a pipeline.
namespace shardplan::schedule {

/// Times of one chunk, in any unit: the passes of one micro-batch, and what it takes until the next device has what a
/// pass sends. A whole backward pass takes both gradients.
struct chunk_times {
  double forward = 0;
  double input_gradient = 0;
  double weight_gradient = 0;
  /// From the end of a forward pass until a chunk on another device can start, and the same for gradients.
  double send_forward = 0;
  double send_backward = 0;

  constexpr double backward() const { return input_gradient + weight_gradient; }
  constexpr double of(pass kind) const {
    switch (kind) {
    case pass::forward:
      return forward;
    case pass::backward:
      return backward();
    case pass::input_gradient:
      return input_gradient;
    case pass::weight_gradient:
      break;
    }
    return weight_gradient;
  }
};

}  // namespace shardplan::schedule
