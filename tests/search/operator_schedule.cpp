#include <doctest/doctest.h>

#include <algorithm>
#include <limits>
#include <vector>

#include <shardplan/search/operator_schedule.hpp>

#include <support/numbers.hpp>

// Small schedules: the shortest of trying all orders and devices.
namespace {

using namespace shardplan::search;
using support::close;

constexpr double infinity = std::numeric_limits<double>::infinity();

operator_graph random_graph(std::size_t operators, std::size_t devices, support::generator& random) {
  operator_graph result;
  bool const whole = random.chance(0.5), alike = random.chance(0.4), limited = random.chance(0.4);
  auto const number = [&](double high) {
    return whole ? static_cast<double>(random.whole(0, static_cast<long long>(high))) : random.real(0, high);
  };
  for (std::size_t index = 0; index < operators; ++index) {
    std::vector<double> times;
    for (std::size_t device = 0; device < devices; ++device)
      times.push_back(alike && device > 0 ? times[0] : random.chance(0.1) ? infinity : number(4));
    result.time.push_back(times);
    for (std::size_t before = 0; before < index; ++before)
      if (random.chance(0.35))
        result.edges.push_back({before, index, number(2)});
    if (limited)
      result.memory.push_back(number(2));
  }
  if (limited)
    for (std::size_t device = 0; device < devices; ++device)
      result.capacity.push_back(alike && device > 0 ? result.capacity[0] : number(6));
  return result;
}

/// All orders that respect the edges, each operator on each device, started as early as its place allows.
double try_all(operator_graph const& of) {
  std::vector<std::size_t> device(of.operators());
  std::vector<double> finish(of.operators(), -1), free(of.devices(), 0), memory(of.devices(), 0);
  double best = infinity;
  auto const go = [&](auto const& self, std::size_t count, double end) -> void {
    if (count == of.operators()) {
      best = std::min(best, end);
      return;
    }
    for (std::size_t index = 0; index < of.operators(); ++index) {
      if (finish[index] >= 0)
        continue;
      bool ready = true;
      for (auto const& each : of.edges)
        ready = ready && (each.to != index || finish[each.from] >= 0);
      if (!ready)
        continue;
      for (std::size_t on = 0; on < of.devices(); ++on) {
        double const more = of.memory.empty() ? 0 : of.memory[index];
        if (of.time[index][on] == infinity || (!of.capacity.empty() && memory[on] + more > of.capacity[on]))
          continue;
        double start = free[on];
        for (auto const& each : of.edges)
          if (each.to == index)
            start = std::max(start, finish[each.from] + (device[each.from] == on ? 0 : each.delay));
        double const before = free[on];
        device[index] = on;
        finish[index] = free[on] = start + of.time[index][on];
        memory[on] += more;
        self(self, count + 1, std::max(end, finish[index]));
        memory[on] -= more;
        finish[index] = -1;
        free[on] = before;
      }
    }
  };
  go(go, 0, 0);
  return best;
}

void check(operator_graph const& of, operator_schedule_result const& answer) {
  double end = 0;
  for (std::size_t index = 0; index < of.operators(); ++index) {
    auto const& each = answer.schedule[index];
    end = std::max(end, each.start + of.time[index][each.device]);
    for (std::size_t other = 0; other < index; ++other) {
      auto const& before = answer.schedule[other];
      if (before.device == each.device)
        CHECK((before.start + of.time[other][before.device] <= each.start ||
               each.start + of.time[index][each.device] <= before.start));
    }
  }
  for (auto const& each : of.edges) {
    auto const &from = answer.schedule[each.from], &to = answer.schedule[each.to];
    CHECK(to.start >= from.start + of.time[each.from][from.device] + (from.device == to.device ? 0 : each.delay));
  }
  CHECK(end == answer.certificate.objective);
}

TEST_CASE("the shortest schedule of trying everything") {
  support::generator random{271};
  int infeasible = 0;
  for (int round = 0; round < 1500; ++round) {
    auto const of = random_graph(static_cast<std::size_t>(random.whole(1, 5)),
                                 static_cast<std::size_t>(random.whole(1, 3)), random);
    double const expected = try_all(of);
    for (auto const order : {branch_order::depth_first, branch_order::best_first}) {
      auto const answer = shortest_schedule(of, order);
      if (!(expected < infinity)) {
        ++infeasible;
        CHECK(answer.certificate.status == status::infeasible);
        continue;
      }
      CHECK(answer.certificate.status == status::optimal);
      CHECK(close(answer.certificate.objective, expected));
      check(of, answer);
    }
  }
  CHECK(infeasible > 100);
}

TEST_CASE("eight operators on two devices") {
  support::generator random{272};
  for (int round = 0; round < 6; ++round) {
    auto of = random_graph(8, 2, random);
    while (of.edges.size() < 12)
      of = random_graph(8, 2, random);
    double const expected = try_all(of);
    auto const answer = shortest_schedule(of);
    if (expected < infinity)
      CHECK(close(answer.certificate.objective, expected));
    else
      CHECK(answer.certificate.status == status::infeasible);
    CHECK(answer.opened < 20000);
  }
}

/// A pipeline as a graph: forward and backward pass of each micro-batch on each stage.
operator_graph pipeline(std::size_t stages, std::size_t micro_batches) {
  operator_graph result;
  std::vector<std::vector<std::size_t>> forward(micro_batches), backward(micro_batches);
  auto const add = [&](std::size_t stage, double time) {
    result.time.emplace_back(stages, infinity);
    result.time.back()[stage] = time;
    return result.operators() - 1;
  };
  for (std::size_t batch = 0; batch < micro_batches; ++batch) {
    for (std::size_t stage = 0; stage < stages; ++stage) {
      forward[batch].push_back(add(stage, 1));
      if (stage > 0)
        result.edges.push_back({forward[batch][stage - 1], forward[batch][stage]});
    }
    for (std::size_t stage = stages; stage-- > 0;) {
      backward[batch].push_back(add(stage, 2));
      result.edges.push_back(
          {stage + 1 == stages ? forward[batch][stage] : backward[batch].end()[-2], backward[batch].back()});
    }
  }
  return result;
}

TEST_CASE("She et al. 2025: a schedule that is found idles no more than 1F1B, (p - 1) / (m + p - 1)") {
  for (auto const& [stages, micro_batches] : {std::pair<std::size_t, std::size_t>{2, 2}, {2, 3}, {3, 2}, {2, 4}}) {
    auto const found = shortest_schedule(pipeline(stages, micro_batches));
    REQUIRE(found.certificate.status == status::optimal);
    double const p = static_cast<double>(stages), m = static_cast<double>(micro_batches);
    double const idle = 1 - 3 * m / found.certificate.objective;
    CHECK(idle <= (p - 1) / (m + p - 1) + 1e-12);
    // And with passes that are not split it cannot idle less: the ends of the pipeline wait.
    CHECK(close(found.certificate.objective, 3 * (m + p - 1)));
  }
}

TEST_CASE("no operators") { CHECK(shortest_schedule({}).certificate.status == status::optimal); }

}  // namespace
