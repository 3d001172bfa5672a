#pragma once
#include <shardplan/cost/byte_policy.hpp>
#include <shardplan/device/cluster.hpp>

/// What a user asks for and what a plan says, as values.
namespace shardplan::planner {

/// The training job apart from the model.
struct workload {
  double sequence_length = 0;
  /// Sequences in a step, all replicas together.
  long long global_batch = 0;
  device::number_format precision = device::number_format::bf16;
};

/// Which activations are recomputed in the backward pass, see strategy/recompute.hpp.
enum class recomputation { none, selective, operators, full };

inline constexpr recomputation all_recomputations[] = {recomputation::none, recomputation::selective,
                                                       recomputation::operators, recomputation::full};

/// The attention kernel, see model/decoder.hpp.
enum class attention_kernel { flash, plain };

constexpr const char* name_of(recomputation value) {
  switch (value) {
  case recomputation::none:
    return "none";
  case recomputation::selective:
    return "selective";
  case recomputation::operators:
    return "operators";
  case recomputation::full:
    return "full";
  }
  return "";
}
constexpr const char* name_of(attention_kernel value) { return value == attention_kernel::flash ? "flash" : "plain"; }

/// A training plan: degrees, micro-batch and memory optimisations. tensor * pipeline * data is the device count.
struct plan {
  long long tensor = 1;
  long long pipeline = 1;
  long long data = 1;
  long long micro_batch = 1;
  bool sequence_parallel = false;
  int zero_stage = 0;
  recomputation recompute = recomputation::none;
  attention_kernel kernel = attention_kernel::flash;

  constexpr long long devices() const { return tensor * pipeline * data; }
  friend constexpr bool operator==(plan const&, plan const&) = default;
};

/// Micro-batches per step and replica, m = B / (d*b), where that is whole.
constexpr long long micro_batches(plan const& choice, workload const& job) {
  return job.global_batch / choice.data / choice.micro_batch;
}

/// How model FLOP are counted where MFU is reported.
enum class flop_convention {
  /// Matrix products of the forward and backward pass, attention without its causal mask but within its window
  /// (Narayanan et al. 2021; Korthikanti et al.
  /// 2022).
  matrix_products,
  /// As `matrix_products`, attention only where the causal mask leaves pairs.
  causal,
  /// 6 N + 12 L h s per token with N all parameters, embeddings included (Chowdhery et al. 2022, PaLM, appendix B).
  all_parameters
};

constexpr const char* name_of(flop_convention value) {
  switch (value) {
  case flop_convention::matrix_products:
    return "matrix-products";
  case flop_convention::causal:
    return "causal";
  case flop_convention::all_parameters:
    return "all-parameters";
  }
  return "";
}

/// What the planner assumes and a user can set. Printed with every result.
struct assumptions {
  cost::byte_policy policy = cost::policies::megatron;
  /// Device memory that the plan cannot use: context, communication library, fragmentation. Users report 1.5 to 6 GB.
  unit::bytes reserve{5 * unit::gibi};
  /// Peak over usable memory up to which a plan fits with headroom; from there to 1 it is tight.
  double tight_above = 0.9;
  /// Host time to launch one operation of the layer lists, forward or recomputed (a backward operation launches two).
  /// Fit: the fastest layer of vTrain's one-node runs with full recomputation takes 2.94 ms a micro-batch whatever its
  /// size, for 13 + 13 + 26 launches; see docs/explanation/flop_and_time.md.
  unit::seconds operation_launch_time{57e-6};
  bool overlap_data_parallel = true;
  bool tensor_across_nodes = false;
  flop_convention flops = flop_convention::matrix_products;
  /// Efficiencies that replace those of the catalogue; 0 keeps them.
  double matmul_efficiency = 0;
  double attention_efficiency = 0;
};

enum class verdict { fits, tight, no };

constexpr const char* name_of(verdict value) {
  switch (value) {
  case verdict::fits:
    return "fits";
  case verdict::tight:
    return "tight";
  case verdict::no:
    return "no";
  }
  return "";
}

}  // namespace shardplan::planner
