#pragma once
#include <shardplan/device/catalogue/entry.hpp>
#include <shardplan/device/catalogue/shared.hpp>

namespace shardplan::device::catalogue {

/// NVIDIA H100 SXM5 with 80 GB of HBM3 (Hopper), as in DGX H100.
inline constexpr entry<linked_accelerator> h100_sxm{
    .id = "h100-sxm",
    .device =
        {"NVIDIA H100 SXM5 80 GB",
         matrix_engine{
             .fp32 = {unit::flop_per_second{494.7e12},
                      "TF32; NVIDIA H100 Tensor Core GPU Architecture whitepaper, H100 SXM5, without sparsity, as "
                      "quoted at glennklockwood.com/garden/processors/h100"},
             .fp16 = {unit::flop_per_second{989.4e12},
                      "NVIDIA H100 Tensor Core GPU Architecture whitepaper, H100 SXM5, without sparsity, as quoted at "
                      "glennklockwood.com/garden/processors/h100"},
             .bf16 = {unit::flop_per_second{989.4e12},
                      "NVIDIA H100 Tensor Core GPU Architecture whitepaper, H100 SXM5, without sparsity, as quoted at "
                      "glennklockwood.com/garden/processors/h100"},
             .fp8 = {unit::flop_per_second{1978.9e12},
                     "NVIDIA H100 Tensor Core GPU Architecture whitepaper, H100 SXM5, without sparsity, as quoted at "
                     "glennklockwood.com/garden/processors/h100"},
             .matmul_efficiency =
                 {0.70, "fits the bf16 rows of mosaicml/llm-foundry's H100 table (0.65-0.75); best shape 794.5 TFLOP/s "
                        "in stas00/ml-engineering @ 744d01e compute/accelerator/README.md; sustained fp8 1290 of 1979 "
                        "at 8192^3 in Azure/AI-benchmarking-guide Azure Results/ND_H100_v5_results.md @ f350e7e"},
             .attention_efficiency =
                 {0.33, "FlashAttention-2, forward and backward, s 8192, head 128: 327.9 TFLOP/s in "
                        "Azure/AI-benchmarking-guide Azure Results/ND_H100_v5_results.md @ f350e7e; FlashAttention-3 "
                        "(arXiv 2407.08608, abstract) gives 35 % for version 2, up to 75 % forward for version 3"}},
         vector_engine{.fp32 = {unit::flop_per_second{66.9e12},
                                "NVIDIA H100 Tensor Core GPU Architecture whitepaper, H100 SXM5, without sparsity, as "
                                "quoted at glennklockwood.com/garden/processors/h100"}},
         device_memory{
             .capacity = {unit::bytes{81559 * unit::mebi},
                          "nvidia-smi: 81559MiB, NVIDIA/nccl issue #1264; modal-labs/modal-client pull request #2797"},
             .bandwidth = {unit::bytes_per_second{3350e9},
                           "NVIDIA H100 datasheet: 3.35 TB/s, as quoted in stas00/ml-engineering @ 744d01e "
                           "compute/accelerator/README.md"},
             .efficiency = {0.89, "BabelStream Triad 2.97 of 3.35 TB/s, Azure/AI-benchmarking-guide Azure "
                                  "Results/ND_H100_v5_results.md @ f350e7e"}},
         scale_up_link{
             .bandwidth = detail::nvlink_4,
             .efficiency = {0.78, "ai-dynamo/aiconfigurator @ 095f58a, systems/data/h100_sxm/comm/nccl/2.29.2: "
                                  "all_reduce of 537 MB (2^28 fp16) on 4 ranks, bus bandwidth 350.2 of 450 GB/s, "
                                  "without in-switch reduction (NCCL takes that above 4 ranks)"},
             .latency = {unit::seconds{2.6e-6},
                         "ai-dynamo/aiconfigurator @ 095f58a, systems/data/h100_sxm/comm/nccl/2.29.2: all_reduce of "
                         "512 B on 8 ranks takes 15.59 us = 2 log2(8) steps"}},
         host_link{
             .bandwidth = detail::pcie_5_x16,
             .efficiency =
                 {0.81,
                  "host to device 51 GB/s, Azure/AI-benchmarking-guide Azure Results/ND_H100_v5_results.md @ f350e7e"},
             .latency = detail::host_latency}},
    .devices_per_node = 8,
    .network = detail::ndr_per_device,
};

}  // namespace shardplan::device::catalogue
