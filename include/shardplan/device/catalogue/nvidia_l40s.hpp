#pragma once
#include <shardplan/device/catalogue/entry.hpp>
#include <shardplan/device/catalogue/shared.hpp>

namespace shardplan::device::catalogue {

/// NVIDIA L40S with 48 GB of GDDR6 (Ada).
inline constexpr entry<pcie_accelerator> l40s{
    .id = "l40s",
    .device =
        {"NVIDIA L40S",
         matrix_engine{
             .fp32 = {unit::flop_per_second{183e12}, "TF32; NVIDIA L40S datasheet, without sparsity, as quoted at "
                                                     "mullet.se/product.html?product_id=355414"},
             .fp16 = {unit::flop_per_second{362.05e12},
                      "NVIDIA L40S datasheet, without sparsity, as quoted at mullet.se/product.html?product_id=355414"},
             .bf16 = {unit::flop_per_second{362.05e12},
                      "NVIDIA L40S datasheet, without sparsity, as quoted at mullet.se/product.html?product_id=355414"},
             .fp8 = {unit::flop_per_second{733e12},
                     "NVIDIA L40S datasheet, without sparsity, as quoted at mullet.se/product.html?product_id=355414"},
             .matmul_efficiency = {0.53, "median 0.574 of 362 TFLOP/s over 100 bf16 matmuls with all sides from 4096 "
                                         "in ai-dynamo/aiconfigurator @ 095f58a, systems/data/l40s/gemm/VLLM 0.24.0, "
                                         "times 0.915, the H100's sustained over short-loop share (0.70 / 0.765)"},
             .attention_efficiency = {0.35, "no measurement of its own: A100's ratio of attention to matrix "
                                            "multiplication (0.51 / 0.78) times this device's matmul_efficiency"}},
         vector_engine{
             .fp32 =
                 {unit::flop_per_second{91.6e12},
                  "NVIDIA L40S datasheet, without sparsity, as quoted at mullet.se/product.html?product_id=355414"}},
         device_memory{
             .capacity = {unit::bytes{46068 * unit::mebi},
                          "nvidia-smi: 46068MiB, modal-labs/modal-client pull request #2797"},
             .bandwidth =
                 {unit::bytes_per_second{864e9},
                  "NVIDIA L40S datasheet, without sparsity, as quoted at mullet.se/product.html?product_id=355414"},
             .efficiency = {0.80, "no STREAM measurement found; ai-dynamo/aiconfigurator @ 095f58a, systems/l40s.yaml, "
                                  "mem_bw_empirical_scaling_factor"}},
         host_link{.bandwidth = detail::pcie_4_x16,
                   .efficiency =
                       {0.16,
                        "ai-dynamo/aiconfigurator @ 095f58a, systems/data/l40s/comm/nccl/2.27.3: all_reduce of 537 MB "
                        "(2^28 fp16) on 4 ranks, bus bandwidth 5.16 of 31.5 GB/s; 2 ranks reach 20.1, 8 ranks 1.4"},
                   .latency = detail::pcie_latency}},
    .devices_per_node = 8,
    .network = network_link{.bandwidth = {unit::bytes_per_second{6.25e9},
                                          "AWS g6e.48xlarge: 400 Gb/s per node of 8, aws/karpenter-provider-aws "
                                          "pkg/providers/instancetype/zz_generated.bandwidth.go @ 01a436f"},
                            .efficiency = detail::efa_efficiency,
                            .latency = detail::efa_latency},
};

}  // namespace shardplan::device::catalogue
