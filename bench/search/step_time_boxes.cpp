#include <algorithm>
#include <chrono>
#include <limits>

#include <shardplan/expr/simplify.hpp>

#include "step_time_grid.hpp"
#include "step_time_problem.hpp"

// In total-work form: that m * b * d = B and that 1 / B cancels is then seen by intervals, too.
void time_in_boxes(grid_figures& result) {
  using namespace step_time_grid;
  with_grid(expr::simplify(step_time), expr::simplify(step_time / batch), [&](auto const& grid) {
    result.points = search::grid_box<4>{{}, grid.sizes()}.size();
    result.seconds_in_boxes = std::numeric_limits<double>::infinity();
    for (int round = 0; round < 5; ++round) {
      auto const begin = std::chrono::steady_clock::now();
      auto const found = search::cheapest_point(grid);
      std::chrono::duration<double> const took = std::chrono::steady_clock::now() - begin;
      result.seconds_in_boxes = std::min(result.seconds_in_boxes, took.count());
      result.proven = found.certificate.status == search::status::optimal;
      result.objective_in_boxes = found.certificate.objective;
      result.bounded = found.bounded;
      result.evaluated = found.certificate.evaluated;
    }
  });
}
