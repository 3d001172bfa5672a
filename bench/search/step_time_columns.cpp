#include <algorithm>
#include <chrono>
#include <limits>
#include <vector>

#include "step_time_grid.hpp"
#include "step_time_problem.hpp"

// Everything, in rows that fit the cache, by the same column reading as the planner's.
void time_in_columns(grid_figures& result) {
  using namespace step_time_grid;
  with_grid(step_time, step_time / batch, [&](auto const& grid) {
    auto const size = grid.sizes();
    std::vector<double> values;
    double least = std::numeric_limits<double>::infinity();
    auto const begin = std::chrono::steady_clock::now();
    for (std::uint32_t tensor = 0; tensor < size[0]; ++tensor)
      for (std::uint32_t data = 0; data < size[1]; ++data)
        for (std::uint32_t micro = 0; micro < size[2]; ++micro) {
          search::grid_box<4> const row{{tensor, data, micro, 0}, {tensor + 1, data + 1, micro + 1, size[3]}};
          values.resize(row.size());
          grid.costs(row, values);
          least = std::min(least, *std::min_element(values.begin(), values.end()));
        }
    std::chrono::duration<double> const took = std::chrono::steady_clock::now() - begin;
    result.seconds_in_columns = took.count();
    result.objective_in_columns = least;
  });
}
