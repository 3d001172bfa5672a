#include "explain.hpp"

void command_line::explain_embedding_and_head(shardplan::planner::block_environment const& environment,
                                              shardplan::planner::explanation& terms) {
  shardplan::planner::explain_ends(environment, terms);
}
