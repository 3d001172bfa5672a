#pragma once
#include <string>

#include <shardplan/device/descriptor.hpp>
#include <shardplan/io/json_file.hpp>
#include <shardplan/unit/quantity.hpp>

/// A device described in JSON (docs/reference/cluster-file.md), matched to one of the device kinds of
/// device/descriptor.hpp.
namespace shardplan::io {

/// What figures and names of a device refer to: they are `const char*`, so that the catalogue can be constexpr.
struct device_strings {
  std::string name;
  std::string source;
};

namespace detail {

inline constexpr const char* device_kinds =
    "the kinds of devices are linked_accelerator (parts matrix, memory, scale_up, and if known vector and host) and "
    "pcie_accelerator (parts matrix, memory, host, and if known vector)";

inline constexpr double largest_figure = 1e6;

/// Reads figures; each gets the same source.
struct figure_reader {
  json_object object;
  const char* source;

  template <class Quantity> device::figure<Quantity> quantity(std::string const& key, double unit) const {
    return {Quantity{object.number(key, 0.001, largest_figure) * unit}, source};
  }
  template <class Quantity> device::figure<Quantity> optional(std::string const& key, double unit) const {
    return object.is_set(key) ? quantity<Quantity>(key, unit) : device::figure<Quantity>{{}, "not given"};
  }
  device::figure<double> share(std::string const& key) const { return {object.share(key), source}; }
  device::figure<unit::seconds> microseconds(std::string const& key) const {
    return {unit::seconds{object.number(key, 0, largest_figure) * 1e-6}, source};
  }
};

/// The JSON object of a part; a missing one is named together with the kinds of devices.
inline json_object part_object(json_object const& device, std::string const& part) {
  if (!device.is_object(part))
    device.refuse(part, std::string("an object with the figures of this part: ") + device_kinds);
  return device.object(part);
}

inline device::matrix_engine read_matrix(json_object const& device, const char* source) {
  figure_reader const read{part_object(device, "matrix"), source};
  read.object.allow_only(
      {"bf16_tflops", "fp16_tflops", "fp8_tflops", "fp32_tflops", "matmul_efficiency", "attention_efficiency"});
  using rate = unit::flop_per_second;
  device::matrix_engine part{.fp32 = read.optional<rate>("fp32_tflops", 1e12),
                             .fp16 = read.optional<rate>("fp16_tflops", 1e12),
                             .bf16 = read.optional<rate>("bf16_tflops", 1e12),
                             .fp8 = read.optional<rate>("fp8_tflops", 1e12),
                             .matmul_efficiency = read.share("matmul_efficiency"),
                             .attention_efficiency = read.share("attention_efficiency")};
  if (!part.bf16.present() && !part.fp16.present() && !part.fp32.present())
    read.object.refuse("bf16_tflops", "a number, unless fp16_tflops or fp32_tflops is given");
  return part;
}

inline device::vector_engine read_vector(json_object const& device, const char* source) {
  if (!device.is_set("vector"))
    return {{{}, "not given"}};
  figure_reader const read{part_object(device, "vector"), source};
  read.object.allow_only({"fp32_tflops"});
  return {read.quantity<unit::flop_per_second>("fp32_tflops", 1e12)};
}

inline device::device_memory read_memory(json_object const& device, const char* source) {
  figure_reader const read{part_object(device, "memory"), source};
  read.object.allow_only({"capacity_gib", "bandwidth_gb_s", "efficiency"});
  return {read.quantity<unit::bytes>("capacity_gib", 1024.0 * 1024.0 * 1024.0),
          read.quantity<unit::bytes_per_second>("bandwidth_gb_s", 1e9), read.share("efficiency")};
}

/// A link of the type asked for; scale-up, host and network links have the same figures.
template <class Link> Link read_link(json_object const& object, const char* source, std::string const& bandwidth_key) {
  figure_reader const read{object, source};
  read.object.allow_only({bandwidth_key, "efficiency", "latency_us"});
  return {read.quantity<unit::bytes_per_second>(bandwidth_key, 1e9), read.share("efficiency"),
          read.microseconds("latency_us")};
}

}  // namespace detail

/// Calls `use` with the device that the object describes, as a value of its kind. `strings` must outlive the device.
template <class Use> auto with_device(json_object const& object, device_strings const& strings, Use use) {
  object.allow_only({"name", "source", "matrix", "vector", "memory", "scale_up", "host"});
  const char* const name = strings.name.c_str();
  const char* const source = strings.source.c_str();
  auto const matrix = detail::read_matrix(object, source);
  auto const vector = detail::read_vector(object, source);
  auto const memory = detail::read_memory(object, source);
  bool const linked = object.is_set("scale_up");
  device::host_link host{{{}, "not given"}, {{}, "not given"}, {{}, "not given"}};
  if (!linked || object.is_set("host"))
    host = detail::read_link<device::host_link>(detail::part_object(object, "host"), source, "bandwidth_gb_s");
  if (!linked)
    return use(device::pcie_accelerator{name, matrix, vector, memory, host});
  auto const link =
      detail::read_link<device::scale_up_link>(detail::part_object(object, "scale_up"), source, "bandwidth_gb_s");
  return use(device::linked_accelerator{name, matrix, vector, memory, link, host});
}

}  // namespace shardplan::io
