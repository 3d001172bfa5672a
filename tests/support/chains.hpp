#pragma once
#include <shardplan/testing/chain_instances.hpp>

#include <support/numbers.hpp>

/// The library's own instances under the name that tests use.
namespace support {

using shardplan::testing::chain_instance;
using shardplan::testing::chain_kind;
using shardplan::testing::cheapest_by_table;
using shardplan::testing::cheapest_by_trying;
using shardplan::testing::for_each_chain;
using shardplan::testing::random_chain;

}  // namespace support
