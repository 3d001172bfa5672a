#include <algorithm>
#include <cmath>
#include <cstdio>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include <benchmark/benchmark.h>

#include <shardplan/schedule/catalogue.hpp>
#include <shardplan/schedule/simulation.hpp>
#include <shardplan/schedule/step_bound.hpp>

/// How many tasks of pipelines are timed a second: by the plain recurrence, by the simulation with links, memory curve
/// and critical path, and by the rival that one would write first, which goes round the devices and looks whether each
/// can go on.
namespace {

using namespace shardplan::schedule;

struct pipeline {
  pipeline_shape shape;
  std::vector<chunk_times> times;
  compiled_order order;
  pipeline_load load;
};

pipeline pipeline_of(const char* name, int devices, int micro_batches) {
  named_schedule const& of = *find_schedule(name);
  pipeline_shape const shape{.devices = devices, .micro_batches = micro_batches, .virtual_stages = 4};
  std::vector<stage_times> stages;
  for (int stage = 0; stage < devices; ++stage)
    stages.push_back({1 + 0.01 * (stage % 7), 2 + 0.01 * (stage % 5), 1, 0.1, 0.1});
  pipeline result{shape, of.times(shape, stages), compiled_order{of.order(shape)}, {}};
  pipeline_load& load = result.load;
  load.times = result.times;
  load.chunks.assign(
      result.times.size(),
      {.forward_bytes = 1, .backward_bytes = 1, .kept_bytes = 1, .gradient_bytes = 8, .gradient_buckets = 4});
  // A link each way between neighbours, and one of each device for gradients.
  load.route.assign(static_cast<std::size_t>(devices * devices), no_link);
  for (int from = 0; from < devices; ++from) {
    for (int const to : {(from + 1) % devices, (from + devices - 1) % devices})
      if (to != from) {
        load.route[static_cast<std::size_t>(from * devices + to)] = static_cast<int>(load.links.size());
        load.links.push_back({.bandwidth = 20, .latency = 0.01});
      }
    load.devices.push_back(
        {.static_bytes = 10, .end_of_step = 1, .gradient_link = static_cast<int>(load.links.size())});
    load.links.push_back({.bandwidth = 5, .latency = 0.01});
  }
  return result;
}

void count(benchmark::State& state, pipeline const& of) {
  state.SetItemsProcessed(state.iterations() * static_cast<long long>(of.order.order().size()));
}

void plain_recurrence(benchmark::State& state, const char* name) {
  auto const of = pipeline_of(name, static_cast<int>(state.range(0)), static_cast<int>(state.range(1)));
  recurrence timing;
  for (auto _ : state)
    benchmark::DoNotOptimize(timing.makespan(of.order, of.times));
  count(state, of);
}

void whole_simulation(benchmark::State& state, const char* name) {
  auto const of = pipeline_of(name, static_cast<int>(state.range(0)), static_cast<int>(state.range(1)));
  simulator step{of.order};
  for (auto _ : state)
    benchmark::DoNotOptimize(step.run(of.load).makespan);
  count(state, of);
}

/// From the schedule's name to the critical path, nothing kept from before.
void from_nothing(benchmark::State& state) {
  auto const of = pipeline_of("1f1b", static_cast<int>(state.range(0)), static_cast<int>(state.range(1)));
  for (auto _ : state) {
    compiled_order const order{one_forward_one_backward_order(of.shape.devices, of.shape.micro_batches)};
    benchmark::DoNotOptimize(simulate(order, of.load).makespan);
  }
  count(state, of);
}

void lower_bound(benchmark::State& state) {
  auto const of = pipeline_of("1f1b", static_cast<int>(state.range(0)), static_cast<int>(state.range(1)));
  for (auto _ : state)
    benchmark::DoNotOptimize(step_bound(of.order, of.times));
  count(state, of);
}

/// The rival.
double go_round(work_order const& order, std::vector<std::vector<int>> const& fed_by,
                std::vector<chunk_times> const& times) {
  auto const micro_batches = static_cast<std::size_t>(order.graph.micro_batches);
  std::vector<std::vector<double>> forward(times.size(), std::vector<double>(micro_batches, -1)), backward = forward;
  std::vector<std::size_t> next(order.tasks.size(), 0);
  std::vector<double> free_at(order.tasks.size(), 0);
  double last = 0;
  for (bool progress = true; progress;) {
    progress = false;
    for (std::size_t device = 0; device < order.tasks.size(); ++device)
      while (next[device] < order.tasks[device].size()) {
        task const& each = order.tasks[device][next[device]];
        auto const chunk = static_cast<std::size_t>(each.chunk), k = static_cast<std::size_t>(each.micro_batch);
        double ready = 0;
        if (each.kind == pass::forward) {
          for (int const before : order.graph.chunks[chunk].after)
            ready = forward[static_cast<std::size_t>(before)][k] < 0
                        ? -1
                        : forward[static_cast<std::size_t>(before)][k] +
                              times[static_cast<std::size_t>(before)].send_forward;
        } else if (fed_by[chunk].empty()) {
          ready = forward[chunk][k];
        } else {
          for (int const after : fed_by[chunk])
            ready = backward[static_cast<std::size_t>(after)][k] < 0
                        ? -1
                        : backward[static_cast<std::size_t>(after)][k] +
                              times[static_cast<std::size_t>(after)].send_backward;
        }
        if (ready < 0)
          break;
        double const end = std::max(free_at[device], ready) + times[chunk].of(each.kind);
        (each.kind == pass::forward ? forward : backward)[chunk][k] = end;
        free_at[device] = end;
        last = std::max(last, end);
        ++next[device];
        progress = true;
      }
  }
  return last;
}
void textbook(benchmark::State& state, const char* name) {
  auto const of = pipeline_of(name, static_cast<int>(state.range(0)), static_cast<int>(state.range(1)));
  recurrence timing;
  double const expected = timing.makespan(of.order, of.times);
  double found = 0;
  for (auto _ : state)
    benchmark::DoNotOptimize(found = go_round(of.order.order(), of.order.fed_by(), of.times));
  if (std::abs(found - expected) > 1e-9 * expected)
    state.SkipWithError("the rival finds another time");
  count(state, of);
}

/// Keeps the rates for the table at the end.
class keeper : public benchmark::ConsoleReporter {
 public:
  void ReportRuns(std::vector<Run> const& runs) override {
    ConsoleReporter::ReportRuns(runs);
    for (Run const& run : runs)
      if (run.run_type == Run::RT_Iteration && run.counters.count("items_per_second")) {
        double& rate = rates[run.benchmark_name()];
        rate = std::max(rate, static_cast<double>(run.counters.at("items_per_second")));
        double& time = seconds[run.benchmark_name()];
        double const each = run.real_accumulated_time / static_cast<double>(run.iterations);
        time = time == 0 ? each : std::min(time, each);
      }
  }
  std::map<std::string, double> rates, seconds;
};

void report(const char* what, double value, double wanted, bool less = false) {
  bool const reached = less ? value <= wanted : value >= wanted;
  std::printf("%-66s %8.2f   wanted %7.2f   %s\n", what, value, wanted, reached ? "reached" : "MISSED");
}

}  // namespace

