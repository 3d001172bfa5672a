#pragma once
#include <map>
#include <optional>
#include <string>
#include <vector>

/// Published measurements, as rows of CSV files with one header: docs/reference/measured-rows.md.
namespace command_line {

class measured_row {
 public:
  measured_row(std::string file, std::size_t line, std::map<std::string, std::string> fields)
      : file_(std::move(file)), line_(line), fields_(std::move(fields)) {}

  std::string const& file() const { return file_; }
  std::size_t line() const { return line_; }
  /// Empty where the source does not say.
  std::string const& text(std::string const& column) const { return fields_.at(column); }
  /// Throws `io::input_error` where the column holds something else than a number.
  std::optional<double> number(std::string const& column) const;
  std::optional<long long> whole(std::string const& column) const;
  std::optional<bool> flag(std::string const& column) const;

 private:
  [[noreturn]] void refuse(std::string const& column, std::string const& expected) const;

  std::string file_;
  std::size_t line_;
  std::map<std::string, std::string> fields_;
};

/// The rows of a file, or of all files *.csv in a folder that have the columns. Throws `io::input_error`.
std::vector<measured_row> read_measured_rows(std::string const& path);

}  // namespace command_line
