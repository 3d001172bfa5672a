#pragma once
#include <shardplan/device/catalogue/shared.hpp>

namespace shardplan::device::catalogue {

/// A network as one names it on a command line.
struct named_network {
  const char* id;
  network_link link;
};

/// Networks of nodes with eight devices, as one device sees them: InfiniBand with one port per device, AWS and Ethernet
/// with the node's bandwidth divided by eight.
inline constexpr named_network networks[] = {
    {"ib-hdr",
     {.bandwidth = {unit::bytes_per_second{25e9},
                    "InfiniBand HDR 4x port, 200 Gb/s: stas00/ml-engineering @ 744d01e network/README.md"},
      .efficiency = detail::ib_efficiency,
      .latency = detail::ib_latency}},
    {"ib-ndr",
     {.bandwidth = {unit::bytes_per_second{50e9},
                    "InfiniBand NDR 4x port, 400 Gb/s: stas00/ml-engineering @ 744d01e network/README.md"},
      .efficiency = detail::ib_efficiency,
      .latency = detail::ib_latency}},
    {"ib-xdr",
     {.bandwidth = {unit::bytes_per_second{100e9},
                    "InfiniBand XDR 4x port, 800 Gb/s: stas00/ml-engineering @ 744d01e network/README.md"},
      .efficiency = detail::ib_efficiency,
      .latency = detail::ib_latency}},
    {"efa-p4d",
     {.bandwidth = {unit::bytes_per_second{6.25e9},
                    "AWS p4d.24xlarge: 400 Gb/s per node of 8, aws/karpenter-provider-aws "
                    "pkg/providers/instancetype/zz_generated.bandwidth.go @ 01a436f"},
      .efficiency = detail::efa_efficiency,
      .latency = detail::efa_latency}},
    {"efa-p5",
     {.bandwidth = {unit::bytes_per_second{50e9},
                    "AWS p5.48xlarge: 3200 Gb/s per node of 8, aws/karpenter-provider-aws "
                    "pkg/providers/instancetype/zz_generated.bandwidth.go @ 01a436f"},
      .efficiency = detail::efa_efficiency,
      .latency = detail::efa_latency}},
    {"ethernet-100g",
     {.bandwidth = {unit::bytes_per_second{1.5625e9}, "100 Gb/s Ethernet shared by 8 devices"},
      .efficiency = detail::ethernet_efficiency,
      .latency = detail::ethernet_latency}},
    {"ethernet-25g",
     {.bandwidth = {unit::bytes_per_second{0.390625e9}, "25 Gb/s Ethernet shared by 8 devices"},
      .efficiency = detail::ethernet_efficiency,
      .latency = detail::ethernet_latency}},
};

}  // namespace shardplan::device::catalogue