int main(int count, char** words) {
  for (auto const& [devices, micro_batches] : {std::pair{35, 70}, {35, 280}, {35, 1120}, {64, 2048}}) {
    for (const char* name : {"1f1b", "interleaved", "zb-h1"}) {
      benchmark::RegisterBenchmark((std::string("recurrence/") + name).c_str(), plain_recurrence, name)
          ->Args({devices, micro_batches});
      benchmark::RegisterBenchmark((std::string("simulation/") + name).c_str(), whole_simulation, name)
          ->Args({devices, micro_batches});
    }
    benchmark::RegisterBenchmark("textbook/1f1b", textbook, "1f1b")->Args({devices, micro_batches});
    benchmark::RegisterBenchmark("from nothing/1f1b", from_nothing)->Args({devices, micro_batches});
    benchmark::RegisterBenchmark("bound/1f1b", lower_bound)->Args({devices, micro_batches});
  }
  benchmark::Initialize(&count, words);
  keeper kept;
  benchmark::RunSpecifiedBenchmarks(&kept);
  auto const rate = [&](std::string const& name) { return kept.rates[name] / 1e6; };
  std::printf("\nMillion tasks a second, one core (a task is a pass of a micro-batch through a stage)\n");
  for (const char* size : {"/35/70", "/35/280", "/35/1120", "/64/2048"}) {
    for (const char* name : {"1f1b", "interleaved", "zb-h1"}) {
      report((std::string("recurrence, ") + name + size).c_str(), rate(std::string("recurrence/") + name + size), 50);
      report((std::string("simulation, ") + name + size).c_str(), rate(std::string("simulation/") + name + size), 5);
    }
    std::printf("%-66s %8.2f\n", (std::string("recurrence / textbook loop, 1f1b") + size).c_str(),
                rate(std::string("recurrence/1f1b") + size) / rate(std::string("textbook/1f1b") + size));
  }
  report("35 stages x 280 micro-batches from nothing, ms", 1e3 * kept.seconds["from nothing/1f1b/35/280"], 10, true);
  report("cost of a task at 35 x 1120 over that at 35 x 70, recurrence",
         rate("recurrence/1f1b/35/70") / rate("recurrence/1f1b/35/1120"), 2, true);
  report("cost of a task at 35 x 1120 over that at 35 x 70, simulation",
         rate("simulation/1f1b/35/70") / rate("simulation/1f1b/35/1120"), 2, true);
  benchmark::Shutdown();
  return 0;
}
