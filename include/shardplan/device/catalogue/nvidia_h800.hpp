#pragma once
#include <shardplan/device/catalogue/entry.hpp>
#include <shardplan/device/catalogue/shared.hpp>

namespace shardplan::device::catalogue {

/// NVIDIA H800 SXM5 (Hopper): an H100 SXM whose NVLink is cut from 450 to 200 GB/s per direction.
inline constexpr entry<linked_accelerator> h800{
    .id = "h800",
    .device =
        {"NVIDIA H800 SXM5 80 GB",
         matrix_engine{
             .fp32 = {unit::flop_per_second{494.7e12},
                      "TF32; the H100 SXM's rates; that the H800 keeps them is not re-checked: typed from memory"},
             .fp16 = {unit::flop_per_second{989.4e12},
                      "the H100 SXM's rates; that the H800 keeps them is not re-checked: typed from memory"},
             .bf16 = {unit::flop_per_second{989.4e12},
                      "the H100 SXM's rates; that the H800 keeps them is not re-checked: typed from memory"},
             .fp8 = {unit::flop_per_second{1978.9e12},
                     "the H100 SXM's rates; that the H800 keeps them is not re-checked: typed from memory"},
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
         vector_engine{.fp32 = {unit::flop_per_second{66.9e12},
                                "the H100 SXM's rate; that the H800 keeps it is not re-checked: typed from memory"}},
         device_memory{
             .capacity = {unit::bytes{81559 * unit::mebi},
                          "no driver report found: value of the H100 SXM 80 GB (nvidia-smi: 81559MiB)"},
             .bandwidth = {unit::bytes_per_second{3350e9},
                           "the H100 SXM's; that the H800 keeps it is not re-checked: typed from memory"},
             .efficiency = {0.89, "no measurement of its own: value of the H100 SXM (BabelStream Triad 2.97 of 3.35 "
                                  "TB/s, Azure/AI-benchmarking-guide Azure Results/ND_H100_v5_results.md @ f350e7e)"}},
         scale_up_link{.bandwidth = detail::nvlink_4_h800,
                       .efficiency = {0.80, "deepseek-ai/DeepEP issue #16: about 160 of 200 GB/s achieved"},
                       .latency = {unit::seconds{2.6e-6},
                                   "no measurement of its own: value of the H100 SXM (ai-dynamo/aiconfigurator @ "
                                   "095f58a, systems/data/h100_sxm/comm/nccl/2.29.2: all_reduce of 512 B on 8 ranks "
                                   "takes 15.59 us = 2 log2(8) steps)"}},
         host_link{.bandwidth = detail::pcie_5_x16,
                   .efficiency = {0.81, "no measurement of its own: value of the H100 SXM (host to device 51 GB/s, "
                                        "Azure/AI-benchmarking-guide Azure Results/ND_H100_v5_results.md @ f350e7e)"},
                   .latency = detail::host_latency}},
    .devices_per_node = 8,
    .network = network_link{.bandwidth = {unit::bytes_per_second{50e9},
                                          "DeepSeek-V3 technical report (arXiv 2412.19437): InfiniBand 50 GB/s, as "
                                          "quoted in deepseek-ai/DeepSeek-V3 issue #28"},
                            .efficiency = detail::ib_efficiency,
                            .latency = detail::ib_latency},
};

}  // namespace shardplan::device::catalogue
