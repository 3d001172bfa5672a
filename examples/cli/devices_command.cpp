#include <boost/hana/for_each.hpp>
#include <fmt/core.h>

#include <shardplan/device/catalogue.hpp>
#include <shardplan/device/catalogue/networks.hpp>
#include <shardplan/device/cluster.hpp>

#include "commands.hpp"
#include "table.hpp"

/// `shardplan devices`: the catalogue.
namespace command_line {

using namespace shardplan;

int run_devices() {
  table rows({"device", "memory GiB", "bf16 TFLOP/s", "memory GB/s", "in a node", "GB/s", "network GB/s", "usual node",
              "name"});
  rows.left(4);
  rows.left(8);
  boost::hana::for_each(device::catalogue::all, [&](auto const& entry) {
    auto const machine = device::make_cluster(entry, 1, 1);
    auto const& figures = machine.device;
    rows.add({entry.id, fmt::format("{:.1f}", unit::in_gib(figures.memory.capacity.value)),
              fmt::format("{:.0f}", figures.matrix.bf16.value.value / unit::tera),
              fmt::format("{:.0f}", figures.memory.bandwidth.value.value / unit::giga), machine.node_level.name,
              fmt::format("{:.0f}", machine.node_level.bandwidth.value / unit::giga),
              fmt::format("{:.1f}", machine.network_level.bandwidth.value / unit::giga),
              std::to_string(entry.devices_per_node), figures.name});
  });
  fmt::print("Links and networks: what one device reaches in large collectives, one direction, GB = 10^9 bytes\n{}\n",
             rows.text());
  table networks({"network", "GB/s per device"});
  for (auto const& network : device::catalogue::networks)
    networks.add(
        {network.id, fmt::format("{:.1f}", device::network_level_of(network.link).bandwidth.value / unit::giga)});
  fmt::print("{}", networks.text());
  return 0;
}

}  // namespace command_line
