#pragma once
#include <cstddef>
#include <string>

#include <shardplan/model/kinds.hpp>

/// Models that can be read and counted, but not planned.
namespace shardplan::planner {

/// What of a model a planner that knows these kinds of blocks cannot plan, in words; empty if it can plan all of it.
/// `Blocks` says with `knows(kind)` which kinds it has records of.
template <class Model, class Blocks> std::string missing_for(Model const& model, Blocks const& blocks) {
  for (std::size_t index = 0; index < model.shape_count; ++index)
    if (!blocks.knows(model.shapes[index].kind))
      return std::string("blocks of the kind \"") + model::name_of(model.shapes[index]) + "\"";
  if (model.encoder_layers > 0)
    return "an encoder that feeds a decoder";
  if (model.input != model::input_kind::tokens)
    return std::string("the first layer \"") + model::name_of(model.input) + "\"";
  if (model.output != model::output_kind::language_head)
    return std::string("the last layer \"") + model::name_of(model.output) + "\"";
  return "";
}

}  // namespace shardplan::planner
