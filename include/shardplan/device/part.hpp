#pragma once
#include <shardplan/device/figure.hpp>
#include <shardplan/unit/quantity.hpp>

/// The parts that a device can have. A device's type lists its parts, so a cost term that asks for a part that the
/// device lacks does not compile.
namespace shardplan::device {

/// The matrix engine (tensor cores): dense peak rates per number format, without structured sparsity, accumulating in
/// fp32, and the share of them that training kernels reach.
struct matrix_engine {
  static constexpr const char* name = "matrix_engine";
  figure<unit::flop_per_second> fp32;  ///< fp32 storage; TF32 where the device has it
  figure<unit::flop_per_second> fp16;
  figure<unit::flop_per_second> bf16;
  figure<unit::flop_per_second> fp8;
  /// Share of the peak that large matrix multiplications reach in training.
  figure<double> matmul_efficiency;
  /// Share of the peak that a fused (flash) attention kernel reaches, counting only the pairs that a causal mask
  /// leaves.
  figure<double> attention_efficiency;
};

/// The vector engine: rate of plain fp32 arithmetic.
struct vector_engine {
  static constexpr const char* name = "vector_engine";
  figure<unit::flop_per_second> fp32;
};

/// The memory on the device.
struct device_memory {
  static constexpr const char* name = "device_memory";
  figure<unit::bytes> capacity;
  figure<unit::bytes_per_second> bandwidth;
  /// Share of the bandwidth that streaming kernels reach.
  figure<double> efficiency;
};

/// A link between the devices of one node that is made for them: NVLink with switch, xGMI. One direction, per device.
struct scale_up_link {
  static constexpr const char* name = "scale_up_link";
  figure<unit::bytes_per_second> bandwidth;
  /// Share of the bandwidth that large collectives reach (bus bandwidth over link bandwidth).
  figure<double> efficiency;
  /// Time of one step of a collective with a vanishing message.
  figure<unit::seconds> latency;
};

/// The link to the host, usually PCIe. Devices without a scale-up link talk to each other over it. One direction.
struct host_link {
  static constexpr const char* name = "host_link";
  figure<unit::bytes_per_second> bandwidth;
  figure<double> efficiency;
  figure<unit::seconds> latency;
};

/// The network between nodes, as one device sees it: the node's bandwidth divided by its devices. One direction.
struct network_link {
  static constexpr const char* name = "network_link";
  figure<unit::bytes_per_second> bandwidth;
  figure<double> efficiency;
  figure<unit::seconds> latency;
};

}  // namespace shardplan::device
