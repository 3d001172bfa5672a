#include "explain.hpp"

void command_line::explain_gated_flash(shardplan::planner::recomputation again,
                                       shardplan::planner::block_environment const& environment,
                                       shardplan::planner::explanation& terms) {
  shardplan::planner::explain_block<shardplan::model::mlp::gated, shardplan::model::kernel::flash>(again, environment,
                                                                                                   terms);
}
