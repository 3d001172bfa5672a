#include <doctest/doctest.h>

#include <map>

#include <shardplan/io/trace_json.hpp>
#include <shardplan/schedule/order/one_pass.hpp>
#include <shardplan/schedule/simulation.hpp>

// The trace is what the Trace Event Format asks for, and holds every pass, message and change of memory.
namespace {

using namespace shardplan;
using namespace shardplan::schedule;

TEST_CASE("every pass is an event of its device, at its time in microseconds") {
  compiled_order const order{one_forward_one_backward_order(2, 3)};
  pipeline_load load{.times = std::vector<chunk_times>(2, {1, 2, 0, 0.5, 0.5})};
  load.chunks.assign(2, {.kept_bytes = 7});
  auto const step = simulate(order, load);
  auto const trace = nlohmann::json::parse(io::trace_json(step, 1e-3));
  std::map<std::string, int> kinds;
  double last = 0;
  for (auto const& event : trace.at("traceEvents")) {
    std::string const phase = event.at("ph");
    ++kinds[phase == "X" ? event.at("cat").get<std::string>() : phase];
    CHECK(event.at("pid").get<int>() < 2);
    if (phase == "X")
      last = std::max(last, event.at("ts").get<double>() + event.at("dur").get<double>());
  }
  CHECK(kinds["forward"] == 6);
  CHECK(kinds["backward"] == 6);
  CHECK(kinds["transfer"] == 6);
  CHECK(kinds["M"] == 6);
  CHECK(kinds["C"] >= 10);
  CHECK(last == doctest::Approx(step.makespan * 1e3));
}

}  // namespace
