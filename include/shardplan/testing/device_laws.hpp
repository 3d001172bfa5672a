#pragma once
#include <string>
#include <vector>

#include <shardplan/device/descriptor.hpp>
#include <shardplan/testing/broken_laws.hpp>

/// Laws of devices and networks, for values of one's own.
namespace shardplan::testing {

namespace detail {

inline bool has_source(const char* source) { return source != nullptr && *source != '\0'; }
/// A device can be asked for a figure at any time: it is there, or its source says why not.
template <class Value>
void expect_source(broken_laws& broken, device::figure<Value> const& figure, std::string const& name) {
  broken.expect(has_source(figure.source), "every figure has a source", [&] { return name; });
}
template <class Value>
void expect_figure(broken_laws& broken, device::figure<Value> const& figure, std::string const& name) {
  expect_source(broken, figure, name);
  broken.expect(figure.present(), "every part has its figures", [&] { return name + " is zero or less"; });
}
inline void expect_share(broken_laws& broken, device::figure<double> const& figure, std::string const& name) {
  expect_source(broken, figure, name);
  broken.expect(figure.value > 0 && figure.value <= 1, "an efficiency is a share of the peak",
                [&] { return name + " is " + std::to_string(figure.value); });
}
template <class Link> void expect_link(broken_laws& broken, Link const& link) {
  std::string const name = Link::name;
  expect_figure(broken, link.bandwidth, name + ".bandwidth");
  expect_share(broken, link.efficiency, name + ".efficiency");
  expect_source(broken, link.latency, name + ".latency");
  broken.expect(link.latency.value.value >= 0, "no latency is negative", [&] { return name; });
}

}  // namespace detail

/// The broken laws of a network:
/// - its bandwidth is there, its efficiency is a share, its latency is not negative, and each has a source.
inline std::vector<std::string> broken_laws_of_network(device::network_link const& network) {
  broken_laws broken;
  detail::expect_link(broken, network);
  return broken.take();
}

/// The broken laws of a device:
/// - every figure has a source, absent ones too, whose source says why;
/// - the matrix engine has a rate in fp32 and one in 16 bits, memory has capacity and bandwidth, links have bandwidth;
/// - efficiencies are shares of the peak.
template <device::training_device Device> std::vector<std::string> broken_laws_of_device(Device const& device) {
  using namespace device;
  broken_laws broken;
  auto const& matrix = part<matrix_engine>(device);
  detail::expect_figure(broken, matrix.fp32, "matrix_engine.fp32");
  detail::expect_source(broken, matrix.fp16, "matrix_engine.fp16");
  detail::expect_source(broken, matrix.bf16, "matrix_engine.bf16");
  detail::expect_source(broken, matrix.fp8, "matrix_engine.fp8");
  broken.expect(matrix.fp16.present() || matrix.bf16.present(), "every part has its figures",
                [] { return std::string("matrix_engine has no rate in 16 bits"); });
  detail::expect_share(broken, matrix.matmul_efficiency, "matrix_engine.matmul_efficiency");
  detail::expect_share(broken, matrix.attention_efficiency, "matrix_engine.attention_efficiency");
  auto const& memory = part<device_memory>(device);
  detail::expect_figure(broken, memory.capacity, "device_memory.capacity");
  detail::expect_figure(broken, memory.bandwidth, "device_memory.bandwidth");
  detail::expect_share(broken, memory.efficiency, "device_memory.efficiency");
  if constexpr (has_part<Device, vector_engine>)
    detail::expect_figure(broken, part<vector_engine>(device).fp32, "vector_engine.fp32");
  if constexpr (has_part<Device, scale_up_link>)
    detail::expect_link(broken, part<scale_up_link>(device));
  if constexpr (has_part<Device, host_link>)
    detail::expect_link(broken, part<host_link>(device));
  return broken.take();
}

}  // namespace shardplan::testing
