#pragma once
/// The room `cost`: records of expressions for blocks and stages, collectives, memory over phases, byte policies.
#include <shardplan/cost/block.hpp>
#include <shardplan/cost/byte_policy.hpp>
#include <shardplan/cost/communication.hpp>
#include <shardplan/cost/memory.hpp>
#include <shardplan/cost/stage.hpp>
#include <shardplan/cost/symbol.hpp>
