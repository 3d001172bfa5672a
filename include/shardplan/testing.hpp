#pragma once
/// The room `testing`: archetypes, the least types that satisfy each concept, and law checks for types of one's own.
/// Each check returns the broken laws as sentences; put them into a test of any framework.
#include <shardplan/testing/archetypes.hpp>
#include <shardplan/testing/chain_instances.hpp>
#include <shardplan/testing/contest.hpp>
#include <shardplan/testing/device_laws.hpp>
#include <shardplan/testing/generator.hpp>
#include <shardplan/testing/layer_laws.hpp>
#include <shardplan/testing/mechanism_laws.hpp>
#include <shardplan/testing/partition_instances.hpp>
#include <shardplan/testing/problem_laws.hpp>
#include <shardplan/testing/reader_laws.hpp>
#include <shardplan/testing/search_contests.hpp>
#include <shardplan/testing/stage_points_instances.hpp>
#include <shardplan/testing/strategy_laws.hpp>
#include <shardplan/testing/zero_one_instances.hpp>
