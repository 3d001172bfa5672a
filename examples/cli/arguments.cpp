#include "arguments.hpp"

#include <cstdio>
#include <string_view>

#include <CLI/CLI.hpp>
#include <fmt/core.h>

#include <shardplan/version.hpp>

namespace command_line {

namespace {

/// Whole numbers are decimal: the parsing library would read 0100 as octal and 0x4 as hexadecimal.
CLI::Validator const decimal{[](std::string& word) -> std::string {
                               std::string_view digits = word;
                               if (!digits.empty() && (digits[0] == '-' || digits[0] == '+'))
                                 digits.remove_prefix(1);
                               bool const plain = !digits.empty() && digits.size() <= 18 &&
                                                  digits.find_first_not_of("0123456789") == std::string_view::npos &&
                                                  (digits == "0" || digits[0] != '0');
                               return plain ? "" : "\"" + word + "\" must be a whole number in decimal digits";
                             },
                             "", "decimal"};

/// An option that takes one whole number, or a list of them.
template <class Value> CLI::Option* add_whole(CLI::App& command, const char* name, Value& value, const char* help) {
  return command.add_option(name, value, help)->check(decimal);
}

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
  add_whole(command, "--global-batch", options.global_batch, "sequences in a training step, all replicas together")
      ->required();
  add_whole(command, "--seq", options.sequence_length, "sequence length in tokens")->required();
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

void add_plan_options(CLI::App& command, plan_options& options) {
  add_job_options(command, options.job);
  add_whole(command, "--top", options.top, "how many plans to list")->capture_default_str();
  add_whole(command, "--tp", options.tensor, "restrict the tensor-parallel degree to these values")->delimiter(',');
  add_whole(command, "--pp", options.pipeline, "restrict the pipeline stages")->delimiter(',');
  add_whole(command, "--dp", options.data, "restrict the data-parallel degree")->delimiter(',');
  add_whole(command, "--micro-batch", options.micro_batch, "restrict the micro-batch")->delimiter(',');
  add_whole(command, "--zero", options.zero_stage, "restrict the ZeRO stage")->delimiter(',');
  command.add_option("--recompute", options.recompute, "restrict recomputation: none, selective, operators, full")
      ->delimiter(',');
  command.add_option("--sp", options.sequence_parallel, "restrict sequence parallelism: on or off");
  command.add_option("--trace", options.trace,
                     "simulate the best plan's step and write a trace for chrome://tracing or ui.perfetto.dev");
  command.add_option("--gantt", options.gantt, "simulate it and write a picture (SVG)");
}

void add_estimate_options(CLI::App& command, estimate_options& options) {
  add_job_options(command, options.job);
  add_whole(command, "--tp", options.tensor, "tensor-parallel degree (Megatron --tensor-model-parallel-size)")
      ->capture_default_str();
  add_whole(command, "--pp", options.pipeline, "pipeline stages (Megatron --pipeline-model-parallel-size)")
      ->capture_default_str();
  add_whole(command, "--dp", options.data, "data-parallel degree (default: devices / (tp * pp))");
  add_whole(command, "--micro-batch", options.micro_batch, "sequences in a micro-batch (Megatron --micro-batch-size)")
      ->capture_default_str();
  command.add_option(
      "--zero", options.zero_stage,
      "ZeRO stage 0 to 3 (default: what users of the policy's framework mean, see `docs/reference/command-line.md`)");
  command.add_flag("--sp", options.sequence_parallel, "Megatron sequence parallelism (--sequence-parallel)");
  command.add_option("--recompute", options.recompute, "none, selective, operators or full")->capture_default_str();
}

void add_model_options(CLI::App& command, model_options& options) {
  command
      .add_option("--model", options.model,
                  "Hugging Face config.json, a folder that holds one, or a shardplan decoder file")
      ->required();
  add_whole(command, "--seq", options.sequence_length,
            "sequence length at which FLOP are counted (default: 4096, or the patches of an image and one)");
  command.add_flag("--json", options.json, "print one JSON object (docs/reference/output.schema.json)");
}

void add_schedule_options(CLI::App& command, schedule_options& options) {
  command.add_option("--name", options.name, "the schedule, such as 1f1b; --compare lists them");
  add_whole(command, "--micro-batches", options.micro_batches, "micro-batches of a step")->required();
  add_whole(command, "--stages", options.stages, "pipeline stages (default: as many as there are times)");
  command.add_option("--forward", options.forward, "time of a forward pass on each stage, in any unit (default: 1)")
      ->delimiter(',');
  command.add_option("--backward", options.backward, "time of a backward pass (default: twice the forward pass)")
      ->delimiter(',');
  command
      .add_option("--weight-gradient", options.weight_gradient,
                  "the part of the backward pass that computes the gradient of the weights (default: half)")
      ->delimiter(',');
  command.add_option("--send", options.send, "time until the next stage has what a pass sends (default: 0)")
      ->delimiter(',');
  add_whole(command, "--virtual", options.virtual_stages, "virtual stages of a device, for schedules that have them")
      ->capture_default_str();
  add_whole(command, "--forwards", options.forwards, "forward passes before each backward pass, for nf1b")
      ->capture_default_str();
  command.add_flag("--compare", options.compare, "a table of all schedules");
  command.add_flag("--json", options.json, "print one JSON object (docs/reference/output.schema.json)");
  command.add_option("--trace", options.trace, "write a trace for chrome://tracing or ui.perfetto.dev (1 unit = 1 ms)");
  command.add_option("--gantt", options.gantt, "write a picture (SVG)");
}

void add_fidelity_options(CLI::App& command, fidelity_options& options) {
  command
      .add_option("--rows", options.rows,
                  "measured runs: a CSV file, or a folder of them (docs/reference/measured-rows.md)")
      ->required();
  command.add_flag("--json", options.json, "print one JSON object (docs/reference/output.schema.json)");
}

}  // namespace

arguments parse(int count, char** words) {
  arguments result;
  CLI::App application{"shardplan plans distributed training: which plan is fastest, does it fit, and why"};
  application.name("shardplan");
  application.set_version_flag("--version", shardplan::version);
  application.require_subcommand(1);
  auto& plan = *application.add_subcommand("plan", "The fastest plans that fit, and why others lose");
  auto& estimate = *application.add_subcommand("estimate", "Memory and step time of one plan");
  auto& model = *application.add_subcommand("model", "Parameters, FLOP and layers of a model");
  application.add_subcommand("devices", "The devices and networks that --cluster knows by name");
  auto& schedule = *application.add_subcommand("schedule", "What a pipeline schedule makes of stage times");
  auto& fidelity = *application.add_subcommand("fidelity", "Predictions beside published measurements");
  add_fidelity_options(fidelity, result.fidelity);
  add_schedule_options(schedule, result.schedule);
  add_plan_options(plan, result.plan);
  add_estimate_options(estimate, result.estimate);
  add_model_options(model, result.model);
  try {
    application.parse(count, words);
  } catch (CLI::ParseError const& error) {
    // Help and version arrive here too, with status 0.
    if (error.get_exit_code() == 0) {
      application.exit(error);
    } else {
      std::string message = error.what();
      if (count > 1 && words[1][0] != '-' && std::string_view(words[1]) != "plan" &&
          std::string_view(words[1]) != "estimate" && std::string_view(words[1]) != "model" &&
          std::string_view(words[1]) != "devices" && std::string_view(words[1]) != "schedule" &&
          std::string_view(words[1]) != "fidelity")
        message = fmt::format(
            "the command is \"{}\"; it must be one of plan, estimate, model, schedule, fidelity, devices", words[1]);
      for (char& letter : message)
        if (letter == '\n')
          letter = ' ';
      fmt::print(stderr, "error: {}\n", message);
      result.exit_status = 2;
    }
    return result;
  }
  using kind = arguments::command_kind;
  result.command = plan.parsed()       ? kind::plan
                   : estimate.parsed() ? kind::estimate
                   : model.parsed()    ? kind::model
                   : schedule.parsed() ? kind::schedule
                   : fidelity.parsed() ? kind::fidelity
                                       : kind::devices;
  return result;
}

}  // namespace command_line
