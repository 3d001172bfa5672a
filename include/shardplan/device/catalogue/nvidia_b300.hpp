#pragma once
#include <shardplan/device/catalogue/entry.hpp>
#include <shardplan/device/catalogue/shared.hpp>

namespace shardplan::device::catalogue {

/// NVIDIA B300 SXM (Blackwell Ultra), as in DGX B300.
inline constexpr entry<linked_accelerator> b300{
    .id = "b300",
    .device =
        {"NVIDIA B300 SXM 270 GB",
         matrix_engine{
             .fp32 = {unit::flop_per_second{1100e12},
                      "TF32; NVIDIA Blackwell datasheet, without sparsity, as quoted at "
                      "verda.com/blog/gb300-nvl72-architecture, table of per-GPU specifications"},
             .fp16 = {unit::flop_per_second{2250e12},
                      "NVIDIA Blackwell datasheet, without sparsity, as quoted at "
                      "verda.com/blog/gb300-nvl72-architecture, table of per-GPU specifications"},
             .bf16 = {unit::flop_per_second{2250e12},
                      "NVIDIA Blackwell datasheet, without sparsity, as quoted at "
                      "verda.com/blog/gb300-nvl72-architecture, table of per-GPU specifications; HGX B300 datasheet: "
                      "36 PFLOP/s with sparsity for 8, NVIDIA/cosmos-framework pull request #114"},
             .fp8 = {unit::flop_per_second{4500e12},
                     "NVIDIA Blackwell datasheet, without sparsity, as quoted at "
                     "verda.com/blog/gb300-nvl72-architecture, table of per-GPU specifications"},
             .matmul_efficiency = {0.64,
                                   "median 0.695 of 2250 TFLOP/s over 100 bf16 matmuls with all sides from 4096 in "
                                   "ai-dynamo/aiconfigurator @ 095f58a, systems/data/b300_sxm/gemm/VLLM 0.24.0, times "
                                   "0.915, the H100's sustained over short-loop share (0.70 / 0.765)"},
             .attention_efficiency = {0.38, "no measurement of its own: value of the B200 (MooreThreads/SimuMax "
                                            "configs/system/b200_bf16_ceperm.json, sdp_fwd and sdp_bwd at s 4096, 32 "
                                            "heads, 8 kv heads of 128: 0.722 and 0.787 of 2250 TFLOP/s, halved for the "
                                            "causal mask, forward and backward together (0.53 at s 32768, 16 heads))"}},
         vector_engine{.fp32 = {unit::flop_per_second{75e12},
                                "NVIDIA Blackwell datasheet, without sparsity, as quoted at "
                                "verda.com/blog/gb300-nvl72-architecture, table of per-GPU specifications"}},
         device_memory{
             .capacity = {unit::bytes{288400343040.0}, "ai-dynamo/aiconfigurator @ 095f58a, systems/b300_sxm.yaml: "
                                                       "288400343040 bytes, the 275040MiB that nvidia-smi prints"},
             .bandwidth = {unit::bytes_per_second{7700e9},
                           "NVIDIA Blackwell datasheet, without sparsity, as quoted at "
                           "verda.com/blog/gb300-nvl72-architecture, table of per-GPU specifications; 7.75 TB/s in "
                           "ai-dynamo/aiconfigurator @ 095f58a, systems/b300_sxm.yaml"},
             .efficiency = {0.80, "no STREAM measurement found; ai-dynamo/aiconfigurator @ 095f58a, "
                                  "systems/b300_sxm.yaml, mem_bw_empirical_scaling_factor"}},
         scale_up_link{
             .bandwidth = detail::nvlink_5,
             .efficiency = {0.71, "ai-dynamo/aiconfigurator @ 095f58a, systems/data/b300_sxm/comm/nccl/2.29.2: "
                                  "all_reduce of 537 MB (2^28 fp16) on 4 ranks, bus bandwidth 638.5 of 900 GB/s, "
                                  "without in-switch reduction (NCCL takes that above 4 ranks)"},
             .latency = {unit::seconds{4.1e-6},
                         "ai-dynamo/aiconfigurator @ 095f58a, systems/data/b300_sxm/comm/nccl/2.29.2: all_reduce of "
                         "512 B on 8 ranks takes 24.64 us = 2 log2(8) steps"}},
         host_link{.bandwidth = detail::pcie_5_x16,
                   .efficiency = {0.83, "no measurement of its own: value of the H200 (52 of 63 GB/s, "
                                        "Azure/AI-benchmarking-guide Azure_Results/ND_H200_v5_results.md @ 7f20e5f)"},
                   .latency = detail::host_latency}},
    .devices_per_node = 8,
    .network =
        network_link{.bandwidth = {unit::bytes_per_second{100e9},
                                   "ai-dynamo/aiconfigurator @ 095f58a, systems/b300_sxm.yaml: inter_node_bw 100e9; "
                                   "AWS p6-b300.48xlarge: 6400 Gb/s per node of 8, aws/karpenter-provider-aws "
                                   "pkg/providers/instancetype/zz_generated.bandwidth.go @ 01a436f"},
                     .efficiency = detail::ib_efficiency,
                     .latency = detail::ib_latency},
};

}  // namespace shardplan::device::catalogue
