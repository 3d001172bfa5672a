#pragma once
#include <charconv>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include <boost/hana/for_each.hpp>

#include <shardplan/device/catalogue.hpp>
#include <shardplan/device/cluster.hpp>
#include <shardplan/io/device_file.hpp>
#include <shardplan/io/json_file.hpp>

/// Clusters, from the short form of a command line or from a file.
namespace shardplan::io {

/// A cluster as read. A copy of `cluster` may refer to `strings`, which must live as long.
struct named_cluster {
  device::cluster cluster;
  /// "8 x 8 NVIDIA H100 SXM5 80 GB, network of the catalogue device h100-sxm"
  std::string description;
  /// What the user should know, such as a network figure that was made for other nodes.
  std::vector<std::string> notes;
  std::shared_ptr<device_strings const> strings;
};

inline constexpr int most_nodes = 1'000'000;
inline constexpr int most_devices_per_node = 1024;

/// The ids of the catalogue's devices.
inline std::vector<std::string> device_ids() {
  std::vector<std::string> ids;
  boost::hana::for_each(device::catalogue::all, [&](auto const& entry) { ids.emplace_back(entry.id); });
  return ids;
}

/// The ids of the catalogue's networks.
inline std::vector<std::string> network_ids() {
  std::vector<std::string> ids;
  for (auto const& network : device::catalogue::networks)
    ids.emplace_back(network.id);
  return ids;
}

namespace detail {

inline std::optional<device::network_link> find_network(std::string_view id) {
  for (auto const& network : device::catalogue::networks)
    if (id == network.id)
      return network.link;
  return std::nullopt;
}

/// Nodes of one device, before it is known which.
struct cluster_shape {
  int nodes = 1;
  /// 0: as the catalogue has it.
  int devices_per_node = 0;
  /// None: the usual network of the catalogue device.
  std::optional<device::network_link> network;
  std::string network_name;
};

inline std::string description_of(device::cluster const& cluster, std::string const& network) {
  std::string const text =
      std::to_string(cluster.nodes) + " x " + std::to_string(cluster.devices_per_node) + " " + cluster.device.name;
  return cluster.nodes == 1 ? text : text + ", network " + network;
}

/// A cluster of a catalogue device, none if there is no such id.
inline std::optional<named_cluster> catalogue_cluster(std::string_view id, cluster_shape const& shape) {
  std::optional<named_cluster> result;
  boost::hana::for_each(device::catalogue::all, [&](auto const& entry) {
    if (id != entry.id)
      return;
    int const in_node = shape.devices_per_node > 0 ? shape.devices_per_node : entry.devices_per_node;
    auto const network = shape.network.value_or(entry.network);
    result.emplace();
    result->cluster = device::make_cluster(entry.device, shape.nodes, in_node, network);
    result->description =
        description_of(result->cluster, shape.network ? shape.network_name : "as usual for " + std::string(id));
    if (in_node > entry.devices_per_node)
      result->notes.push_back("more devices in a node (" + std::to_string(in_node) + ") than usual (" +
                              std::to_string(entry.devices_per_node) + "): the " + result->cluster.node_level.name +
                              " is taken to reach all of them");
    if (shape.nodes > 1 && in_node != entry.devices_per_node)
      result->notes.push_back("nodes of " + std::to_string(in_node) + " devices instead of " +
                              std::to_string(entry.devices_per_node) +
                              ": the network's bandwidth per device is taken as it is");
  });
  return result;
}

/// "8" of "8x8", or nothing if that is no number.
inline std::optional<long long> count_in(std::string_view digits) {
  long long number = 0;
  auto const [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
  if (error != std::errc{} || end != digits.data() + digits.size() || digits.empty())
    return std::nullopt;
  return number;
}

inline std::vector<std::string> split(std::string const& text, char separator) {
  std::vector<std::string> parts(1);
  for (char const letter : text)
    if (letter == separator)
      parts.emplace_back();
    else
      parts.back() += letter;
  return parts;
}

inline constexpr const char* cluster_form =
    "NODESxDEVICES:DEVICE or NODESxDEVICES:DEVICE:NETWORK, such as 8x8:h100-sxm or 8x8:h100-sxm:ib-ndr";

inline int count_of(std::string const& where, std::string const& place, std::string const& digits, int high) {
  auto const number = count_in(digits);
  if (!number || *number < 1 || *number > high)
    throw input_error::at(where, place, "\"" + shortened(digits, 40) + "\"",
                          "a whole number from 1 to " + whole_text(high) + "; the form is " + cluster_form);
  return static_cast<int>(*number);
}

}  // namespace detail

/// A cluster in the short form NODESxDEVICES:DEVICE[:NETWORK], with ids of the catalogue: "8x8:h100-sxm:ib-ndr".
inline named_cluster parse_cluster(std::string const& text) {
  std::string const where = "cluster \"" + detail::shortened(text, 80) + "\"";
  auto const parts = detail::split(text, ':');
  auto const counts = detail::split(parts[0], 'x');
  if (parts.size() < 2 || parts.size() > 3 || counts.size() != 2)
    throw input_error::at(where, "its form", "not understood",
                          std::string(detail::cluster_form) + ", or a JSON file; the devices are " +
                              listed(device_ids()));
  detail::cluster_shape shape;
  shape.nodes = detail::count_of(where, "the number of nodes", counts[0], most_nodes);
  shape.devices_per_node = detail::count_of(where, "the number of devices per node", counts[1], most_devices_per_node);
  if (parts.size() == 3) {
    shape.network = detail::find_network(parts[2]);
    shape.network_name = parts[2];
    if (!shape.network)
      throw input_error::at(where, "the network", "\"" + detail::shortened(parts[2], 40) + "\"",
                            one_of(parts[2], network_ids()));
  }
  if (auto found = detail::catalogue_cluster(parts[1], shape))
    return *std::move(found);
  throw input_error::at(where, "the device", "\"" + detail::shortened(parts[1], 40) + "\"",
                        one_of(parts[1], device_ids()));
}

/// A cluster from a JSON file, see docs/reference/cluster-file.md.
inline named_cluster read_cluster_file(std::string const& path) {
  auto const file = read_json_object(path);
  file.allow_only({"nodes", "devices_per_node", "device", "network"});
  detail::cluster_shape shape;
  shape.nodes = static_cast<int>(file.whole("nodes", 1, most_nodes));
  bool const own_device = !file.is_text("device");
  if (own_device || file.is_set("devices_per_node"))
    shape.devices_per_node = static_cast<int>(file.whole("devices_per_node", 1, most_devices_per_node));

  auto strings = std::make_shared<device_strings>();
  strings->source = path;
  if (file.is_text("network")) {
    shape.network_name = file.name("network", network_ids());
    shape.network = detail::find_network(shape.network_name);
  }

  if (!own_device) {
    auto const id = file.name("device", device_ids());
    if (file.is_set("network") && !shape.network) {
      shape.network_name = path;
      shape.network = detail::read_link<device::network_link>(file.object("network"), strings->source.c_str(),
                                                              "bandwidth_gb_s_per_device");
    }
    auto found = detail::catalogue_cluster(id, shape);
    found->strings = std::move(strings);
    return *std::move(found);
  }

  if (!file.is_object("device"))
    file.refuse("device", "an object, or " + one_of("", device_ids()));
  auto const object = file.object("device");
  strings->name = object.text("name");
  strings->source = object.text_or("source", path);
  bool const needs_network = shape.nodes > 1 || file.is_set("network");
  if (needs_network && !shape.network) {
    if (!file.is_object("network"))
      file.refuse("network", "an object with bandwidth_gb_s_per_device, efficiency and latency_us, or " +
                                 one_of("", network_ids()));
    shape.network_name = path;
    shape.network = detail::read_link<device::network_link>(file.object("network"), strings->source.c_str(),
                                                            "bandwidth_gb_s_per_device");
  }
  named_cluster result;
  result.cluster = with_device(object, *strings, [&](auto const& device) {
    return device::make_cluster(device, shape.nodes, shape.devices_per_node,
                                shape.network.value_or(device::network_link{}));
  });
  // One node has no network; its only level of links stands in for it.
  if (!shape.network)
    result.cluster.network_level = result.cluster.node_level;
  result.description = detail::description_of(result.cluster, shape.network_name);
  result.strings = std::move(strings);
  return result;
}

/// A cluster as a user gives it: the name of a JSON file (it ends in .json or names a file that exists), or else the
/// short form.
inline named_cluster read_cluster(std::string const& text) {
  std::error_code error;
  if (text.ends_with(".json") || std::filesystem::exists(text, error))
    return read_cluster_file(text);
  return parse_cluster(text);
}

}  // namespace shardplan::io
