#include <fmt/core.h>

#include "commands.hpp"
#include "json_output.hpp"
#include "layers.hpp"
#include "table.hpp"

/// `shardplan model`: what a model is made of.
namespace command_line {

using namespace shardplan;

namespace {

/// What a block has beside attention and an MLP, in words; empty if nothing.
std::string parts_of(model::block_shape const& shape) {
  std::string parts;
  auto const add = [&](std::string const& part) { parts += (parts.empty() ? "" : "; ") + part; };
  if (shape.query_rank > 0)
    add(fmt::format("queries compressed to {:.0f}", shape.query_rank));
  if (shape.key_value_rank > 0)
    add(fmt::format("keys and values compressed to {:.0f}, heads of {:.0f} + {:.0f} (rotary) and {:.0f} (values)",
                    shape.key_value_rank, shape.plain_dimension, shape.rotary_dimension, shape.value_dimension));
  if (shape.experts > 0)
    add(fmt::format("{:.0f} experts of {:.0f}, {:.0f} for each token", shape.experts, shape.expert_feed_forward,
                    shape.experts_per_token));
  if (shape.shared_feed_forward > 0)
    add(fmt::format("shared experts of {:.0f}{}", shape.shared_feed_forward,
                    shape.shared_gate > 0 ? ", with a gate" : ""));
  if (shape.head_parameters == 1)
    add("attention sinks");
  if (shape.head_parameters > 1)
    add(fmt::format("{:.0f} buckets of relative positions", shape.head_parameters));
  return parts;
}

std::string seen_text(model::block_shape const& shape) {
  if (shape.chunk > 0)
    return fmt::format("{:.0f}, in chunks", shape.chunk);
  return shape.window > 0 ? fmt::format("{:.0f}", shape.window) : "all";
}

void print_text(model_file const& file, std::vector<layer_row> const& rows, model_totals const& totals) {
  bool const mixture = totals.active_parameters != totals.parameters;
  fmt::print("model       {} ({})\nparameters  {:.0f}{}\n", file.name, file.model.family, totals.parameters,
             file.model.tied_embeddings ? ", the tied embedding counted once" : "");
  if (mixture)
    fmt::print("active      {:.0f} for each token\n", totals.active_parameters);
  fmt::print("FLOP        {:.4g} per token, forward and backward, at {} tokens{}\n\n", totals.flop_per_token,
             totals.sequence_length,
             file.model.encoder_layers > 0 ? " in the decoder, and as many in the encoder" : "");
  std::vector<std::string> head{"layer", "count", "parameters each"};
  if (mixture)
    head.push_back("active each");
  for (const char* name :
       {"share %", "forward MFLOP/token each", "hidden", "ffn", "heads", "kv heads", "head dim", "window"})
    head.push_back(name);
  table out(head);
  for (auto const& row : rows) {
    std::vector<std::string> cells{row.name, std::to_string(row.count), fmt::format("{:.0f}", row.each.parameters)};
    if (mixture)
      cells.push_back(fmt::format("{:.0f}", row.each.active_parameters));
    cells.push_back(
        fmt::format("{:.1f}", 100 * row.each.parameters * static_cast<double>(row.count) / totals.parameters));
    cells.push_back(fmt::format("{:.2f}", row.each.forward_flop / 1e6));
    if (row.shape) {
      auto const& shape = *row.shape;
      double const feed_forward = shape.experts > 0 ? shape.expert_feed_forward : shape.feed_forward;
      for (double const number : {shape.hidden, feed_forward, shape.heads, shape.key_value_heads, shape.head_dimension})
        cells.push_back(fmt::format("{:.0f}", number));
      cells.push_back(seen_text(shape));
    }
    out.add(std::move(cells));
  }
  fmt::print("{}", out.text());
  for (auto const& row : rows)
    if (row.shape && !parts_of(*row.shape).empty())
      fmt::print("{} ({} of them): {}\n", row.name, row.count, parts_of(*row.shape));
  for (auto const& note : file.notes)
    fmt::print("note: {}\n", note);
}

/// The length at which FLOP are counted: an image has as many tokens as it has.
long long counted_length(model_options const& options, transformer const& model) {
  if (options.sequence_length && (*options.sequence_length < 1 || *options.sequence_length > 1'000'000'000))
    throw usage_error{fmt::format("--seq is {}; it must be from 1 to 1000000000", *options.sequence_length)};
  if (model.patches == 0)
    return options.sequence_length.value_or(4096);
  auto const tokens = static_cast<long long>(model.patches) + 1;
  if (options.sequence_length.value_or(tokens) != tokens)
    throw usage_error{fmt::format("--seq is {}; it must be {}, or left out: the patches of an image and one token",
                                  *options.sequence_length, tokens)};
  return tokens;
}

}  // namespace

int run_model(model_options const& options) {
  model_file const file = read_model_file(options.model);
  model_totals totals;
  totals.sequence_length = counted_length(options, file.model);
  auto const rows = layers_of(file.model, static_cast<double>(totals.sequence_length));
  for (auto const& row : rows) {
    auto const count = static_cast<double>(row.count);
    totals.parameters += count * row.each.parameters;
    totals.active_parameters += count * row.each.active_parameters;
    totals.flop_per_token += 3 * count * row.each.forward_flop;
  }
  if (options.json)
    fmt::print("{}\n", model_json(file, rows, totals));
  else
    print_text(file, rows, totals);
  return 0;
}

}  // namespace command_line
