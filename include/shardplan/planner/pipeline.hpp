#pragma once
#include <cstddef>
#include <span>
#include <vector>

#include <shardplan/planner/estimate.hpp>
#include <shardplan/schedule/order/one_pass.hpp>
#include <shardplan/schedule/simulation.hpp>

/// The pipeline of a plan, ready to be simulated: what the estimate bounds, as it runs.
namespace shardplan::planner {

/// The order of a plan's passes: 1F1B, all replicas alike.
inline schedule::work_order pipeline_order(std::size_t stages, double micro_batches) {
  return schedule::one_forward_one_backward_order(static_cast<int>(stages), static_cast<int>(micro_batches));
}

/// What a simulation reads of the stages of a plan, all of them in order. Sending is part of the passes, as in the
/// estimate; what follows the last backward pass ends the step.
inline schedule::pipeline_load pipeline_load_of(std::span<stage_estimate const> stages) {
  schedule::pipeline_load load;
  for (stage_estimate const& each : stages) {
    load.times.push_back({.forward = each.forward(), .input_gradient = each.backward()});
    double const kept = get<cost::tag::activations>(each.values);
    double const in_flight = get<cost::tag::micro_batches_in_flight>(each.values);
    load.chunks.push_back({.kept_bytes = in_flight > 0 ? kept / in_flight : 0});
    load.devices.push_back({.static_bytes = each.peak_bytes() - kept, .end_of_step = each.after_pipeline()});
  }
  return load;
}

}  // namespace shardplan::planner
