// Tensor parallelism cuts the vocabulary of the head's weights over the tensor mesh axis; a rule that insists on
// cutting their hidden axis over it too would cut one term twice.
// expect-gcc: two_insisting_rules_would_cut_one_term_twice_over_one_mesh_axis.*operator\|.*Strategy = .*hidden_parallel
// expect-clang: selected deleted operator '\|'
#include <shardplan/model.hpp>
#include <shardplan/strategy.hpp>

using namespace shardplan;

struct hidden_parallel : strategy::strategy_base {
  static constexpr const char* name = "hidden parallelism";
  using mesh_axis = strategy::mesh::tensor;
  using needs_mesh_axis = void;
#ifdef SHARDPLAN_ACCEPT
  using rule = strategy::shard_otherwise<model::axis::hidden, strategy::mesh::tensor, strategy::tensor::degree>;
#else
  using rule = strategy::shard<model::axis::hidden, strategy::mesh::tensor, strategy::tensor::degree>;
#endif
  using rule_list = strategy::rules<rule>;
};

constexpr auto layout = model::head_layer() | strategy::tensor{} | hidden_parallel{};
