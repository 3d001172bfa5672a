#include <cstdio>
#include <exception>
#include <utility>

#include <CLI/CLI.hpp>
#include <fmt/core.h>

#include <shardplan/io/input_error.hpp>
#include <shardplan/version.hpp>

#include "commands.hpp"
#include "options.hpp"

/// The command-line planner. Exit status: 0 done, 1 nothing fits, 2 bad input.
int main(int argument_count, char** arguments) {
  CLI::App application{"shardplan plans distributed training: which plan is fastest, does it fit, and why"};
  application.name("shardplan");
  application.set_version_flag("--version", shardplan::version);
  application.require_subcommand(1);
  std::pair<const char*, std::unique_ptr<command_line::command>> const commands[]{
      {"plan", command_line::add_plan_command(application)},
      {"estimate", command_line::add_estimate_command(application)},
      {"model", command_line::add_model_command(application)},
      {"devices", command_line::add_devices_command(application)}};
  try {
    application.parse(argument_count, arguments);
    for (auto const& [name, command] : commands)
      if (application.got_subcommand(name))
        return command->run();
  } catch (CLI::ParseError const& error) {
    // Help and version arrive here too, with status 0.
    return application.exit(error) == 0 ? 0 : 2;
  } catch (command_line::usage_error const& error) {
    fmt::print(stderr, "error: {}\n", error.message);
  } catch (shardplan::io::input_error const& error) {
    fmt::print(stderr, "error: {}\n", error.what());
  } catch (std::exception const& error) {
    fmt::print(stderr, "error: {}\n", error.what());
  }
  return 2;
}
