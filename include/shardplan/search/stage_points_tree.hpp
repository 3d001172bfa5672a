#pragma once
#include <algorithm>
#include <array>
#include <cstddef>
#include <limits>
#include <vector>

#include <shardplan/search/branch_and_bound.hpp>
#include <shardplan/search/stage_objective.hpp>
#include <shardplan/search/stage_points.hpp>

/// Mist's inter-stage problem by branch and bound: stage after stage is given an entry and a point.
namespace shardplan::search {

class stage_points_tree {
 public:
  struct node {
    first_and_last_objective::label numbers = {};
    /// Layers that are taken.
    std::size_t layers = 0;
    /// By stage: the entry and the point.
    std::vector<std::array<std::size_t, 2>> chosen = {};
  };

  /// The problem is viewed.
  explicit stage_points_tree(stage_points const& of) : of_(of), objective_(of.objective()) {
    first_and_last_objective::rest hopeless;
    hopeless.fill(std::numeric_limits<double>::infinity());
    rests_.assign(of.stages() + 1, std::vector(of.layers() + 1, hopeless));
    rests_[of.stages()][of.layers()] = objective_.none();
    for (std::size_t stage = of.stages(); stage-- > 0;)
      for (std::size_t first = 0; first <= of.layers(); ++first)
        for (stage_entry const& each : of.entries[stage])
          if (each.layers > 0 && first + each.layers <= of.layers())
            for (auto const& [time, first_and_last] : each.points) {
              auto const one = objective_.before({time, first_and_last}, rests_[stage + 1][first + each.layers]);
              auto& least = rests_[stage][first];
              for (std::size_t number = 0; number < one.size(); ++number)
                least[number] = std::min(least[number], one[number]);
            }
  }

  node root() const { return {objective_.start()}; }
  bool complete(node const& at) const { return at.chosen.size() == of_.stages(); }
  double bound(node const& at) const { return objective_.at_least(at.numbers, rests_[at.chosen.size()][at.layers]); }
  template <class Visit> void branch(node const& at, Visit visit) const {
    auto const& entries = of_.entries[at.chosen.size()];
    for (std::size_t entry = 0; entry < entries.size(); ++entry) {
      if (entries[entry].layers == 0 || at.layers + entries[entry].layers > of_.layers())
        continue;
      for (std::size_t point = 0; point < entries[entry].points.size(); ++point) {
        node child = at;
        auto const& [time, first_and_last] = entries[entry].points[point];
        child.numbers = objective_.grow(at.numbers, {time, first_and_last});
        child.layers += entries[entry].layers;
        child.chosen.push_back({entry, point});
        visit(std::move(child));
      }
    }
  }

 private:
  stage_points const& of_;
  first_and_last_objective objective_;
  /// By stage and layers taken.
  std::vector<std::vector<first_and_last_objective::rest>> rests_;
};

}  // namespace shardplan::search
