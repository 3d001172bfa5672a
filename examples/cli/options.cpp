#include "options.hpp"

#include <CLI/CLI.hpp>

namespace command_line {

using namespace shardplan;

namespace {

/// The value that a name stands for, or an error that lists the names.
template <class Value, std::size_t Count>
Value named(const char* option, std::string const& name, std::pair<const char*, Value> const (&values)[Count]) {
  std::string known;
  for (auto const& [each, value] : values) {
    if (name == each)
      return value;
    known += (known.empty() ? "" : ", ") + std::string(each);
  }
  throw usage_error{std::string(option) + " is \"" + name + "\"; it must be one of " + known};
}

}  // namespace

void add_job_options(CLI::App& command, job_options& options) {
  command
      .add_option("--model", options.model,
                  "Hugging Face config.json, a folder that holds one, or a shardplan decoder file")
      ->required();
  command
      .add_option(
          "--cluster", options.cluster,
          "NODESxDEVICES:DEVICE[:NETWORK], such as 8x8:h100-sxm, or a cluster file (.json); `shardplan devices` "
          "lists names")
      ->required();
  command.add_option("--global-batch", options.global_batch, "sequences in a training step, all replicas together")
      ->required();
  command.add_option("--seq", options.sequence_length, "sequence length in tokens")->required();
  command.add_option("--precision", options.precision, "bf16, fp16, fp32 or fp8 (matrix products)")
      ->capture_default_str();
  command
      .add_option("--policy", options.policy,
                  "byte policy: megatron (Megatron-LM with distributed optimizer), fsdp (PyTorch FSDP2, torchtitan), "
                  "mixed (ZeRO paper, DeepSpeed)")
      ->capture_default_str();
  command.add_option("--kernel", options.kernel, "attention kernel: flash or plain")->capture_default_str();
  command
      .add_option("--reserve-gib", options.reserve_gib,
                  "device memory kept free for context, communication library and fragmentation, GiB")
      ->capture_default_str();
  command.add_option("--matmul-efficiency", options.matmul_efficiency,
                     "share of the peak that matrix products reach (default: catalogue)");
  command.add_option("--attention-efficiency", options.attention_efficiency,
                     "share of the peak that fused attention reaches (default: catalogue)");
  command.add_option("--launch-us", options.launch_us, "host time to launch one operation, microseconds")
      ->capture_default_str();
  command.add_option("--weight-bytes", options.weight_bytes, "bytes of a stored weight (default: policy)");
  command.add_option("--gradient-bytes", options.gradient_bytes, "bytes of a stored gradient (default: policy)");
  command.add_option("--optimizer-bytes", options.optimizer_bytes,
                     "bytes of optimizer states and master weight per parameter (default: policy)");
  command.add_option("--logit-bytes", options.logit_bytes,
                     "bytes alive per logit at the loss: about 6 fused, 14 plain (default: policy)");
  command
      .add_option("--flops", options.flop_convention,
                  "how MFU counts FLOP: matrix-products, causal, all-parameters (6N + 12Lhs)")
      ->capture_default_str();
  command.add_flag("--no-overlap", options.no_overlap, "data-parallel communication does not run beside computation");
  command.add_flag("--tensor-across-nodes", options.tensor_across_nodes,
                   "allow tensor-parallel groups that span nodes");
  command.add_flag("--json", options.json, "print one JSON object (docs/reference/output.schema.json)");
  command.add_option("--explain", options.explain,
                     "print the formula of a term, and the formula with its values; \"list\" lists the terms");
}

planner::recomputation recomputation_named(std::string const& name) {
  using planner::recomputation;
  constexpr std::pair<const char*, recomputation> known[]{{"none", recomputation::none},
                                                          {"selective", recomputation::selective},
                                                          {"operators", recomputation::operators},
                                                          {"full", recomputation::full}};
  return named("--recompute", name, known);
}

job understand(job_options const& options) {
  auto const in_range = [](const char* option, double value, double least, double most) {
    if (!(value >= least && value <= most))
      throw usage_error{std::string(option) + " is " + unit::number_text(value) + "; it must be from " +
                        unit::number_text(least) + " to " + unit::number_text(most)};
  };
  in_range("--global-batch", static_cast<double>(options.global_batch), 1, 1e9);
  in_range("--seq", static_cast<double>(options.sequence_length), 1, 1e9);
  in_range("--reserve-gib", options.reserve_gib, 0, 1e4);
  in_range("--launch-us", options.launch_us, 0, 1e6);
  auto const share = [&](const char* option, double value) {
    if (value != 0)
      in_range(option, value, 1e-6, 1);
  };
  share("--matmul-efficiency", options.matmul_efficiency);
  share("--attention-efficiency", options.attention_efficiency);

  using device::number_format;
  constexpr std::pair<const char*, number_format> formats[]{{"bf16", number_format::bf16},
                                                            {"fp16", number_format::fp16},
                                                            {"fp32", number_format::fp32},
                                                            {"fp8", number_format::fp8}};
  constexpr std::pair<const char*, cost::byte_policy> policies[]{
      {"megatron", cost::policies::megatron}, {"fsdp", cost::policies::fsdp}, {"mixed", cost::policies::mixed}};
  using planner::attention_kernel;
  constexpr std::pair<const char*, attention_kernel> kernels[]{{"flash", attention_kernel::flash},
                                                               {"plain", attention_kernel::plain}};
  using planner::flop_convention;
  constexpr std::pair<const char*, flop_convention> conventions[]{{"matrix-products", flop_convention::matrix_products},
                                                                  {"causal", flop_convention::causal},
                                                                  {"all-parameters", flop_convention::all_parameters}};

  planner::workload const workload{.sequence_length = static_cast<double>(options.sequence_length),
                                   .global_batch = options.global_batch,
                                   .precision = named("--precision", options.precision, formats)};
  planner::assumptions assumed;
  assumed.policy = named("--policy", options.policy, policies);
  auto const replace = [&](const char* option, double value, double& target) {
    if (value == 0)
      return;
    in_range(option, value, 0.125, 64);
    target = value;
  };
  replace("--weight-bytes", options.weight_bytes, assumed.policy.weights.bytes);
  replace("--gradient-bytes", options.gradient_bytes, assumed.policy.gradients.bytes);
  replace("--optimizer-bytes", options.optimizer_bytes, assumed.policy.optimizer.bytes);
  replace("--logit-bytes", options.logit_bytes, assumed.policy.logit);
  assumed.reserve = unit::bytes{options.reserve_gib * unit::gibi};
  assumed.operation_launch_time = unit::seconds{options.launch_us * 1e-6};
  assumed.overlap_data_parallel = !options.no_overlap;
  assumed.tensor_across_nodes = options.tensor_across_nodes;
  assumed.flops = named("--flops", options.flop_convention, conventions);
  assumed.matmul_efficiency = options.matmul_efficiency;
  assumed.attention_efficiency = options.attention_efficiency;

  return {io::read_model(options.model),
          io::read_cluster(options.cluster),
          workload,
          assumed,
          named("--kernel", options.kernel, kernels),
          planner::block_registry::standard()};
}

}  // namespace command_line
