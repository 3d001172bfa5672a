#pragma once
#include <algorithm>
#include <array>
#include <cstddef>
#include <limits>
#include <vector>

#include <shardplan/search/stage_points.hpp>
#include <shardplan/testing/generator.hpp>

/// Instances of Mist's inter-stage problem from seeds, and what trying everything makes of them.
namespace shardplan::testing {

/// Each stage may take the even number of layers or up to `spread` more or fewer. The points of an entry are a front:
/// less time costs more at the first and last micro-batch.
inline search::stage_points random_stage_points(std::size_t layers, std::size_t stages, std::size_t spread,
                                                std::size_t points, std::size_t micro_batches, generator& random) {
  search::stage_points result{layers, micro_batches, {}};
  std::size_t const even = std::max<std::size_t>(layers / std::max<std::size_t>(stages, 1), 1);
  for (std::size_t stage = 0; stage < stages; ++stage) {
    auto& entries = result.entries.emplace_back();
    for (std::size_t count = even > spread ? even - spread : 1; count <= std::min(even + spread, layers); ++count) {
      // Steps of random length, so that many points lie above the line between their neighbours.
      search::stage_entry entry{count, std::vector<std::array<double, 2>>(points)};
      double time = 1, first_and_last = 0;
      for (auto& point : entry.points)
        point[0] = static_cast<double>(count) * (time += random.real(0, 2) / static_cast<double>(points));
      for (std::size_t point = points; point-- > 0;)
        entry.points[point][1] =
            static_cast<double>(count) * (first_and_last += random.real(0, 8) / static_cast<double>(points));
      // Some numbers of layers do not fit.
      if (!random.chance(0.1))
        entries.push_back(entry);
    }
  }
  return result;
}

/// Mist's own form, over all choices; infinite if there is none.
inline double cheapest_by_trying(search::stage_points const& of) {
  double best = std::numeric_limits<double>::infinity();
  auto const go = [&](auto const& self, std::size_t stage, std::size_t layers, double slowest, double sum,
                      double most) -> void {
    if (stage == of.stages()) {
      if (layers == of.layers())
        best = std::min(best, (static_cast<double>(of.micro_batches) - 1) * slowest + sum + most);
      return;
    }
    for (search::stage_entry const& each : of.entries[stage])
      if (each.layers > 0 && layers + each.layers <= of.layers())
        for (auto const& [time, first_and_last] : each.points)
          self(self, stage + 1, layers + each.layers, std::max(slowest, time), sum + time,
               std::max(most, first_and_last - sum));
  };
  go(go, 0, 0, 0, 0, 0);
  return best;
}

}  // namespace shardplan::testing
