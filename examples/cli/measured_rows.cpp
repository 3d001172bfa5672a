#include "measured_rows.hpp"

#include <algorithm>
#include <charconv>
#include <filesystem>

#include <csv.h>

#include <shardplan/io/input_error.hpp>
#include <shardplan/io/json_file.hpp>

namespace command_line {

using shardplan::io::input_error;

namespace {

/// What a row is understood by; a file may have more.
char const* const columns[] = {"source",
                               "model_name",
                               "layers",
                               "hidden",
                               "ffn",
                               "heads",
                               "kv_heads",
                               "vocab",
                               "seq_len",
                               "params",
                               "gpu",
                               "gpus",
                               "gpus_per_node",
                               "precision",
                               "framework",
                               "dp",
                               "tp",
                               "pp",
                               "vpp",
                               "cp",
                               "ep",
                               "sp",
                               "zero_stage",
                               "recompute",
                               "flash_attention",
                               "micro_batch",
                               "global_batch",
                               "step_time_s",
                               "peak_mem_gib",
                               "oom",
                               "kernel",
                               "schedule",
                               "stage_layers",
                               "stage_plan",
                               "moe",
                               "suspect",
                               "derived_step_time_s"};

/// Of these, the ones that hold numbers.
char const* const numbers[] = {"layers",       "hidden",
                               "ffn",          "heads",
                               "kv_heads",     "vocab",
                               "seq_len",      "params",
                               "gpus",         "gpus_per_node",
                               "dp",           "tp",
                               "pp",           "vpp",
                               "cp",           "ep",
                               "zero_stage",   "micro_batch",
                               "global_batch", "step_time_s",
                               "peak_mem_gib", "derived_step_time_s"};

struct csv_rows {
  std::vector<std::vector<std::string>> rows;
  std::vector<std::string> now;
};

/// libcsv's callbacks.
void end_of_field(void* text, std::size_t length, void* into) {
  static_cast<csv_rows*>(into)->now.emplace_back(static_cast<char const*>(text), length);
}
void end_of_row(int, void* into) {
  auto& rows = *static_cast<csv_rows*>(into);
  rows.rows.push_back(std::move(rows.now));
  rows.now.clear();
}

std::vector<std::vector<std::string>> parse(std::string const& path, std::string const& text) {
  csv_rows result;
  csv_parser parser;
  if (csv_init(&parser, CSV_STRICT | CSV_STRICT_FINI | CSV_APPEND_NULL) != 0)
    throw std::bad_alloc{};
  std::size_t const parsed = csv_parse(&parser, text.data(), text.size(), end_of_field, end_of_row, &result);
  bool const whole = parsed == text.size() && csv_fini(&parser, end_of_field, end_of_row, &result) == 0;
  csv_free(&parser);
  if (!whole)
    throw input_error::at(path, "row " + std::to_string(result.rows.size() + 1), "not CSV (a quote in the wrong place)",
                          "fields with commas between them, in \" where they hold a comma");
  return std::move(result.rows);
}

/// Empty where columns are missing.
std::vector<measured_row> rows_of(std::string const& path, std::string& missing) {
  auto const table = parse(path, shardplan::io::detail::read_whole(path));
  std::vector<measured_row> result;
  std::vector<std::string> const head = table.empty() ? std::vector<std::string>{} : table.front();
  for (char const* const column : columns)
    if (std::find(head.begin(), head.end(), column) == head.end()) {
      missing = column;
      return result;
    }
  for (std::size_t line = 1; line < table.size(); ++line) {
    if (table[line].size() != head.size())
      throw input_error::at(path, "row " + std::to_string(line + 1),
                            "of " + std::to_string(table[line].size()) + " fields",
                            "of " + std::to_string(head.size()) + ", as the header");
    std::map<std::string, std::string> fields;
    for (std::size_t index = 0; index < head.size(); ++index)
      fields[head[index]] = table[line][index];
    auto const& row = result.emplace_back(path, line + 1, std::move(fields));
    // A row that is not predicted must be readable, too.
    for (char const* const column : numbers)
      static_cast<void>(row.number(column));
    for (char const* const column : {"sp", "flash_attention", "oom"})
      static_cast<void>(row.flag(column));
  }
  return result;
}

}  // namespace

void measured_row::refuse(std::string const& column, std::string const& expected) const {
  throw input_error::at(file_, "column " + column + " of row " + std::to_string(line_), "\"" + text(column) + "\"",
                        expected + ", or empty");
}

std::optional<double> measured_row::number(std::string const& column) const {
  std::string const& written = text(column);
  if (written.empty())
    return std::nullopt;
  double value = 0;
  auto const [end, error] = std::from_chars(written.data(), written.data() + written.size(), value);
  if (error != std::errc{} || end != written.data() + written.size() || !(value >= 0 && value < 1e300))
    refuse(column, "a number of at least 0");
  return value;
}
std::optional<long long> measured_row::whole(std::string const& column) const {
  auto const value = number(column);
  if (!value)
    return std::nullopt;
  if (!(*value < 9e15) || *value != static_cast<double>(static_cast<long long>(*value)))
    refuse(column, "a whole number");
  return static_cast<long long>(*value);
}
std::optional<bool> measured_row::flag(std::string const& column) const {
  std::string const& written = text(column);
  if (written.empty())
    return std::nullopt;
  if (written != "true" && written != "false")
    refuse(column, "true or false");
  return written == "true";
}

std::vector<measured_row> read_measured_rows(std::string const& path) {
  namespace fs = std::filesystem;
  std::string missing;
  if (!fs::is_directory(path)) {
    auto result = rows_of(path, missing);
    if (!missing.empty())
      throw input_error::at(path, "the header", "without the column " + missing,
                            "as docs/reference/measured-rows.md describes");
    return result;
  }
  std::vector<fs::path> files;
  for (auto const& each : fs::directory_iterator(path))
    if (each.path().extension() == ".csv")
      files.push_back(each.path());
  std::sort(files.begin(), files.end());
  std::vector<measured_row> result;
  for (auto const& file : files)
    for (auto& row : rows_of(file.string(), missing))
      result.push_back(std::move(row));
  if (result.empty())
    throw input_error::at(path, "the folder", "without measured rows",
                          "one that holds files *.csv as docs/reference/measured-rows.md describes");
  return result;
}

}  // namespace command_line
