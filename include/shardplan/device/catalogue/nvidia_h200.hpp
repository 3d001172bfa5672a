#pragma once
#include <shardplan/device/catalogue/entry.hpp>
#include <shardplan/device/catalogue/shared.hpp>

namespace shardplan::device::catalogue {

/// NVIDIA H200 SXM5 with 141 GB of HBM3e (Hopper): the H100's engines with more memory.
inline constexpr entry<linked_accelerator> h200{
    .id = "h200",
    .device =
        {"NVIDIA H200 SXM5 141 GB",
         matrix_engine{
             .fp32 = {unit::flop_per_second{494.7e12},
                      "TF32; the H100 SXM's rates, NVIDIA H100 Tensor Core GPU Architecture whitepaper, H100 SXM5, "
                      "without sparsity, as quoted at glennklockwood.com/garden/processors/h100; NVIDIA H200 page: 989 "
                      "bf16, as quoted in pytorch/torchtitan torchtitan/tools/utils.py @ 0258167"},
             .fp16 = {unit::flop_per_second{989.4e12},
                      "the H100 SXM's rates, NVIDIA H100 Tensor Core GPU Architecture whitepaper, H100 SXM5, without "
                      "sparsity, as quoted at glennklockwood.com/garden/processors/h100; NVIDIA H200 page: 989 bf16, "
                      "as quoted in pytorch/torchtitan torchtitan/tools/utils.py @ 0258167"},
             .bf16 = {unit::flop_per_second{989.4e12},
                      "the H100 SXM's rates, NVIDIA H100 Tensor Core GPU Architecture whitepaper, H100 SXM5, without "
                      "sparsity, as quoted at glennklockwood.com/garden/processors/h100; NVIDIA H200 page: 989 bf16, "
                      "as quoted in pytorch/torchtitan torchtitan/tools/utils.py @ 0258167"},
             .fp8 = {unit::flop_per_second{1978.9e12},
                     "the H100 SXM's rates, NVIDIA H100 Tensor Core GPU Architecture whitepaper, H100 SXM5, without "
                     "sparsity, as quoted at glennklockwood.com/garden/processors/h100; NVIDIA H200 page: 989 bf16, as "
                     "quoted in pytorch/torchtitan torchtitan/tools/utils.py @ 0258167"},
             .matmul_efficiency = {0.70, "value of the H100 SXM; stas00/ml-engineering @ 744d01e "
                                         "compute/accelerator/README.md: H200 is the same"},
             .attention_efficiency = {0.33,
                                      "FlashAttention-2, forward and backward, s 8192, head 128: 329.3 TFLOP/s in "
                                      "Azure/AI-benchmarking-guide Azure_Results/ND_H200_v5_results.md @ 7f20e5f"}},
         vector_engine{.fp32 = {unit::flop_per_second{66.9e12},
                                "the H100 SXM's rate, NVIDIA H100 Tensor Core GPU Architecture whitepaper, H100 SXM5, "
                                "without sparsity, as quoted at glennklockwood.com/garden/processors/h100"}},
         device_memory{
             .capacity =
                 {unit::bytes{143771 * unit::mebi},
                  "nvidia-smi of an NVIDIA H200: 143771MiB (driver 570.158.01; the figure stands in many public logs)"},
             .bandwidth = {unit::bytes_per_second{4800e9},
                           "NVIDIA H200 datasheet: 4.8 TB/s, as quoted in allenai/open-instruct pull request #1441"},
             .efficiency = {0.86, "BabelStream Triad 4.15 of 4.8 TB/s, Azure/AI-benchmarking-guide "
                                  "Azure_Results/ND_H200_v5_results.md @ 7f20e5f"}},
         scale_up_link{
             .bandwidth = detail::nvlink_4,
             .efficiency = {0.77, "ai-dynamo/aiconfigurator @ 095f58a, systems/data/h200_sxm/comm/nccl/2.29.2: "
                                  "all_reduce of 537 MB (2^28 fp16) on 4 ranks, bus bandwidth 348.4 of 450 GB/s, "
                                  "without in-switch reduction (NCCL takes that above 4 ranks)"},
             .latency = {unit::seconds{2.7e-6},
                         "ai-dynamo/aiconfigurator @ 095f58a, systems/data/h200_sxm/comm/nccl/2.29.2: all_reduce of "
                         "512 B on 8 ranks takes 16.01 us = 2 log2(8) steps"}},
         host_link{
             .bandwidth = detail::pcie_5_x16,
             .efficiency =
                 {0.83,
                  "host to device 52 GB/s, Azure/AI-benchmarking-guide Azure_Results/ND_H200_v5_results.md @ 7f20e5f"},
             .latency = detail::host_latency}},
    .devices_per_node = 8,
    .network = detail::ndr_per_device,
};

}  // namespace shardplan::device::catalogue
