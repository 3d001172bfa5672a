#pragma once
#include <shardplan/device/catalogue/entry.hpp>
#include <shardplan/device/catalogue/shared.hpp>

namespace shardplan::device::catalogue {

/// NVIDIA H100 NVL (Hopper): one card of the bridged pair, 94 GB of HBM3. The pair is the scale-up domain.
inline constexpr entry<linked_accelerator> h100_nvl{
    .id = "h100-nvl",
    .device =
        {"NVIDIA H100 NVL 94 GB",
         matrix_engine{
             .fp32 =
                 {unit::flop_per_second{417.5e12},
                  "TF32, half of 835 with sparsity in the NVIDIA H100 datasheet; not re-checked: typed from memory"},
             .fp16 = {unit::flop_per_second{835e12}, "NVIDIA H100 page, half of the rate with sparsity, as quoted in "
                                                     "pytorch/torchtitan torchtitan/tools/utils.py @ 0258167"},
             .bf16 = {unit::flop_per_second{835e12}, "NVIDIA H100 page, half of the rate with sparsity, as quoted in "
                                                     "pytorch/torchtitan torchtitan/tools/utils.py @ 0258167"},
             .fp8 = {unit::flop_per_second{1670.5e12},
                     "half of 3,341 with sparsity in the NVIDIA H100 datasheet; not re-checked: typed from memory"},
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
         vector_engine{
             .fp32 = {unit::flop_per_second{60e12}, "NVIDIA H100 datasheet; not re-checked: typed from memory"}},
         device_memory{
             .capacity = {unit::bytes{99961274368.0},
                          "NVML total of an H100 NVL: 99961274368 bytes, fastfetch-cli/fastfetch issue #1658"},
             .bandwidth = {unit::bytes_per_second{3900e9},
                           "NVIDIA H100 datasheet: 3.9 TB/s per card; board 900-21010-0120 with 94 GB and up to 3.93 "
                           "TB/s at grokipedia.com/page/210100120"},
             .efficiency = {0.89, "no measurement of its own: value of the H100 SXM (BabelStream Triad 2.97 of 3.35 "
                                  "TB/s, Azure/AI-benchmarking-guide Azure Results/ND_H100_v5_results.md @ f350e7e)"}},
         scale_up_link{
             .bandwidth = detail::nvlink_bridge,
             .efficiency = {0.78,
                            "no measurement of its own: value of the H100 SXM; ai-dynamo/aiconfigurator @ 095f58a, "
                            "systems/data/h100_sxm/comm/nccl/2.29.2: all_reduce of 537 MB (2^28 fp16) on 4 ranks, bus "
                            "bandwidth 350.2 of 450 GB/s, without in-switch reduction (NCCL takes that above 4 ranks)"},
             .latency = {unit::seconds{2.6e-6},
                         "no measurement of its own: value of the H100 SXM (ai-dynamo/aiconfigurator @ 095f58a, "
                         "systems/data/h100_sxm/comm/nccl/2.29.2: all_reduce of 512 B on 8 ranks takes 15.59 us = 2 "
                         "log2(8) steps)"}},
         host_link{.bandwidth = detail::pcie_5_x16,
                   .efficiency = {0.81, "no measurement of its own: value of the H100 SXM (host to device 51 GB/s, "
                                        "Azure/AI-benchmarking-guide Azure Results/ND_H100_v5_results.md @ f350e7e)"},
                   .latency = detail::host_latency}},
    .devices_per_node = 2,
    .network =
        network_link{.bandwidth = {unit::bytes_per_second{25e9},
                                   "assumption: one 400 Gb/s adapter per pair; not re-checked: typed from memory"},
                     .efficiency = detail::ib_efficiency,
                     .latency = detail::ib_latency},
};

}  // namespace shardplan::device::catalogue
