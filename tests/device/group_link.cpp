#include <algorithm>
#include <map>

#include <doctest/doctest.h>

#include <shardplan/device/catalogue/nvidia_h100_sxm.hpp>
#include <shardplan/device/cluster.hpp>

// Which links a process group uses.

namespace {

using namespace shardplan;

/// By placing every device of every group.
long long fewest_by_counting(long long nodes, long long node, long long group, long long stride) {
  long long fewest = group;
  for (long long base = 0; base < nodes * node; base += group * stride)
    for (long long offset = 0; offset < stride; ++offset) {
      std::map<long long, long long> members;
      for (long long member = 0; member < group; ++member)
        ++members[(base + offset + member * stride) / node];
      for (auto const& [touched, count] : members)
        fewest = std::min(fewest, count);
    }
  return fewest;
}

TEST_CASE("the fewest members of a group in a node, against placing every device") {
  for (long long node : {1, 2, 3, 4, 6, 8, 12, 16})
    for (long long nodes : {1, 2, 3, 4, 6, 12})
      for (long long group = 1; group <= nodes * node; ++group)
        for (long long stride = 1; stride * group <= nodes * node; ++stride) {
          if (nodes * node % (group * stride) != 0)
            continue;
          CAPTURE(node);
          CAPTURE(nodes);
          CAPTURE(group);
          CAPTURE(stride);
          long long const counted = fewest_by_counting(nodes, node, group, stride);
          long long const formula = device::fewest_in_node(node, group, stride);
          // The formula may be pessimistic where members' distance does not divide the node, never optimistic.
          CHECK(formula <= counted);
          if (node % stride == 0)
            CHECK(formula == counted);
        }
}

TEST_CASE("a group that straddles a node's boundary pays for the network") {
  auto const straddled = device::make_cluster(device::catalogue::h100_sxm, 3, 8);
  auto const aligned = device::make_cluster(device::catalogue::h100_sxm, 4, 6);
  double const share = straddled.network_level.bandwidth.value;
  // Four stages of six replicas: the second stage lies on devices 6 to 11, two of them in the first node.
  CHECK(device::group_link(straddled, 6, 1).bandwidth.value == doctest::Approx(2 * share));
  CHECK(device::group_link(aligned, 6, 1).bandwidth == aligned.node_level.bandwidth);
  // Two members a node where the stride leaves room for two; one where it leaves none.
  CHECK(device::group_link(straddled, 6, 4).bandwidth.value == doctest::Approx(2 * share));
  CHECK(device::group_link(straddled, 3, 8).bandwidth.value == doctest::Approx(share));
  // A tensor-parallel group over two nodes: eight shares of the network, or the node if that is slower.
  auto const machine = device::make_cluster(device::catalogue::h100_sxm, 2, 8);
  CHECK(device::group_link(machine, 16, 1).bandwidth.value ==
        doctest::Approx(std::min(8 * share, machine.node_level.bandwidth.value)));
  CHECK(device::group_link(machine, 8, 1).bandwidth == machine.node_level.bandwidth);
}

}  // namespace
