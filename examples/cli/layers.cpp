#include "layers.hpp"

namespace command_line {

using namespace shardplan;

double parameters_of(transformer const& model) { return model::counts_of_model(model).parameters; }

std::vector<layer_row> layers_of(transformer const& model, double sequence_length) {
  std::vector<layer_row> rows;
  auto const add = [&](std::string name, long long count, model::layer_counts each) -> layer_row& {
    each.forward_flop /= sequence_length;
    return rows.emplace_back(layer_row{std::move(name), count, each});
  };
  add(model::name_of(model.input), 1, model::counts_of_input(model, sequence_length));
  for (std::size_t index = 0; index < model.shape_count; ++index) {
    auto const& shape = model.shapes[index];
    long long count = 0;
    for (auto const& run : model.runs)
      if (static_cast<std::size_t>(run.shape) == index)
        count += run.count;
    add(model::name_of(shape), count, model::counts_of_block(model, shape, sequence_length)).shape = &shape;
  }
  if (model.encoder_layers > 0)
    add("encoder norm", 1, model::counts_of_encoder_norm(model, sequence_length));
  add(model::name_of(model.output), 1, model::counts_of_output(model, sequence_length));
  return rows;
}

}  // namespace command_line
