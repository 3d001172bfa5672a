#pragma once
#include <concepts>

#include <shardplan/device/part.hpp>

namespace shardplan::device {

/// A device: a name and parts. The list of parts is the device's *kind*; products of one kind are values of one type.
template <class... Parts> struct descriptor : Parts... {
  const char* name = "";

  constexpr descriptor(const char* device_name, Parts... parts) : Parts(parts)..., name(device_name) {}
};

/// `Device` has the part `Part`, for instance a matrix engine.
template <class Device, class Part>
concept has_part = std::derived_from<Device, Part>;

/// The part `Part` of a device.
template <class Part, has_part<Part> Device> constexpr Part const& part(Device const& device) { return device; }
struct device_must_have_the_part;
/// A device without the part has no figures to give.
template <class Part, class Device>
  requires(!has_part<Device, Part>)
device_must_have_the_part const& part(Device const& device) = delete;

/// A device that this library can plan for needs at least a matrix engine and memory of its own.
template <class Device>
concept training_device = has_part<Device, matrix_engine> && has_part<Device, device_memory>;

/// Accelerators with a link made for them inside the node (H100 SXM, MI300X).
using linked_accelerator = descriptor<matrix_engine, vector_engine, device_memory, scale_up_link, host_link>;
/// Accelerators that meet over PCIe only (L4, RTX 4090).
using pcie_accelerator = descriptor<matrix_engine, vector_engine, device_memory, host_link>;

}  // namespace shardplan::device
