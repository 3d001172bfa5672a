#pragma once
/// The room `planner`: estimates, legality, the space of plans and its search, reports. Needs all rooms above it. The
/// explanation of terms is apart, in planner/explain.hpp.
#include <shardplan/planner/blocks.hpp>
#include <shardplan/planner/environment.hpp>
#include <shardplan/planner/estimate.hpp>
#include <shardplan/planner/fits.hpp>
#include <shardplan/planner/legality.hpp>
#include <shardplan/planner/missing.hpp>
#include <shardplan/planner/more_kinds.hpp>
#include <shardplan/planner/plan.hpp>
#include <shardplan/planner/registry.hpp>
#include <shardplan/planner/report.hpp>
#include <shardplan/planner/search_plans.hpp>
#include <shardplan/planner/space.hpp>
