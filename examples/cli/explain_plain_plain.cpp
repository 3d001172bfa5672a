#include "explain.hpp"

void command_line::explain_plain_plain(shardplan::planner::recomputation again,
                                       shardplan::planner::block_environment const& environment,
                                       shardplan::planner::explanation& terms) {
  shardplan::planner::explain_block<shardplan::model::mlp::plain, shardplan::model::kernel::plain>(again, environment,
                                                                                                   terms);
}
