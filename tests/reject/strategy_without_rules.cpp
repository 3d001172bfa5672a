// A strategy lists its rules, if there are none an empty list.
// expect-gcc: strategy_description_needs_name_rule_list_mesh_axis_and_needs_mesh_axis.*operator\|.*Strategy = by_batch
// expect-clang: selected deleted operator '\|'
#include <shardplan/model.hpp>
#include <shardplan/strategy.hpp>

using namespace shardplan;

struct by_batch : strategy::strategy_base {
  static constexpr const char* name = "by batch";
  using mesh_axis = strategy::mesh::data;
  using needs_mesh_axis = void;
#ifdef SHARDPLAN_ACCEPT
  using rule_list = strategy::rules<>;
#endif
};

constexpr auto layout = model::head_layer() | by_batch{};
