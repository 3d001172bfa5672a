#pragma once
#include <string>
#include <vector>

#include <shardplan/expr/text.hpp>
#include <shardplan/planner/report.hpp>

/// Where a number comes from: the formula of a term, the formula with its values, and the symbols in it.
namespace shardplan::planner {

/// A term of one of the records that were read for a plan.
struct explained_term {
  /// "block", "embedding", "head", "stage", "schedule", "step".
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

/// All terms of a block of a built-in kind. Instantiates the printing of its records, which is dear to compile: call it
/// in one translation unit.
template <class Mlp, class Kernel>
void explain_block(recomputation again, block_environment const& environment, explanation& terms) {
  detail::with_mechanism(again, [&]<class Mechanism>(Mechanism) {
    detail::explain_record("block",
                           cost::block_record(detail::laid_out<Mechanism>(model::decoder_block(Mlp{}, Kernel{}))),
                           environment, terms);
  });
}

/// All terms of the embedding and the head.
inline void explain_ends(block_environment const& environment, explanation& terms) {
  using none = strategy::keep_everything;
  detail::explain_record("embedding", cost::block_record(detail::laid_out<none>(model::embedding_layer())), environment,
                         terms);
  detail::explain_record("head", cost::block_record(detail::laid_out<none>(model::head_layer())), environment, terms);
}

/// All terms of a stage.
template <class Reader> void explain_stage(Reader const& reader, long long index, explanation& terms) {
  stage_estimate const stage = reader.stage(index);
  expr::scope const all{stage.inputs, reader.plan_values()};
  detail::explain_record("stage", cost::stage_memory_record(detail::stage_layout{}), all, terms);
  detail::explain_record("stage", cost::stage_peak_record(), stage.memory, terms);
  detail::explain_record("stage", cost::stage_time_record(detail::stage_layout{}), all, terms);
  expr::scope const with_time{stage.time, all};
  detail::explain_record("stage", cost::stage_exposed_record(), with_time, terms);
}

/// The step: what the schedule makes of the slowest stage, the step's time and what follows from it.
template <class Reader>
void explain_step(Reader const& reader, plan_estimate const& estimated, device::cluster const& machine,
                  workload const& job, assumptions const& assumed, double counted, explanation& terms) {
  double before = 0, one_pass = 0;
  for (long long index = 0; index < reader.stages(); ++index) {
    stage_estimate const stage = reader.stage(index);
    one_pass += stage.forward() + stage.backward();
    if (index < estimated.slowest.index)
      before += stage.forward() + stage.backward();
  }
  detail::explain_record("schedule", schedule_record(),
                         reader.schedule_environment(estimated.slowest, before, one_pass), terms);
  detail::explain_record("step", step_record(), reader.step_environment(estimated), terms);
  expr::environment const rate{value<tag::step_time>{estimated.step_time},
                               value<tag::devices>{static_cast<double>(machine.devices())},
                               value<tag::global_batch>{static_cast<double>(job.global_batch)},
                               value<model::tag::sequence_length>{job.sequence_length},
                               value<tag::counted_flop>{counted},
                               value<tag::peak_rate>{rates_of(machine, job, assumed).peak}};
  detail::explain_record("step", rate_record(), rate, terms);
}

}  // namespace shardplan::planner
