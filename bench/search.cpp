#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

#include <benchmark/benchmark.h>

#include <shardplan/search/chain.hpp>
#include <shardplan/search/partition.hpp>

#include <support/chains.hpp>

/// Searches beside their rivals: the chain under a resource and the textbook table over whole megabytes, the partition
/// and trying all cuts.
namespace {

using namespace shardplan::search;
using support::chain_instance;
using support::chain_kind;

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
  bool never_above = true;
};
/// Ten seeds; the table for the first of them.
chain_figures time_chains(chain_kind kind, std::size_t layers, std::size_t choices, double share) {
  chain_figures result;
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    support::generator random{100 + seed};
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
      result.never_above = answer.cost <= by_table * (1 + 1e-12);
    }
  }
  return result;
}

struct even_problem {
  std::size_t count, stage_count;
  std::vector<double> before;
  std::size_t layers() const { return count; }
  std::size_t stages() const { return stage_count; }
  double stage_time(std::size_t, std::size_t first, std::size_t last) const { return before[last] - before[first]; }
  double extra(std::size_t, std::size_t first, std::size_t) const {
    return first > 0 ? 0.01 * static_cast<double>(first % 7) : 0;
  }
};
even_problem partition_of(std::size_t layers, std::size_t stages) {
  support::generator random{7};
  even_problem result{layers, stages, {0}};
  for (std::size_t layer = 0; layer < layers; ++layer)
    result.before.push_back(result.before.back() + random.real(0.5, 1.5));
  return result;
}
/// Trying all cuts.
double try_cuts(even_problem const& of, double slowest_weight, std::size_t stage, std::size_t first, double slowest,
                double sum) {
  if (stage + 1 == of.stages())
    return slowest_weight * std::max(slowest, of.stage_time(stage, first, of.layers())) + sum +
           of.stage_time(stage, first, of.layers()) + of.extra(stage, first, of.layers());
  double least = 1e300;
  for (std::size_t last = first + 1; last + (of.stages() - 1 - stage) <= of.layers(); ++last) {
    double const time = of.stage_time(stage, first, last);
    least = std::min(least, try_cuts(of, slowest_weight, stage + 1, last, std::max(slowest, time),
                                     sum + time + of.extra(stage, first, last)));
  }
  return least;
}

void chain(benchmark::State& state) {
  support::generator random{100};
  auto const of = random_chain(static_cast<chain_kind>(state.range(0)), static_cast<std::size_t>(state.range(1)),
                               static_cast<std::size_t>(state.range(2)), random);
  double const limit = 0.7 * of.least_resource() + 0.3 * of.most_resource();
  for (auto _ : state)
    benchmark::DoNotOptimize(cheapest_chain(of, limit).cost);
}
void partition(benchmark::State& state) {
  auto const of = partition_of(static_cast<std::size_t>(state.range(0)), static_cast<std::size_t>(state.range(1)));
  for (auto _ : state)
    benchmark::DoNotOptimize(cheapest_partition(of, {31, 1}).slowest);
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
    std::printf("%-66s %s\n", "  never above the table", small.never_above ? "yes" : "NO");
    auto const large = time_chains(static_cast<chain_kind>(kind), 80, 50, 0.3);
    report(name + ", 80 x 50: ms", 1e3 * large.worst, 40, true);
  }
  auto const of = partition_of(24, 8);
  double by_trying = 0, by_search = 0;
  double const tried = seconds_of([&] { by_trying = try_cuts(of, 31, 0, 0, 0, 0); });
  double const searched = seconds_of([&] { by_search = cheapest_partition(of, {31, 1}).certificate.objective; });
  std::printf("\nPartition of 24 layers in 8 stages: trying all cuts / this %.0f, %s optimum\n", tried / searched,
              std::abs(by_trying - by_search) < 1e-9 * by_trying ? "the same" : "ANOTHER");
  return 0;
}
