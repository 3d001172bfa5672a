#pragma once
#include <shardplan/planner/explain.hpp>

#include "options.hpp"

/// Explanations by layer kind, one translation unit each: printing a record is dear to compile.
namespace command_line {

void explain_plain_flash(shardplan::planner::recomputation, shardplan::planner::block_environment const&,
                         shardplan::planner::explanation&);
void explain_plain_plain(shardplan::planner::recomputation, shardplan::planner::block_environment const&,
                         shardplan::planner::explanation&);
void explain_gated_flash(shardplan::planner::recomputation, shardplan::planner::block_environment const&,
                         shardplan::planner::explanation&);
void explain_gated_plain(shardplan::planner::recomputation, shardplan::planner::block_environment const&,
                         shardplan::planner::explanation&);
void explain_embedding_and_head(shardplan::planner::block_environment const&, shardplan::planner::explanation&);

/// All terms of a plan: of the first block of the worst stage, the ends, and the worst stage.
shardplan::planner::explanation explain_plan(job const& work, shardplan::planner::plan const& choice);

/// The terms of that name; throws `usage_error` with the known names where there is none.
std::vector<shardplan::planner::explained_term> terms_named(shardplan::planner::explanation const& terms,
                                                            std::string const& name);

/// Prints a term for people.
std::string explained_text(shardplan::planner::explained_term const& term);

}  // namespace command_line
