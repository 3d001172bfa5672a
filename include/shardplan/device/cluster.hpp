#pragma once
#include <numeric>

#include <shardplan/device/catalogue/entry.hpp>
#include <shardplan/device/descriptor.hpp>

/// A cluster: nodes of equal devices, a link level inside the node and one between nodes; and which of them a process
/// group uses.
namespace shardplan::device {

/// Number formats that a matrix engine can work in.
enum class number_format { bf16, fp16, fp32, fp8 };

/// A level of links: what one device gets of it, in one direction, in large collectives.
struct link_level {
  const char* name = "";
  unit::bytes_per_second bandwidth;
  unit::seconds latency;
};

/// What the planner needs of a device, taken from the parts of a descriptor of any kind.
struct device_figures {
  const char* name = "";
  matrix_engine matrix;
  device_memory memory;
};

template <training_device Device> constexpr device_figures figures_of(Device const& device) {
  return {device.name, part<matrix_engine>(device), part<device_memory>(device)};
}

/// The level inside a node: the scale-up link where the device has one, else the host link.
template <training_device Device>
  requires(has_part<Device, scale_up_link> || has_part<Device, host_link>)
constexpr link_level node_level_of(Device const& device) {
  if constexpr (has_part<Device, scale_up_link>) {
    auto const& link = part<scale_up_link>(device);
    return {"scale-up link", link.bandwidth.value * link.efficiency.value, link.latency.value};
  } else {
    auto const& link = part<host_link>(device);
    return {"host link", link.bandwidth.value * link.efficiency.value, link.latency.value};
  }
}

constexpr link_level network_level_of(network_link const& link) {
  return {"network", link.bandwidth.value * link.efficiency.value, link.latency.value};
}

struct cluster {
  device_figures device;
  int nodes = 1;
  int devices_per_node = 1;
  link_level node_level;
  /// The network as one device sees it: a node has `devices_per_node` times its bandwidth.
  link_level network_level;

  constexpr long long devices() const { return static_cast<long long>(nodes) * devices_per_node; }
};

template <training_device Device>
constexpr cluster make_cluster(Device const& device, int nodes, int devices_per_node, network_link const& network) {
  return {figures_of(device), nodes, devices_per_node, node_level_of(device), network_level_of(network)};
}
struct training_device_needs_a_matrix_engine_and_device_memory;
template <class Device>
  requires(!training_device<Device>)
training_device_needs_a_matrix_engine_and_device_memory make_cluster(Device const&, int, int,
                                                                     network_link const&) = delete;
/// Nodes of a catalogue device, with its usual network.
template <training_device Device>
constexpr cluster make_cluster(catalogue::entry<Device> const& entry, int nodes, int devices_per_node) {
  return make_cluster(entry.device, nodes, devices_per_node, entry.network);
}

/// One device all of whose figures are 1 in their base unit: for reading what does not depend on the device.
constexpr cluster unit_cluster() {
  constexpr figure<unit::flop_per_second> rate{unit::flop_per_second{1}, "unit"};
  constexpr figure<unit::bytes_per_second> bandwidth{unit::bytes_per_second{1}, "unit"};
  constexpr figure<double> share{1, "unit"};
  constexpr figure<unit::seconds> latency{unit::seconds{1}, "unit"};
  constexpr descriptor<matrix_engine, device_memory, host_link> device{
      "unit device", matrix_engine{rate, rate, rate, rate, share, share},
      device_memory{{unit::bytes{1}, "unit"}, bandwidth, share}, host_link{bandwidth, share, latency}};
  return make_cluster(device, 1, 1, network_link{bandwidth, share, latency});
}

/// The fewest members that a group of `group` devices, `stride` device numbers apart, has in any node that it touches.
/// Groups fill the cluster one after the other, so that they start at every multiple of their size: in a node with q
/// places for members the worst group leaves, or finds, gcd(group, q) of them.
constexpr long long fewest_in_node(long long devices_per_node, long long group, long long stride) {
  if (devices_per_node % stride != 0)
    return 1;
  return std::gcd(group, devices_per_node / stride);
}

/// The link level that bounds a collective in a group of `group` devices whose neighbours are `stride` device numbers
/// apart. Groups that lie inside nodes use the node's level. Of a group that spans nodes, the members in a node each
/// bring their share of the network, and the node's other groups use the rest; the ring is as fast as the slower of
/// these shares and the node's level. The worst group of the cluster counts: where groups straddle a node's boundary,
/// the one with the fewest members behind it.
constexpr link_level group_link(cluster const& machine, long long group, long long stride) {
  long long const together = fewest_in_node(machine.devices_per_node, group, stride);
  if (machine.nodes == 1 || together == group)
    return machine.node_level;
  auto const shares = static_cast<double>(together);
  link_level level = machine.network_level;
  level.bandwidth = shares * level.bandwidth;
  if (together > 1 && machine.node_level.bandwidth < level.bandwidth)
    level.bandwidth = machine.node_level.bandwidth;
  return level;
}

/// The link level of a message between neighbouring pipeline stages, for the worst pair: where there are several nodes,
/// some stages lie in different ones.
constexpr link_level neighbour_link(cluster const& machine) {
  return machine.nodes == 1 ? machine.node_level : machine.network_level;
}

/// The dense peak rate in a number format; zero where the device does not have it.
constexpr unit::flop_per_second peak_rate(matrix_engine const& engine, number_format format) {
  switch (format) {
  case number_format::bf16:
    return engine.bf16.value;
  case number_format::fp16:
    return engine.fp16.value;
  case number_format::fp32:
    return engine.fp32.value;
  case number_format::fp8:
    return engine.fp8.value;
  }
  return {};
}

constexpr const char* name_of(number_format format) {
  switch (format) {
  case number_format::bf16:
    return "bf16";
  case number_format::fp16:
    return "fp16";
  case number_format::fp32:
    return "fp32";
  case number_format::fp8:
    return "fp8";
  }
  return "";
}

}  // namespace shardplan::device
