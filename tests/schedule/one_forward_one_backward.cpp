#include <algorithm>
#include <vector>

#include <doctest/doctest.h>

#include <shardplan/expr.hpp>
#include <shardplan/schedule.hpp>
#include <shardplan/schedule/compiled_order.hpp>
#include <shardplan/schedule/order/one_pass.hpp>

#include <support/numbers.hpp>

// The closed forms that the planner reads against 1F1B as it runs: the order of passes on each stage and what each pass
// waits for (Narayanan et al. 2021, arXiv 2104.04473, figure 4).
namespace {

using namespace shardplan;
using schedule::one_forward_one_backward;
using support::close;

struct simulated {
  double makespan = 0;
  /// The most micro-batches that have run forward and not yet backward, by stage.
  std::vector<int> in_flight;
};

simulated simulate(std::vector<double> const& forward, std::vector<double> const& backward, int micro_batches) {
  std::vector<schedule::chunk_times> times;
  for (std::size_t stage = 0; stage < forward.size(); ++stage)
    times.push_back({.forward = forward[stage], .input_gradient = backward[stage]});
  schedule::compiled_order const order{
      schedule::one_forward_one_backward_order(static_cast<int>(forward.size()), micro_batches)};
  REQUIRE(order.valid());
  return {schedule::recurrence{}.makespan(order, times), schedule::peak_in_flight(order.order())};
}

double in_flight(int stage, int stages, int micro_batches) {
  using namespace schedule::symbols;
  return expr::evaluate(one_forward_one_backward::in_flight(),
                        expr::environment{p = static_cast<double>(stages), i = static_cast<double>(stage),
                                          m = static_cast<double>(micro_batches)});
}

/// The largest bound over the stages.
double bound(std::vector<double> const& forward, std::vector<double> const& backward, int micro_batches) {
  using namespace schedule::symbols;
  double all = 0;
  for (std::size_t stage = 0; stage < forward.size(); ++stage)
    all += forward[stage] + backward[stage];
  double largest = 0, before = 0;
  auto const stages = static_cast<int>(forward.size());
  for (std::size_t stage = 0; stage < forward.size(); ++stage) {
    double const both = forward[stage] + backward[stage];
    expr::environment const values{f_i = forward[stage],
                                   b_i = backward[stage],
                                   T_before = before,
                                   T_after = all - before - both,
                                   m = static_cast<double>(micro_batches),
                                   w = in_flight(static_cast<int>(stage), stages, micro_batches)};
    largest = std::max(largest, expr::evaluate(one_forward_one_backward::step_bound(), values).value);
    before += both;
  }
  return largest;
}

TEST_CASE("micro-batches in flight: the formula is the simulation's maximum") {
  for (int stages = 1; stages <= 8; ++stages)
    for (int micro_batches = 1; micro_batches <= 32; ++micro_batches) {
      std::vector<double> const forward(static_cast<std::size_t>(stages), 1.0);
      std::vector<double> const backward(static_cast<std::size_t>(stages), 2.0);
      auto const found = simulate(forward, backward, micro_batches);
      for (int stage = 0; stage < stages; ++stage)
        CHECK(in_flight(stage, stages, micro_batches) == found.in_flight[static_cast<std::size_t>(stage)]);
    }
}

TEST_CASE("the bound is exact for equal stages: (m + p - 1)(f + b)") {
  support::generator random{6};
  for (int stages = 1; stages <= 8; ++stages)
    for (int micro_batches = 1; micro_batches <= 32; ++micro_batches) {
      double const f = random.real(0.1, 2), b = random.real(0.1, 4);
      std::vector<double> const forward(static_cast<std::size_t>(stages), f);
      std::vector<double> const backward(static_cast<std::size_t>(stages), b);
      double const exact = (micro_batches + stages - 1) * (f + b);
      CHECK(close(simulate(forward, backward, micro_batches).makespan, exact));
      CHECK(close(bound(forward, backward, micro_batches), exact));
    }
}

TEST_CASE("three stages of 1, 3, 1 forward and 2, 6, 2 backward take 75 for 8 micro-batches") {
  std::vector<double> const forward{1, 3, 1}, backward{2, 6, 2};
  CHECK(simulate(forward, backward, 8).makespan == 75);
  CHECK(bound(forward, backward, 8) == 75);
}

TEST_CASE("a slow stage between fast ones is waited for once and then never idle") {
  std::vector<double> const times{1, 10, 0.125};
  CHECK(simulate(times, times, 8).makespan == 2 + 8 * 20);
  CHECK(bound(times, times, 8) == 2 + 8 * 20);
}

TEST_CASE("the bound is never above the simulation") {
  support::generator random{7};
  double sum = 0, worst = 0;
  int const rounds = 10000;
  for (int round = 0; round < rounds; ++round) {
    auto const stages = static_cast<int>(random.whole(1, 8));
    auto const micro_batches = static_cast<int>(random.whole(1, 32));
    // From nearly equal stages to stages that differ a hundredfold, backward passes of any ratio.
    double const spread = random.real(0, 1);
    std::vector<double> forward, backward;
    for (int stage = 0; stage < stages; ++stage) {
      forward.push_back(std::pow(100.0, spread * random.real(0, 1)));
      backward.push_back(random.chance(0.5) ? 2 * forward.back() : std::pow(100.0, spread * random.real(0, 1)));
    }
    double const simulated_time = simulate(forward, backward, micro_batches).makespan;
    double const lower = bound(forward, backward, micro_batches);
    CHECK(lower <= simulated_time * (1 + 1e-12));
    double const gap = 1 - lower / simulated_time;
    sum += gap;
    worst = std::max(worst, gap);
  }
  MESSAGE("1F1B bound below the simulation: mean " << 100 * sum / rounds << " %, worst " << 100 * worst << " %");
  // A bound that lost its second chain of work would be far looser.
  CHECK(sum / rounds < 0.01);
  CHECK(worst < 0.35);
}

}  // namespace
