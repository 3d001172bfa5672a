#pragma once
#include <shardplan/device/catalogue/entry.hpp>
#include <shardplan/device/catalogue/shared.hpp>

namespace shardplan::device::catalogue {

/// NVIDIA H100 PCIe with 80 GB of HBM2e (Hopper), without the optional NVLink bridges.
inline constexpr entry<pcie_accelerator> h100_pcie{
    .id = "h100-pcie",
    .device =
        {"NVIDIA H100 PCIe 80 GB",
         matrix_engine{
             .fp32 = {unit::flop_per_second{378e12},
                      "TF32, stas00/ml-engineering @ 744d01e compute/accelerator/README.md"},
             .fp16 = {unit::flop_per_second{756.5e12},
                      "NVIDIA H100 datasheet, PCIe, half of the rate printed with sparsity, as quoted in "
                      "Lightning-AI/pytorch-lightning src/lightning/fabric/utilities/throughput.py @ 0810121"},
             .bf16 = {unit::flop_per_second{756.5e12},
                      "NVIDIA H100 datasheet, PCIe, half of the rate printed with sparsity, as quoted in "
                      "Lightning-AI/pytorch-lightning src/lightning/fabric/utilities/throughput.py @ 0810121"},
             .fp8 = {unit::flop_per_second{1513e12},
                     "NVIDIA H100 datasheet, PCIe, half of the rate printed with sparsity, as quoted in "
                     "Lightning-AI/pytorch-lightning src/lightning/fabric/utilities/throughput.py @ 0810121"},
             .matmul_efficiency =
                 {0.70, "no measurement of its own: value of the H100 SXM (fits the bf16 rows of "
                        "mosaicml/llm-foundry's H100 table (0.65-0.75); best shape 794.5 TFLOP/s in "
                        "stas00/ml-engineering @ 744d01e compute/accelerator/README.md; sustained fp8 1290 of 1979 at "
                        "8192^3 in Azure/AI-benchmarking-guide Azure Results/ND_H100_v5_results.md @ f350e7e)"},
             .attention_efficiency = {0.33,
                                      "no measurement of its own: value of the H100 SXM (FlashAttention-2, forward and "
                                      "backward, s 8192, head 128: 327.9 TFLOP/s in Azure/AI-benchmarking-guide Azure "
                                      "Results/ND_H100_v5_results.md @ f350e7e; FlashAttention-3 (arXiv 2407.08608, "
                                      "abstract) gives 35 % for version 2, up to 75 % forward for version 3)"}},
         vector_engine{.fp32 = {unit::flop_per_second{51e12},
                                "NVIDIA H100 datasheet, PCIe, as quoted in Lightning-AI/pytorch-lightning "
                                "src/lightning/fabric/utilities/throughput.py @ 0810121"}},
         device_memory{
             .capacity =
                 {unit::bytes{81559 * unit::mebi},
                  "no driver report found: value of the H100 SXM 80 GB, also five stacks (nvidia-smi: 81559MiB)"},
             .bandwidth = {unit::bytes_per_second{2000e9},
                           "NVIDIA H100 PCIe product brief PB-11133-001_v02: greater than 2,000 GB/s"},
             .efficiency = {0.89, "no measurement of its own: value of the H100 SXM (BabelStream Triad 2.97 of 3.35 "
                                  "TB/s, Azure/AI-benchmarking-guide Azure Results/ND_H100_v5_results.md @ f350e7e)"}},
         host_link{.bandwidth = detail::pcie_5_x16,
                   .efficiency = {0.40, "no measurement of its own: value of the A100 PCIe (MooreThreads/SimuMax "
                                        "configs/system/a100_pcie.json)"},
                   .latency = detail::pcie_latency}},
    .devices_per_node = 8,
    .network =
        network_link{.bandwidth = {unit::bytes_per_second{25e9},
                                   "assumption: one 400 Gb/s adapter per two cards; not re-checked: typed from memory"},
                     .efficiency = detail::ib_efficiency,
                     .latency = detail::ib_latency},
};

}  // namespace shardplan::device::catalogue
