#pragma once
/// The room `model`: axes, terms, operations, layers; the layers of transformers; descriptions and what they count.
/// Needs `expr`.
#include <shardplan/model/attention.hpp>
#include <shardplan/model/axis.hpp>
#include <shardplan/model/block.hpp>
#include <shardplan/model/counts.hpp>
#include <shardplan/model/cross_attention.hpp>
#include <shardplan/model/decoder.hpp>
#include <shardplan/model/description.hpp>
#include <shardplan/model/encoder_ends.hpp>
#include <shardplan/model/ends.hpp>
#include <shardplan/model/keys.hpp>
#include <shardplan/model/kinds.hpp>
#include <shardplan/model/latent_attention.hpp>
#include <shardplan/model/matmul.hpp>
#include <shardplan/model/mixture.hpp>
#include <shardplan/model/mlp.hpp>
#include <shardplan/model/operation.hpp>
#include <shardplan/model/shape_values.hpp>
#include <shardplan/model/symbol.hpp>
#include <shardplan/model/term.hpp>
