#include <benchmark/benchmark.h>

#include <shardplan/shardplan.hpp>

/// How long whole searches and single estimates take.

namespace {

using namespace shardplan;

template <auto const& Model, int Nodes> void search_grid(benchmark::State& state) {
  auto const blocks = planner::block_registry::standard();
  auto const machine = device::make_cluster(device::catalogue::h100_sxm, Nodes, 8);
  planner::workload const job{.sequence_length = 8192, .global_batch = 1024};
  planner::assumptions const assumed;
  std::size_t candidates = 0;
  for (auto _ : state) {
    auto const found = planner::search_plans(Model, machine, job, assumed, {}, 5, blocks);
    candidates = found.certificate.candidates;
    benchmark::DoNotOptimize(found.certificate.objective);
  }
  state.counters["plans"] = static_cast<double>(candidates);
  state.counters["plans_per_s"] =
      benchmark::Counter(static_cast<double>(candidates), benchmark::Counter::kIsIterationInvariantRate);
}

void estimate_one(benchmark::State& state) {
  auto const blocks = planner::block_registry::standard();
  auto const machine = device::make_cluster(device::catalogue::h100_sxm, 64, 8);
  planner::workload const job{.sequence_length = 8192, .global_batch = 1024};
  planner::plan const choice{.tensor = 8, .pipeline = state.range(0), .data = 64 / state.range(0), .zero_stage = 1};
  for (auto _ : state)
    benchmark::DoNotOptimize(planner::estimate(model::llama_3_1_70b, machine, job, choice, {}, blocks).step_time);
}

BENCHMARK(search_grid<model::llama_3_1_8b, 8>)->Name("search/llama-3.1-8b/64")->Unit(benchmark::kMillisecond);
BENCHMARK(search_grid<model::llama_3_1_70b, 64>)->Name("search/llama-3.1-70b/512")->Unit(benchmark::kMillisecond);
BENCHMARK(search_grid<model::llama_3_1_405b, 512>)->Name("search/llama-3.1-405b/4096")->Unit(benchmark::kMillisecond);
BENCHMARK(estimate_one)->Name("estimate/llama-3.1-70b/stages")->Arg(1)->Arg(4)->Arg(16);

}  // namespace

BENCHMARK_MAIN();
