#include <CLI/CLI.hpp>
#include <fmt/core.h>

#include <shardplan/io/report_json.hpp>

#include "commands.hpp"
#include "options.hpp"
#include "table.hpp"

/// `shardplan model`: what a model is made of.
namespace command_line {

using namespace shardplan;

namespace {

struct layer_row {
  std::string name;
  long long count;
  double parameters;
  /// Forward, one token.
  double forward_flop;
  model::block_shape const* shape = nullptr;
};

class model_command : public command {
 public:
  explicit model_command(CLI::App& application) {
    auto& self = *application.add_subcommand("model", "Parameters, FLOP and layers of a model");
    self.add_option("--model", file_, "Hugging Face config.json, a folder that holds one, or a shardplan decoder file")
        ->required();
    self.add_option("--seq", sequence_length_, "sequence length at which FLOP are counted")->capture_default_str();
    self.add_flag("--json", json_, "print one JSON object (docs/reference/output.schema.json)");
  }

  int run() override {
    if (sequence_length_ < 1 || sequence_length_ > 1'000'000'000)
      throw usage_error{fmt::format("--seq is {}; it must be from 1 to 1000000000", sequence_length_)};
    auto const named = io::read_model(file_);
    auto const rows = layers(named);
    double flop = 0;
    for (auto const& row : rows)
      flop += static_cast<double>(row.count) * row.forward_flop;
    double const parameters = planner::parameters(named.model, planner::block_registry::standard());
    if (json_)
      print_json(named, rows, parameters, 3 * flop);
    else
      print_text(named, rows, parameters, 3 * flop);
    return 0;
  }

 private:
  std::vector<layer_row> layers(io::named_model const& named) const {
    auto const& model = named.model;
    auto const blocks = planner::block_registry::standard();
    planner::workload const job{.sequence_length = static_cast<double>(sequence_length_), .global_batch = 1};
    planner::assumptions assumed;
    assumed.policy.vocabulary_multiple = 1;
    auto const machine = device::unit_cluster();
    planner::plan const single;
    auto const row = [&](std::string name, long long count, planner::block_values const& values) {
      return layer_row{std::move(name), count, planner::get<cost::tag::block_parameters>(values),
                       planner::get<cost::tag::block_model_flop>(values) / job.sequence_length};
    };
    std::vector<layer_row> rows;
    auto const ends = planner::make_block_environment(model, model.shapes[0], machine, job, single, assumed);
    rows.push_back(row("embedding", 1, planner::read_embedding(ends)));
    for (auto const& run : model.runs) {
      auto const& shape = model.shapes[static_cast<std::size_t>(run.shape)];
      auto const values = blocks(shape.kind, planner::recomputation::none, planner::attention_kernel::flash,
                                 planner::make_block_environment(model, shape, machine, job, single, assumed));
      rows.push_back(row(blocks.name(shape.kind), run.count, values));
      rows.back().shape = &shape;
    }
    rows.push_back(row("head", 1, planner::read_head(ends)));
    return rows;
  }

  void print_json(io::named_model const& named, std::vector<layer_row> const& rows, double parameters,
                  double flop) const {
    io::json output{{"schema_version", io::output_schema_version},
                    {"command", "model"},
                    {"model", named.name},
                    {"family", named.model.family},
                    {"parameters", static_cast<long long>(parameters)},
                    {"sequence_length", sequence_length_},
                    {"flops_per_token", flop},
                    {"tied_embeddings", named.model.tied_embeddings}};
    output["layers"] = io::json::array();
    for (auto const& row : rows) {
      io::json layer{{"name", row.name},
                     {"count", row.count},
                     {"parameters", static_cast<long long>(row.parameters)},
                     {"forward_flops_per_token", row.forward_flop}};
      if (row.shape) {
        layer["hidden"] = row.shape->hidden;
        layer["feed_forward"] = row.shape->feed_forward;
        layer["heads"] = row.shape->heads;
        layer["key_value_heads"] = row.shape->key_value_heads;
        layer["head_dimension"] = row.shape->head_dimension;
        layer["window"] = row.shape->window;
      }
      output["layers"].push_back(std::move(layer));
    }
    output["notes"] = named.notes;
    fmt::print("{}\n", output.dump(2));
  }

  void print_text(io::named_model const& named, std::vector<layer_row> const& rows, double parameters,
                  double flop) const {
    fmt::print("model       {} ({})\nparameters  {:.0f}{}\nFLOP        {:.4g} per token, forward and backward, at {} "
               "tokens\n\n",
               named.name, named.model.family, parameters,
               named.model.tied_embeddings ? ", the tied embedding counted once" : "", flop, sequence_length_);
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
    for (auto const& note : named.notes)
      fmt::print("note: {}\n", note);
  }

  std::string file_;
  long long sequence_length_ = 4096;
  bool json_ = false;
};

}  // namespace

std::unique_ptr<command> add_model_command(CLI::App& application) {
  return std::make_unique<model_command>(application);
}

}  // namespace command_line
