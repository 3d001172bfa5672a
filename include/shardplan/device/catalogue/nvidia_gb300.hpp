#pragma once
#include <shardplan/device/catalogue/entry.hpp>
#include <shardplan/device/catalogue/shared.hpp>

namespace shardplan::device::catalogue {

/// NVIDIA GB300 with 279 GB of HBM3e per GPU (Grace Blackwell Ultra).
/// One of the 72 GPUs of an NVL72 rack. devices_per_node is the NVLink domain, 72, not the 4 GPUs of a compute tray;
/// the link figures were measured on the 4 of one tray.
inline constexpr entry<linked_accelerator> gb300{
    .id = "gb300",
    .device =
        {"NVIDIA GB300 279 GB",
         matrix_engine{
             .fp32 = {unit::flop_per_second{1250e12},
                      "TF32; NVIDIA Blackwell datasheet, without sparsity, as quoted at "
                      "verda.com/blog/gb300-nvl72-architecture, table of per-GPU specifications"},
             .fp16 = {unit::flop_per_second{2500e12},
                      "NVIDIA Blackwell datasheet, without sparsity, as quoted at "
                      "verda.com/blog/gb300-nvl72-architecture, table of per-GPU specifications"},
             .bf16 = {unit::flop_per_second{2500e12},
                      "NVIDIA Blackwell datasheet, without sparsity, as quoted at "
                      "verda.com/blog/gb300-nvl72-architecture, table of per-GPU specifications"},
             .fp8 = {unit::flop_per_second{5000e12},
                     "NVIDIA Blackwell datasheet, without sparsity, as quoted at "
                     "verda.com/blog/gb300-nvl72-architecture, table of per-GPU specifications"},
             .matmul_efficiency = {0.70, "median 0.765 of 2500 TFLOP/s over 100 bf16 matmuls with all sides from 4096 "
                                         "in ai-dynamo/aiconfigurator @ 095f58a, systems/data/gb300/gemm/VLLM 0.24.0, "
                                         "times 0.915, the H100's sustained over short-loop share (0.70 / 0.765)"},
             .attention_efficiency = {0.38, "no measurement of its own: value of the B200 (MooreThreads/SimuMax "
                                            "configs/system/b200_bf16_ceperm.json, sdp_fwd and sdp_bwd at s 4096, 32 "
                                            "heads, 8 kv heads of 128: 0.722 and 0.787 of 2250 TFLOP/s, halved for the "
                                            "causal mask, forward and backward together (0.53 at s 32768, 16 heads))"}},
         vector_engine{.fp32 = {unit::flop_per_second{80e12},
                                "NVIDIA Blackwell datasheet, without sparsity, as quoted at "
                                "verda.com/blog/gb300-nvl72-architecture, table of per-GPU specifications"}},
         device_memory{.capacity = {unit::bytes{298013687808.0},
                                    "ai-dynamo/aiconfigurator @ 095f58a, systems/gb300.yaml: "
                                    "298013687808 bytes, the 284208MiB that nvidia-smi prints"},
                       .bandwidth = {unit::bytes_per_second{8000e9},
                                     "NVIDIA Blackwell datasheet, without sparsity, as quoted at "
                                     "verda.com/blog/gb300-nvl72-architecture, table of per-GPU specifications"},
                       .efficiency = {0.80, "no STREAM measurement found; ai-dynamo/aiconfigurator @ 095f58a, "
                                            "systems/gb300.yaml, mem_bw_empirical_scaling_factor"}},
         scale_up_link{
             .bandwidth = detail::nvlink_5,
             .efficiency = {0.71, "ai-dynamo/aiconfigurator @ 095f58a, systems/data/gb300/comm/nccl/2.29.2: all_reduce "
                                  "of 537 MB (2^28 fp16) on 4 ranks, bus bandwidth 634.9 of 900 GB/s"},
             .latency = {unit::seconds{3.8e-6},
                         "ai-dynamo/aiconfigurator @ 095f58a, systems/data/gb300/comm/nccl/2.29.2: all_reduce of 512 B "
                         "on 4 ranks takes 15.09 us = 2 log2(4) steps"}},
         host_link{.bandwidth = detail::c2c_grace_blackwell,
                   .efficiency = {0.89, "no measurement of its own: value of the GB200 (201 of 225 GB/s, "
                                        "Azure/AI-benchmarking-guide Azure_Results/ND_GB200_v6_results.md @ 2a370be)"},
                   .latency = detail::host_latency}},
    .devices_per_node = 72,
    .network =
        network_link{.bandwidth = {unit::bytes_per_second{100e9},
                                   "one 800 Gb/s ConnectX-8 per GPU of the NVL72; not re-checked: typed from memory"},
                     .efficiency = detail::ib_efficiency,
                     .latency = detail::ib_latency},
};

}  // namespace shardplan::device::catalogue
