#include <fmt/core.h>

#include "commands.hpp"
#include "json_output.hpp"
#include "table.hpp"

/// `shardplan model`: what a model is made of.
namespace command_line {

namespace {

void print_text(model_options const& options, model_file const& file, std::vector<layer_row> const& rows,
                double parameters, double flop) {
  fmt::print("model       {} ({})\nparameters  {:.0f}{}\nFLOP        {:.4g} per token, forward and backward, at {} "
             "tokens\n\n",
             file.name, file.model.family, parameters,
             file.model.tied_embeddings ? ", the tied embedding counted once" : "", flop, options.sequence_length);
  table out({"layer", "count", "parameters each", "share %", "forward MFLOP/token each", "hidden", "ffn", "heads",
             "kv heads", "head dim", "window"});
  for (auto const& row : rows) {
    std::vector<std::string> cells{
        row.name, std::to_string(row.count), fmt::format("{:.0f}", row.parameters),
        fmt::format("{:.1f}", 100 * row.parameters * static_cast<double>(row.count) / parameters),
        fmt::format("{:.2f}", row.forward_flop / 1e6)};
    if (row.shape) {
      auto const& shape = *row.shape;
      for (double const number :
           {shape.hidden, shape.feed_forward, shape.heads, shape.key_value_heads, shape.head_dimension})
        cells.push_back(fmt::format("{:.0f}", number));
      cells.push_back(shape.window > 0 ? fmt::format("{:.0f}", shape.window) : "all");
    }
    out.add(std::move(cells));
  }
  fmt::print("{}", out.text());
  for (auto const& note : file.notes)
    fmt::print("note: {}\n", note);
}

}  // namespace

int run_model(model_options const& options) {
  if (options.sequence_length < 1 || options.sequence_length > 1'000'000'000)
    throw usage_error{fmt::format("--seq is {}; it must be from 1 to 1000000000", options.sequence_length)};
  model_file const file = read_model_file(options.model);
  auto const rows = layers_of(file.model, static_cast<double>(options.sequence_length));
  double forward = 0;
  for (auto const& row : rows)
    forward += static_cast<double>(row.count) * row.forward_flop;
  double const parameters = parameters_of(file.model);
  if (options.json)
    fmt::print("{}\n", model_json(file, rows, parameters, options.sequence_length, 3 * forward));
  else
    print_text(options, file, rows, parameters, 3 * forward);
  return 0;
}

}  // namespace command_line
