#pragma once
#include <shardplan/device/catalogue/entry.hpp>
#include <shardplan/device/catalogue/shared.hpp>

namespace shardplan::device::catalogue {

/// NVIDIA B200 SXM with 180 GB of HBM3e (Blackwell), as in DGX B200.
inline constexpr entry<linked_accelerator> b200{
    .id = "b200",
    .device =
        {"NVIDIA B200 SXM 180 GB",
         matrix_engine{
             .fp32 = {unit::flop_per_second{1100e12}, "TF32; glennklockwood.com/garden/processors/B200, HGX B200 at "
                                                      "1,000 W, from NVIDIA's Blackwell architecture brief"},
             .fp16 = {unit::flop_per_second{2250e12}, "glennklockwood.com/garden/processors/B200, HGX B200 at 1,000 W, "
                                                      "from NVIDIA's Blackwell architecture brief"},
             .bf16 = {unit::flop_per_second{2250e12}, "glennklockwood.com/garden/processors/B200, HGX B200 at 1,000 W, "
                                                      "from NVIDIA's Blackwell architecture brief"},
             .fp8 = {unit::flop_per_second{4500e12}, "glennklockwood.com/garden/processors/B200, HGX B200 at 1,000 W, "
                                                     "from NVIDIA's Blackwell architecture brief"},
             .matmul_efficiency = {0.62,
                                   "median 0.675 of 2250 TFLOP/s over 100 bf16 matmuls with all sides from 4096 in "
                                   "ai-dynamo/aiconfigurator @ 095f58a, systems/data/b200_sxm/gemm/VLLM 0.24.0, times "
                                   "0.915, the H100's sustained over short-loop share (0.70 / 0.765)"},
             .attention_efficiency =
                 {0.38, "MooreThreads/SimuMax configs/system/b200_bf16_ceperm.json, sdp_fwd and sdp_bwd at s 4096, 32 "
                        "heads, 8 kv heads of 128: 0.722 and 0.787 of 2250 TFLOP/s, halved for the causal mask, "
                        "forward and backward together (0.53 at s 32768, 16 heads)"}},
         vector_engine{
             .fp32 =
                 {unit::flop_per_second{75e12},
                  "NVIDIA Blackwell datasheet, without sparsity, as quoted at verda.com/blog/gb300-nvl72-architecture, "
                  "table of per-GPU specifications (the architecture brief prints 80)"}},
         device_memory{.capacity = {unit::bytes{183359 * unit::mebi},
                                    "nvidia-smi: 183359MiB, modal.com/gpu-glossary/host-software/nvidia-smi"},
                       .bandwidth = {unit::bytes_per_second{7700e9},
                                     "NVIDIA Blackwell datasheet, without sparsity, as quoted at "
                                     "verda.com/blog/gb300-nvl72-architecture, table of per-GPU specifications; 7680 "
                                     "bit at 3996 MHz give 7.67 TB/s, pytorch/ao pull request #4002"},
                       .efficiency = {0.80, "no STREAM measurement found; ai-dynamo/aiconfigurator @ 095f58a, "
                                            "systems/b200_sxm.yaml, mem_bw_empirical_scaling_factor"}},
         scale_up_link{
             .bandwidth = detail::nvlink_5,
             .efficiency = {0.70, "ai-dynamo/aiconfigurator @ 095f58a, systems/data/b200_sxm/comm/nccl/2.29.2: "
                                  "all_reduce of 537 MB (2^28 fp16) on 4 ranks, bus bandwidth 633.7 of 900 GB/s, "
                                  "without in-switch reduction (NCCL takes that above 4 ranks)"},
             .latency = {unit::seconds{4.2e-6},
                         "ai-dynamo/aiconfigurator @ 095f58a, systems/data/b200_sxm/comm/nccl/2.29.2: all_reduce of "
                         "512 B on 8 ranks takes 25.09 us = 2 log2(8) steps"}},
         host_link{.bandwidth = detail::pcie_5_x16,
                   .efficiency = {0.83, "no measurement of its own: value of the H200 (52 of 63 GB/s, "
                                        "Azure/AI-benchmarking-guide Azure_Results/ND_H200_v5_results.md @ 7f20e5f)"},
                   .latency = detail::host_latency}},
    .devices_per_node = 8,
    .network = network_link{.bandwidth = {unit::bytes_per_second{50e9},
                                          "DGX B200 User Guide: 8 ConnectX-7, InfiniBand up to 400 Gb/s each"},
                            .efficiency = detail::ib_efficiency,
                            .latency = detail::ib_latency},
};

}  // namespace shardplan::device::catalogue
