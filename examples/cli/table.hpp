#pragma once
#include <string>
#include <vector>

/// Aligned tables: the first column left, the others right.
namespace command_line {

class table {
 public:
  explicit table(std::vector<std::string> head) { rows_.push_back(std::move(head)); }
  void add(std::vector<std::string> row) { rows_.push_back(std::move(row)); }
  /// Columns whose cells are words rather than numbers; aligned left.
  void left(std::size_t column) { left_.push_back(column); }
  std::string text() const;

 private:
  std::vector<std::vector<std::string>> rows_;
  std::vector<std::size_t> left_{0};
};

}  // namespace command_line
