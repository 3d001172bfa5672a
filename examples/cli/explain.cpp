#include "explain.hpp"

#include <fmt/core.h>

#include "engine.hpp"

namespace command_line {

using namespace shardplan;

namespace {

void explain_first_block(model::block_kind kind, planner::plan const& choice,
                         planner::block_environment const& environment, planner::explanation& terms) {
  using model::block_kind;
  bool const flash = choice.kernel == planner::attention_kernel::flash;
  switch (kind) {
  case block_kind::plain_mlp:
    return (flash ? explain_plain_flash : explain_plain_plain)(choice.recompute, environment, terms);
  case block_kind::gated_mlp:
    return (flash ? explain_gated_flash : explain_gated_plain)(choice.recompute, environment, terms);
  case block_kind::routed_experts:
    return explain_mixture(choice.kernel, choice.recompute, environment, terms);
  case block_kind::latent_gated_mlp:
  case block_kind::latent_routed_experts:
    return explain_latent(kind, choice.kernel, choice.recompute, environment, terms);
  case block_kind::low_rank_latent_gated_mlp:
  case block_kind::low_rank_latent_routed_experts:
    return explain_low_rank_latent(kind, choice.kernel, choice.recompute, environment, terms);
  case block_kind::cross_plain_mlp:
  case block_kind::cross_gated_mlp:
    // No plan has them.
    return;
  }
}

/// All terms of a plan: of the first block of the worst stage, the ends, and the worst stage.
planner::explanation explain_plan(job const& work, planner::plan const& choice) {
  auto const& model = work.model;
  auto const& machine = work.cluster;
  planner::plan_reader const reader{model, machine, work.workload, choice, work.assumed, blocks()};
  auto const estimated = reader.estimate(work.workload);

  // The shape of the worst stage's first block.
  std::size_t shape_index = 0;
  long long begin = 0;
  for (auto const& run : model.runs) {
    if (begin <= estimated.worst.first_layer)
      shape_index = static_cast<std::size_t>(run.shape);
    begin += run.count;
  }
  auto const& shape = model.shapes[shape_index];
  auto const environment = planner::make_block_environment(model, shape, machine, work.workload, choice, work.assumed);

  planner::explanation terms;
  explain_first_block(shape.kind, choice, environment, terms);
  explain_embedding_and_head(environment, terms);
  planner::explain_stage_memory(reader, estimated.worst, terms);
  planner::explain_memory_sums(reader, estimated.worst, terms);
  // There is no speed of a plan that does not fit.
  if (planner::judge(estimated.worst.peak_bytes(), machine, work.assumed) == planner::verdict::no) {
    std::erase_if(terms, [](planner::explained_term const& term) { return term.second != 0; });
    return terms;
  }
  planner::explain_stage_times(reader, estimated.slowest, "slowest stage", terms);
  planner::explain_time_sums(reader, estimated.slowest, "slowest stage", terms);
  planner::explain_stage_times(reader, estimated.ending, "ending stage", terms);
  planner::explain_step(reader, estimated, machine, work.workload, work.assumed,
                        planner::model_flop(model, estimated, work.workload, work.assumed, blocks()), terms);
  return terms;
}

std::vector<planner::explained_term> terms_named(planner::explanation const& terms, std::string const& name) {
  std::vector<planner::explained_term> found;
  std::string known;
  for (auto const& term : terms) {
    if (name == term.name)
      found.push_back(term);
    if (known.find(std::string(" ") + term.name + ",") == std::string::npos)
      known += std::string(" ") + term.name + ",";
  }
  if (found.empty()) {
    known.back() = '.';
    throw usage_error{"--explain is \"" + name + "\"; it must be one of" + known};
  }
  return found;
}

std::string value_text(double value, int byte, int flop, int second) {
  if (byte == 1 && second == 0)
    return unit::bytes_text(unit::bytes{value});
  if (byte == 1 && second == -1)
    return unit::bandwidth_text(unit::bytes_per_second{value});
  if (flop == 1 && second == 0)
    return unit::flop_text(unit::flop{value});
  if (flop == 1 && second == -1)
    return unit::flop_rate_text(unit::flop_per_second{value});
  if (second == -1 && byte == 0 && flop == 0)
    return unit::number_text(value) + " /s";
  if (second == 1)
    return unit::seconds_text(unit::seconds{value});
  return unit::number_text(value);
}

void list_symbols(expr::tree const& formula, std::vector<expr::tree const*>& symbols) {
  if (formula.kind == expr::tree::kind::symbol) {
    for (auto const* known : symbols)
      if (known->name == formula.name)
        return;
    symbols.push_back(&formula);
  }
  for (auto const& operand : formula.operands)
    list_symbols(operand, symbols);
}

std::string one_text(planner::explained_term const& term) {
  std::string result = fmt::format("{} of the {}: {}\n", term.name, term.record, term.meaning);
  result += fmt::format("  = {}\n", expr::text(term.formula));
  result += fmt::format("  = {}\n", expr::text(term.formula, expr::symbols_as::values));
  result += fmt::format("  = {}\n", value_text(term.value, term.byte, term.flop, term.second));
  std::vector<expr::tree const*> symbols;
  list_symbols(term.formula, symbols);
  if (!symbols.empty())
    result += "  where\n";
  for (auto const* symbol : symbols)
    result += fmt::format("    {:<10} {:<16} {}\n", symbol->name,
                          value_text(symbol->value, symbol->byte, symbol->flop, symbol->second), symbol->meaning);
  return result;
}

}  // namespace

std::vector<planner::explained_term> explained_in(job const& work, planner::plan const& choice,
                                                  std::vector<std::string> const& names) {
  std::vector<planner::explained_term> result;
  if (names.empty())
    return result;
  auto const all = explain_plan(work, choice);
  for (auto const& name : names) {
    auto const found = name == "list" ? all : terms_named(all, name);
    result.insert(result.end(), found.begin(), found.end());
  }
  return result;
}

std::string explained_text(std::vector<planner::explained_term> const& terms) {
  std::string result;
  bool const brief = terms.size() > 12;
  for (auto const& term : terms)
    result += brief ? fmt::format("{:<28} {:<10} {:<14} {}\n", term.name, term.record,
                                  value_text(term.value, term.byte, term.flop, term.second), term.meaning)
                    : one_text(term) + "\n";
  return result;
}

}  // namespace command_line
