#pragma once
/// The room `strategy`: rules on named axes, composition, and the strategies. Needs `model` and `device`.
#include <shardplan/strategy/chosen_mechanism.hpp>
#include <shardplan/strategy/data.hpp>
#include <shardplan/strategy/layout.hpp>
#include <shardplan/strategy/mesh.hpp>
#include <shardplan/strategy/recompute.hpp>
#include <shardplan/strategy/rule.hpp>
#include <shardplan/strategy/tensor.hpp>
