
#include <doctest/doctest.h>

#include <shardplan/device/catalogue/nvidia_h100_sxm.hpp>
#include <shardplan/model/published.hpp>
#include <shardplan/planner/fits.hpp>
#include <shardplan/planner/uniform_bound.hpp>

#include <support/numbers.hpp>

// The step time and the peak memory as one expression each must be those of the estimate.
namespace {

using namespace shardplan;
using namespace support;
using planner::value;

auto const machine = device::make_cluster(device::catalogue::h100_sxm, 8, 8);
planner::workload const job{.sequence_length = 8192, .global_batch = 512};

constexpr auto block() {
  return cost::block_record(planner::detail::laid_out<strategy::keep_everything>(
      model::decoder_block(model::mlp::gated{}, model::kernel::flash{})));
}

template <class Record> void check(Record record, planner::plan const& choice, planner::assumptions const& assumed) {
  auto const& model = model::llama_3_1_8b;
  auto const inputs = planner::make_plan_inputs(model, machine, job, choice, assumed);
  auto const of_block = planner::make_block_environment(model, model.shapes[0], machine, job, choice, assumed);
  bool const ends = planner::split_of(model.layers(), choice.pipeline) == planner::stage_split::ends_counted;
  expr::environment const rest{value<planner::tag::layers>{static_cast<double>(model.layers())},
                               value<planner::tag::ends_counted>{ends ? 1.0 : 0.0},
                               value<cost::tag::holds_tied_embedding>{0.0}};
  expr::scope const known{inputs, of_block};
  expr::scope const all{rest, known};
  auto const one = planner::estimate(model, machine, job, choice, assumed);
  CHECK(close(expr::evaluate(expr::expression_of<planner::tag::step_time>(record), all).value, one.step_time));
  CHECK(close(expr::evaluate(expr::expression_of<planner::tag::highest_peak>(record), all).value,
              one.worst.peak_bytes()));
}

TEST_CASE("one stage") {
  for (auto const& policy : {cost::policies::megatron, cost::policies::fsdp, cost::policies::mixed}) {
    planner::assumptions assumed;
    assumed.policy = policy;
    for (int const stage : {0, 1, 2, 3})
      for (long long const t : {1, 4, 8})
        check(planner::one_stage_record(block()),
              {.tensor = t, .data = 64 / t, .micro_batch = 2, .sequence_parallel = t == 4, .zero_stage = stage},
              assumed);
  }
}

TEST_CASE("three stages and more, even and with the ends counted") {
  for (int const stage : {0, 1})
    for (long long const p : {4, 8, 16, 32})
      check(planner::pipeline_bound_record(block()),
            {.tensor = 2, .pipeline = p, .data = 32 / p, .sequence_parallel = true, .zero_stage = stage}, {});
}

}  // namespace
