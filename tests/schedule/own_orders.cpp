#include <doctest/doctest.h>

#include <shardplan/schedule/order/list.hpp>
#include <shardplan/schedule/order/one_pass.hpp>
#include <shardplan/schedule/simulation.hpp>
#include <shardplan/schedule/step_bound.hpp>

#include <support/pipelines.hpp>

// Orders from a list, and pipelines that are no plain row of stages.
namespace {

using namespace shardplan::schedule;
using support::close;

constexpr task F(int chunk, int micro_batch) { return {pass::forward, chunk, micro_batch}; }
constexpr task B(int chunk, int micro_batch) { return {pass::backward, chunk, micro_batch}; }

std::string error_of(work_order order) { return compiled_order{std::move(order)}.error(); }
bool says(std::string const& text, std::string const& part) { return text.find(part) != std::string::npos; }

TEST_CASE("an order of one's own is timed like a built-in one") {
  work_order const own{rounds(2, 1, 2), {{F(0, 0), F(0, 1), B(0, 0), B(0, 1)}, {F(1, 0), B(1, 0), F(1, 1), B(1, 1)}}};
  compiled_order const order{own};
  REQUIRE(order.valid());
  CHECK(recurrence{}.makespan(order, std::vector<chunk_times>(2, {1, 2, 0})) == 9);
}

TEST_CASE("orders that wait in a circle are refused, and two tasks of the circle are named") {
  work_order const circle{rounds(2, 1, 2),
                          {{F(0, 0), B(0, 0), F(0, 1), B(0, 1)}, {F(1, 0), F(1, 1), B(1, 0), B(1, 1)}}};
  std::string const error = error_of(circle);
  CHECK(says(error, "the order cannot be run"));
  bool const first =
      says(error, "device 0 waits with the backward pass of micro-batch 0 through chunk 0 for the backward "
                  "pass of micro-batch 0 through chunk 1");
  bool const second =
      says(error, "device 1 waits with the forward pass of micro-batch 1 through chunk 1 for the forward "
                  "pass of micro-batch 1 through chunk 0");
  CHECK((first || second));
  // A task before what it waits for on the same device.
  CHECK(says(error_of({rounds(1, 1, 1), {{B(0, 0), F(0, 0)}}}), "backward pass of micro-batch 0 through chunk 0"));
}

TEST_CASE("orders that lack a task, have one twice or in the wrong place are refused") {
  CHECK(error_of({rounds(1, 1, 1), {{F(0, 0)}}}) == "the backward pass of micro-batch 0 through chunk 0 is missing");
  CHECK(error_of({rounds(1, 1, 1), {{F(0, 0), F(0, 0), B(0, 0)}}}) ==
        "the forward pass of micro-batch 0 through chunk 0 is there twice");
  CHECK(says(error_of({rounds(2, 1, 1), {{F(0, 0), F(1, 0), B(1, 0), B(0, 0)}, {}}}), "its chunk on device 1"));
  CHECK(says(error_of({rounds(1, 1, 1), {{F(0, 0), B(0, 0), F(0, 1)}}}), "not there"));
  CHECK(says(error_of({rounds(1, 1, 1), {{F(0, 0), {pass::input_gradient, 0, 0}}}}), "weight gradient"));
  CHECK(says(error_of({rounds(1, 1, 1), {{F(0, 0), B(0, 0), {pass::weight_gradient, 0, 0}}}}), "is there twice"));
  CHECK(says(error_of({rounds(1, 1, 1), {{F(0, 0), {pass::backward, 0, 0, true}}}}), "joined"));
}

TEST_CASE("graphs that make no sense are refused before anything is read of them") {
  stage_graph graph{2, 2};
  graph.chunks = {{.device = 0, .micro_batches = 2}, {.device = 1, .after = {0}, .micro_batches = 2}};
  std::vector<std::vector<task>> const none(2);
  CHECK(says(error_of({graph, {{}}}), "2 devices, the order has lists of tasks for 1"));
  auto wrong = graph;
  wrong.chunks[1].device = 2;
  CHECK(says(error_of({wrong, none}), "chunk 1 is on device 2"));
  wrong = graph;
  wrong.chunks[1].first_micro_batch = 1;
  CHECK(says(error_of({wrong, none}), "chunk 1 has micro-batches that are not there"));
  wrong = graph;
  wrong.chunks[1].after = {7};
  CHECK(says(error_of({wrong, none}), "chunk 1 is fed by chunk 7"));
  wrong = graph;
  wrong.chunks[0].micro_batches = 1;
  CHECK(says(error_of({wrong, none}), "chunk 1 waits for micro-batches that chunk 0 does not have"));
  // A micro-batch that the chunk does not have; three passes joined.
  auto one = graph;
  one.chunks.resize(1);
  one.devices = 1;
  one.chunks[0].micro_batches = 1;
  CHECK(says(error_of({one, {{F(0, 0), B(0, 0), F(0, 1), B(0, 1)}}}), "not there"));
  CHECK(
      says(error_of({rounds(1, 1, 3),
                     {{{pass::forward, 0, 0, true}, {pass::forward, 0, 1, true}, F(0, 2), B(0, 0), B(0, 1), B(0, 2)}}}),
           "two can be joined"));
  // A joined pair of which the second has to wait for ever.
  CHECK(says(error_of({rounds(1, 1, 2), {{F(0, 0), {pass::forward, 0, 1, true}, B(0, 1), B(0, 0)}}}),
             "waits with the backward pass of micro-batch 1"));
}

TEST_CASE("list scheduling says what cannot start") {
  stage_graph graph{2, 2};
  graph.chunks = {{.device = 0, .micro_batches = 1}, {.device = 1, .after = {0}, .micro_batches = 2}};
  CHECK(!compiled_order{list_order(graph, {{1, 1, 0}, {1, 1, 0}}, {})}.valid());
  double const never = std::numeric_limits<double>::infinity();
  CHECK(!compiled_order{list_order(rounds(2, 1, 2), {{never, 1, 0}, {1, 1, 0}}, {})}.valid());
}

TEST_CASE("joined passes are both in flight before either ends") {
  work_order const order{rounds(1, 1, 2), {{F(0, 0), {pass::backward, 0, 0, true}, F(0, 1), B(0, 1)}}};
  CHECK(peak_in_flight(order)[0] == 2);
  compiled_order const compiled{order};
  REQUIRE(compiled.valid());
  pipeline_load load{.times = {{1, 1, 0}}};
  load.chunks = {{.kept_bytes = 1}};
  CHECK(simulate(compiled, load).peak_bytes[0] == 2);
}

TEST_CASE("the bound holds where every device takes the micro-batches in an order of its own") {
  support::generator random{45};
  auto const shuffled = [&](int count) {
    std::vector<int> numbers;
    for (int number = 0; number < count; ++number)
      numbers.insert(numbers.begin() + static_cast<std::ptrdiff_t>(random.whole(0, number)), number);
    return numbers;
  };
  for (int round = 0; round < 2000; ++round) {
    auto const p = static_cast<int>(random.whole(1, 6)), v = static_cast<int>(random.whole(1, 3));
    auto const m = static_cast<int>(random.whole(1, 8));
    bool const split = random.chance(0.5);
    work_order work{rounds(p, v, m), {}};
    std::vector<chunk_times> times;
    for (int device = 0; device < p; ++device) {
      auto& tasks = work.tasks.emplace_back();
      for (int turn = 0; turn < v; ++turn)
        for (int const k : shuffled(m))
          tasks.push_back(F(turn * p + device, k));
      for (int turn = v; turn-- > 0;)
        for (int const k : shuffled(m))
          tasks.push_back({split ? pass::input_gradient : pass::backward, turn * p + device, k});
      for (int turn = 0; split && turn < v; ++turn)
        for (int const k : shuffled(m))
          tasks.push_back({pass::weight_gradient, turn * p + device, k});
    }
    for (int chunk = 0; chunk < p * v; ++chunk)
      times.push_back(
          {random.real(0, 1), random.real(0, 1), random.real(0, 1), random.real(0, 0.2), random.real(0, 0.2)});
    compiled_order const order{work};
    REQUIRE(order.valid());
    CHECK(step_bound(order, times) <= recurrence{}.makespan(order, times) * (1 + 1e-12));
  }
}

TEST_CASE("encoders side by side feed a common module: the longest of them is waited for") {
  // Chunks 0 and 1 are encoders on devices 0 and 1; chunk 2 on device 2 reads both.
  stage_graph graph{3, 4};
  graph.chunks = {{.device = 0, .micro_batches = 4},
                  {.device = 1, .micro_batches = 4},
                  {.device = 2, .after = {0, 1}, .micro_batches = 4}};
  std::vector<chunk_times> const times{{1, 2, 0}, {3, 6, 0}, {1, 2, 0}};
  compiled_order const order{list_order(graph, times, {2, 2, 1})};
  REQUIRE(order.valid());
  // As the pipeline of the slow encoder and the module alone.
  stage_graph row = rounds(2, 1, 4);
  compiled_order const alone{list_order(row, {times[1], times[2]}, {2, 1})};
  REQUIRE(alone.valid());
  CHECK(recurrence{}.makespan(order, times) ==
        recurrence{}.makespan(alone, std::vector<chunk_times>{times[1], times[2]}));
  CHECK(peak_in_flight(order.order())[1] <= 2);
}

TEST_CASE("a layer spread over all devices takes each its share of the time") {
  int const p = 4, m = 8;
  auto const graph = interlaced(p, m);
  std::vector<chunk_times> times(graph.chunks.size(), {1, 2, 0});
  for (int part = 0; part < p; ++part)
    times[static_cast<std::size_t>(part)] = {0.25, 0.5, 0};
  compiled_order const spread{list_order(graph, times, {16, 16, 16, 16})};
  REQUIRE(spread.valid());
  double const step = recurrence{}.makespan(spread, times);
  // All of it on the first device makes that device the slowest.
  compiled_order const plain{one_forward_one_backward_order(p, m)};
  std::vector<chunk_times> on_first(4, {1, 2, 0});
  on_first[0] = {2, 4, 0};
  CHECK(step < recurrence{}.makespan(plain, on_first));
  CHECK(step >= m * 3.75);
}

TEST_CASE("several forward passes through all devices before one backward pass") {
  auto const graph = several_forwards(4, 3, 8);
  std::vector<chunk_times> const times(graph.chunks.size(), {1, 2, 0});
  compiled_order const order{list_order(graph, times, {4, 3, 2, 1})};
  REQUIRE(order.valid());
  double const step = recurrence{}.makespan(order, times);
  CHECK(step >= 8 * 5 + 3);
  CHECK(step <= 1.1 * (8 + 4 - 1) * 5);
  // Nothing is held of passes that are not learned from.
  for (int const held : peak_in_flight(order.order()))
    CHECK(held <= 4);
}

TEST_CASE("list scheduling of a plain row is 1F1B where stages are equal") {
  for (int p : {1, 2, 4, 7})
    for (int m : {1, 3, 8, 16}) {
      std::vector<chunk_times> const times(static_cast<std::size_t>(p), {1, 2, 0});
      std::vector<int> limits;
      for (int device = 0; device < p; ++device)
        limits.push_back(p - device);
      compiled_order const listed{list_order(rounds(p, 1, m), times, limits)};
      compiled_order const plain{one_forward_one_backward_order(p, m)};
      REQUIRE(listed.valid());
      CHECK(close(recurrence{}.makespan(listed, times), recurrence{}.makespan(plain, times)));
    }
}

}  // namespace
