#pragma once
#include <shardplan/strategy/layout.hpp>

/// Strategies that act on a whole stage: they cut no tensor of a layer, they share out model states and micro-batches.
namespace shardplan::strategy {

/// Data parallelism: replicas of the stage see different micro-batches and reduce their gradients.
struct data : strategy_base {
  static constexpr const char* name = "data parallelism";
  using mesh_axis = mesh::data;
  using needs_mesh_axis = void;
  using rule_list = rules<>;
};

/// ZeRO (Rajbhandari et al. 2020, arXiv 1910.02054): optimizer states, gradients and weights are shared out over the
/// replicas, by stage 1, 2 and 3. The stage is a value: symbols z_o, z_g and z_w in cost/stage.hpp.
struct zero : strategy_base {
  static constexpr const char* name = "ZeRO";
  using mesh_axis = mesh::data;
  using needs_mesh_axis = mesh::data;
  using rule_list = rules<>;
};

/// Pipeline parallelism: the layers are cut into p stages; the schedule says how many micro-batches are in flight.
struct pipeline : strategy_base {
  static constexpr const char* name = "pipeline parallelism";
  using mesh_axis = mesh::pipeline;
  using needs_mesh_axis = void;
  using rule_list = rules<>;
};

}  // namespace shardplan::strategy
