#pragma once
#include <shardplan/device/catalogue/entry.hpp>
#include <shardplan/device/catalogue/shared.hpp>

namespace shardplan::device::catalogue {

/// NVIDIA L4 with 24 GB of GDDR6 (Ada), a 72 W card.
inline constexpr entry<pcie_accelerator> l4{
    .id = "l4",
    .device =
        {"NVIDIA L4",
         matrix_engine{
             .fp32 = {unit::flop_per_second{60e12}, "TF32, half of 120 with sparsity in the NVIDIA L4 datasheet, as "
                                                    "quoted at store.sourcecode.com/en-us/bg-bucket-compare/125/9820"},
             .fp16 = {unit::flop_per_second{121e12}, "NVIDIA L4 datasheet, half of the rate printed with sparsity, as "
                                                     "quoted at grokipedia.com/page/NVIDIA_L4_vs_L40S"},
             .bf16 = {unit::flop_per_second{121e12},
                      "the fp16 rate; NVIDIA L4 datasheet, half of the rate printed with sparsity, as quoted at "
                      "grokipedia.com/page/NVIDIA_L4_vs_L40S"},
             .fp8 = {unit::flop_per_second{242.5e12}, "NVIDIA L4 datasheet, half of the rate printed with sparsity, as "
                                                      "quoted at grokipedia.com/page/NVIDIA_L4_vs_L40S"},
             .matmul_efficiency = {0.53,
                                   "no measurement of its own: value of the L40S (median 0.574 of 362 TFLOP/s over 100 "
                                   "bf16 matmuls with all sides from 4096 in ai-dynamo/aiconfigurator @ 095f58a, "
                                   "systems/data/l40s/gemm/VLLM 0.24.0, times 0.915, the H100's sustained over "
                                   "short-loop share (0.70 / 0.765)); the 72 W limit may hold it lower"},
             .attention_efficiency = {0.35, "no measurement of its own: A100's ratio of attention to matrix "
                                            "multiplication (0.51 / 0.78) times this device's matmul_efficiency"}},
         vector_engine{.fp32 = {unit::flop_per_second{30.3e12},
                                "NVIDIA L4 datasheet: 30.3 TFLOP/s; 30.29 at "
                                "fpsbench.com/compare/gpu/nvidia-l4-vs-nvidia-tesla-m40"}},
         device_memory{
             .capacity = {unit::bytes{23034 * unit::mebi},
                          "nvidia-smi: 23034MiB, modal-labs/modal-client pull request #2797"},
             .bandwidth =
                 {unit::bytes_per_second{300e9},
                  "NVIDIA L4 datasheet: 300 GB/s, as quoted at store.sourcecode.com/en-us/bg-bucket-compare/125/9820"},
             .efficiency = {0.80, "no measurement of its own: value of the L40S, also GDDR6"}},
         host_link{.bandwidth = detail::pcie_4_x16,
                   .efficiency = {0.16,
                                  "Dazz993/Mist benchmark/superscaler/results-ref/profiled-time-mist-all-l4 @ d69e530: "
                                  "all_reduce of 2208 MiB on 8 ranks in 811.9 ms, bus bandwidth 4.99 of 31.5 GB/s"},
                   .latency = detail::pcie_latency}},
    .devices_per_node = 8,
    .network = network_link{.bandwidth = {unit::bytes_per_second{1.5625e9},
                                          "AWS g6.48xlarge: 100 Gb/s per node of 8, aws/karpenter-provider-aws "
                                          "pkg/providers/instancetype/zz_generated.bandwidth.go @ 01a436f"},
                            .efficiency = detail::efa_efficiency,
                            .latency = detail::efa_latency},
};

}  // namespace shardplan::device::catalogue
