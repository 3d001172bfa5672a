#pragma once
#include <shardplan/device/catalogue/entry.hpp>
#include <shardplan/device/catalogue/shared.hpp>

namespace shardplan::device::catalogue {

/// NVIDIA A10G (Ampere GA102), made for AWS G5 nodes. Its tensor peak is not the A10's 125 TFLOP/s.
inline constexpr entry<pcie_accelerator> a10g{
    .id = "a10g",
    .device =
        {"NVIDIA A10G",
         matrix_engine{
             .fp32 = {unit::flop_per_second{35e12}, "TF32, half of the fp16 rate; not re-checked: typed from memory"},
             .fp16 = {unit::flop_per_second{70e12},
                      "dense; cli99/llm-analysis llm_analysis/gpu_configs/a10g-pcie-24gb.json @ d841e40"},
             .bf16 = {unit::flop_per_second{70e12},
                      "dense; cli99/llm-analysis llm_analysis/gpu_configs/a10g-pcie-24gb.json @ d841e40"},
             .fp8 = {{}, "absent: Ampere's tensor cores have no fp8"},
             .matmul_efficiency = {0.78,
                                   "no measurement of its own: value of the A100, the same tensor core generation"},
             .attention_efficiency = {0.51,
                                      "no measurement of its own: value of the A100, the same tensor core generation"}},
         vector_engine{
             .fp32 = {unit::flop_per_second{31.2e12}, "A10's rate, not re-checked for the A10G: typed from memory"}},
         device_memory{
             .capacity = {unit::bytes{23028 * unit::mebi},
                          "nvidia-smi: 23028MiB, listed as A10 in modal-labs/modal-client pull request #2797"},
             .bandwidth = {unit::bytes_per_second{600e9},
                           "baseten.co/blog/nvidia-a10-vs-a10g-for-ml-model-inference: 600 GB/s for both"},
             .efficiency = {0.80, "no measurement of its own: value of the L40S, also GDDR6"}},
         host_link{
             .bandwidth = detail::pcie_4_x16,
             .efficiency = {0.06,
                            "Dazz993/Mist benchmark/superscaler/results-ref/profiled-time-mist-all-a10g @ d69e530: "
                            "all_reduce of 2048 MiB on 8 ranks in 1910.4 ms, bus bandwidth 1.97 of 31.5 GB/s"},
             .latency = detail::pcie_latency}},
    .devices_per_node = 8,
    .network = network_link{.bandwidth = {unit::bytes_per_second{1.5625e9},
                                          "AWS g5.48xlarge: 100 Gb/s per node of 8, aws/karpenter-provider-aws "
                                          "pkg/providers/instancetype/zz_generated.bandwidth.go @ 01a436f"},
                            .efficiency = detail::efa_efficiency,
                            .latency = detail::efa_latency},
};

}  // namespace shardplan::device::catalogue
