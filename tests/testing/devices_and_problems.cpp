#include <doctest/doctest.h>

#include <boost/hana/for_each.hpp>

#include <shardplan/device/catalogue.hpp>
#include <shardplan/device/cluster.hpp>
#include <shardplan/model/published.hpp>
#include <shardplan/planner/search_plans.hpp>
#include <shardplan/testing/device_laws.hpp>
#include <shardplan/testing/problem_laws.hpp>

#include "support.hpp"

namespace {

using namespace shardplan;
using testing::broken_laws_of_device;
using testing::broken_laws_of_network;
using testing::broken_laws_of_problem;
using testing_support::reports;

TEST_CASE("the devices and networks of the catalogue keep the laws") {
  boost::hana::for_each(device::catalogue::all, [](auto const& entry) {
    CAPTURE(entry.device.name);
    CHECK(broken_laws_of_device(entry.device).empty());
    CHECK(broken_laws_of_network(entry.network).empty());
  });
}

TEST_CASE("broken figures are reported") {
  auto card = device::catalogue::h100_sxm.device;
  static_cast<device::matrix_engine&>(card).matmul_efficiency.value = 70;
  static_cast<device::device_memory&>(card).capacity.value = {};
  static_cast<device::host_link&>(card).latency.source = "";
  static_cast<device::scale_up_link&>(card).latency.value = unit::seconds{-1e-6};
  auto const broken = broken_laws_of_device(card);
  CHECK(broken.size() == 4);
  CHECK(reports(broken, "an efficiency is a share of the peak: matrix_engine.matmul_efficiency is 70"));
  CHECK(reports(broken, "every part has its figures: device_memory.capacity"));
  CHECK(reports(broken, "every figure has a source: host_link.latency"));
  CHECK(reports(broken, "no latency is negative: scale_up_link"));
  CHECK(reports(broken_laws_of_network({}), "every part has its figures: network_link.bandwidth"));
}

TEST_CASE("the planner's problem keeps the laws") {
  auto const machine = device::make_cluster(device::catalogue::h100_sxm, 1, 8);
  planner::workload const job{.sequence_length = 4096, .global_batch = 16};
  planner::assumptions const assumed;
  planner::standard_blocks const blocks;
  auto const all = planner::enumerate({.sequence_parallel = {false}}, machine, job, assumed);
  std::vector<planner::plan> sample;
  for (std::size_t index = 0; index < all.size(); index += all.size() / 24 + 1)
    sample.push_back(all[index]);
  CHECK(sample.size() > 10);
  planner::plan_problem const problem{model::llama_3_1_8b, machine, job, assumed, blocks};
  CHECK(broken_laws_of_problem(problem, sample).empty());
}

/// A problem that keeps the laws, with one function to spoil.
struct sound {
  search::outcome evaluate(int candidate) const {
    if (candidate < 0)
      return {.reason = 0, .excess = 1};
    return {.allowed = true, .cost = static_cast<double>(candidate)};
  }
  std::size_t reasons() const { return 1; }
  bool before(int left, int right) const { return left < right; }
};
struct counts_calls : sound {
  search::outcome evaluate(int) const { return {.allowed = true, .cost = static_cast<double>(calls++)}; }
  mutable int calls = 0;
};
struct costs_nothing_known : sound {
  search::outcome evaluate(int) const { return {.allowed = true}; }
};
struct unknown_reason : sound {
  search::outcome evaluate(int) const { return {.reason = 7, .excess = -1}; }
};
struct not_strict : sound {
  bool before(int left, int right) const { return left <= right; }
};
struct in_a_circle : sound {
  bool before(int left, int right) const { return (right - left + 30) % 3 == 1; }
};
/// Near candidates are equal, which is not transitive.
struct with_tolerance : sound {
  bool before(int left, int right) const { return left + 1 < right; }
};

TEST_CASE("broken problems are reported") {
  std::vector<int> const sample{-1, 0, 1, 2, 3};
  CHECK(broken_laws_of_problem(sound{}, sample).empty());
  CHECK(reports(broken_laws_of_problem(counts_calls{}, sample), "evaluating a candidate twice gives the same outcome"));
  CHECK(reports(broken_laws_of_problem(costs_nothing_known{}, sample), "what is allowed has a cost: candidate 0"));
  CHECK(reports(broken_laws_of_problem(unknown_reason{}, sample), "what is refused has one of the reasons"));
  CHECK(reports(broken_laws_of_problem(unknown_reason{}, sample), "an excess that is not negative"));
  CHECK(reports(broken_laws_of_problem(not_strict{}, sample), "no candidate is before itself"));
  CHECK(reports(broken_laws_of_problem(in_a_circle{}, sample), "before is transitive"));
  CHECK(reports(broken_laws_of_problem(with_tolerance{}, sample), "candidates that are equal to one candidate"));
}

}  // namespace
