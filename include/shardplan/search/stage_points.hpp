#pragma once
#include <array>
#include <cstddef>
#include <limits>
#include <vector>

#include <shardplan/search/control.hpp>
#include <shardplan/search/stage_objective.hpp>
#include <shardplan/search/staged.hpp>

/// Mist's inter-stage problem (Zhu et al., EuroSys 2025): each stage of a pipeline takes a number of layers, and for
/// each number there are points (T, D), the time of a micro-batch and what the first and the last one add.
namespace shardplan::search {

/// A number of layers that a stage may take, and its points.
struct stage_entry {
  std::size_t layers = 0;
  /// T and D.
  std::vector<std::array<double, 2>> points = {};
};

/// As a problem of stages a way is the number of the point among those of its entry, and a way of an entry that is
/// there twice counts on from the one before.
struct stage_points {
  std::size_t layer_count = 0;
  std::size_t micro_batches = 1;
  /// By stage. A number of layers that is not listed is not allowed.
  std::vector<std::vector<stage_entry>> entries = {};

  std::size_t layers() const { return layer_count; }
  std::size_t stages() const { return entries.size(); }
  std::size_t pools() const { return 1; }
  bool ends(std::size_t) const { return true; }
  template <class Visit>
  void ways(std::size_t stage, std::size_t first, std::size_t last, std::size_t, Visit const& visit) const {
    std::size_t way = 0;
    for (stage_entry const& each : entries[stage])
      if (each.layers == last - first)
        for (auto const& [time, first_and_last] : each.points)
          visit({time, first_and_last}, 0, way++);
  }
  first_and_last_objective objective() const { return {static_cast<double>(micro_batches)}; }
};

/// The cheapest choice of entries and points.
inline staged_result<first_and_last_objective> cheapest_stages(stage_points const& of, control const& asked = {}) {
  return cheapest_stages(of, of.objective(), std::numeric_limits<double>::infinity(), asked);
}

}  // namespace shardplan::search
