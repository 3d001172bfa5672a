#include <algorithm>
#include <cctype>
#include <cmath>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/core.h>
#include <nlohmann/json.hpp>

#include <shardplan/io/cluster.hpp>
#include <shardplan/io/report_json.hpp>
#include <shardplan/planner/legality_text.hpp>

#include "commands.hpp"
#include "engine.hpp"
#include "measured_rows.hpp"
#include "table.hpp"

/// `shardplan fidelity`: predictions beside published measurements.
namespace command_line {

using namespace shardplan;

namespace {

/// A row that cannot be predicted, and why: a kind of reason, not a detail, as rows are counted by it.
struct skipped {
  std::string reason;
};

std::string lower(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](unsigned char letter) { return static_cast<char>(std::tolower(letter)); });
  return text;
}
bool holds(std::string const& text, char const* part) { return text.find(part) != std::string::npos; }

/// Names that sources give to devices of the catalogue; the first that is part of the name.
char const* device_of(measured_row const& row) {
  static constexpr std::pair<char const*, char const*> names[] = {{"a100-sxm4-80gb", "a100-sxm-80gb"},
                                                                  {"a100-sxm4-40gb", "a100-sxm-40gb"},
                                                                  {"a100-80gb", "a100-sxm-80gb"},
                                                                  {"hbm2e 96gb", "h100-sxm-96gb"},
                                                                  {"h100-sxm", "h100-sxm"},
                                                                  {"h100 80gb hbm3", "h100-sxm"},
                                                                  {"h200", "h200"},
                                                                  {"h800", "h800"},
                                                                  {"gb300", "gb300"},
                                                                  {"gb200", "gb200"},
                                                                  {"b300", "b300"},
                                                                  {"b200", "b200"},
                                                                  {"l40s", "l40s"},
                                                                  {"l4-24gb", "l4"},
                                                                  {"a10g", "a10g"},
                                                                  {"mi300x", "mi300x"}};
  std::string const gpu = lower(row.text("gpu"));
  for (auto const& [part, id] : names)
    if (holds(gpu, part))
      return id;
  throw skipped{"the device is not in the catalogue"};
}

/// The byte policy that a framework trains with.
cost::byte_policy policy_of(measured_row const& row) {
  std::string const framework = lower(row.text("framework"));
  if (holds(framework, "torchtitan") || holds(framework, "fsdp"))
    return cost::policies::fsdp;
  if (holds(framework, "deepspeed") || holds(framework, "mist") || holds(framework, "aa-scaling"))
    return cost::policies::mixed;
  if (holds(framework, "megatron"))
    return cost::policies::megatron;
  throw skipped{"the byte policy of the framework is not known"};
}

planner::attention_kernel kernel_of(measured_row const& row) {
  std::string const kernel = row.text("kernel").substr(0, row.text("kernel").find('+'));
  if (kernel.starts_with("flash") || kernel == "sdpa")
    return planner::attention_kernel::flash;
  if (kernel == "torch" || kernel == "megatron_fused")
    return planner::attention_kernel::plain;
  if (auto const flash = row.flag("flash_attention"))
    return *flash ? planner::attention_kernel::flash : planner::attention_kernel::plain;
  throw skipped{"the attention kernel is not stated"};
}

/// What frameworks that choose by operator call selective, such as torchtitan, keeps every second matrix product.
planner::recomputation recomputation_of(measured_row const& row, cost::byte_policy const& policy) {
  std::string const& text = row.text("recompute");
  if (text == "none" || (text.starts_with("layers=") && text.find_first_of("123456789") == std::string::npos))
    return planner::recomputation::none;
  if (text == "full")
    return planner::recomputation::full;
  if (text == "selective")
    return policy.recomputes_by_operator ? planner::recomputation::operators : planner::recomputation::selective;
  if (text.empty())
    throw skipped{"recomputation is not stated"};
  throw skipped{"recomputation of some layers or operators"};
}

/// The shape, from the numbers of the row and the family that its name says.
transformer model_of(measured_row const& row) {
  std::string const name = lower(row.text("model_name"));
  bool const gated = holds(name, "llama") || holds(name, "mistral");
  bool const plain = holds(name, "gpt") || holds(name, "mpt") || holds(name, "opt-");
  if (!row.text("moe").empty())
    throw skipped{"a mixture of experts"};
  if (gated == plain)
    throw skipped{"the family of the model is not known"};
  auto const value = [&](char const* column) {
    if (auto const found = row.number(column); found && *found > 0)
      return *found;
    throw skipped{"the shape of the model is not complete"};
  };
  model::block_shape shape;
  shape.kind = gated ? model::block_kind::gated_mlp : model::block_kind::plain_mlp;
  shape.hidden = value("hidden");
  shape.feed_forward = row.text("ffn").empty() && plain ? 4 * shape.hidden : value("ffn");
  shape.heads = value("heads");
  shape.key_value_heads = row.text("kv_heads").empty() ? shape.heads : value("kv_heads");
  shape.head_dimension = shape.hidden / shape.heads;
  transformer result;
  if (plain && !holds(name, "mpt")) {
    // Megatron's GPT: biases, layer norms, dropout.
    shape.norm_vectors = 2;
    shape.query_key_value_bias = shape.attention_output_bias = shape.mlp_bias = 1;
    shape.hidden_dropout = shape.attention_dropout = 1;
    result.learned_positions = value("seq_len");
    result.tied_embeddings = true;
  } else if (plain) {
    result.tied_embeddings = true;
  }
  result.family = gated ? "llama" : "gpt2";
  result.shapes[0] = shape;
  result.shape_count = 1;
  result.runs = {model::block_run{0, static_cast<long long>(value("layers"))}};
  result.vocabulary = value("vocab");
  return result;
}

