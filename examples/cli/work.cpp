#include "work.hpp"

#include <utility>

#include <shardplan/io/cluster.hpp>
#include <shardplan/io/model_config.hpp>
#include <shardplan/unit/text.hpp>

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

model_file read_model_file(std::string const& path) {
  auto named = io::read_model(path);
  return {std::move(named.name), std::move(named.model), std::move(named.notes)};
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
  auto const share = [&](const char* option, std::optional<double> value) {
    if (value)
      in_range(option, *value, 1e-6, 1);
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
  if (workload.precision == number_format::fp32)
    assumed.policy = cost::in_fp32(assumed.policy);
  auto const replace = [&](const char* option, std::optional<double> value, double& target) {
    if (!value)
      return;
    in_range(option, *value, 0.125, 64);
    target = *value;
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
  assumed.matmul_efficiency = options.matmul_efficiency.value_or(0);
  assumed.attention_efficiency = options.attention_efficiency.value_or(0);

  auto model = read_model_file(options.model);
  auto const cluster = io::read_cluster(options.cluster);
  auto const& engine = cluster.cluster.device.matrix;
  if (!(device::peak_rate(engine, workload.precision).value > 0)) {
    std::string offered;
    for (auto const& [name, format] : formats)
      if (device::peak_rate(engine, format).value > 0)
        offered += (offered.empty() ? "" : ", ") + std::string(name);
    throw usage_error{"--precision is " + options.precision + ", for which " + cluster.cluster.device.name +
                      " has no matrix engine (rule number-format-supported); it must be one of " + offered};
  }
  std::vector<std::string> notes = std::move(model.notes);
  for (auto const& shape : model.model.shapes)
    if (shape.experts > 0) {
      notes.push_back(
          "experts: every data-parallel replica holds all of them, as expert parallelism is not planned yet");
      break;
    }
  notes.insert(notes.end(), cluster.notes.begin(), cluster.notes.end());
  return {std::move(model.name),
          std::move(model.model),
          cluster.cluster,
          cluster.strings,
          workload,
          assumed,
          named("--kernel", options.kernel, kernels),
          std::move(notes)};
}

}  // namespace command_line
