#pragma once
#include <string>
#include <vector>

#include <shardplan/expr/text.hpp>
#include <shardplan/planner/report.hpp>

/// Where a number comes from: the formula of a term, the formula with its values, and the symbols in it.
namespace shardplan::planner {

/// A term of one of the records that were read for a plan.
struct explained_term {
  /// "block", "embedding", "head"; "stage" (of the peak memory), "slowest stage", "ending stage"; "schedule", "step".
  const char* record;
  const char* name;
  const char* meaning;
  expr::tree formula;
  double value = 0;
  int byte = 0, flop = 0, second = 0;
};

/// Names of all terms that can be explained.
using explanation = std::vector<explained_term>;

namespace detail {

template <class... Entries, class Environment>
void explain_record(const char* name, expr::record<Entries...>, Environment const& environment, explanation& terms) {
  (terms.push_back({name, Entries::tag::name, Entries::tag::meaning,
                    expr::make_tree(typename Entries::expression_type{}, environment),
                    expr::evaluate(typename Entries::expression_type{}, environment).value,
                    Entries::tag::dimension::byte, Entries::tag::dimension::flop, Entries::tag::dimension::second}),
   ...);
}

}  // namespace detail

/// All terms of a block. Instantiates the printing of its records, which is dear to compile: call it in one translation
/// unit.
template <model::layer_description Layer>
void explain_layer(Layer layer, recomputation again, block_environment const& environment, explanation& terms) {
  detail::with_mechanism(again, [&]<class Mechanism>(Mechanism) {
    detail::explain_record("block", cost::block_record(detail::laid_out<Mechanism>(layer)), environment, terms);
  });
}

/// The same for a dense decoder block.
template <class Mlp, class Kernel>
void explain_block(recomputation again, block_environment const& environment, explanation& terms) {
  explain_layer(model::decoder_block(Mlp{}, Kernel{}), again, environment, terms);
}

/// All terms of the embedding and the head.
inline void explain_ends(block_environment const& environment, explanation& terms) {
  using none = strategy::keep_everything;
  detail::explain_record("embedding", cost::block_record(detail::laid_out<none>(model::embedding_layer())), environment,
                         terms);
  detail::explain_record("head", cost::block_record(detail::laid_out<none>(model::head_layer())), environment, terms);
}

/// The memory terms of a stage.
template <class Reader>
void explain_stage_memory(Reader const& reader, stage_estimate const& stage, explanation& terms) {
  auto const shared = reader.plan_values();
  expr::scope const placed{stage.place, shared};
  expr::scope const all{stage.values, placed};
  detail::explain_record("stage", stage_inputs_record(), all, terms);
  detail::explain_record("stage", cost::stage_memory_record(stage_layout{}), all, terms);
  detail::explain_record("stage", cost::stage_peak_record(), stage.values, terms);
}

/// The times of a stage, under a name for it.
template <class Reader>
void explain_stage_times(Reader const& reader, stage_estimate const& stage, const char* name, explanation& terms) {
  auto const shared = reader.plan_values();
  expr::scope const placed{stage.place, shared};
  expr::scope const all{stage.values, placed};
  detail::explain_record(name, cost::stage_time_record(), all, terms);
  detail::explain_record(name, cost::stage_exposed_record(), all, terms);
}

/// What follows from the plan's choices.
template <class Reader> void explain_choices(Reader const& reader, explanation& terms) {
  auto const shared = reader.plan_values();
  detail::explain_record("plan", shares_record(), shared, terms);
  detail::explain_record("plan", repetitions_record(), shared, terms);
  detail::explain_record("plan", cost::shared_time_record(stage_layout{}), shared, terms);
}

namespace detail {

/// How the blocks of a stage make a stage symbol.
enum class gathered_by { sum, largest };

template <class StageTag, class BlockTag, class Reader>
explained_term explain_sum(Reader const& reader, stage_estimate const& stage, const char* record, gathered_by how) {
  using dimension = typename StageTag::dimension;
  auto const operation = [](const char* name, expr::tree left, expr::tree right) {
    expr::tree result{.kind = expr::tree::kind::operation, .name = name};
    result.operands.push_back(std::move(left));
    result.operands.push_back(std::move(right));
    return result;
  };
  expr::tree formula;
  bool empty = true;
  int runs = 0;
  reader.for_each_block(reader.group_at(stage.index), [&](block_place place, block_values const& values,
                                                          long long count) {
    std::string const owner = place == block_place::embedding ? "embedding"
                              : place == block_place::head    ? "head"
                                                              : "block" + std::to_string(++runs);
    expr::tree term{.kind = expr::tree::kind::symbol,
                    .name = owner + "." + BlockTag::name,
                    .meaning = std::string(BlockTag::meaning) +
                               (place == block_place::inside ? ", each of " + std::to_string(count) : std::string{}),
                    .value = get<BlockTag>(values),
                    .byte = dimension::byte,
                    .flop = dimension::flop,
                    .second = dimension::second};
    if (how == gathered_by::sum && count > 1)
      term = operation("*", expr::tree{.value = static_cast<double>(count)}, std::move(term));
    formula =
        empty ? std::move(term) : operation(how == gathered_by::sum ? "+" : "max", std::move(formula), std::move(term));
    empty = false;
  });
  return {record,          StageTag::name,  StageTag::meaning, std::move(formula), get<StageTag>(stage.values),
          dimension::byte, dimension::flop, dimension::second};
}

}  // namespace detail

/// How the blocks on a stage make the inputs of its memory terms.
template <class Reader>
void explain_memory_sums(Reader const& reader, stage_estimate const& stage, explanation& terms) {
  namespace ct = cost::tag;
  using detail::explain_sum;
  using detail::gathered_by;
  terms.push_back(explain_sum<ct::stage_parameters, ct::block_parameters>(reader, stage, "stage", gathered_by::sum));
  terms.push_back(explain_sum<ct::stage_kept, ct::block_kept>(reader, stage, "stage", gathered_by::sum));
  terms.push_back(explain_sum<ct::stage_logits, ct::block_loss_buffer>(reader, stage, "stage", gathered_by::sum));
  terms.push_back(explain_sum<ct::stage_recomputed, ct::block_working>(reader, stage, "stage", gathered_by::largest));
  terms.push_back(
      explain_sum<ct::stage_largest_matrix, ct::block_largest_matrix>(reader, stage, "stage", gathered_by::largest));
}

/// How the blocks on a stage make its times.
template <class Reader>
void explain_time_sums(Reader const& reader, stage_estimate const& stage, const char* name, explanation& terms) {
  namespace ct = cost::tag;
  using detail::explain_sum;
  using detail::gathered_by;
  terms.push_back(explain_sum<ct::stage_forward_compute, ct::block_forward>(reader, stage, name, gathered_by::sum));
  terms.push_back(explain_sum<ct::stage_backward_compute, ct::block_backward>(reader, stage, name, gathered_by::sum));
  terms.push_back(explain_sum<ct::stage_recompute, ct::block_recompute>(reader, stage, name, gathered_by::sum));
  terms.push_back(explain_sum<ct::stage_forward_communication, ct::block_forward_communication>(reader, stage, name,
                                                                                                gathered_by::sum));
  terms.push_back(explain_sum<ct::stage_backward_communication, ct::block_backward_communication>(reader, stage, name,
                                                                                                  gathered_by::sum));
}

/// The step: what the schedule makes of the slowest stage, where its time goes, and what follows from the step's
/// length.
template <class Reader>
void explain_step(Reader const& reader, plan_estimate const& estimated, device::cluster const& machine,
                  workload const& job, assumptions const& assumed, double counted, explanation& terms) {
  detail::explain_record("schedule",
                         expr::make_record(define(cost::of<schedule::tag::pipeline_time>,
                                                  schedule::one_forward_one_backward::step_bound())),
                         reader.schedule_environment(estimated), terms);
  auto const step = reader.step_environment(estimated);
  expr::scope const all{estimated.slowest.values, step};
  detail::explain_record("step", step_record(), all, terms);
  expr::environment const ends{value<tag::longest_end>{estimated.ending.after_pipeline()}};
  detail::explain_record("step", step_time_record(), expr::scope{ends, step}, terms);
  detail::explain_record("ending stage", end_record(), estimated.ending.values, terms);
  detail::explain_record("step", rate_record(), rate_environment(estimated, machine, job, assumed, counted), terms);
}

}  // namespace shardplan::planner