long long required(measured_row const& row, char const* column) {
  auto const found = row.whole(column);
  if (!found || *found < 1)
    throw skipped{"the plan is not complete"};
  return *found;
}

std::pair<job, planner::plan> understand(measured_row const& row) {
  planner::plan choice;
  choice.tensor = required(row, "tp");
  choice.pipeline = required(row, "pp");
  choice.data = required(row, "dp");
  choice.micro_batch = required(row, "micro_batch");
  if (row.number("cp").value_or(1) > 1)
    throw skipped{"context parallelism"};
  if (row.number("ep").value_or(1) > 1)
    throw skipped{"expert parallelism"};
  if (row.number("vpp").value_or(1) > 1)
    throw skipped{"virtual pipeline stages"};
  if (auto const& schedule = row.text("schedule"); !schedule.empty() && schedule != "1f1b")
    throw skipped{"a schedule other than 1F1B"};
  if (holds(lower(row.text("precision")), "fp8") || holds(lower(row.text("precision")), "fp4"))
    throw skipped{"fp8 or fp4"};

  job work;
  work.model_name = row.text("model_name");
  work.model = model_of(row);
  work.assumed.policy = policy_of(row);
  work.kernel = choice.kernel = kernel_of(row);
  choice.recompute = recomputation_of(row, work.assumed.policy);
  choice.sequence_parallel = choice.tensor > 1 && row.flag("sp").value_or(false);
  choice.zero_stage = static_cast<int>(row.whole("zero_stage").value_or(work.assumed.policy.usual_stage));
  work.workload = {.sequence_length = static_cast<double>(required(row, "seq_len")),
                   .global_batch = required(row, "global_batch"),
                   .precision = holds(lower(row.text("precision")), "fp16") ? device::number_format::fp16
                                                                            : device::number_format::bf16};

  long long const devices = required(row, "gpus");
  long long const in_node = std::min(devices, row.whole("gpus_per_node").value_or(devices));
  if (in_node < 1 || devices % in_node != 0)
    throw skipped{"nodes are not full"};
  if (auto const& stages = row.text("stage_layers"); !stages.empty()) {
    long long const even = work.model.layers() / choice.pipeline;
    std::string expected = std::to_string(even);
    for (long long stage = 1; stage < choice.pipeline; ++stage)
      expected += "/" + std::to_string(even);
    if (stages != expected)
      throw skipped{"uneven stages"};
  }
  auto const named = io::read_cluster(fmt::format("{}x{}:{}", devices / in_node, in_node, device_of(row)));
  work.cluster = named.cluster;
  work.cluster_strings = named.strings;
  work.assumed.tensor_across_nodes = choice.tensor > in_node;
  return {work, choice};
}

/// What is known of the rows of one source.
struct source_figures {
  std::size_t rows = 0, predicted = 0;
  std::map<std::string, std::size_t> skipped = {};
  std::vector<double> memory_errors = {}, time_errors = {};
  /// By verdict: rows with an outcome, and those of them that ran out of memory.
  std::map<planner::verdict, std::pair<std::size_t, std::size_t>> verdicts = {};
  std::size_t outcomes = 0, right = 0, out_of_memory = 0, called_fitting = 0, ran = 0, called_misfits = 0;
};

double mean(std::vector<double> const& of) {
  double sum = 0;
  for (double const each : of)
    sum += std::abs(each);
  return of.empty() ? 0 : sum / static_cast<double>(of.size());
}

void predict(measured_row const& row, source_figures& figures) {
  ++figures.rows;
  try {
    if (auto const& suspect = row.text("suspect"); !suspect.empty())
      throw skipped{"suspect: " + suspect.substr(0, suspect.find(':'))};
    auto const [work, choice] = understand(row);
    auto const report = report_of(work, choice);
    if (!report.legal())
      throw skipped{std::string{"refused by the rule "} + planner::statement_of(report.broken).name};
    ++figures.predicted;
    double const peak = report.estimate.worst.peak_bytes();
    if (auto const measured = row.number("peak_mem_gib"); measured && *measured > 0)
      figures.memory_errors.push_back(unit::in_gib(unit::bytes{peak}) / *measured - 1);
    if (auto const failed = row.flag("oom")) {
      bool const fits = peak <= report.usable_bytes;
      ++figures.outcomes;
      figures.right += fits != *failed ? 1 : 0;
      (*failed ? figures.out_of_memory : figures.ran) += 1;
      figures.called_fitting += *failed && fits ? 1 : 0;
      figures.called_misfits += !*failed && !fits ? 1 : 0;
      auto& [count, out] = figures.verdicts[report.verdict];
      ++count;
      out += *failed ? 1 : 0;
    }
    auto step = row.number("step_time_s");
    if (!step)
      step = row.number("derived_step_time_s");
    if (step && *step > 0)
      figures.time_errors.push_back(report.estimate.step_time / *step - 1);
  } catch (skipped const& why) {
    ++figures.skipped[why.reason];
  } catch (usage_error const&) {
    ++figures.skipped["a layout that the planner does not take"];
  }
}

