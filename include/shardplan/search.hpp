#pragma once
/// The room `search`: generic algorithms and their certificates. Knows nothing of models. Needs `unit` and `expr` only.
#include <shardplan/search/branch_and_bound.hpp>
#include <shardplan/search/chain.hpp>
#include <shardplan/search/control.hpp>
#include <shardplan/search/exhaustive.hpp>
#include <shardplan/search/partition.hpp>
#include <shardplan/search/result.hpp>
