#pragma once
#include <shardplan/device/part.hpp>

/// Figures that several devices share: link generations and what their collectives reach. All bandwidths are of one
/// direction.
namespace shardplan::device::catalogue::detail {

/// PCI Express x16: transfers per second times 16 lanes, less the 128b/130b line code.
inline constexpr figure<unit::bytes_per_second> pcie_3_x16{unit::bytes_per_second{15.754e9},
                                                           "PCI Express 3.0: 8 GT/s x 16 lanes x 128/130 / 8 bit"};
inline constexpr figure<unit::bytes_per_second> pcie_4_x16{unit::bytes_per_second{31.508e9},
                                                           "PCI Express 4.0: 16 GT/s x 16 lanes x 128/130 / 8 bit"};
inline constexpr figure<unit::bytes_per_second> pcie_5_x16{unit::bytes_per_second{63.015e9},
                                                           "PCI Express 5.0: 32 GT/s x 16 lanes x 128/130 / 8 bit"};

inline constexpr figure<unit::bytes_per_second> nvlink_2{
    unit::bytes_per_second{150e9},
    "NVLink 2, 6 links: stas00/ml-engineering @ 744d01e network/README.md, NVLink table"};
inline constexpr figure<unit::bytes_per_second> nvlink_3{
    unit::bytes_per_second{300e9},
    "NVLink 3, 12 links: stas00/ml-engineering @ 744d01e network/README.md, NVLink table"};
inline constexpr figure<unit::bytes_per_second> nvlink_4{
    unit::bytes_per_second{450e9},
    "NVLink 4, 18 links: stas00/ml-engineering @ 744d01e network/README.md, NVLink table"};
/// The H800's NVLink 4 with 8 of the 18 links.
inline constexpr figure<unit::bytes_per_second> nvlink_4_h800{
    unit::bytes_per_second{200e9}, "H800: nominal 200 GB/s, deepseek-ai/DeepEP issue #16, answer of 2025-02-26"};
/// The bridges between the two cards of an H100 NVL pair.
inline constexpr figure<unit::bytes_per_second> nvlink_bridge{
    unit::bytes_per_second{300e9},
    "NVIDIA H100 datasheet: 600 GB/s in both directions; not re-checked: typed from memory"};
inline constexpr figure<unit::bytes_per_second> nvlink_5{
    unit::bytes_per_second{900e9},
    "NVLink 5, 18 links: stas00/ml-engineering @ 744d01e network/README.md, NVLink table"};
inline constexpr figure<unit::bytes_per_second> xgmi_mi300x{
    unit::bytes_per_second{448e9},
    "7 links of 64 GB/s: AMD ROCm blog, Understanding RCCL Bandwidth and xGMI Performance on "
    "AMD Instinct MI300X (2025-03-02)"};
inline constexpr figure<unit::bytes_per_second> c2c_grace_hopper{
    unit::bytes_per_second{450e9}, "NVLink-C2C of Grace Hopper: stas00/ml-engineering @ 744d01e network/README.md"};
/// One Grace feeds two GPUs.
inline constexpr figure<unit::bytes_per_second> c2c_grace_blackwell{
    unit::bytes_per_second{225e9}, "NVLink-C2C of Grace Blackwell, 450 GB/s (stas00/ml-engineering @ 744d01e "
                                   "network/README.md), shared by the two GPUs of a Grace"};

/// Start of a copy between host and device.
inline constexpr figure<unit::seconds> host_latency{
    unit::seconds{10e-6}, "ai-dynamo/aiconfigurator @ 095f58a, systems/*.yaml: p2p_latency 1e-5"};
/// One step of a collective between devices that meet over PCIe.
inline constexpr figure<unit::seconds> pcie_latency{
    unit::seconds{3.8e-6},
    "NVIDIA L40S, ai-dynamo/aiconfigurator @ 095f58a, systems/data/l40s/comm/nccl/2.27.3: all_reduce "
    "of 512 B on 8 ranks takes 22.60 us = 2 log2(8) steps"};

inline constexpr figure<double> ib_efficiency{
    0.80, "stas00/ml-engineering network/README.md @ 0030e63: of an advertised 400 Gb/s expect 320 in an application"};
inline constexpr figure<unit::seconds> ib_latency{
    unit::seconds{10e-6},
    "ai-dynamo/aiconfigurator @ 095f58a, systems/*.yaml: p2p_latency 1e-5; all_reduce of 32 KiB on 4 "
    "nodes of 8 takes 69 us = 2 (log2(8) x 3.8 + log2(4) x 11.6), stas00/ml-engineering @ 744d01e "
    "network/benchmarks/README.md"};
inline constexpr figure<double> efa_efficiency{
    0.80,
    "no measurement of its own: value of InfiniBand (stas00/ml-engineering network/README.md @ 0030e63, about 80 %)"};
inline constexpr figure<unit::seconds> efa_latency{
    unit::seconds{20e-6},
    "no measurement: calculon-ai/calculon systems/a100_80g.json @ caa4b11, network1 latency 2e-05"};
inline constexpr figure<double> ethernet_efficiency{
    0.60, "MooreThreads/SimuMax configs/system/a100_pcie.json, networks/inter_node/bandwidth: efficient_factor 0.6"};
inline constexpr figure<unit::seconds> ethernet_latency{
    unit::seconds{40e-6},
    "MooreThreads/SimuMax configs/system/a100_pcie.json, networks/inter_node/bandwidth: latency_us 40"};

/// Four EDR InfiniBand ports for eight V100.
inline constexpr network_link dgx_1{
    .bandwidth = {unit::bytes_per_second{6.25e9},
                  "DGX-1: four 100 Gb/s EDR InfiniBand ports per node of 8; not re-checked: typed from memory"},
    .efficiency = ib_efficiency,
    .latency = ib_latency};
/// One HDR InfiniBand port per device.
inline constexpr network_link hdr_per_device{
    .bandwidth =
        {unit::bytes_per_second{25e9},
         "DGX A100: one 200 Gb/s HDR port per device; ai-dynamo/aiconfigurator @ 095f58a, systems/a100_sxm.yaml: "
         "inter_node_bw 25e9"},
    .efficiency = ib_efficiency,
    .latency = ib_latency};
/// One NDR InfiniBand port per device.
inline constexpr network_link ndr_per_device{
    .bandwidth =
        {unit::bytes_per_second{50e9},
         "NVIDIA DGX BasePOD reference architecture, Core Components: DGX H100 and H200 with eight ConnectX-7 of "
         "400 Gb/s"},
    .efficiency = ib_efficiency,
    .latency = ib_latency};

}  // namespace shardplan::device::catalogue::detail
