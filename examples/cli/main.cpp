#include <cstdio>
#include <exception>

#include <fmt/core.h>

#include "commands.hpp"

/// The command-line planner. Exit status: 0 done, 1 nothing fits, 2 bad input.
int main(int count, char** words) {
  using command_line::arguments;
  try {
    arguments const line = command_line::parse(count, words);
    switch (line.command) {
    case arguments::command_kind::plan:
      return command_line::run_plan(line.plan);
    case arguments::command_kind::estimate:
      return command_line::run_estimate(line.estimate);
    case arguments::command_kind::model:
      return command_line::run_model(line.model);
    case arguments::command_kind::devices:
      return command_line::run_devices();
    case arguments::command_kind::schedule:
      return command_line::run_schedule(line.schedule);
    case arguments::command_kind::fidelity:
      return command_line::run_fidelity(line.fidelity);
    case arguments::command_kind::none:
      return line.exit_status;
    }
  } catch (command_line::usage_error const& error) {
    fmt::print(stderr, "error: {}\n", error.message);
  } catch (std::exception const& error) {
    // What a file says wrong (io::input_error), above all.
    fmt::print(stderr, "error: {}\n", error.what());
  }
  return 2;
}
