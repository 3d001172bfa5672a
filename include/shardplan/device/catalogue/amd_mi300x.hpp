#pragma once
#include <shardplan/device/catalogue/entry.hpp>
#include <shardplan/device/catalogue/shared.hpp>

namespace shardplan::device::catalogue {

/// AMD Instinct MI300X with 192 GB of HBM3 (CDNA 3), 8 in a full mesh of 64 GB/s links. The link figure is the sum of a
/// device's 7 links: two devices alone reach a seventh of it.
inline constexpr entry<linked_accelerator> mi300x{
    .id = "mi300x",
    .device =
        {"AMD Instinct MI300X",
         matrix_engine{
             .fp32 = {unit::flop_per_second{653.7e12},
                      "TF32 (xf32), stas00/ml-engineering @ 744d01e compute/accelerator/README.md"},
             .fp16 = {unit::flop_per_second{1307.4e12}, "AMD Instinct MI300X data sheet, without sparsity, as quoted "
                                                        "in alpharomercoma/MI300X-vs-H200 METHODOLOGY.md @ 6077fdc"},
             .bf16 = {unit::flop_per_second{1307.4e12}, "AMD Instinct MI300X data sheet, without sparsity, as quoted "
                                                        "in alpharomercoma/MI300X-vs-H200 METHODOLOGY.md @ 6077fdc"},
             .fp8 = {unit::flop_per_second{2614.9e12}, "AMD Instinct MI300X data sheet, without sparsity, as quoted in "
                                                       "alpharomercoma/MI300X-vs-H200 METHODOLOGY.md @ 6077fdc"},
             .matmul_efficiency = {0.51, "best shape 668.4 of 1307.4 TFLOP/s with tuned kernels (torch 2.5.1, ROCm "
                                         "6.3) in stas00/ml-engineering @ 744d01e compute/accelerator/README.md"},
             .attention_efficiency = {0.25, "FlashAttention-2, forward and backward, s 8192, head 64: 328.6 TFLOP/s, "
                                            "samuel-bohman/AI-benchmarking-guide (fork of Azure/AI-benchmarking-guide) "
                                            "Azure_Results/ND_MI300X_v5_results.md @ 3de0c29"}},
         vector_engine{.fp32 = {unit::flop_per_second{163.4e12},
                                "stas00/ml-engineering @ 744d01e compute/accelerator/README.md"}},
         device_memory{
             .capacity = {unit::bytes{206141652992.0},
                          "rocm-smi: VRAM total 206141652992 bytes, ROCm/legacy-rocm-build issue #4750"},
             .bandwidth = {unit::bytes_per_second{5300e9},
                           "AMD Instinct MI300X data sheet, without sparsity, as quoted in "
                           "alpharomercoma/MI300X-vs-H200 METHODOLOGY.md @ 6077fdc"},
             .efficiency = {0.77, "BabelStream Triad 4.09 of 5.3 TB/s, samuel-bohman/AI-benchmarking-guide (fork of "
                                  "Azure/AI-benchmarking-guide) Azure_Results/ND_MI300X_v5_results.md @ 3de0c29"}},
         scale_up_link{.bandwidth = detail::xgmi_mi300x,
                       .efficiency = {0.69, "all_reduce of 536 MB on 8 ranks, bus bandwidth 308.9 of 448 GB/s, "
                                            "samuel-bohman/AI-benchmarking-guide (fork of Azure/AI-benchmarking-guide) "
                                            "Azure_Results/ND_MI300X_v5_results.md @ 3de0c29; 312.9 at 4 GB in "
                                            "stas00/ml-engineering @ 744d01e network/README.md"},
                       .latency = {unit::seconds{8.1e-6},
                                   "all_reduce of 16 KB on 8 ranks, bus bandwidth 0.59 GB/s or 48.6 us = 2 log2(8) "
                                   "steps, samuel-bohman/AI-benchmarking-guide (fork of Azure/AI-benchmarking-guide) "
                                   "Azure_Results/ND_MI300X_v5_results.md @ 3de0c29"}},
         host_link{.bandwidth = detail::pcie_5_x16,
                   .efficiency = {0.87, "host to device 55 GB/s, samuel-bohman/AI-benchmarking-guide (fork of "
                                        "Azure/AI-benchmarking-guide) Azure_Results/ND_MI300X_v5_results.md @ 3de0c29"},
                   .latency = detail::host_latency}},
    .devices_per_node = 8,
    .network = network_link{.bandwidth = {unit::bytes_per_second{50e9},
                                          "eight 400 Gb/s adapters per node of 8; not re-checked: typed from memory"},
                            .efficiency = detail::ib_efficiency,
                            .latency = detail::ib_latency},
};

}  // namespace shardplan::device::catalogue
