#include "table.hpp"

#include <algorithm>

#include <fmt/core.h>

namespace command_line {

std::string table::text() const {
  std::vector<std::size_t> widths(rows_.front().size(), 0);
  for (auto const& row : rows_)
    for (std::size_t column = 0; column < row.size(); ++column)
      widths[column] = std::max(widths[column], row[column].size());
  std::string result;
  for (auto const& row : rows_) {
    std::string line;
    for (std::size_t column = 0; column < row.size(); ++column) {
      bool const left = std::find(left_.begin(), left_.end(), column) != left_.end();
      line += left ? fmt::format("  {:<{}}", row[column], widths[column])
                   : fmt::format("  {:>{}}", row[column], widths[column]);
    }
    line.erase(line.find_last_not_of(' ') + 1);
    result += line + "\n";
  }
  return result;
}

}  // namespace command_line
