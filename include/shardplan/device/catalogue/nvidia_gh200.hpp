#pragma once
#include <shardplan/device/catalogue/entry.hpp>
#include <shardplan/device/catalogue/shared.hpp>

namespace shardplan::device::catalogue {

/// NVIDIA GH200 with 96 GB of HBM3 (Grace Hopper), usually one per node. The host link is NVLink-C2C; the scale-up link
/// is used only where several share an NVLink switch (set devices_per_node then).
inline constexpr entry<linked_accelerator> gh200{
    .id = "gh200",
    .device =
        {"NVIDIA GH200 96 GB",
         matrix_engine{
             .fp32 = {unit::flop_per_second{494.7e12},
                      "TF32; the H100 SXM's rates, NVIDIA H100 Tensor Core GPU Architecture whitepaper, H100 SXM5, "
                      "without sparsity, as quoted at glennklockwood.com/garden/processors/h100"},
             .fp16 = {unit::flop_per_second{989.4e12},
                      "the H100 SXM's rates, NVIDIA H100 Tensor Core GPU Architecture whitepaper, H100 SXM5, without "
                      "sparsity, as quoted at glennklockwood.com/garden/processors/h100"},
             .bf16 = {unit::flop_per_second{989.4e12},
                      "the H100 SXM's rates, NVIDIA H100 Tensor Core GPU Architecture whitepaper, H100 SXM5, without "
                      "sparsity, as quoted at glennklockwood.com/garden/processors/h100"},
             .fp8 = {unit::flop_per_second{1978.9e12},
                     "the H100 SXM's rates, NVIDIA H100 Tensor Core GPU Architecture whitepaper, H100 SXM5, without "
                     "sparsity, as quoted at glennklockwood.com/garden/processors/h100"},
             .matmul_efficiency = {0.70,
                                   "no measurement of its own: value of the H100 SXM; best shape of a 900 W GH200 "
                                   "828.6 TFLOP/s in stas00/ml-engineering @ 744d01e compute/accelerator/README.md"},
             .attention_efficiency = {0.33,
                                      "no measurement of its own: value of the H100 SXM (FlashAttention-2, forward and "
                                      "backward, s 8192, head 128: 327.9 TFLOP/s in Azure/AI-benchmarking-guide Azure "
                                      "Results/ND_H100_v5_results.md @ f350e7e; FlashAttention-3 (arXiv 2407.08608, "
                                      "abstract) gives 35 % for version 2, up to 75 % forward for version 3)"}},
         vector_engine{.fp32 = {unit::flop_per_second{66.9e12},
                                "132 units at 1980 MHz, mredenti/PowerCapping configuration/OpenCL_benchmark.md"}},
         device_memory{
             .capacity = {unit::bytes{97871 * unit::mebi}, "nvidia-smi of an 'NVIDIA GH200 480GB': 97871MiB (driver "
                                                           "570.133.20; the figure stands in many public logs)"},
             .bandwidth = {unit::bytes_per_second{4000e9},
                           "stas00/ml-engineering @ 744d01e compute/accelerator/README.md: 96 GB HBM3 at 4.0 TB/s"},
             .efficiency = {0.83, "BabelStream (Julia) Triad 3.315 of 4.0 TB/s, UoB-HPC/BabelStream issue #194"}},
         scale_up_link{
             .bandwidth = detail::nvlink_4,
             .efficiency =
                 {0.78, "no measurement of its own: value of the H100 SXM (ai-dynamo/aiconfigurator @ 095f58a, "
                        "systems/data/h100_sxm/comm/nccl/2.29.2: all_reduce of 537 MB (2^28 fp16) on 4 ranks, bus "
                        "bandwidth 350.2 of 450 GB/s, without in-switch reduction (NCCL takes that above 4 ranks))"},
             .latency = {unit::seconds{2.6e-6},
                         "no measurement of its own: value of the H100 SXM (ai-dynamo/aiconfigurator @ 095f58a, "
                         "systems/data/h100_sxm/comm/nccl/2.29.2: all_reduce of 512 B on 8 ranks takes 15.59 us = 2 "
                         "log2(8) steps)"}},
         host_link{.bandwidth = detail::c2c_grace_hopper,
                   .efficiency = {0.89, "no measurement of its own: value of the GB200 (201 of 225 GB/s, "
                                        "Azure/AI-benchmarking-guide Azure_Results/ND_GB200_v6_results.md @ 2a370be)"},
                   .latency = detail::host_latency}},
    .devices_per_node = 1,
    .network =
        network_link{
            .bandwidth = {unit::bytes_per_second{25e9},
                          "assumption: one 200 Gb/s port per superchip, as in Alps; not re-checked: typed from memory"},
            .efficiency = detail::ib_efficiency,
            .latency = detail::ib_latency},
};

}  // namespace shardplan::device::catalogue
