#pragma once
#include <shardplan/device/catalogue/entry.hpp>
#include <shardplan/device/catalogue/shared.hpp>

namespace shardplan::device::catalogue {

/// NVIDIA H100 SXM5 with 96 GB of HBM2e and a 500 W limit (Hopper), as in Meta's Grand Teton nodes that torchtitan's
/// benchmarks ran on. Its peak lies between H100 SXM and H100 NVL (footnote there); the SXM peak stands here.
inline constexpr entry<linked_accelerator> h100_sxm_96gb{
    .id = "h100-sxm-96gb",
    .device =
        {"NVIDIA H100 SXM5 96 GB HBM2e, 500 W",
         matrix_engine{
             .fp32 = {unit::flop_per_second{494.7e12},
                      "TF32; NVIDIA H100 Tensor Core GPU Architecture whitepaper, H100 SXM5, without sparsity, as "
                      "quoted at glennklockwood.com/garden/processors/h100; an upper bound for this 500 W variant"},
             .fp16 = {unit::flop_per_second{989.4e12},
                      "NVIDIA H100 Tensor Core GPU Architecture whitepaper, H100 SXM5, without sparsity, as quoted at "
                      "glennklockwood.com/garden/processors/h100; an upper bound for this 500 W variant"},
             .bf16 = {unit::flop_per_second{989.4e12},
                      "NVIDIA H100 Tensor Core GPU Architecture whitepaper, H100 SXM5, without sparsity, as quoted at "
                      "glennklockwood.com/garden/processors/h100; an upper bound for this 500 W variant"},
             .fp8 = {unit::flop_per_second{1978.9e12},
                     "NVIDIA H100 Tensor Core GPU Architecture whitepaper, H100 SXM5, without sparsity, as quoted at "
                     "glennklockwood.com/garden/processors/h100; an upper bound for this 500 W variant"},
             .matmul_efficiency =
                 {0.65,
                  "low end of the range fitted for H100 SXM (0.65-0.75), because pytorch/torchtitan "
                  "benchmarks/llama3_h100_202412_torchtitan.md @ 31a17bf puts the peak of this variant below SXM's"},
             .attention_efficiency =
                 {0.31, "no measurement of its own: value of the H100 SXM (327.9 TFLOP/s) times 0.65 / 0.70"}},
         vector_engine{
             .fp32 = {unit::flop_per_second{66.9e12},
                      "NVIDIA H100 Tensor Core GPU Architecture whitepaper, H100 SXM5, without sparsity, as quoted at "
                      "glennklockwood.com/garden/processors/h100; an upper bound for this 500 W variant"}},
         device_memory{
             .capacity = {unit::bytes{95 * unit::gibi}, "about 95 GiB visible of 96 GB in torchtitan's runs on this "
                                                        "variant; not re-checked: typed from memory"},
             .bandwidth = {unit::bytes_per_second{2400e9},
                           "pytorch/torchtitan benchmarks/llama3_h100_202412_torchtitan.md @ 31a17bf: 96GB HBM2e with "
                           "2.4 TB/sec"},
             .efficiency = {0.89, "no measurement of its own: value of the H100 SXM (BabelStream Triad 2.97 of 3.35 "
                                  "TB/s, Azure/AI-benchmarking-guide Azure Results/ND_H100_v5_results.md @ f350e7e)"}},
         scale_up_link{
             .bandwidth = detail::nvlink_4,
             .efficiency =
                 {0.78, "no measurement of its own: value of the H100 SXM (ai-dynamo/aiconfigurator @ 095f58a, "
                        "systems/data/h100_sxm/comm/nccl/2.29.2: all_reduce of 537 MB (2^28 fp16) on 4 ranks, bus "
                        "bandwidth 350.2 of 450 GB/s, without in-switch reduction (NCCL takes that above 4 ranks))"},
             .latency = {unit::seconds{2.6e-6},
                         "no measurement of its own: value of the H100 SXM (ai-dynamo/aiconfigurator @ 095f58a, "
                         "systems/data/h100_sxm/comm/nccl/2.29.2: all_reduce of 512 B on 8 ranks takes 15.59 us = 2 "
                         "log2(8) steps)"}},
         host_link{.bandwidth = detail::pcie_5_x16,
                   .efficiency = {0.81, "no measurement of its own: value of the H100 SXM (host to device 51 GB/s, "
                                        "Azure/AI-benchmarking-guide Azure Results/ND_H100_v5_results.md @ f350e7e)"},
                   .latency = detail::host_latency}},
    .devices_per_node = 8,
    .network = network_link{.bandwidth = {unit::bytes_per_second{50e9},
                                          "pytorch/torchtitan benchmarks/llama3_h100_202412_torchtitan.md @ 31a17bf: "
                                          "RDMA network with 400 Gb/s per GPU"},
                            .efficiency = detail::ib_efficiency,
                            .latency = detail::ib_latency},
};

}  // namespace shardplan::device::catalogue
