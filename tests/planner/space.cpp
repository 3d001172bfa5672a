#include <algorithm>
#include <string_view>
#include <tuple>
#include <vector>

#include <doctest/doctest.h>

#include <shardplan/core.hpp>
#include <shardplan/device/catalogue/nvidia_h100_sxm.hpp>
#include <shardplan/planner/space.hpp>

// The space of plans against naive loops over all numbers.
namespace {

using namespace shardplan;
using planner::plan;
using planner::recomputation;

using key = std::tuple<long long, long long, long long, long long, bool, int, int, int>;
key key_of(plan const& each) {
  return {each.tensor,
          each.pipeline,
          each.data,
          each.micro_batch,
          each.sequence_parallel,
          each.zero_stage,
          static_cast<int>(each.recompute),
          static_cast<int>(each.kernel)};
}
std::vector<key> keys_of(std::vector<plan> const& plans) {
  std::vector<key> keys;
  for (plan const& each : plans)
    keys.push_back(key_of(each));
  std::sort(keys.begin(), keys.end());
  return keys;
}

device::cluster cluster_of(int devices) { return device::make_cluster(device::catalogue::h100_sxm, 1, devices); }

/// What the frameworks offer, with fused attention: Megatron-LM recomputes all or, with scores to give up, the
/// attention core; torchtitan all or a list of operators; plain ZeRO all.
bool offers(cost::byte_policy const& policy, recomputation again, planner::attention_kernel kernel) {
  std::string_view const name = policy.name;
  if (again == recomputation::selective)
    return name == "megatron" && kernel == planner::attention_kernel::plain;
  return again != recomputation::operators || name == "fsdp";
}

template <class Admit>
std::vector<key> naive(long long devices, long long batch, cost::byte_policy const& policy, Admit admit,
                       bool every_stage = false) {
  std::vector<plan> plans;
  for (long long t = 1; t <= devices; ++t)
    for (long long p = 1; p <= devices; ++p)
      for (long long d = 1; d <= devices; ++d) {
        if (t * p * d != devices)
          continue;
        for (long long b = 1; b <= batch; ++b) {
          // Where the replicas cannot share the batch evenly one candidate stands for all.
          bool const divides = batch % d == 0 ? (batch / d) % b == 0 : b == 1;
          if (!divides)
            continue;
          for (bool const sp : {false, true}) {
            if (sp && t == 1)
              continue;
            // One replica has nothing to share out: one stage stands for all.
            int const last = d == 1 && !every_stage ? policy.lowest_stage : policy.highest_stage;
            for (int stage = policy.lowest_stage; stage <= last; ++stage)
              for (recomputation const again : planner::all_recomputations) {
                plan const each{t, p, d, b, sp, stage, again, planner::attention_kernel::flash};
                if (offers(policy, again, each.kernel) && admit(each))
                  plans.push_back(each);
              }
          }
        }
      }
  return keys_of(plans);
}

TEST_CASE("divisors are all of them, ascending") {
  CHECK(planner::divisors(1) == std::vector<long long>{1});
  CHECK(planner::divisors(13) == std::vector<long long>{1, 13});
  CHECK(planner::divisors(36) == std::vector<long long>{1, 2, 3, 4, 6, 9, 12, 18, 36});
  for (long long number = 1; number <= 500; ++number) {
    std::vector<long long> expected;
    for (long long candidate = 1; candidate <= number; ++candidate)
      if (number % candidate == 0)
        expected.push_back(candidate);
    CHECK(planner::divisors(number) == expected);
  }
}

TEST_CASE("the free space is every way to write N = t p d with every micro-batch and every combination") {
  for (int const devices : {1, 2, 8, 12, 24, 30})
    for (long long const batch : {1, 8, 24, 30})
      for (auto const& policy : {cost::policies::megatron, cost::policies::fsdp, cost::policies::mixed}) {
        planner::assumptions assumed;
        assumed.policy = policy;
        planner::workload const job{.sequence_length = 512, .global_batch = batch};
        auto const found = keys_of(planner::enumerate({}, cluster_of(devices), job, assumed));
        CHECK(found == naive(devices, batch, policy, [](plan const&) { return true; }));
        CHECK(std::adjacent_find(found.begin(), found.end()) == found.end());
      }
}

TEST_CASE("lists narrow a space, and only what is listed is in it") {
  planner::assumptions assumed;
  assumed.policy = cost::policies::mixed;
  planner::workload const job{.sequence_length = 512, .global_batch = 48};
  auto const machine = cluster_of(24);
  auto const found = [&](planner::plan_space const& space) {
    return keys_of(planner::enumerate(space, machine, job, assumed));
  };
  auto const expected = [&](auto admit) { return naive(24, 48, assumed.policy, admit); };

  CHECK(found({.tensor = {2, 6, 5}}) ==
        expected([](plan const& each) { return each.tensor == 2 || each.tensor == 6; }));
  CHECK(found({.pipeline = {3}}) == expected([](plan const& each) { return each.pipeline == 3; }));
  CHECK(found({.data = {4, 8}}) == expected([](plan const& each) { return each.data == 4 || each.data == 8; }));
  CHECK(found({.sequence_parallel = {false}}) == expected([](plan const& each) { return !each.sequence_parallel; }));
  CHECK(
      found({.zero_stage = {1, 3}}) ==
      naive(
          24, 48, assumed.policy, [](plan const& each) { return each.zero_stage == 1 || each.zero_stage == 3; }, true));
  CHECK(found({.recompute = {recomputation::full}}) ==
        expected([](plan const& each) { return each.recompute == recomputation::full; }));
  CHECK(found({.tensor = {7}}).empty());
}

TEST_CASE("what is asked for by name is in the space even where it is illegal, so that it is refused by name") {
  planner::assumptions const assumed;
  planner::workload const job{.sequence_length = 512, .global_batch = 8};
  auto const machine = cluster_of(1);
  // sequence parallelism on one device
  auto const in_sequence = planner::enumerate({.sequence_parallel = {true}}, machine, job, assumed);
  CHECK_FALSE(in_sequence.empty());
  for (plan const& each : in_sequence)
    CHECK(each.sequence_parallel);
  // a micro-batch that divides nothing, and a ZeRO stage that the framework lacks
  auto const odd = planner::enumerate({.micro_batch = {3}, .zero_stage = {3}}, machine, job, assumed);
  CHECK_FALSE(odd.empty());
  for (plan const& each : odd) {
    CHECK(each.micro_batch == 3);
    CHECK(each.zero_stage == 3);
  }
}

TEST_CASE("recomputation of the attention core is looked at where there are scores to give up") {
  using planner::attention_kernel;
  for (auto const& policy : {cost::policies::megatron, cost::policies::fsdp, cost::policies::mixed})
    for (auto const kernel : {attention_kernel::flash, attention_kernel::plain}) {
      std::vector<recomputation> expected;
      for (recomputation const again : planner::all_recomputations)
        if (offers(policy, again, kernel))
          expected.push_back(again);
      CHECK(planner::usual_mechanisms(policy, kernel) == expected);
    }
}

TEST_CASE("the kernel is that of the space, and the order is fixed") {
  planner::assumptions const assumed;
  planner::workload const job{.sequence_length = 512, .global_batch = 8};
  auto const plans = planner::enumerate({.kernel = planner::attention_kernel::plain}, cluster_of(8), job, assumed);
  for (plan const& each : plans)
    CHECK(each.kernel == planner::attention_kernel::plain);
  CHECK(std::is_sorted(plans.begin(), plans.end(),
                       [](plan const& left, plan const& right) { return key_of(left) < key_of(right); }));
}

TEST_CASE("the space of 512 devices and a batch of 1024 has every divisor, not only powers of two") {
  planner::assumptions const assumed;
  planner::workload const job{.sequence_length = 8192, .global_batch = 1024};
  auto const machine = device::make_cluster(device::catalogue::h100_sxm, 64, 8);
  // Sum over t = 2^i, d = 2^j of the divisors of 1024 / d, i + j <= 9: 11 - j each; doubled by sequence parallelism
  // where t > 1; times two ZeRO stages (one where d = 1) and two recomputations.
  long long expected = 0;
  for (int i = 0; i <= 9; ++i)
    for (int j = 0; i + j <= 9; ++j)
      expected += (11 - j) * (i > 0 ? 2 : 1) * (j > 0 ? 2 : 1) * 2;
  CHECK(static_cast<long long>(planner::enumerate({}, machine, job, assumed).size()) == expected);
}

}  // namespace
