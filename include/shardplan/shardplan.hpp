#pragma once
/// The library: everything but `io`, which needs a JSON library. This is what `shardplan::shardplan` exports.
#include <shardplan/core.hpp>
#include <shardplan/device/catalogue.hpp>
#include <shardplan/planner.hpp>
#include <shardplan/search.hpp>
