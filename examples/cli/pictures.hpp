#pragma once
#include <string>

#include <shardplan/schedule/simulated_step.hpp>

/// Pictures of a step, as files.
namespace command_line {

struct picture_options {
  /// Where to write; nothing is written for an empty name.
  std::string trace;
  std::string gantt;
};

/// Writes them whole or not at all. Times of the step are in seconds if `seconds`, else in units of the user's own.
void write_pictures(picture_options const& options, shardplan::schedule::simulated_step const& step,
                    std::string const& title, bool seconds);

}  // namespace command_line
