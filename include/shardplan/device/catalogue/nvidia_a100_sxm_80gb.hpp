#pragma once
#include <shardplan/device/catalogue/entry.hpp>
#include <shardplan/device/catalogue/shared.hpp>

namespace shardplan::device::catalogue {

/// NVIDIA A100 SXM4 with 80 GB (Ampere).
inline constexpr entry<linked_accelerator> a100_sxm_80gb{
    .id = "a100-sxm-80gb",
    .device =
        {"NVIDIA A100 SXM4 80 GB",
         matrix_engine{
             .fp32 = {unit::flop_per_second{156e12},
                      "TF32; NVIDIA A100 datasheet (nvidia-a100-datasheet-us-nvidia-1758950-r4), without sparsity, as "
                      "quoted at glennklockwood.com/garden/processors/A100"},
             .fp16 = {unit::flop_per_second{312e12},
                      "NVIDIA A100 datasheet (nvidia-a100-datasheet-us-nvidia-1758950-r4), without sparsity, as quoted "
                      "at glennklockwood.com/garden/processors/A100"},
             .bf16 = {unit::flop_per_second{312e12},
                      "NVIDIA A100 datasheet (nvidia-a100-datasheet-us-nvidia-1758950-r4), without sparsity, as quoted "
                      "at glennklockwood.com/garden/processors/A100"},
             .fp8 = {{}, "absent: Ampere's tensor cores have no fp8"},
             .matmul_efficiency = {0.78,
                                   "fits iteration times of VIA-Research/vTrain's multi-node table (0.77-0.81) and of "
                                   "mosaicml/llm-foundry's A100 table (0.79-0.87); sustained 253.7 of 312 TFLOP/s at "
                                   "8192^3 in Azure/AI-benchmarking-guide Azure_Results/ND_A100_v4_results.md"},
             .attention_efficiency = {0.51, "A100 PCIe's: MooreThreads/SimuMax configs/system/a100_pcie.json, sdp_fwd "
                                            "and sdp_bwd at s 4096, 32 heads, 8 kv heads of 128: 1.132 and 0.976 of "
                                            "peak, halved for the causal mask, forward and backward together"}},
         vector_engine{.fp32 = {unit::flop_per_second{19.5e12},
                                "NVIDIA A100 datasheet (nvidia-a100-datasheet-us-nvidia-1758950-r4), without sparsity, "
                                "as quoted at glennklockwood.com/garden/processors/A100"}},
         device_memory{.capacity = {unit::bytes{81920 * unit::mebi},
                                    "nvidia-smi: 81920MiB, modal-labs/modal-client pull request #2797"},
                       .bandwidth = {unit::bytes_per_second{2039e9},
                                     "NVIDIA A100 datasheet (nvidia-a100-datasheet-us-nvidia-1758950-r4), without "
                                     "sparsity, as quoted at glennklockwood.com/garden/processors/A100"},
                       .efficiency = {0.83, "BabelStream Triad 1.70 of 2.039 TB/s, Azure/AI-benchmarking-guide "
                                            "Azure_Results/ND_A100_v4_results.md @ 3bb66ca"}},
         scale_up_link{
             .bandwidth = detail::nvlink_3,
             .efficiency = {0.74, "ai-dynamo/aiconfigurator @ 095f58a, systems/data/a100_sxm/comm/nccl/2.27.3: "
                                  "all_reduce of 537 MB (2^28 fp16) on 8 ranks, bus bandwidth 222.3 of 300 GB/s"},
             .latency = {unit::seconds{3.8e-6},
                         "ai-dynamo/aiconfigurator @ 095f58a, systems/data/a100_sxm/comm/nccl/2.27.3: all_reduce of "
                         "512 B on 8 ranks takes 22.57 us = 2 log2(8) steps"}},
         host_link{.bandwidth = detail::pcie_4_x16,
                   .efficiency = {0.83, "host to device 26.28 GB/s, Azure/AI-benchmarking-guide "
                                        "Azure_Results/ND_A100_v4_results.md @ 3bb66ca"},
                   .latency = detail::host_latency}},
    .devices_per_node = 8,
    .network = detail::hdr_per_device,
};

}  // namespace shardplan::device::catalogue
