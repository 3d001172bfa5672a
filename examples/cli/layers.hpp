#pragma once
#include <string>
#include <vector>

#include <shardplan/model/counts.hpp>

#include "work.hpp"

/// What the layers of a model own and compute.
namespace command_line {

/// Equal layers of a model. FLOP are those of a forward pass, per token.
struct layer_row {
  std::string name;
  long long count;
  shardplan::model::layer_counts each;
  shardplan::model::block_shape const* shape = nullptr;
};
std::vector<layer_row> layers_of(transformer const& model, double sequence_length);

/// Of the whole model.
double parameters_of(transformer const& model);

}  // namespace command_line
