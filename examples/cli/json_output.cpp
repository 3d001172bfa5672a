#include "json_output.hpp"

#include <shardplan/io/report_json.hpp>

namespace command_line {

using namespace shardplan;

namespace {

io::json head(const char* command, job const& work) {
  return {{"schema_version", io::output_schema_version},
          {"command", command},
          {"model", work.model_name},
          {"cluster", io::to_json(work.cluster)},
          {"job", io::to_json(work.workload)}};
}

void add_explained(io::json& output, explained_terms const& explained) {
  if (explained.empty())
    return;
  output["explained"] = io::json::array();
  for (auto const& term : explained)
    output["explained"].push_back(io::to_json(term));
}

/// A plan that misses memory: how much, and its largest term.
io::json misfit_json(job const& work, planner::plan const& choice) {
  auto const report = report_of(work, choice);
  auto const largest = planner::largest_term(report);
  return {{"plan", io::to_json(choice)},
          {"peak_bytes", report.estimate.worst.peak_bytes()},
          {"missing_bytes", -report.headroom_bytes()},
          {"largest_term", {{"name", largest.name}, {"bytes", largest.value}}}};
}

}  // namespace

std::string plan_json(job const& work, planner::plan_space const& space, search_result const& found,
                      std::vector<planner::plan_report> const& reports, explained_terms const& explained) {
  io::json output = head("plan", work);
  output["parameters"] = static_cast<long long>(parameters_of(work.model));
  output["fits"] = !reports.empty();
  output["status"] = search::name_of(found.certificate.status);
  output["candidates"] = found.certificate.candidates;
  output["evaluated"] = found.certificate.evaluated;
  output["plans"] = io::json::array();
  for (auto const& report : reports)
    output["plans"].push_back(io::to_json(report));
  output["rejected"] = io::rejected_json(found, work.model, work.cluster, work.workload, work.assumed);
  auto const& by_memory = found.refused[planner::memory_reason];
  output["nearest_misfit"] = by_memory.count > 0 ? misfit_json(work, by_memory.nearest) : io::json(nullptr);
  std::optional<planner::plan> faster;
  if (!reports.empty())
    faster = nearest_faster_misfit(work, space, reports.front().estimate.step_time);
  output["nearest_faster_misfit"] = faster ? misfit_json(work, *faster) : io::json(nullptr);
  output["assumptions"] = io::to_json(work.assumed, work.cluster, work.workload);
  output["notes"] = work.notes;
  add_explained(output, explained);
  return output.dump(2);
}

std::string estimate_json(job const& work, planner::plan_report const& report, explained_terms const& explained) {
  io::json output = head("estimate", work);
  output.update(io::to_json(report));
  for (auto const& note : work.notes)
    output["notes"].push_back(note);
  output["assumptions"] = io::to_json(work.assumed, work.cluster, work.workload);
  add_explained(output, explained);
  return output.dump(2);
}

std::string model_json(model_file const& file, std::vector<layer_row> const& rows, model_totals const& totals) {
  auto const& model = file.model;
  io::json output{{"schema_version", io::output_schema_version},
                  {"command", "model"},
                  {"model", file.name},
                  {"family", model.family},
                  {"parameters", static_cast<long long>(totals.parameters)},
                  {"active_parameters", static_cast<long long>(totals.active_parameters)},
                  {"sequence_length", totals.sequence_length},
                  {"flops_per_token", totals.flop_per_token},
                  {"tied_embeddings", model.tied_embeddings},
                  {"encoder_layers", model.encoder_layers}};
  output["layers"] = io::json::array();
  for (auto const& row : rows) {
    io::json layer{{"name", row.name},
                   {"count", row.count},
                   {"parameters", static_cast<long long>(row.each.parameters)},
                   {"active_parameters", static_cast<long long>(row.each.active_parameters)},
                   {"forward_flops_per_token", row.each.forward_flop}};
    if (row.shape) {
      auto const& shape = *row.shape;
      layer["hidden"] = shape.hidden;
      layer["heads"] = shape.heads;
      layer["key_value_heads"] = shape.key_value_heads;
      layer["head_dimension"] = shape.head_dimension;
      layer["window"] = shape.window;
      layer["chunk"] = shape.chunk;
      layer["causal"] = shape.causal > 0;
      // Sizes of parts that a block has or has not.
      auto const add = [&](const char* key, double number) {
        if (number > 0)
          layer[key] = number;
      };
      add("feed_forward", shape.feed_forward);
      add("experts", shape.experts);
      add("experts_per_token", shape.experts_per_token);
      add("expert_feed_forward", shape.expert_feed_forward);
      add("shared_feed_forward", shape.shared_feed_forward);
      add("query_rank", shape.query_rank);
      add("key_value_rank", shape.key_value_rank);
      add("rotary_dimension", shape.rotary_dimension);
      add("plain_dimension", shape.plain_dimension);
      add("value_dimension", shape.value_dimension);
    }
    output["layers"].push_back(std::move(layer));
  }
  output["notes"] = file.notes;
  return output.dump(2);
}

}  // namespace command_line
