#pragma once
#include <shardplan/strategy/layout.hpp>

namespace shardplan::strategy {

/// Tensor parallelism in one dimension (Shoeybi et al. 2019, arXiv 1909.08053): heads, the feed-forward axes and the
/// vocabulary are cut over the tensor mesh axis. Sums over a cut axis become collectives, see cost/communication.hpp.
struct tensor : strategy_base {
  static constexpr const char* name = "tensor parallelism";
  using mesh_axis = mesh::tensor;
  using needs_mesh_axis = void;
  using degree = expr::symbol<tag::tensor_degree>;
  using rule_list =
      rules<shard<model::axis::head, mesh::tensor, degree>, shard<model::axis::key_value_head, mesh::tensor, degree>,
            shard<model::axis::feed_forward, mesh::tensor, degree>,
            shard<model::axis::expert_feed_forward, mesh::tensor, degree>,
            shard<model::axis::shared_feed_forward, mesh::tensor, degree>,
            shard<model::axis::vocabulary, mesh::tensor, degree>>;
};

/// Megatron sequence parallelism (Korthikanti et al. 2022, section 4.2.2): what tensor parallelism does not cut is cut
/// along the sequence over the same devices. `t_s` is t where it is on and 1 where it is off.
struct sequence : strategy_base {
  static constexpr const char* name = "sequence parallelism";
  using mesh_axis = mesh::tensor;
  using needs_mesh_axis = mesh::tensor;
  using degree = expr::symbol<tag::sequence_degree>;
  using rule_list = rules<shard_otherwise<model::axis::sequence, mesh::tensor, degree>>;
};

}  // namespace shardplan::strategy
