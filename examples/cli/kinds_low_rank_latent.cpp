#include "kinds.hpp"

#include <shardplan/planner/more_kinds.hpp>

void command_line::add_low_rank_latent_attention(shardplan::planner::block_registry& registry) {
  shardplan::planner::add_low_rank_latent_attention(registry);
}