double share(std::size_t part, std::size_t whole) {
  return whole == 0 ? 0 : static_cast<double>(part) / static_cast<double>(whole);
}

nlohmann::json json_of(std::string const& name, source_figures const& of) {
  nlohmann::json result{{"source", name}, {"rows", of.rows}, {"predicted", of.predicted}, {"skipped", of.skipped}};
  auto const set = [&](char const* key, bool known, double value) {
    result[key] = known ? nlohmann::json(value) : nlohmann::json(nullptr);
  };
  set("mape_memory", !of.memory_errors.empty(), mean(of.memory_errors));
  set("mape_step_time", !of.time_errors.empty(), mean(of.time_errors));
  set("oom_accuracy", of.outcomes > 0, share(of.right, of.outcomes));
  set("false_fit_rate", of.out_of_memory > 0, share(of.called_fitting, of.out_of_memory));
  set("false_oom_rate", of.ran > 0, share(of.called_misfits, of.ran));
  result["memory_rows"] = of.memory_errors.size();
  result["step_time_rows"] = of.time_errors.size();
  result["oom_rows"] = of.out_of_memory;
  result["verdict_rows"] = of.outcomes;
  nlohmann::json verdicts = nlohmann::json::object();
  for (auto const each : {planner::verdict::fits, planner::verdict::tight, planner::verdict::no}) {
    auto const found = of.verdicts.find(each);
    auto const [count, out] = found == of.verdicts.end() ? std::pair<std::size_t, std::size_t>{} : found->second;
    verdicts[name_of(each)] = {{"share", share(count, of.outcomes)},
                               {"oom_rate", count > 0 ? nlohmann::json(share(out, count)) : nlohmann::json(nullptr)}};
  }
  result["verdicts"] = verdicts;
  return result;
}

std::string percent(bool known, double value) { return known ? fmt::format("{:.1f}", 100 * value) : "-"; }

}  // namespace

int run_fidelity(fidelity_options const& options) {
  std::vector<std::pair<std::string, source_figures>> sources;
  for (measured_row const& row : read_measured_rows(options.rows)) {
    std::string const& name = row.text("source");
    auto found = std::find_if(sources.begin(), sources.end(), [&](auto const& each) { return each.first == name; });
    if (found == sources.end())
      found = sources.insert(found, {name, {}});
    predict(row, found->second);
  }
  if (options.json) {
    nlohmann::json list = nlohmann::json::array();
    for (auto const& [name, figures] : sources)
      list.push_back(json_of(name, figures));
    fmt::print(
        "{}\n",
        nlohmann::json{{"schema_version", io::output_schema_version}, {"command", "fidelity"}, {"sources", list}}.dump(
            2));
    return 0;
  }
  table out({"source", "rows", "predicted", "memory rows", "MAPE %", "worst %", "outcomes", "right %", "false fit %",
             "false OOM %", "time rows", "MAPE %", "mean %"});
  for (auto const& [name, of] : sources) {
    double worst = 0, bias = 0;
    for (double const each : of.memory_errors)
      worst = std::abs(each) > std::abs(worst) ? each : worst;
    for (double const each : of.time_errors)
      bias += each / static_cast<double>(of.time_errors.size());
    bool const memory = !of.memory_errors.empty(), time = !of.time_errors.empty();
    out.add({name, std::to_string(of.rows), std::to_string(of.predicted), std::to_string(of.memory_errors.size()),
             percent(memory, mean(of.memory_errors)), percent(memory, worst), std::to_string(of.outcomes),
             percent(of.outcomes > 0, share(of.right, of.outcomes)),
             percent(of.out_of_memory > 0, share(of.called_fitting, of.out_of_memory)),
             percent(of.ran > 0, share(of.called_misfits, of.ran)), std::to_string(of.time_errors.size()),
             percent(time, mean(of.time_errors)), percent(time, bias)});
  }
  fmt::print("{}\n", out.text());
  table why({"not predicted", "source", "rows"});
  why.left(1);
  for (auto const& [name, figures] : sources)
    for (auto const& [reason, count] : figures.skipped)
      why.add({reason, name, std::to_string(count)});
  fmt::print(
      "{}\nErrors are predicted over measured, less 1. Nothing is fitted to these rows. False fit: share of the rows "
      "that ran out of memory that the plan is said to fit in; false OOM: share of those that ran.\n",
      why.text());
  return 0;
}

}  // namespace command_line
