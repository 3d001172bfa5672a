#pragma once
#include <shardplan/planner/explain.hpp>

#include "work.hpp"

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
/// Blocks with a mixture of experts, or latent attention.
void explain_mixture(shardplan::planner::attention_kernel, shardplan::planner::recomputation,
                     shardplan::planner::block_environment const&, shardplan::planner::explanation&);
void explain_latent(shardplan::model::block_kind, shardplan::planner::attention_kernel,
                    shardplan::planner::recomputation, shardplan::planner::block_environment const&,
                    shardplan::planner::explanation&);
void explain_low_rank_latent(shardplan::model::block_kind, shardplan::planner::attention_kernel,
                             shardplan::planner::recomputation, shardplan::planner::block_environment const&,
                             shardplan::planner::explanation&);
void explain_embedding_and_head(shardplan::planner::block_environment const&, shardplan::planner::explanation&);

/// The terms of a plan that were asked for by name ("list" for all), none for no names. Throws `usage_error` with the
/// known names for an unknown one.
std::vector<shardplan::planner::explained_term> explained_in(job const& work, shardplan::planner::plan const& choice,
                                                             std::vector<std::string> const& names);

/// Terms for people: with formula, values and symbols; many terms in a line each.
std::string explained_text(std::vector<shardplan::planner::explained_term> const& terms);

}  // namespace command_line
