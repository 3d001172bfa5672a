#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

#include <benchmark/benchmark.h>

#include <shardplan/search/as_linear_program.hpp>
#include <shardplan/search/chain.hpp>
#include <shardplan/search/partition.hpp>
#include <shardplan/search/stage_points.hpp>
#include <shardplan/testing/chain_instances.hpp>
#include <shardplan/testing/partition_instances.hpp>
#include <shardplan/testing/search_contests.hpp>
#include <shardplan/testing/stage_points_instances.hpp>

#include <support/solver.hpp>

#include "../examples/search_instances/own.hpp"
#include "search/step_time_grid.hpp"

/// Searches beside their rivals: the chain under a resource and the textbook table over whole megabytes, the partition
/// and trying all cuts, Mist's problem, a grid in boxes and in columns, and whatever `own.cpp` adds.
namespace {

using namespace shardplan::search;
using namespace shardplan::testing;

double seconds_of(auto const& run) {
  auto const begin = std::chrono::steady_clock::now();
  run();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

void report(std::string const& what, double value, double wanted, bool less) {
  bool const reached = less ? value <= wanted : value >= wanted;
  std::printf("%-66s %10.3f   wanted %8.2f   %s\n", what.c_str(), value, wanted, reached ? "reached" : "MISSED");
}

struct chain_figures {
  double worst = 0;
  double mean = 0;
  double table = 0;
  double table_per_transition = 0;
  bool never_above = true;
};
/// Ten seeds; the table for the first of them.
chain_figures time_chains(chain_kind kind, std::size_t layers, std::size_t choices, double share) {
  chain_figures result;
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    generator random{100 + seed};
    auto const of = random_chain(kind, layers, choices, random);
    double const limit =
        share > 0 ? std::round(of.least_resource() + share * (of.most_resource() - of.least_resource())) : 31130;
    double best = 1e9;
    chain_result answer;
    for (int round = 0; round < 5; ++round)
      best = std::min(best, seconds_of([&] { answer = cheapest_chain(of, limit); }));
    result.worst = std::max(result.worst, best);
    result.mean += best / 10;
    if (seed == 0) {
      double by_table = 0;
      result.table = seconds_of([&] { by_table = cheapest_by_table(of, static_cast<std::size_t>(limit)); });
      result.table_per_transition = result.table / (limit * static_cast<double>(layers * choices * choices));
      result.never_above = answer.cost <= by_table * (1 + 1e-12);
    }
  }
  return result;
}

void chain(benchmark::State& state) {
  generator random{100};
  auto const of = random_chain(static_cast<chain_kind>(state.range(0)), static_cast<std::size_t>(state.range(1)),
                               static_cast<std::size_t>(state.range(2)), random);
  double const limit = 0.7 * of.least_resource() + 0.3 * of.most_resource();
  for (auto _ : state)
    benchmark::DoNotOptimize(cheapest_chain(of, limit).cost);
}
partition_instance even_partition(std::size_t layers, std::size_t stages) {
  generator random{7};
  auto result = random_partition(layers, stages, random);
  result.speed.assign(stages, 1);
  result.limit.assign(stages, 1e300);
  result.objective = {31, 1};
  return result;
}
void partition(benchmark::State& state) {
  auto const of = even_partition(static_cast<std::size_t>(state.range(0)), static_cast<std::size_t>(state.range(1)));
  for (auto _ : state)
    benchmark::DoNotOptimize(cheapest_partition(of, of.objective).slowest);
}
void first_and_last(benchmark::State& state) {
  generator random{11};
  auto const stages = static_cast<std::size_t>(state.range(1));
  auto const of = random_stage_points(static_cast<std::size_t>(state.range(0)), stages, 2, 30, 64, random);
  for (auto _ : state)
    benchmark::DoNotOptimize(cheapest_stages(of).certificate.objective);
}
BENCHMARK(chain)
    ->Name("chain/kind/layers/choices")
    ->ArgsProduct({{0, 1, 2}, {32, 80}, {24}})
    ->Unit(benchmark::kMicrosecond);
BENCHMARK(partition)
    ->Name("partition/layers/stages")
    ->Args({32, 8})
    ->Args({96, 16})
    ->Args({126, 32})
    ->Unit(benchmark::kMicrosecond);
BENCHMARK(first_and_last)
    ->Name("first and last micro-batch/layers/stages")
    ->Args({32, 8})
    ->Args({96, 16})
    ->Unit(benchmark::kMicrosecond);

void print(char const* title, std::vector<standing> const& all) {
  std::printf("\n%s\n%-24s %6s %9s %10s %10s %10s %10s %12s\n", title, "", "wrong", "optimal", "mean gap", "worst gap",
              "mean ms", "worst ms", "work");
  for (standing const& each : all)
    std::printf("%-24s %6zu %4zu/%-4zu %9.3f%% %9.3f%% %10.4f %10.4f %12zu\n",
                (each.name + (each.is_bound ? " (bound)" : "")).c_str(), each.wrong, each.optimal, each.instances,
                100 * each.mean_gap, 100 * each.worst_gap, 1e3 * each.mean_seconds, 1e3 * each.worst_seconds,
                each.work);
}

/// Mist's problem with 32 layers, 8 stages and 30 points an entry, beside its integer program in cbc.
void beside_cbc() {
  std::printf("\nFirst and last micro-batch, 32 layers, 8 stages, 30 points; cbc with its file and its start\n");
  double least = 1e300;
  for (std::uint64_t seed = 0; seed < 5; ++seed) {
    generator random{500 + seed};
    auto const of = random_stage_points(32, 8, 2, 30, seed % 2 == 0 ? 8 : 64, random);
    double ours = 1e9, by_search = 0;
    for (int round = 0; round < 5; ++round)
      ours = std::min(ours, seconds_of([&] { by_search = cheapest_stages(of).certificate.objective; }));
    try {
      double by_cbc = 0;
      double const theirs =
          seconds_of([&] { by_cbc = support::solve(support::solver::cbc, as_linear_program(of)).value_or(0); });
      std::printf("  this %8.4f ms, cbc %8.3f s, %s optimum\n", 1e3 * ours, theirs,
                  std::abs(by_cbc - by_search) <= 1e-6 * by_search ? "the same" : "ANOTHER");
      least = std::min(least, theirs / ours);
    } catch (std::runtime_error const& error) {
      std::printf("  left out: %s\n", error.what());
      return;
    }
  }
  report("  cbc / this, the least of five", least, 100, false);
}

/// All contenders on instances that can be tried out.
void hold_contests() {
  search_contests contests = contests_of_the_library();
  add_own(contests);
  generator random{5};
  std::vector<chain_case> chains;
  std::vector<partition_instance> partitions;
  std::vector<stage_points> points;
  std::vector<linear_program> programs;
  for (int index = 0; index < 30; ++index) {
    auto const kind = random.one_of(chain_kind::trade_off, chain_kind::random, chain_kind::identical);
    auto of = random_chain(kind, 6, 6, random);
    double const limit = std::round(of.least_resource() + 0.4 * (of.most_resource() - of.least_resource()));
    chains.push_back({std::move(of), limit});
    partitions.push_back(random_partition(18, 5, random));
    points.push_back(random_stage_points(12, 4, 1, 6, 16, random));
    programs.push_back(random_zero_one(16, 8, random));
  }
  print("Chains of 6 layers and 6 choices, whole megabytes; oracle: all of them",
        contests.chains.run(chains, [](chain_case const& each) { return cheapest_by_trying(each.of, each.limit); }, 3));
  print("Partitions of 18 layers in 5 stages; oracle: all of them",
        contests.partitions.run(
            partitions, [](partition_instance const& each) { return try_partitions(each).least; }, 3));
  print("First and last micro-batch, 12 layers in 4 stages, 6 points; oracle: all of them",
        contests.stage_points.run(points, [](stage_points const& each) { return cheapest_by_trying(each); }, 3));
  print(
      "0-1 programs of 16 variables and 8 rows; oracle: all of them",
      contests.zero_one_programs.run(programs, [](linear_program const& each) { return try_assignments(each).least; }));
}

}  // namespace

