#pragma once
#include <shardplan/device/catalogue/entry.hpp>
#include <shardplan/device/catalogue/shared.hpp>

namespace shardplan::device::catalogue {

/// NVIDIA GB200 with 186 GB of HBM3e per GPU (Grace Blackwell).
/// One of the 72 GPUs of an NVL72 rack. devices_per_node is the NVLink domain, 72, not the 4 GPUs of a compute tray;
/// the link figures were measured on the 4 of one tray.
inline constexpr entry<linked_accelerator> gb200{
    .id = "gb200",
    .device =
        {"NVIDIA GB200 186 GB",
         matrix_engine{
             .fp32 = {unit::flop_per_second{1250e12}, "TF32; glennklockwood.com/garden/processors/B200, GB200 at 1,200 "
                                                      "W, from NVIDIA's Blackwell architecture brief"},
             .fp16 = {unit::flop_per_second{2500e12}, "glennklockwood.com/garden/processors/B200, GB200 at 1,200 W, "
                                                      "from NVIDIA's Blackwell architecture brief"},
             .bf16 = {unit::flop_per_second{2500e12}, "glennklockwood.com/garden/processors/B200, GB200 at 1,200 W, "
                                                      "from NVIDIA's Blackwell architecture brief"},
             .fp8 = {unit::flop_per_second{5000e12}, "glennklockwood.com/garden/processors/B200, GB200 at 1,200 W, "
                                                     "from NVIDIA's Blackwell architecture brief"},
             .matmul_efficiency =
                 {0.62, "value of the B200; best shape 1822 TFLOP/s in stas00/ml-engineering @ 744d01e "
                        "compute/accelerator/README.md and sustained fp8 2877 of 5000 at 8192^3 in "
                        "Azure/AI-benchmarking-guide Azure_Results/ND_GB200_v6_results.md @ 2a370be bracket it"},
             .attention_efficiency = {0.38, "no measurement of its own: value of the B200 (MooreThreads/SimuMax "
                                            "configs/system/b200_bf16_ceperm.json, sdp_fwd and sdp_bwd at s 4096, 32 "
                                            "heads, 8 kv heads of 128: 0.722 and 0.787 of 2250 TFLOP/s, halved for the "
                                            "causal mask, forward and backward together (0.53 at s 32768, 16 heads))"}},
         vector_engine{
             .fp32 =
                 {unit::flop_per_second{80e12},
                  "stas00/ml-engineering @ 744d01e compute/accelerator/README.md (the architecture brief prints 90)"}},
         device_memory{
             .capacity = {unit::bytes{198674743296.0},
                          "ai-dynamo/aiconfigurator @ 095f58a, systems/gb200.yaml: 198674743296 bytes (189471 MiB)"},
             .bandwidth = {unit::bytes_per_second{8000e9},
                           "stas00/ml-engineering @ 744d01e compute/accelerator/README.md: 8 TB/s; "
                           "ai-dynamo/aiconfigurator @ 095f58a, systems/gb200.yaml"},
             .efficiency = {0.80, "no STREAM measurement found; ai-dynamo/aiconfigurator @ 095f58a, "
                                  "systems/gb200.yaml, mem_bw_empirical_scaling_factor"}},
         scale_up_link{
             .bandwidth = detail::nvlink_5,
             .efficiency = {0.70, "ai-dynamo/aiconfigurator @ 095f58a, systems/data/gb200/comm/nccl/2.29.2: all_reduce "
                                  "of 537 MB (2^28 fp16) on 4 ranks, bus bandwidth 628.1 of 900 GB/s"},
             .latency = {unit::seconds{3.9e-6},
                         "ai-dynamo/aiconfigurator @ 095f58a, systems/data/gb200/comm/nccl/2.29.2: all_reduce of 512 B "
                         "on 4 ranks takes 15.63 us = 2 log2(4) steps"}},
         host_link{.bandwidth = detail::c2c_grace_blackwell,
                   .efficiency = {0.89, "host to device 201 of 225 GB/s, Azure/AI-benchmarking-guide "
                                        "Azure_Results/ND_GB200_v6_results.md @ 2a370be"},
                   .latency = detail::host_latency}},
    .devices_per_node = 72,
    .network =
        network_link{.bandwidth = {unit::bytes_per_second{50e9},
                                   "one 400 Gb/s ConnectX-7 per GPU of the NVL72; not re-checked: typed from memory"},
                     .efficiency = detail::ib_efficiency,
                     .latency = detail::ib_latency},
};

}  // namespace shardplan::device::catalogue
