#pragma once
/// Everything that needs Boost.Hana only: the rooms up to `schedule`, and estimating one plan. No text, no files, no
/// search. This is what `shardplan::core` exports.
#include <shardplan/cost.hpp>
#include <shardplan/device.hpp>
#include <shardplan/expr.hpp>
#include <shardplan/model.hpp>
#include <shardplan/model/published.hpp>
#include <shardplan/planner/fits.hpp>
#include <shardplan/schedule.hpp>
#include <shardplan/strategy.hpp>
#include <shardplan/unit.hpp>
#include <shardplan/version.hpp>
