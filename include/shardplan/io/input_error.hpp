#pragma once
#include <stdexcept>
#include <string>
#include <utility>

namespace shardplan::io {

/// Malformed input, the one exception that this library throws. `what()` is one line that says which file, where in it,
/// what stands there and what would be right:
/// `config.json: key "num_attention_heads" is -4; it must be a whole number from 1 to 1e9`.
class input_error : public std::runtime_error {
 public:
  /// The value of a key. `value` is what the file says as JSON, or "missing"; `expected` completes "it must be ...".
  input_error(std::string file, std::string key, std::string value, std::string expected)
      : input_error(std::move(file), "key \"" + key + "\"", key, std::move(value), std::move(expected)) {}

  /// Something that is no key: the file as a whole ("the file"), a place in it ("line 3, column 5"), a part of a text
  /// given on a command line ("the device").
  static input_error at(std::string file, std::string const& place, std::string value, std::string expected) {
    return {std::move(file), place, "", std::move(value), std::move(expected)};
  }

  /// The file as it was given, or the text that was read instead of a file.
  std::string const& file() const noexcept { return file_; }
  /// The key, with the keys of the objects around it before it ("device.memory.capacity_gib"); empty where the error is
  /// not in the value of a key.
  std::string const& key() const noexcept { return key_; }
  /// What stands there.
  std::string const& value() const noexcept { return value_; }
  /// What would be right.
  std::string const& expected() const noexcept { return expected_; }

 private:
  input_error(std::string file, std::string const& place, std::string key, std::string value, std::string expected)
      : std::runtime_error(on_one_line(file + ": " + place + " is " + value + "; it must be " + expected)),
        file_(std::move(file)), key_(std::move(key)), value_(std::move(value)), expected_(std::move(expected)) {}

  /// Names of files and keys may hold anything.
  static std::string on_one_line(std::string text) {
    for (char& letter : text)
      if (static_cast<unsigned char>(letter) < 0x20 || letter == 0x7f)
        letter = '?';
    return text;
  }

  std::string file_;
  std::string key_;
  std::string value_;
  std::string expected_;
};

}  // namespace shardplan::io
