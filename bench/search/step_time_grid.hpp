#pragma once
#include <cstddef>

/// A grid of a hundred million plans of the planner's own step-time and memory expressions: which tensor degree, data
/// degree, micro-batch and global batch train Llama-3.1-8B for the fewest device-seconds a sequence, within the memory
/// of an H100 and a time for a step?
struct grid_figures {
  std::size_t points = 0;
  /// In boxes, to a proven optimum (the fastest of five), and all points in columns.
  double seconds_in_boxes = 0;
  double seconds_in_columns = 0;
  double objective_in_boxes = 0;
  double objective_in_columns = 0;
  bool proven = false;
  std::size_t bounded = 0;
  std::size_t evaluated = 0;
};
void time_in_boxes(grid_figures& result);
void time_in_columns(grid_figures& result);
