#pragma once
/// The room `search`: generic algorithms and their certificates. Knows nothing of models. Needs `unit` and `expr` only.
#include <shardplan/search/branch_and_bound.hpp>
#include <shardplan/search/chain.hpp>
#include <shardplan/search/chain_front.hpp>
#include <shardplan/search/chain_resources.hpp>
#include <shardplan/search/control.hpp>
#include <shardplan/search/exhaustive.hpp>
#include <shardplan/search/expression_grid.hpp>
#include <shardplan/search/grid.hpp>
#include <shardplan/search/grid_assignments.hpp>
#include <shardplan/search/grid_front.hpp>
#include <shardplan/search/pareto.hpp>
#include <shardplan/search/partition.hpp>
#include <shardplan/search/result.hpp>
#include <shardplan/search/stage_objective.hpp>
#include <shardplan/search/staged.hpp>
