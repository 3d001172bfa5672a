#pragma once
#include <shardplan/planner/estimate.hpp>
#include <shardplan/planner/legality.hpp>

/// One plan, start to end, in a constant expression or at run time: `static_assert(fits(model, cluster, job, plan))`.
namespace shardplan::planner {

/// Device memory that a plan can use.
constexpr unit::bytes usable_memory(device::cluster const& machine, assumptions const& assumed) {
  return machine.device.memory.capacity.value - assumed.reserve;
}

/// Fits with headroom, fits tightly, or does not fit.
constexpr verdict judge(double peak_bytes, device::cluster const& machine, assumptions const& assumed) {
  double const usable = usable_memory(machine, assumed).value;
  // Written so that a peak that is no number does not fit.
  if (!(peak_bytes <= usable))
    return verdict::no;
  return peak_bytes > assumed.tight_above * usable ? verdict::tight : verdict::fits;
}

/// The estimate of a legal plan.
template <class Model, class Blocks = standard_blocks>
constexpr plan_estimate estimate(Model const& model, device::cluster const& machine, workload const& job,
                                 plan const& choice, assumptions const& assumed = {}, Blocks const& blocks = {}) {
  return plan_reader<Model, Blocks>{model, machine, job, choice, assumed, blocks}.estimate(job);
}

/// The plan is legal and its worst device has enough memory.
template <class Model, class Blocks = standard_blocks>
constexpr bool fits(Model const& model, device::cluster const& machine, workload const& job, plan const& choice,
                    assumptions const& assumed = {}, Blocks const& blocks = {}) {
  if (first_broken_rule(model, machine, job, choice, assumed) != rule::none)
    return false;
  return judge(estimate(model, machine, job, choice, assumed, blocks).worst.peak_bytes(), machine, assumed) !=
         verdict::no;
}

/// Parameters of a model: exact, embeddings counted once where they are tied, nothing padded.
template <class Model, class Blocks = standard_blocks>
constexpr double parameters(Model const& model, Blocks const& blocks = {}) {
  plan const single{};
  workload const any{.sequence_length = 1, .global_batch = 1};
  assumptions assumed;
  assumed.policy.vocabulary_multiple = 1;
  auto const nowhere = device::unit_cluster();
  auto const owned = [](block_values const& block) { return get<cost::tag::block_parameters>(block); };
  auto const ends = make_block_environment(model, model.shapes[0], nowhere, any, single, assumed);
  double total = owned(read_embedding(ends)) + owned(read_head(ends));
  for (auto const& run : model.runs) {
    auto const& shape = model.shapes[static_cast<std::size_t>(run.shape)];
    auto const environment = make_block_environment(model, shape, nowhere, any, single, assumed);
    total += static_cast<double>(run.count) *
             owned(blocks(shape.kind, recomputation::none, attention_kernel::flash, environment));
  }
  return total;
}

/// Parameters that a token meets: all but those of the experts that it is not sent to.
template <class Model, class Blocks = standard_blocks>
constexpr double active_parameters(Model const& model, Blocks const& blocks = {}) {
  double total = parameters(model, blocks);
  for (auto const& run : model.runs)
    total -= static_cast<double>(run.count) * idle_parameters(model.shapes[static_cast<std::size_t>(run.shape)]);
  return total;
}

/// Model FLOP of a step by the convention asked for; see `flop_convention`.
template <class Model, class Blocks = standard_blocks>
constexpr double model_flop(Model const& model, plan_estimate const& estimated, workload const& job,
                            assumptions const& assumed, Blocks const& blocks = {}) {
  if (assumed.flops != flop_convention::all_parameters)
    return estimated.model_flop;
  double attention = 0;
  for (auto const& run : model.runs) {
    auto const& shape = model.shapes[static_cast<std::size_t>(run.shape)];
    attention += 12 * static_cast<double>(run.count) * shape.heads * shape.head_dimension *
                 model::keys_in_reach(shape, job.sequence_length);
  }
  return (6 * active_parameters(model, blocks) + attention) * job.sequence_length *
         static_cast<double>(job.global_batch);
}

}  // namespace shardplan::planner
