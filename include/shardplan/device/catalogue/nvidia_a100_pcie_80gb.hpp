#pragma once
#include <shardplan/device/catalogue/entry.hpp>
#include <shardplan/device/catalogue/shared.hpp>

namespace shardplan::device::catalogue {

/// NVIDIA A100 PCIe with 80 GB (Ampere), without the optional NVLink bridges.
inline constexpr entry<pcie_accelerator> a100_pcie_80gb{
    .id = "a100-pcie-80gb",
    .device =
        {"NVIDIA A100 PCIe 80 GB",
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
             .matmul_efficiency = {0.74, "MooreThreads/SimuMax configs/system/a100_pcie.json: median of the 108 bf16 "
                                         "matmuls with all sides from 4096"},
             .attention_efficiency =
                 {0.51,
                  "MooreThreads/SimuMax configs/system/a100_pcie.json, sdp_fwd and sdp_bwd at s 4096, 32 heads, 8 kv "
                  "heads of 128: 1.132 and 0.976 of peak, halved for the causal mask, forward and backward together"}},
         vector_engine{.fp32 = {unit::flop_per_second{19.5e12},
                                "NVIDIA A100 datasheet (nvidia-a100-datasheet-us-nvidia-1758950-r4), without sparsity, "
                                "as quoted at glennklockwood.com/garden/processors/A100 (the same rates as SXM4)"}},
         device_memory{
             .capacity = {unit::bytes{81920 * unit::mebi}, "nvidia-smi of the A100 80 GB (form factor not named): "
                                                           "81920MiB, modal-labs/modal-client pull request #2797"},
             .bandwidth = {unit::bytes_per_second{1935e9},
                           "NVIDIA A100 datasheet: 1,935 GB/s for the 80 GB PCIe card, as quoted at "
                           "thundercompute.com/blog/nvidia-a100-specs-full-guide"},
             .efficiency = {0.83,
                            "no measurement of its own: value of the A100 SXM 80 GB (BabelStream Triad 1.70 of 2.039 "
                            "TB/s, Azure/AI-benchmarking-guide Azure_Results/ND_A100_v4_results.md @ 3bb66ca)"}},
         host_link{.bandwidth = detail::pcie_4_x16,
                   .efficiency = {0.40, "MooreThreads/SimuMax configs/system/a100_pcie.json, intra_node_pcie_8x: "
                                        "all_reduce reaches 0.4176 of 30 GB/s"},
                   .latency = detail::pcie_latency}},
    .devices_per_node = 8,
    .network =
        network_link{.bandwidth = {unit::bytes_per_second{25e9},
                                   "ai-dynamo/aiconfigurator @ 095f58a, systems/a100_pcie.yaml: inter_node_bw 25e9"},
                     .efficiency = detail::ib_efficiency,
                     .latency = detail::ib_latency},
};

}  // namespace shardplan::device::catalogue
