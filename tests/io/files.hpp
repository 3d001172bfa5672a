#pragma once
#include <filesystem>
#include <fstream>
#include <random>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include <shardplan/io/input_error.hpp>
#include <shardplan/io/named_model.hpp>

namespace test {

/// A folder of its own that goes with its content.
class temporary_folder {
 public:
  temporary_folder() : path_(std::filesystem::temp_directory_path() / ("shardplan-" + std::to_string(random()))) {
    std::filesystem::create_directories(path_);
  }
  temporary_folder(temporary_folder const&) = delete;
  temporary_folder& operator=(temporary_folder const&) = delete;
  ~temporary_folder() {
    std::error_code error;
    std::filesystem::remove_all(path_, error);
  }

  /// Writes a file and returns its path.
  std::string write(std::string const& name, std::string_view text) const {
    std::ofstream(path_ / name, std::ios::binary) << text;
    return (path_ / name).string();
  }
  std::string path() const { return path_.string(); }

 private:
  static unsigned long random() {
    static std::mt19937_64 generator{std::random_device{}()};
    return static_cast<unsigned long>(generator());
  }
  std::filesystem::path path_;
};

/// What the input error says that `call` throws; empty if it throws none.
template <class Call> std::string complaint(Call call) {
  try {
    call();
  } catch (shardplan::io::input_error const& error) {
    return error.what();
  }
  return "";
}

/// The message is one line and has all of these in it: file, key, value, what would be right.
inline void check_says(std::string const& message, std::vector<std::string> const& words) {
  INFO("message: ", message);
  CHECK(!message.empty());
  CHECK(message.find('\n') == std::string::npos);
  for (auto const& word : words) {
    INFO("expected in it: ", word);
    CHECK(message.find(word) != std::string::npos);
  }
}

/// Defined in one file only: the layers behind them take long to compile.
double parameters_of(shardplan::io::run_transformer const& model);
double active_parameters_of(shardplan::io::run_transformer const& model);

}  // namespace test
