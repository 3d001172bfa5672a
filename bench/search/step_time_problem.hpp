#pragma once
#include <tuple>
#include <vector>

#include <shardplan/device/catalogue/nvidia_h100_sxm.hpp>
#include <shardplan/model/published.hpp>
#include <shardplan/planner/fits.hpp>
#include <shardplan/planner/uniform_bound.hpp>
#include <shardplan/search/expression_grid.hpp>

/// The grid that is searched in boxes and evaluated in columns.
namespace step_time_grid {

using namespace shardplan;

constexpr auto block() {
  return cost::block_record(planner::detail::laid_out<strategy::keep_everything>(
      model::decoder_block(model::mlp::gated{}, model::kernel::flash{})));
}
constexpr auto record = planner::one_stage_record(block());
constexpr auto step_time = expr::expression_of<planner::tag::step_time>(record);
constexpr auto peak = expr::expression_of<planner::tag::highest_peak>(record);
constexpr auto batch = cost::of<planner::tag::global_batch>;

inline std::vector<double> whole_numbers(int from, int to, int step) {
  std::vector<double> result;
  for (int value = from; value <= to; value += step)
    result.push_back(value);
  return result;
}

/// Calls `use(grid)`. The step time and that by the batch are as they are, or simplified.
template <class Time, class TimeOfSequence, class Use>
void with_grid(Time time, TimeOfSequence time_of_sequence, Use const& use) {
  using strategy::symbols::d;
  using strategy::symbols::t;
  constexpr auto b = model::symbols::b;

  auto const machine = device::make_cluster(device::catalogue::h100_sxm, 64, 8);
  planner::workload const job{.sequence_length = 8192, .global_batch = 512};
  planner::plan const choice{.tensor = 8, .data = 64, .micro_batch = 1, .sequence_parallel = true, .zero_stage = 1};
  auto const& model = model::llama_3_1_8b;
  auto const inputs = planner::make_plan_inputs(model, machine, job, choice, {});
  auto const of_block = planner::make_block_environment(model, model.shapes[0], machine, job, choice, {});
  expr::environment const rest{planner::value<planner::tag::layers>{static_cast<double>(model.layers())},
                               planner::value<planner::tag::ends_counted>{0.0},
                               planner::value<cost::tag::holds_tied_embedding>{0.0}};
  expr::scope const known{inputs, of_block};
  expr::scope const fixed{rest, known};

  search::expression_grid const grid{time_of_sequence,
                                     std::tuple{search::at_most(peak, planner::usable_memory(machine, {}).value),
                                                search::at_most(time, 30.0),
                                                // At least one micro-batch.
                                                search::at_most(d * b / batch, 1.0), search::at_most(t * d, 512.0)},
                                     fixed,
                                     search::axis_of(t, whole_numbers(1, 8, 1)),
                                     search::axis_of(d, whole_numbers(1, 500, 1)),
                                     search::axis_of(b, whole_numbers(1, 25, 1)),
                                     search::axis_of(batch, whole_numbers(4, 4000, 4))};
  use(grid);
}

}  // namespace step_time_grid
