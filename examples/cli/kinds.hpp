#pragma once
#include <shardplan/planner/registry.hpp>

/// Layer kinds beyond the dense decoder blocks, one translation unit for each group: their records are dear to compile.
namespace command_line {

void add_mixtures(shardplan::planner::block_registry&);
void add_latent_attention(shardplan::planner::block_registry&);
void add_low_rank_latent_attention(shardplan::planner::block_registry&);

}  // namespace command_line