int main(int count, char** words) {
  benchmark::Initialize(&count, words);
  benchmark::RunSpecifiedBenchmarks();
  const char* names[] = {"trade-off", "random", "identical"};
  std::printf("\nChain under a resource, ten seeds each; ms, worst seed. Table: whole megabytes, one seed\n");
  for (int kind = 0; kind < 3; ++kind) {
    auto const small = time_chains(static_cast<chain_kind>(kind), 32, 24, 0);
    std::string const name = names[kind];
    report(name + ", 32 x 24, 31,130 MB: ms", 1e3 * small.worst, kind == 2 ? 1 : 3, true);
    std::printf("%-66s %10.3f ms\n", ("  mean " + name).c_str(), 1e3 * small.mean);
    report("  textbook table / this", small.table / small.mean, 200, false);
    report("  the table itself: ns a transition", 1e9 * small.table_per_transition, 1.5, true);
    std::printf("%-66s %s\n", "  never above the table", small.never_above ? "yes" : "NO");
    auto const large = time_chains(static_cast<chain_kind>(kind), 80, 50, 0.3);
    report(name + ", 80 x 50: ms", 1e3 * large.worst, 40, true);
  }
  auto const of = even_partition(24, 8);
  double by_trying = 0, by_search = 0;
  double const tried = seconds_of([&] { by_trying = try_partitions(of).least; });
  double const searched = seconds_of([&] { by_search = cheapest_partition(of, of.objective).certificate.objective; });
  std::printf("\nPartition of 24 layers in 8 stages: trying all cuts / this %.0f, %s optimum\n", tried / searched,
              std::abs(by_trying - by_search) < 1e-9 * by_trying ? "the same" : "ANOTHER");

  grid_figures grid;
  time_in_boxes(grid);
  time_in_columns(grid);
  std::printf(
      "\nGrid of the step-time record, %.3g points: %.4f s in boxes (%zu bounded, %zu evaluated), %.2f s in "
      "columns, %s optimum%s\n",
      static_cast<double>(grid.points), grid.seconds_in_boxes, grid.bounded, grid.evaluated, grid.seconds_in_columns,
      std::abs(grid.objective_in_boxes - grid.objective_in_columns) <= 1e-9 * grid.objective_in_columns ? "the same"
                                                                                                        : "ANOTHER",
      grid.proven ? ", proven" : ", NOT PROVEN");
  report("  columns / boxes", grid.seconds_in_columns / grid.seconds_in_boxes, 30, false);
  beside_cbc();
  hold_contests();
  return 0;
}
