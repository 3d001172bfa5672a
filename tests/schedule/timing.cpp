#include <doctest/doctest.h>

#include <map>
#include <string>
#include <tuple>

#include <shardplan/schedule/simulation.hpp>
#include <shardplan/schedule/step_bound.hpp>

#include <support/pipelines.hpp>

// Recurrence, simulation, bounds and closed forms against each other.
namespace {

using namespace shardplan::schedule;
using support::close;

/// Ends of all tasks by going over them until nothing changes: knows the order of each device and what feeds what.
double by_relaxation(work_order const& order, std::vector<chunk_times> const& times) {
  std::map<std::tuple<int, int, int>, double> ends;
  auto const row = [](pass kind) { return kind == pass::forward ? 0 : kind == pass::weight_gradient ? 2 : 1; };
  auto const chunk_at = [&](int index) -> chunk const& { return order.graph.chunks[static_cast<std::size_t>(index)]; };
  double last = 0;
  for (bool changed = true; changed;) {
    changed = false;
    for (auto const& tasks : order.tasks) {
      double free_at = 0;
      for (std::size_t at = 0; at < tasks.size(); ++at) {
        double begin = free_at, length = 0;
        std::size_t const joined = tasks[at].joined ? 2 : 1;
        for (std::size_t offset = 0; offset < joined; ++offset) {
          task const& each = tasks[at + offset];
          auto const from = [&](int kind, int other, bool forward) {
            auto const& sent = times[static_cast<std::size_t>(other)];
            bool const far = chunk_at(other).device != chunk_at(each.chunk).device;
            double const way = !far ? 0 : forward ? sent.send_forward : sent.send_backward;
            begin = std::max(begin, ends[{kind, other, each.micro_batch}] + way);
          };
          if (each.kind == pass::forward)
            for (int const before : chunk_at(each.chunk).after)
              from(0, before, true);
          else
            from(each.kind == pass::weight_gradient ? 1 : 0, each.chunk, true);
          if (each.kind == pass::backward || each.kind == pass::input_gradient) {
            // Through chunks without a backward pass to the next ones that have one.
            std::vector<int> open{each.chunk};
            while (!open.empty()) {
              int const now = open.back();
              open.pop_back();
              for (int next = 0; next < static_cast<int>(order.graph.chunks.size()); ++next)
                if (auto const& after = chunk_at(next).after;
                    std::find(after.begin(), after.end(), now) != after.end()) {
                  if (chunk_at(next).forward_only)
                    open.push_back(next);
                  else
                    from(1, next, false);
                }
            }
          }
          length += times[static_cast<std::size_t>(each.chunk)].of(each.kind);
        }
        free_at = begin + length;
        for (std::size_t offset = 0; offset < joined; ++offset) {
          task const& each = tasks[at + offset];
          double& end = ends[{row(each.kind), each.chunk, each.micro_batch}];
          changed = changed || end != free_at;
          end = free_at;
        }
        at += joined - 1;
        last = std::max(last, free_at);
      }
    }
  }
  return last;
}

TEST_CASE("recurrence and simulation give what going over the tasks until nothing changes gives") {
  support::generator random{41};
  for (named_schedule const& each : all_schedules()) {
    CAPTURE(each.name);
    for (int round = 0; round < 40; ++round) {
      auto shape = support::random_shape(each, random);
      auto const stages = support::random_stages(shape.devices, 0.2, round % 2 == 0, random);
      auto const times = each.times(shape, stages);
      compiled_order const order{each.order(shape)};
      double const expected = by_relaxation(order.order(), times);
      CHECK(close(recurrence{}.makespan(order, times), expected));
      auto const step = simulate(order, {.times = times});
      CHECK(close(step.makespan, expected));
    }
  }
}

/// 1F1B that goes on for ever: time from one micro-batch to the next, long after the start.
double growth_of_long_run(std::vector<chunk_times> const& times) {
  auto const p = static_cast<int>(times.size());
  auto const run = [&](int m) {
    return recurrence{}.makespan(compiled_order{one_forward_one_backward_order(p, m)}, times);
  };
  return (run(50 * p + 100) - run(50 * p)) / 100;
}

TEST_CASE("closed forms are what they say: exact, upper or lower") {
  support::generator random{42};
  for (named_schedule const& each : all_schedules()) {
    int exact = 0, bounds = 0;
    double off = 0, worst = 0;
    for (int round = 0; round < 2000; ++round) {
      auto const shape = support::random_shape(each, random);
      auto stages = support::random_stages(shape.devices, 0.2, round % 4 == 0, random);
      if (round % 2 == 0)
        stages.assign(stages.size(), stages.front());
      if (round % 3 == 0)
        for (auto& stage : stages)
          stage = {stage.forward, 2 * stage.forward, stage.forward, stage.send_forward, stage.send_backward};
      auto const form = each.step_form(shape, stages);
      if (!form)
        continue;
      auto const times = each.times(shape, stages);
      // Without a flush `step_time` knows the form: what a long run grows by is the truth.
      double const step =
          each.asynchronous ? growth_of_long_run(times) * shape.micro_batches : step_time(each, shape, times);
      double const margin = each.asynchronous ? 0.02 : 1e-12;
      bool const holds = form->kind == form_kind::exact   ? close(form->value, step, each.asynchronous ? 0.02 : 1e-9)
                         : form->kind == form_kind::upper ? form->value >= step * (1 - margin)
                                                          : form->value <= step * (1 + margin);
      if (!holds)
        FAIL_CHECK(std::string(each.name)
                   << " says " << form->value << " (" << std::string(name_of(form->kind)) << "), it takes " << step
                   << " for p=" << shape.devices << " m=" << shape.micro_batches << " v=" << shape.virtual_stages);
      if (form->kind == form_kind::exact) {
        ++exact;
      } else {
        ++bounds;
        double const gap = std::abs(form->value / step - 1);
        off += gap;
        worst = std::max(worst, gap);
      }
    }
    CHECK(exact > 20);
    MESSAGE(std::string(each.name) << ": exact in " << exact << " of 2000 cases, a bound in " << bounds << ", off by "
                                   << (bounds > 0 ? 100 * off / bounds : 0) << " % in the mean, " << 100 * worst
                                   << " % at worst");
  }
}

struct gap_figures {
  double mean = 0;
  double worst = 0;
};
/// How far the bound is below the step, over random pipelines with stage times from `low` to 1.
gap_figures gaps(named_schedule const& of, double low, int rounds, support::generator& random) {
  gap_figures result;
  for (int round = 0; round < rounds; ++round) {
    auto const shape = support::random_shape(of, random);
    auto const times = of.times(shape, support::random_stages(shape.devices, low, false, random));
    compiled_order const order{of.order(shape)};
    double const step = recurrence{}.makespan(order, times), bound = step_bound(order, times);
    CHECK(bound <= step * (1 + 1e-12));
    result.mean += (1 - bound / step) / rounds;
    result.worst = std::max(result.worst, 1 - bound / step);
  }
  return result;
}

TEST_CASE("the lower bound is never above the step, and near it") {
  support::generator random{43};
  for (named_schedule const& each : all_schedules()) {
    int const rounds = std::string_view(each.name) == "1f1b" ? 10000 : 1000;
    // Stages up to four times as slow as others.
    auto const found = gaps(each, 0.25, rounds, random);
    MESSAGE(std::string(each.name) << ": the bound is " << 100 * found.mean << " % below the step in the mean, "
                                   << 100 * found.worst << " % at worst, over " << rounds << " random pipelines");
    if (std::string_view(each.name) == "1f1b") {
      CHECK(found.mean <= 0.005);
      CHECK(found.worst <= 0.06);
    }
    // A bound that lost a family of its chains would be looser.
    CHECK(found.mean <= 0.06);
  }
}

TEST_CASE("the bound is exact for equal stages under 1F1B") {
  for (int p = 1; p <= 8; ++p)
    for (int m = 1; m <= 32; ++m) {
      compiled_order const order{one_forward_one_backward_order(p, m)};
      std::vector<chunk_times> const times(order.chunks(), {1, 1, 1});
      CHECK(close(step_bound(order, times), recurrence{}.makespan(order, times)));
    }
}

TEST_CASE("one order is timed again with other times, in the same memory") {
  compiled_order const order{one_forward_one_backward_order(3, 8)};
  recurrence timing;
  CHECK(timing.makespan(order, std::vector<chunk_times>{{1, 2, 0}, {3, 6, 0}, {1, 2, 0}}) == 75);
  CHECK(timing.makespan(order, std::vector<chunk_times>{{1, 2, 0}, {1, 2, 0}, {1, 2, 0}}) == 30);
  CHECK(timing.makespan(order, std::vector<chunk_times>{{1, 2, 0}, {3, 6, 0}, {1, 2, 0}}) == 75);
}

TEST_CASE("without a flush the growth of a long run approaches m times the slowest stage from below") {
  support::generator random{44};
  for (int round = 0; round < 200; ++round) {
    auto const p = static_cast<int>(random.whole(1, 8));
    std::vector<chunk_times> times;
    double slowest = 0;
    for (int stage = 0; stage < p; ++stage) {
      times.push_back({random.real(0.2, 1), random.real(0.2, 2), 0});
      slowest = std::max(slowest, times.back().forward + times.back().input_gradient);
    }
    CHECK(growth_of_long_run(times) <= slowest * (1 + 1e-12));
    CHECK(growth_of_long_run(times) >= slowest * 0.98);
  }
}

TEST_CASE("without a flush a step takes m times the slowest stage") {
  auto const* pipedream = find_schedule("pipedream");
  pipeline_shape const shape{4, 8};
  std::vector<stage_times> const stages{{1, 2, 1}, {1.5, 3, 1}, {1, 2, 1}, {0.5, 1, 0.5}};
  CHECK(close(step_time(*pipedream, shape, pipedream->times(shape, stages)), 8 * 4.5));
  CHECK(weight_versions(*pipedream, shape, 0) == 4);
  CHECK(weight_versions(*pipedream, shape, 3) == 1);
  CHECK(weight_versions(*find_schedule("2bw"), shape, 0) == 2);
  CHECK(find_schedule("2bw")->refusal({4, 3}) == "needs at least as many micro-batches as devices (4), not 3");
  CHECK(weight_versions(*find_schedule("dualpipe"), shape, 0) == 2);
  CHECK(weight_versions(*find_schedule("1f1b"), shape, 0) == 1);
}

}  // namespace
