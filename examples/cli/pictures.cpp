#include "pictures.hpp"

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <system_error>

#include <fmt/core.h>

#include <shardplan/io/trace_json.hpp>
#include <shardplan/schedule/svg_gantt.hpp>

#include "arguments.hpp"

namespace command_line {

using namespace shardplan;

namespace {

/// Into a file beside it first: who reads the name sees the old file or the whole new one.
void write_whole(char const* option, std::string const& name, std::string const& text) {
  std::string beside = name + ".part";
  for (int number = 1; std::filesystem::exists(beside); ++number)
    beside = name + ".part" + std::to_string(number);
  std::ofstream file(beside, std::ios::binary);
  file << text;
  file.close();
  std::error_code error;
  if (file)
    std::filesystem::rename(beside, name, error);
  if (!file || error) {
    std::filesystem::remove(beside, error);
    throw usage_error{fmt::format("{} is \"{}\", which cannot be written", option, name)};
  }
}

}  // namespace

void write_pictures(picture_options const& options, schedule::simulated_step const& step, std::string const& title,
                    bool seconds) {
  if (!options.trace.empty())
    write_whole("--trace", options.trace, io::trace_json(step, seconds ? 1.0 : 1e-3));
  if (!options.gantt.empty())
    write_whole("--gantt", options.gantt, schedule::svg_gantt(step, {.title = title, .time_unit = seconds ? "s" : ""}));
}

}  // namespace command_line
