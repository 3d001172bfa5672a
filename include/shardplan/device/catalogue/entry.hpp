#pragma once
#include <shardplan/device/descriptor.hpp>

namespace shardplan::device::catalogue {

/// A device as one buys it: the descriptor, the name that users type, and the node it usually stands in.
template <training_device Device> struct entry {
  /// Lower case with hyphens, as typed on a command line: "h100-sxm".
  const char* id;
  Device device;
  int devices_per_node;
  network_link network;
};

}  // namespace shardplan::device::catalogue
