#include <doctest/doctest.h>

#include <shardplan/schedule/simulation.hpp>

#include <support/pipelines.hpp>

// The generators: every order can be run, holds what its form says, and leaves the bubble that its authors published.
namespace {

using namespace shardplan::schedule;
using support::close;

TEST_CASE("every schedule runs every pipeline that it does not refuse, and holds what its form says") {
  for (named_schedule const& each : all_schedules()) {
    CAPTURE(each.name);
    int shapes = 0, wrong = 0;
    support::for_each_shape(each, [&](pipeline_shape shape) {
      ++shapes;
      // Without a flush the pipeline is full, however few micro-batches a step has.
      if (each.asynchronous)
        shape.micro_batches = std::max(shape.micro_batches, shape.devices);
      compiled_order const order{each.order(shape)};
      if (!order.valid()) {
        FAIL_CHECK(order.error());
        return;
      }
      bool const parts = each.layout == chunk_layout::virtual_stages;
      auto const held = peak_in_flight(order.order());
      // The simulation holds as much, in activations of one chunk.
      pipeline_load load{.times = std::vector<chunk_times>(order.chunks(), {1, 1, 1})};
      load.chunks.assign(order.chunks(), {.kept_bytes = 1});
      auto const step = simulate(order, load);
      for (std::size_t device = 0; device < held.size(); ++device)
        wrong += step.peak_bytes[device] == held[device] ? 0 : 1;
      for (std::size_t device = 0; device < held.size(); ++device) {
        auto const form = each.in_flight_form(shape, static_cast<int>(device));
        REQUIRE(form);
        double const most = static_cast<double>(held[device]) / (parts ? each.chunks_per_device(shape) : 1);
        bool const holds = form->kind == form_kind::exact   ? close(most, form->value)
                           : form->kind == form_kind::upper ? most <= form->value
                                                            : most >= form->value;
        wrong += holds ? 0 : 1;
      }
    });
    CHECK(shapes > 100);
    CHECK(wrong == 0);
  }
}

TEST_CASE("in-flight forms are exact where they should be") {
  // GPipe, 1F1B, interleaved (p divides m, and elsewhere), breadth-first, ZB-H1, ZB-H2, DualPipe (m >= 2 p), 2BW.
  for (const char* name : {"gpipe", "1f1b", "interleaved", "breadth-first", "zb-h1", "zb-h2", "dualpipe", "2bw"}) {
    auto const* found = find_schedule(name);
    REQUIRE(found != nullptr);
    support::for_each_shape(*found, [&](pipeline_shape const& shape) {
      if (found->in_flight_form(shape, 0)->kind != form_kind::exact)
        FAIL_CHECK(name);
    });
  }
}

/// Time from a device's first task to its last, for equal chunks: the most over the devices.
double longest_span(work_order work, chunk_times const& times) {
  compiled_order const order{std::move(work)};
  REQUIRE(order.valid());
  std::vector<chunk_times> const all(order.chunks(), times);
  recurrence timing;
  timing.makespan(order, all);
  double most = 0;
  for (std::size_t device = 0; device < order.order().tasks.size(); ++device) {
    task const& first = order.order().tasks[device].front();
    double const begin = timing.end_of(order, first) - times.of(first.kind);
    most = std::max(most, timing.free_at()[device] - begin);
  }
  return most;
}
double makespan(work_order work, chunk_times const& times) {
  compiled_order const order{std::move(work)};
  REQUIRE(order.valid());
  return recurrence{}.makespan(order, std::vector<chunk_times>(order.chunks(), times));
}

TEST_CASE("published bubbles") {
  double const f = 1, b = 1.25, w = 0.75;
  chunk_times const times{f, b, w};
  double const B = b + w;
  for (int p : {2, 4, 8})
    for (int m : {16, 32}) {
      double const work = m * (f + b + w);
      // Narayanan et al. 2021, section 2.2: (p - 1)(f + B), and with v virtual stages a v-th of it.
      CHECK(close(makespan(one_forward_one_backward_order(p, m), times) - work, (p - 1) * (f + B)));
      CHECK(close(makespan(interleaved_order(p, 4, m), {f / 4, b / 4, w / 4}) - work, (p - 1) * (f + B) / 4));
      // Qi et al. 2023, table 2: (p - 1)(T_F + T_B - T_W) and (p - 1)(T_F + T_B - 2 T_W), with p and 2 p - 1 in flight.
      CHECK(close(makespan(zero_bubble_h1_order(p, m), times) - work, (p - 1) * (f + b - w)));
      CHECK(close(longest_span(zero_bubble_h2_order(p, m), times) - work, (p - 1) * (f + b - 2 * w)));
      CHECK(close(longest_span(zero_bubble_h2_order(p, m), {1, 1, 1}), 3 * m));
      CHECK(close(longest_span(zero_bubble_v_order(p, m), {1, 1, 1}), 6 * m));
    }
  // DeepSeek-V3 (arXiv 2412.19437, table 2; github.com/deepseek-ai/DualPipe): (p/2 - 1)(F&B + B - 3W), p + 1 in flight.
  for (int p : {2, 4, 8})
    for (int m : {16, 20, 32}) {
      CHECK(close(makespan(dual_pipe_order(p, m), {1, 1, 1}) - 3 * m, (p / 2 - 1) * (3 + 2 - 3)));
      CHECK(close(makespan(dual_pipe_v_order(p, m), {1, 1, 1}) - 6 * m, (p - 1) * (3 + 2 - 3)));
    }
}

TEST_CASE("interleaved groups: no group is smaller than p, and they differ by one at most") {
  for (int p = 1; p <= 8; ++p)
    for (int m = 1; m <= 40; ++m) {
      auto const groups = interleaved_groups(p, m);
      int all = 0;
      for (int const each : groups)
        all += each;
      CHECK(all == m);
      CHECK(groups.front() - groups.back() <= 1);
      CHECK((groups.size() == 1 || groups.back() >= p));
    }
}

TEST_CASE("two joined passes start when both can and end together") {
  work_order order{
      rounds(1, 1, 2),
      {{{pass::forward, 0, 0}, {pass::forward, 0, 1, true}, {pass::backward, 0, 0}, {pass::backward, 0, 1}}}};
  compiled_order const compiled{order};
  REQUIRE(compiled.valid());
  recurrence timing;
  CHECK(timing.makespan(compiled, std::vector<chunk_times>{{1, 1, 1}}) == 6);
  CHECK(timing.end_of(compiled, {pass::forward, 0, 1}) == 4);
  CHECK(timing.end_of(compiled, {pass::backward, 0, 0}) == 4);
}

}  // namespace
