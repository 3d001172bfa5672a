#include "kinds.hpp"

#include <shardplan/planner/more_kinds.hpp>

void command_line::add_mixtures(shardplan::planner::block_registry& registry) {
  shardplan::planner::add_mixtures(registry);
}
