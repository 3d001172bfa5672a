#include <doctest/doctest.h>

#include <vector>

#include <shardplan/search/chain.hpp>
#include <shardplan/search/partition.hpp>
#include <shardplan/testing/chain_instances.hpp>
#include <shardplan/testing/partition_instances.hpp>

#include <support/numbers.hpp>

// Figures of papers that a search must find.
namespace {

using namespace shardplan::search;
using shardplan::testing::chain_instance;
using shardplan::testing::partition_instance;

partition_instance stages_of(std::vector<double> time, std::vector<double> speed) {
  partition_instance result;
  result.stage_count = speed.size();
  result.time = std::move(time);
  result.memory.assign(result.time.size(), 0);
  result.transfer.assign(result.time.size(), 0);
  result.limit.assign(speed.size(), 1);
  result.speed = std::move(speed);
  return result;
}

TEST_CASE("OSDP: Jiang et al., IJCAI 2023, GPT of h = 2048: replicated, attention, MLP, or both sharded") {
  // Memory in MB and cost in s of a layer, as the paper's repository measured them.
  std::vector<double> const memory{672, 485, 288, 101}, cost{0.076876058, 0.108124554, 0.132541047, 0.161845638};
  auto const gpt = [&](std::size_t layers) {
    chain_instance result;
    result.cost_of.assign(layers, cost);
    result.resource_of.assign(layers, memory);
    result.switching_of.assign(layers, std::vector(4, std::vector<double>(4, 0.0)));
    return result;
  };
  auto const how_many = [](chain_result const& of) {
    std::vector<int> count(4, 0);
    for (std::size_t const each : of.choices)
      ++count[each];
    return count;
  };
  // 8 GB less 800 MB: 13 layers with the MLP sharded, 35 with both.
  auto const large = cheapest_chain(gpt(48), 8192 - 800);
  CHECK(large.certificate.status == status::optimal);
  CHECK(support::close(large.cost, 7.387630941, 1e-9));
  CHECK(how_many(large) == std::vector{0, 0, 13, 35});
  CHECK(large.resource == 7279);
  struct figure {
    double limit, cost;
    std::vector<int> count;
  };
  for (auto const& [limit, expected, count] : {figure{800, 0.941769237, {0, 0, 1, 5}},
                                               {1024, 0.912464646, {0, 0, 2, 4}},
                                               {1500, 0.853855464, {0, 0, 4, 2}},
                                               {2000, 0.768885884, {1, 0, 4, 1}}}) {
    auto const small = cheapest_chain(gpt(6), limit);
    CHECK(support::close(small.cost, expected, 1e-9));
    CHECK(how_many(small) == count);
  }
}

TEST_CASE("DynMo: Wahib et al., SC 2025, layers that cost 8, 6, 4, 2, four of each, on four stages") {
  auto const of = stages_of({8, 8, 8, 8, 6, 6, 6, 6, 4, 4, 4, 4, 2, 2, 2, 2}, {1, 1, 1, 1});
  // As many layers each take 32; the best partition 22, where the mean is 20.
  CHECK(of.stage_time(0, 0, 4) == 32);
  auto const found = cheapest_partition(of, {1, 0});
  CHECK(found.slowest == 22);
  CHECK(found.sum == 80);
}

TEST_CASE("AutoHet: Wang et al., 2025, 46 layers on stages of speeds 312 and 148") {
  auto const found = cheapest_partition(stages_of(std::vector(46, 1.0), {312, 148}), {1, 0});
  CHECK(found.cuts == std::vector<std::size_t>{0, 31, 46});
  CHECK(support::close(found.slowest, 15.0 / 148));
  // Over as many layers each: 1.533 times as fast.
  CHECK(support::close((23.0 / 148) / found.slowest, 1.533, 1e-3));
}

}  // namespace
