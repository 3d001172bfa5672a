#pragma once
#include <shardplan/device/catalogue/entry.hpp>
#include <shardplan/device/catalogue/shared.hpp>

namespace shardplan::device::catalogue {

/// NVIDIA V100 SXM2 with 32 GB of HBM2 (Volta): no bf16, no TF32, no fp8.
inline constexpr entry<linked_accelerator> v100_sxm_32gb{
    .id = "v100-sxm-32gb",
    .device =
        {"NVIDIA V100 SXM2 32 GB",
         matrix_engine{
             .fp32 = {unit::flop_per_second{15.7e12},
                      "no reduced fp32 mode in Volta's tensor cores: the vector engine's rate, NVIDIA V100 datasheet "
                      "(volta-v100-datasheet-update-us-1165301-r5), SXM2, as quoted in Lightning-AI/pytorch-lightning "
                      "src/lightning/fabric/utilities/throughput.py @ 0810121"},
             .fp16 = {unit::flop_per_second{125e12},
                      "NVIDIA V100 datasheet (volta-v100-datasheet-update-us-1165301-r5), SXM2, as quoted in "
                      "Lightning-AI/pytorch-lightning src/lightning/fabric/utilities/throughput.py @ 0810121"},
             .bf16 = {{}, "absent: Volta's tensor cores multiply fp16 only"},
             .fp8 = {{}, "absent: Volta's tensor cores multiply fp16 only"},
             .matmul_efficiency =
                 {0.63, "V100S fp16, best of square sizes, 88.92 of 130 TFLOP/s in zzc0721/torch-performance-test-data "
                        "database.md, times 0.915, the H100's sustained over short-loop share (0.70 / 0.765)"},
             .attention_efficiency = {0.26,
                                      "no measurement: FlashAttention-2 has no Volta kernels; 0.41 of "
                                      "matmul_efficiency, the ratio fitted to the A100 rows of mosaicml/llm-foundry "
                                      "scripts/train/benchmarking/README.md (older kernels: 0.32 / 0.78)"}},
         vector_engine{
             .fp32 = {unit::flop_per_second{15.7e12},
                      "NVIDIA V100 datasheet (volta-v100-datasheet-update-us-1165301-r5), SXM2, as quoted in "
                      "Lightning-AI/pytorch-lightning src/lightning/fabric/utilities/throughput.py @ 0810121"}},
         device_memory{
             .capacity = {unit::bytes{32480 * unit::mebi},
                          "nvidia-smi: 32480MiB (driver 418), godweiyang/GrabGPU issue #5"},
             .bandwidth = {unit::bytes_per_second{900e9},
                           "NVIDIA V100 datasheet: 900 GB/s; V100 PCIe with the same memory at io-tech.fi, NVIDIA "
                           "esitteli Tesla V100 PCI Express -kiihdyttimen"},
             .efficiency =
                 {0.83,
                  "no measurement of its own: value of the A100 SXM 80 GB (BabelStream Triad 1.70 of 2.039 TB/s)"}},
         scale_up_link{.bandwidth = detail::nvlink_2,
                       .efficiency = {0.89, "VIA-Research/vTrain trace/v100/AR_GPU8_1M_1024M_LUT @ f8dda84: all_reduce "
                                            "of 537 MB on 8 ranks, bus bandwidth 134.1 of 150 GB/s"},
                       .latency = {unit::seconds{3.8e-6},
                                   "no small messages measured on V100: value of the A100 (ai-dynamo/aiconfigurator @ "
                                   "095f58a, systems/data/a100_sxm/comm/nccl/2.27.3: all_reduce of 512 B on 8 ranks "
                                   "takes 22.57 us = 2 log2(8) steps)"}},
         host_link{.bandwidth = detail::pcie_3_x16,
                   .efficiency = {0.76, "12 GB/s into a V100, ZaidQureshi/bam issue #54, of 15.75 GB/s"},
                   .latency = detail::host_latency}},
    .devices_per_node = 8,
    .network = detail::dgx_1,
};

}  // namespace shardplan::device::catalogue
