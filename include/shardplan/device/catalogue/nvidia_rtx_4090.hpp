#pragma once
#include <shardplan/device/catalogue/entry.hpp>
#include <shardplan/device/catalogue/shared.hpp>

namespace shardplan::device::catalogue {

/// NVIDIA GeForce RTX 4090 with 24 GB of GDDR6X (Ada). Rates are those with fp32 accumulation, half of the usual
/// headline.
inline constexpr entry<pcie_accelerator> rtx_4090{
    .id = "rtx-4090",
    .device =
        {"NVIDIA GeForce RTX 4090",
         matrix_engine{
             .fp32 = {unit::flop_per_second{82.6e12},
                      "TF32; NVIDIA Ada GPU Architecture whitepaper, fp32 accumulation, without sparsity: 512 tensor "
                      "cores at 2.52 GHz; waredb.com/processor/nvidia-geforce-rtx-4090"},
             .fp16 = {unit::flop_per_second{165.2e12},
                      "NVIDIA Ada GPU Architecture whitepaper, fp32 accumulation, without sparsity: 512 tensor cores "
                      "at 2.52 GHz; waredb.com/processor/nvidia-geforce-rtx-4090"},
             .bf16 = {unit::flop_per_second{165.2e12},
                      "NVIDIA Ada GPU Architecture whitepaper, fp32 accumulation, without sparsity: 512 tensor cores "
                      "at 2.52 GHz; waredb.com/processor/nvidia-geforce-rtx-4090"},
             .fp8 = {unit::flop_per_second{330.3e12},
                     "NVIDIA Ada GPU Architecture whitepaper, fp32 accumulation, without sparsity: 512 tensor cores at "
                     "2.52 GHz; waredb.com/processor/nvidia-geforce-rtx-4090"},
             .matmul_efficiency =
                 {0.90,
                  "bf16, best of square sizes, 163.09 of 165.2 TFLOP/s in zzc0721/torch-performance-test-data "
                  "database.md (RTX 4090 24G), times 0.915, the H100's sustained over short-loop share (0.70 / 0.765)"},
             .attention_efficiency = {0.59, "no measurement of its own: A100's ratio of attention to matrix "
                                            "multiplication (0.51 / 0.78) times this device's matmul_efficiency"}},
         vector_engine{.fp32 = {unit::flop_per_second{82.6e12}, "waredb.com/processor/nvidia-geforce-rtx-4090"}},
         device_memory{
             .capacity = {unit::bytes{24564 * unit::mebi}, "nvidia-smi: 24564MiB, vllm-project/vllm issue #7553"},
             .bandwidth = {unit::bytes_per_second{1008e9}, "waredb.com/processor/nvidia-geforce-rtx-4090: 1008 GB/s"},
             .efficiency = {0.80, "no measurement of its own: value of the L40S, also GDDR6"}},
         host_link{
             .bandwidth = detail::pcie_4_x16,
             .efficiency = {0.16,
                            "no measurement of its own: value of the L4 nodes in Dazz993/Mist (4.99 of 31.5 GB/s)"},
             .latency = detail::pcie_latency}},
    .devices_per_node = 8,
    .network =
        network_link{.bandwidth = {unit::bytes_per_second{1.5625e9}, "assumption: 100 Gb/s Ethernet shared by 8 cards"},
                     .efficiency = detail::ethernet_efficiency,
                     .latency = detail::ethernet_latency},
};

}  // namespace shardplan::device::catalogue
