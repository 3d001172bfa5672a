#include <doctest/doctest.h>

#include <numeric>

#include <shardplan/schedule/simulation.hpp>
#include <shardplan/schedule/svg_gantt.hpp>
#include <shardplan/schedule/text_gantt.hpp>

#include <support/pipelines.hpp>

// What a simulation knows beyond the recurrence: links, buckets, extras, slow devices, memory, the critical path; and
// its pictures.
namespace {

using namespace shardplan::schedule;
using support::close;

compiled_order two_stages(int micro_batches) {
  return compiled_order{one_forward_one_backward_order(2, micro_batches)};
}
pipeline_load equal_load(std::size_t chunks) { return {.times = std::vector<chunk_times>(chunks, {1, 2, 0})}; }

/// All links of a pipeline with one way each between any two devices.
void connect_all(pipeline_load& load, int devices, int link) {
  load.route.assign(static_cast<std::size_t>(devices * devices), link);
}

TEST_CASE("a message takes its latency and its bytes over the bandwidth") {
  pipeline_link const link{.bandwidth = 10, .latency = 0.5};
  CHECK(link.arrival(1, 20) == 3.5);
  CHECK(link.arrival(1, 0) == 1.5);
  CHECK(pipeline_link{}.arrival(3, 1e12) == 3);
}

TEST_CASE("bandwidth as a function of time is integrated") {
  pipeline_link const link{.bandwidth = 10, .latency = 0, .share_from = {{2, 0.5}, {4, 1}}};
  CHECK(link.arrival(0, 10) == 1);
  CHECK(link.arrival(1, 20) == 4);  // 10 in a second, 10 at half speed in two
  CHECK(link.arrival(1, 30) == 5);  // and 10 in one more at full speed
  CHECK(link.arrival(3, 5) == 4);
  CHECK(link.arrival(10, 10) == 11);
}

TEST_CASE("transfers on a link come one after the other, those on two links together") {
  auto const order = two_stages(1);
  auto load = equal_load(2);
  load.links = {{.bandwidth = 1, .latency = 0}};
  connect_all(load, 2, 0);
  load.chunks.assign(2, {.forward_bytes = 3, .backward_bytes = 4});
  // forward 1, send 3, forward 1, backward 2, send 4, backward 2
  CHECK(simulate(order, load).makespan == 13);

  // Two encoders send to one device at the same time.
  stage_graph graph{3, 1};
  graph.chunks = {{.device = 0, .micro_batches = 1},
                  {.device = 1, .micro_batches = 1},
                  {.device = 2, .after = {0, 1}, .micro_batches = 1}};
  work_order const joint{graph,
                         {{{pass::forward, 0, 0}, {pass::backward, 0, 0}},
                          {{pass::forward, 1, 0}, {pass::backward, 1, 0}},
                          {{pass::forward, 2, 0}, {pass::backward, 2, 0}}}};
  compiled_order const joined{joint};
  REQUIRE(joined.valid());
  pipeline_load shared{.times = std::vector<chunk_times>(3, {1, 2, 0})};
  shared.chunks.assign(3, {.forward_bytes = 3});
  shared.links.assign(2, {.bandwidth = 1, .latency = 0});
  connect_all(shared, 3, 0);
  CHECK(simulate(joined, shared).makespan == 1 + 3 + 3 + 1 + 2 + 2);
  shared.route[1 * 3 + 2] = 1;
  CHECK(simulate(joined, shared).makespan == 1 + 3 + 1 + 2 + 2);
}

TEST_CASE("where sending blocks, the sender computes later") {
  auto const order = two_stages(4);
  auto load = equal_load(2);
  load.times.assign(2, {1, 2, 0, 0.5, 0.5});
  double const overlapped = simulate(order, load).makespan;
  load.sending_blocks = true;
  CHECK(simulate(order, load).makespan > overlapped);
}

TEST_CASE("gradient buckets hide behind the last backward pass, the last of them does not") {
  auto const order = compiled_order{one_forward_one_backward_order(1, 2)};
  auto load = equal_load(1);
  load.links = {{.bandwidth = 1, .latency = 0}};
  load.devices = {{.end_of_step = 0.25, .gradient_link = 0}};
  load.chunks = {{.gradient_bytes = 1, .gradient_buckets = 1}};
  CHECK(simulate(order, load).makespan == 6 + 1 + 0.25);
  load.chunks[0].gradient_buckets = 4;
  auto const step = simulate(order, load);
  CHECK(step.makespan == 6 + 0.25 + 0.25);
  CHECK(close(step.attribution[static_cast<std::size_t>(activity::gradient_reduction)], 0.25));
  CHECK(close(step.attribution[static_cast<std::size_t>(activity::end_of_step)], 0.25));
  // More bytes than the pass hides: the buckets queue.
  load.chunks[0].gradient_bytes = 8;
  CHECK(simulate(order, load).makespan == 4 + 0.5 + 8 + 0.25);
}

TEST_CASE("the first and the last micro-batch take their extras") {
  auto const order = two_stages(4);
  auto load = equal_load(2);
  double const plain = simulate(order, load).makespan;
  load.chunks.assign(2, {.first_extra = 0.5, .last_extra = 0.25});
  auto const step = simulate(order, load);
  // On the way of the first micro-batch down and of the last one back.
  CHECK(close(step.makespan, plain + 2 * 0.5 + 2 * 0.25));
  CHECK(close(step.attribution[static_cast<std::size_t>(activity::first_or_last)], 1.5));
}

TEST_CASE("a slow device slows the step, jitter is the same for the same seed") {
  auto const order = compiled_order{one_forward_one_backward_order(4, 16)};
  auto load = equal_load(4);
  double const plain = simulate(order, load).makespan;
  load.devices.assign(4, {});
  load.devices[2].slowdown = 1.5;
  auto slower = load.times;
  slower[2] = {1.5, 3, 0};
  CHECK(close(simulate(order, load).makespan, recurrence{}.makespan(order, slower)));
  CHECK(simulate(order, load).makespan > 1.3 * plain);
  load.devices.clear();
  load.jitter = 0.1;
  load.seed = 1;
  double const once = simulate(order, load).makespan;
  CHECK(simulate(order, load).makespan == once);
  CHECK(once > plain * 0.9);
  CHECK(once < plain * 1.1);
  load.seed = 2;
  CHECK(simulate(order, load).makespan != once);
}

TEST_CASE("the memory curve starts with what is static, peaks at the activations in flight and returns") {
  support::generator random{51};
  for (named_schedule const& each : all_schedules()) {
    CAPTURE(each.name);
    for (int round = 0; round < 20; ++round) {
      auto const shape = support::random_shape(each, random);
      compiled_order const order{each.order(shape)};
      pipeline_load load{.times = each.times(shape, support::random_stages(shape.devices, 0.2, true, random))};
      load.chunks.assign(order.chunks(), {.kept_bytes = 1});
      load.devices.assign(static_cast<std::size_t>(order.devices()), {.static_bytes = 100});
      auto const step = simulate(order, load);
      auto const held = peak_in_flight(order.order());
      for (std::size_t device = 0; device < held.size(); ++device) {
        CHECK(step.peak_bytes[device] == 100 + held[device]);
        CHECK(step.memory[device].back().bytes <= 101);
        double most = 0, before = -1;
        for (memory_point const& point : step.memory[device]) {
          CHECK(point.time >= before);
          before = point.time;
          most = std::max(most, point.bytes);
        }
        CHECK(most == step.peak_bytes[device]);
      }
    }
  }
  // Half of the activations go with the input gradient.
  compiled_order const split{zero_bubble_h1_order(2, 4)};
  pipeline_load load{.times = std::vector<chunk_times>(2, {1, 1, 1})};
  load.chunks.assign(2, {.kept_bytes = 2, .freed_by_input_gradient = 0.5});
  auto const step = simulate(split, load);
  CHECK(step.peak_bytes[1] == 3);
}

TEST_CASE("the pieces of the critical path join end to end and add up to the step") {
  support::generator random{52};
  for (named_schedule const& each : all_schedules()) {
    CAPTURE(each.name);
    for (int round = 0; round < 30; ++round) {
      auto const shape = support::random_shape(each, random);
      compiled_order const order{each.order(shape)};
      pipeline_load load{.times = each.times(shape, support::random_stages(shape.devices, 0.2, true, random))};
      if (round % 2 == 1) {
        load.links = {{.bandwidth = 5, .latency = 0.01},
                      {.bandwidth = 2, .latency = 0.02, .share_from = {{3, 0.5}, {9, 1}}}};
        for (int pair = 0; pair < shape.devices * shape.devices; ++pair)
          load.route.push_back(static_cast<int>(random.whole(-1, 1)));
        for (std::size_t chunk = 0; chunk < order.chunks(); ++chunk)
          load.chunks.push_back({.forward_bytes = random.real(0, 1),
                                 .backward_bytes = random.real(0, 1),
                                 .gradient_bytes = random.real(0, 2),
                                 .gradient_buckets = static_cast<int>(random.whole(1, 4)),
                                 .first_extra = random.real(0, 0.5),
                                 .last_extra = random.real(0, 0.5)});
        for (int device = 0; device < shape.devices; ++device)
          load.devices.push_back({.slowdown = random.real(1, 1.3),
                                  .end_of_step = random.real(0, 1),
                                  .gradient_link = static_cast<int>(random.whole(-1, 1))});
        load.jitter = 0.1;
        load.sending_blocks = random.chance(0.3);
      }
      auto const step = simulate(order, load);
      CHECK(close(std::accumulate(step.attribution.begin(), step.attribution.end(), 0.0), step.makespan, 1e-9));
      double at = 0;
      for (path_piece const& piece : step.critical_path) {
        CHECK(close(piece.begin, at, 1e-9));
        at = piece.end;
      }
      CHECK(close(at, step.makespan, 1e-9));
      // Every task starts after the one before it on its device ends.
      for (std::size_t index = 1; index < step.tasks.size(); ++index)
        if (step.tasks[index].device == step.tasks[index - 1].device && !step.tasks[index - 1].what.joined)
          CHECK(step.tasks[index].begin >= step.tasks[index - 1].end - 1e-12);
    }
  }
}

TEST_CASE("chunks without a backward pass are sent no gradients") {
  stage_graph graph{2, 2};
  graph.chunks = {{.device = 0, .micro_batches = 2, .forward_only = true},
                  {.device = 1, .after = {0}, .micro_batches = 2}};
  work_order const work{
      graph,
      {{{pass::forward, 0, 0}, {pass::forward, 0, 1}},
       {{pass::forward, 1, 0}, {pass::backward, 1, 0}, {pass::forward, 1, 1}, {pass::backward, 1, 1}}}};
  compiled_order const order{work};
  REQUIRE(order.valid());
  pipeline_load load{.times = std::vector<chunk_times>(2, {1, 1, 0})};
  load.chunks.assign(2, {.forward_bytes = 1, .backward_bytes = 10});
  load.links = {{.bandwidth = 1, .latency = 0}};
  connect_all(load, 2, 0);
  load.sending_blocks = true;
  auto const step = simulate(order, load);
  CHECK(step.transfers.size() == 2);
  CHECK(step.makespan < 9);
}

TEST_CASE("a device without tasks may end last") {
  stage_graph graph{2, 1};
  graph.chunks = {{.device = 1, .micro_batches = 1}};
  compiled_order const order{{graph, {{}, {{pass::forward, 0, 0}, {pass::backward, 0, 0}}}}};
  REQUIRE(order.valid());
  pipeline_load load{.times = {{1, 1, 0}}};
  load.devices = {{.end_of_step = 5}, {}};
  CHECK(simulate(order, load).makespan == 5);
  CHECK(text_gantt(simulate(order, load), 0).size() > 0);
}

TEST_CASE("attribution adds up where passes take no time, and where a bucket is ready in the middle of joined passes") {
  support::generator random{53};
  for (named_schedule const& each : all_schedules())
    for (int round = 0; round < 60; ++round) {
      auto const shape = support::random_shape(each, random);
      compiled_order const order{each.order(shape)};
      auto stages = support::random_stages(shape.devices, 0.2, false, random);
      for (auto& stage : stages) {
        stage.forward = random.chance(0.3) ? 0 : stage.forward;
        stage.weight_gradient = random.chance(0.3) ? 0 : stage.weight_gradient;
        stage.backward = random.chance(0.3) ? stage.weight_gradient : stage.backward;
      }
      pipeline_load load{.times = each.times(shape, stages)};
      load.chunks.assign(order.chunks(), {.kept_bytes = 1, .gradient_bytes = 1, .gradient_buckets = 3});
      load.links = {{.bandwidth = 1, .latency = 0}};
      load.devices.assign(static_cast<std::size_t>(shape.devices), {.gradient_link = 0});
      auto const step = simulate(order, load);
      CHECK(close(std::accumulate(step.attribution.begin(), step.attribution.end(), 0.0), step.makespan, 1e-9));
      for (std::size_t device = 0; device < step.memory.size(); ++device) {
        double most = 0;
        for (memory_point const& point : step.memory[device])
          most = std::max(most, point.bytes);
        CHECK(most == step.peak_bytes[device]);
        CHECK(step.memory[device].back().bytes == 0);
      }
    }
}

TEST_CASE("extras belong to the first and the last pass that runs") {
  work_order const work{
      rounds(1, 1, 2),
      {{{pass::forward, 0, 1}, {pass::forward, 0, 0}, {pass::backward, 0, 1}, {pass::backward, 0, 0}}}};
  compiled_order const order{work};
  REQUIRE(order.valid());
  pipeline_load load{.times = {{1, 1, 0}}};
  load.chunks = {{.first_extra = 10, .last_extra = 20}};
  auto const step = simulate(order, load);
  CHECK(step.tasks[0].end == 11);
  CHECK(step.tasks[1].end == 12);
  CHECK(step.tasks[2].end == 13);
  CHECK(step.tasks[3].end == 34);
}

TEST_CASE("a simulator runs one order many times, each time as if it were the first") {
  compiled_order const order{interleaved_order(4, 2, 8)};
  simulator again{order};
  auto load = equal_load(8);
  double const first = again.run(load).makespan;
  load.times[3].forward = 3;
  CHECK(again.run(load).makespan > first);
  load.times[3].forward = 1;
  CHECK(again.run(load).makespan == first);
  CHECK(again.run(load).tasks.size() == order.order().size());
}

TEST_CASE("the SVG of 64 stages and 512 micro-batches is under 5 MB, and narrow passes have no label") {
  compiled_order const order{one_forward_one_backward_order(64, 512)};
  auto load = equal_load(64);
  load.chunks.assign(64, {.kept_bytes = 1e9});
  auto const step = simulate(order, load);
  std::string const picture = svg_gantt(step);
  CHECK(picture.size() < 5'000'000);
  CHECK(picture.find("<g class=\"l\">") == std::string::npos);
  CHECK(picture.find("device 63") != std::string::npos);

  auto const small = svg_gantt(simulate(two_stages(2), equal_load(2)), {.title = "a < b & c"});
  CHECK(small.find("<g class=\"l\">") != std::string::npos);
  CHECK(small.find("a &lt; b &amp; c") != std::string::npos);
  CHECK(small.find("</svg>") != std::string::npos);
}

TEST_CASE("the picture in characters shows what takes most of each character's time") {
  auto const step = simulate(two_stages(2), equal_load(2));
  // Forward 1, backward 2: nine units in eighteen characters.
  CHECK(text_gantt(step, 18) == "device 0 |0011    aaaa  bbbb|\n"
                                "device 1 |  00aaaa11bbbb    |\n");
}

}  // namespace
