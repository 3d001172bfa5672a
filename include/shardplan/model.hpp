#pragma once
/// The room `model`: axes, terms, operations, layers, and the layers of dense decoders. Needs `expr`.
#include <shardplan/model/axis.hpp>
#include <shardplan/model/decoder.hpp>
#include <shardplan/model/description.hpp>
#include <shardplan/model/matmul.hpp>
#include <shardplan/model/operation.hpp>
#include <shardplan/model/symbol.hpp>
#include <shardplan/model/term.hpp>
