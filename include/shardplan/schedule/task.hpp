#pragma once
#include <cstdint>

/// What a pipeline does: passes of micro-batches through chunks of the model.
namespace shardplan::schedule {

/// A pass. A backward pass is one task, or two where a schedule moves the second half to another place: the gradient of
/// the input, which the stage before waits for, and the gradient of the weights, which nobody waits for.
enum class pass : std::uint8_t { forward, backward, input_gradient, weight_gradient };

constexpr const char* name_of(pass kind) {
  switch (kind) {
  case pass::forward:
    return "forward";
  case pass::backward:
    return "backward";
  case pass::input_gradient:
    return "input gradient";
  case pass::weight_gradient:
    return "weight gradient";
  }
  return "";
}

/// One pass of one micro-batch through one chunk of the model. All counts start at 0.
struct task {
  pass kind = pass::forward;
  int chunk = 0;
  int micro_batch = 0;
  /// It runs together with the task after it on the device: both start when both can, and both end at the end.
  bool joined = false;

  friend constexpr bool operator==(task const&, task const&) = default;
};

}  // namespace shardplan::schedule
