#pragma once
#include <array>
#include <cstddef>

#include <shardplan/model/description.hpp>
#include <shardplan/planner/stages.hpp>

/// Which stages of a pipeline hold what.
namespace shardplan::planner {

/// Stages side by side that hold the same layers, counted by shape.
struct stage_group {
  /// Indices of the first and the last of them, from 0.
  long long first = 0;
  long long last = 0;
  std::array<long long, model::max_shapes> layers{};
  bool holds_embedding = false;
  bool holds_head = false;

  constexpr long long count() const { return last - first + 1; }
  constexpr bool holds_the_same(stage_group const& other) const {
    return layers == other.layers && holds_embedding == other.holds_embedding && holds_head == other.holds_head;
  }
};

/// What one stage holds.
template <class Model> constexpr stage_group stage_at(Model const& model, long long stages, long long index) {
  long long const all = model.layers();
  long long const first = first_layer_of(all, stages, index);
  long long const last = first_layer_of(all, stages, index + 1);
  stage_group result{.first = index, .last = index, .holds_embedding = index == 0, .holds_head = index + 1 == stages};
  long long begin = 0;
  for (model::block_run const& run : model.runs) {
    long long const low = begin > first ? begin : first;
    long long const high = begin + run.count < last ? begin + run.count : last;
    if (high > low)
      result.layers[static_cast<std::size_t>(run.shape)] += high - low;
    begin += run.count;
  }
  return result;
}

/// Calls `visit(group)` for the groups of a pipeline, in order: at most three where all layers are equal.
template <class Model, class Visit>
constexpr void for_each_stage_group(Model const& model, long long stages, Visit&& visit) {
  stage_group group = stage_at(model, stages, 0);
  // Between the ends of a model of equal layers all stages are alike; no need to look at each.
  bool const uniform = model.shape_count == 1 && stages > 3;
  for (long long index = 1; index < stages; ++index) {
    stage_group const next = stage_at(model, stages, index);
    if (group.holds_the_same(next)) {
      group.last = index;
    } else {
      visit(group);
      group = next;
    }
    if (uniform && index == 1) {
      group.last = stages - 2;
      index = stages - 2;
    }
  }
  visit(group);
}

}  // namespace shardplan::planner
