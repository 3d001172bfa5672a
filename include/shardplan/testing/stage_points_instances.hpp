#pragma once
#include <algorithm>
#include <array>
#include <cstddef>
#include <limits>

#include <shardplan/search/pareto.hpp>
#include <shardplan/search/stage_points.hpp>
#include <shardplan/testing/generator.hpp>

/// Instances of Mist's inter-stage problem from seeds, and what trying everything makes of them.
namespace shardplan::testing {

/// Each stage may take the even number of layers or up to `spread` more or fewer; the points of an entry are a front on
/// which less time costs more at the first and last micro-batch, with points that no weighted sum finds.
inline search::stage_points random_stage_points(std::size_t layers, std::size_t stages, std::size_t spread,
                                                std::size_t points, std::size_t micro_batches, generator& random) {
  search::stage_points result{layers, micro_batches, {}};
  std::size_t const even = std::max<std::size_t>(layers / std::max<std::size_t>(stages, 1), 1);
  for (std::size_t stage = 0; stage < stages; ++stage) {
    auto& entries = result.entries.emplace_back();
    for (std::size_t count = even > spread ? even - spread : 1; count <= std::min(even + spread, layers); ++count) {
      std::vector<std::array<double, 2>> drawn;
      for (std::size_t point = 0; point < points; ++point) {
        double const share = random.real(0, 1);
        double const time = static_cast<double>(count) * (1 + share);
        drawn.push_back({time, static_cast<double>(count) * 4 * (1 - share) * random.real(0.7, 1.3)});
      }
      search::stage_entry entry{count, {}};
      for (std::size_t const index : search::pareto_front(drawn))
        entry.points.push_back(drawn[index]);
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
