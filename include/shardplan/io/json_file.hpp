#pragma once
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <limits>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include <shardplan/io/input_error.hpp>
#include <shardplan/io/nearest.hpp>

/// JSON files, read whole, and checked access to their keys: every complaint names file, key, value and what would be
/// right. Nothing is rounded or converted on the way.
namespace shardplan::io {

/// Files above this size are refused: a configuration is a few kilobytes.
inline constexpr std::size_t largest_file = std::size_t{64} << 20;

namespace detail {

/// A whole number as people write it: powers of ten from a million on as "1e9".
inline std::string whole_text(long long number) {
  std::string const digits = std::to_string(number);
  bool const power = digits[0] == '1' && digits.find_first_not_of('0', 1) == std::string::npos;
  return power && digits.size() > 6 ? "1e" + std::to_string(digits.size() - 1) : digits;
}

/// A number with as many digits as it needs.
inline std::string number_text(double number) {
  char text[32];
  std::snprintf(text, sizeof text, "%.12g", number);
  return text;
}

inline std::string shortened(std::string text, std::size_t length) {
  if (text.size() > length) {
    text.resize(length);
    text += "...";
  }
  return text;
}

/// A JSON value for an error message: short and on one line.
inline std::string shown(nlohmann::json const& value) {
  if (value.is_object())
    return "an object";
  if (value.is_array())
    return "an array of " + std::to_string(value.size()) + (value.size() == 1 ? " value" : " values");
  return shortened(value.dump(-1, ' ', true, nlohmann::json::error_handler_t::replace), 80);
}

/// The number if it is whole and in the range of `long long`. 4096.0 is whole, 1.5 and 1e30 are not.
inline std::optional<long long> whole_number(nlohmann::json const& value) {
  if (value.is_number_unsigned()) {
    auto const number = value.get<unsigned long long>();
    if (number > static_cast<unsigned long long>(std::numeric_limits<long long>::max()))
      return std::nullopt;
    return static_cast<long long>(number);
  }
  if (value.is_number_integer())
    return value.get<long long>();
  if (value.is_number_float()) {
    auto const number = value.get<double>();
    if (std::floor(number) == number && std::abs(number) < 9e15)  // exact below 2^53
      return static_cast<long long>(number);
  }
  return std::nullopt;
}

}  // namespace detail

/// Numbers in arrays in arrays.
template <std::size_t Depth> struct nested_numbers {
  using type = std::vector<typename nested_numbers<Depth - 1>::type>;
};
template <> struct nested_numbers<0> {
  using type = double;
};

/// An object of a JSON file. A copy refers to the same file, which lives as long as one of its objects.
///
/// The accessors without a default require their key. Those that end in `_or` return the default where the key is
/// missing; so they do where it is null, as Python's None stands for "not set" in the files read here.
class json_object {
 public:
  json_object(std::string file, std::shared_ptr<nlohmann::json const> object, std::string prefix = "")
      : file_(std::move(file)), object_(std::move(object)), prefix_(std::move(prefix)) {}

  std::string const& file() const { return file_; }

  /// The key is there, perhaps null.
  bool has(std::string const& key) const { return object_->contains(key); }
  /// The key is there and not null.
  bool is_set(std::string const& key) const { return set_value(key) != nullptr; }
  bool is_text(std::string const& key) const { return is_set(key) && set_value(key)->is_string(); }
  bool is_object(std::string const& key) const { return is_set(key) && set_value(key)->is_object(); }
  bool is_flag(std::string const& key) const { return is_set(key) && set_value(key)->is_boolean(); }
  std::vector<std::string> keys() const {
    std::vector<std::string> result;
    for (auto const& item : object_->items())
      result.push_back(item.key());
    return result;
  }

  /// A whole number from `low` to `high`.
  long long whole(std::string const& key, long long low, long long high) const {
    std::string const expected = "a whole number from " + detail::whole_text(low) + " to " + detail::whole_text(high);
    auto const number = detail::whole_number(required(key, expected));
    if (!number || *number < low || *number > high)
      refuse(key, expected);
    return *number;
  }
  long long whole_or(std::string const& key, long long low, long long high, long long otherwise) const {
    return is_set(key) ? whole(key, low, high) : otherwise;
  }

  /// The value of a key if it is a whole number.
  std::optional<long long> find_whole(std::string const& key) const {
    auto const* value = set_value(key);
    return value ? detail::whole_number(*value) : std::nullopt;
  }

  /// An array of whole numbers from `low` to `high`.
  std::vector<long long> whole_numbers(std::string const& key, long long low, long long high) const {
    std::string const expected =
        "an array of whole numbers from " + detail::whole_text(low) + " to " + detail::whole_text(high);
    auto const& value = required(key, expected);
    if (!value.is_array())
      refuse(key, expected);
    std::vector<long long> result;
    for (auto const& element : value) {
      auto const number = detail::whole_number(element);
      if (!number || *number < low || *number > high)
        throw input_error(file_, prefix_ + key, "an array that holds " + detail::shown(element), expected);
      result.push_back(*number);
    }
    return result;
  }

  /// A finite number from `low` to `high`.
  double number(std::string const& key, double low, double high) const {
    std::string const expected = "a number from " + detail::number_text(low) + " to " + detail::number_text(high);
    auto const& value = required(key, expected);
    if (!value.is_number())
      refuse(key, expected);
    auto const number = value.get<double>();
    if (!(number >= low && number <= high))
      refuse(key, expected);
    return number;
  }
  double number_or(std::string const& key, double low, double high, double otherwise) const {
    return is_set(key) ? number(key, low, high) : otherwise;
  }

  /// A number above 0 and at most 1.
  double share(std::string const& key) const {
    std::string const expected = "a number above 0 and at most 1";
    auto const& value = required(key, expected);
    if (!value.is_number())
      refuse(key, expected);
    auto const number = value.get<double>();
    if (!(number > 0 && number <= 1))
      refuse(key, expected);
    return number;
  }

  bool flag(std::string const& key) const {
    auto const& value = required(key, "true or false");
    if (!value.is_boolean())
      refuse(key, "true or false");
    return value.get<bool>();
  }
  bool flag_or(std::string const& key, bool otherwise) const { return is_set(key) ? flag(key) : otherwise; }

  std::string text(std::string const& key, std::string const& expected = "a string") const {
    auto const& value = required(key, expected);
    if (!value.is_string())
      refuse(key, expected);
    return value.get<std::string>();
  }
  std::string text_or(std::string const& key, std::string otherwise) const {
    return is_set(key) ? text(key) : otherwise;
  }
  /// A string out of `names`.
  std::string name(std::string const& key, std::vector<std::string> const& names) const {
    std::string const found = text(key, "one of " + listed(names));
    if (std::find(names.begin(), names.end(), found) == names.end())
      refuse(key, one_of(found, names));
    return found;
  }

  std::vector<std::string> texts(std::string const& key) const {
    std::string const expected = "an array of strings";
    auto const& value = required(key, expected);
    if (!value.is_array())
      refuse(key, expected);
    std::vector<std::string> result;
    for (auto const& element : value) {
      if (!element.is_string())
        throw input_error(file_, prefix_ + key, "an array that holds " + detail::shown(element), expected);
      result.push_back(element.get<std::string>());
    }
    return result;
  }

  /// Arrays of arrays ... of finite numbers, `Depth` of them: with 1 a list, with 2 rows. Errors name the place
  /// ("mem[3][0]").
  template <std::size_t Depth> typename nested_numbers<Depth>::type numbers(std::string const& key) const {
    return numbers_in<Depth>(required(key, "an array"), prefix_ + key);
  }
  /// The objects in an array below a key; their keys are named "key[0].inner" in errors.
  std::vector<json_object> objects(std::string const& key) const {
    auto const& value = required(key, "an array of objects");
    if (!value.is_array())
      refuse(key, "an array of objects");
    return objects_in(file_, object_, value, prefix_ + key);
  }
  /// The objects in arrays in an array below a key.
  std::vector<std::vector<json_object>> object_lists(std::string const& key) const {
    auto const& value = required(key, "an array of arrays of objects");
    if (!value.is_array())
      refuse(key, "an array of arrays of objects");
    std::vector<std::vector<json_object>> result;
    for (auto const& each : value) {
      std::string const place = prefix_ + key + "[" + std::to_string(result.size()) + "]";
      if (!each.is_array())
        throw input_error(file_, place, detail::shown(each), "an array of objects");
      result.push_back(objects_in(file_, object_, each, place));
    }
    return result;
  }
  /// The same for any value that is an array.
  static std::vector<json_object> objects_in(std::string const& file,
                                             std::shared_ptr<nlohmann::json const> const& owner,
                                             nlohmann::json const& array, std::string const& name) {
    std::vector<json_object> result;
    for (auto const& each : array) {
      std::string const place = name + "[" + std::to_string(result.size()) + "]";
      if (!each.is_object())
        throw input_error(file, place, detail::shown(each), "an object");
      result.push_back({file, std::shared_ptr<nlohmann::json const>(owner, &each), place + "."});
    }
    return result;
  }

  /// The object below a key; its keys are named "key.inner" in errors.
  json_object object(std::string const& key) const {
    auto const& value = required(key, "an object");
    if (!value.is_object())
      refuse(key, "an object");
    return {file_, std::shared_ptr<nlohmann::json const>(object_, &value), prefix_ + key + "."};
  }

  /// Refuses all keys but these.
  void allow_only(std::vector<std::string> const& names) const {
    for (auto const& key : keys())
      if (std::find(names.begin(), names.end(), key) == names.end())
        throw input_error(file_, prefix_ + key, "unknown", one_of(key, names));
  }

  /// Complains about a key that is there, or is missing.
  [[noreturn]] void refuse(std::string const& key, std::string const& expected) const {
    auto const found = object_->find(key);
    throw input_error(file_, prefix_ + key, found == object_->end() ? "missing" : detail::shown(*found), expected);
  }

 private:
  nlohmann::json const* set_value(std::string const& key) const {
    auto const found = object_->find(key);
    return found == object_->end() || found->is_null() ? nullptr : &*found;
  }

  template <std::size_t Depth>
  typename nested_numbers<Depth>::type numbers_in(nlohmann::json const& value, std::string const& place) const {
    if constexpr (Depth == 0) {
      if (!value.is_number() || !std::isfinite(value.get<double>()))
        throw input_error(file_, place, detail::shown(value), "a number");
      return value.get<double>();
    } else {
      if (!value.is_array())
        throw input_error(file_, place, detail::shown(value), "an array");
      typename nested_numbers<Depth>::type result;
      for (auto const& each : value)
        result.push_back(numbers_in<Depth - 1>(each, place + "[" + std::to_string(result.size()) + "]"));
      return result;
    }
  }

  nlohmann::json const& required(std::string const& key, std::string const& expected) const {
    auto const found = object_->find(key);
    if (found == object_->end()) {
      std::vector<std::string> near;
      for (auto const& name : keys())
        if (edit_distance(key, name) <= 2)
          near.push_back("\"" + name + "\"");
      refuse(key, expected + (near.empty() ? "" : " (the file has " + listed(near) + ")"));
    }
    return *found;
  }

  std::string file_;
  std::shared_ptr<nlohmann::json const> object_;
  std::string prefix_;
};

namespace detail {

/// The bytes of a file.
inline std::string read_whole(std::string const& path) {
  std::error_code error;
  auto const status = std::filesystem::status(path, error);
  if (status.type() == std::filesystem::file_type::not_found)
    throw input_error::at(path, "the file", "missing", "a JSON file that exists");
  if (status.type() == std::filesystem::file_type::directory)
    throw input_error::at(path, "the file", "a directory", "a JSON file");
  std::ifstream stream(path, std::ios::binary);
  if (!stream)
    throw input_error::at(path, "the file", "not readable", "a JSON file that you may read");
  std::string text;
  std::vector<char> block(std::size_t{1} << 16);
  while (stream.read(block.data(), static_cast<std::streamsize>(block.size())), stream.gcount() > 0) {
    text.append(block.data(), static_cast<std::size_t>(stream.gcount()));
    if (text.size() > largest_file)
      throw input_error::at(path, "the file", "larger than 64 MiB", "a JSON file of at most 64 MiB");
  }
  if (stream.bad())
    throw input_error::at(path, "the file", "not readable to its end", "a JSON file");
  return text;
}

/// The problem in a message of the JSON library, "[json.exception...] parse error at line 1, column 2: problem".
inline std::string problem_in(std::string message) {
  for (std::string const start : {"[json.", "parse error"})
    if (message.starts_with(start))
      message.erase(0, message.find(start[0] == '[' ? "] " : ": ") + 2);
  return shortened(std::move(message), 240);
}

/// Where byte number `byte` (from 1) of a text is.
inline std::string place_in(std::string const& text, std::size_t byte) {
  std::size_t const before = std::min(text.size(), byte > 0 ? byte - 1 : 0);
  auto const end = text.begin() + static_cast<std::ptrdiff_t>(before);
  auto const line = std::count(text.begin(), end, '\n') + 1;
  std::size_t const newline = before > 0 ? text.rfind('\n', before - 1) : std::string::npos;
  std::size_t const column = newline == std::string::npos ? before + 1 : before - newline;
  return "line " + std::to_string(line) + ", column " + std::to_string(column);
}

}  // namespace detail

namespace detail {
inline std::shared_ptr<nlohmann::json const> read_json(std::string const& path) {
  std::string const text = detail::read_whole(path);
  if (text.find_first_not_of(" \t\r\n") == std::string::npos)
    throw input_error::at(path, "the file", "empty", "a JSON object, { ... }");

  // JSON libraries keep the last of two equal keys; the user meant one of them.
  std::vector<std::set<std::string>> open_objects;
  auto const watch = [&](int, nlohmann::json::parse_event_t event, nlohmann::json& parsed) {
    if (event == nlohmann::json::parse_event_t::object_start)
      open_objects.emplace_back();
    else if (event == nlohmann::json::parse_event_t::object_end)
      open_objects.pop_back();
    else if (event == nlohmann::json::parse_event_t::key) {
      auto const& key = parsed.get_ref<std::string const&>();
      if (!open_objects.back().insert(key).second)
        throw input_error(path, key, "there twice", "there once");
    }
    return true;
  };
  auto const value = std::make_shared<nlohmann::json>();
  try {
    *value = nlohmann::json::parse(text, watch);
  } catch (nlohmann::json::parse_error const& error) {
    throw input_error::at(path, detail::place_in(text, error.byte),
                          "not JSON (" + detail::problem_in(error.what()) + ")", "valid JSON");
  } catch (nlohmann::json::exception const& error) {
    throw input_error::at(path, "the file", "not JSON (" + detail::problem_in(error.what()) + ")", "valid JSON");
  }
  return value;
}
}  // namespace detail

/// A JSON file whose top level is an object. Throws `input_error` where there is no such file, or it is a directory,
/// empty, too large, no JSON, no object, or has a key twice.
inline json_object read_json_object(std::string const& path) {
  auto const value = detail::read_json(path);
  if (!value->is_object())
    throw input_error::at(path, "the top level", detail::shown(*value), "a JSON object, { ... }");
  return {path, value};
}

/// The same for a file whose top level is an array of objects.
inline std::vector<json_object> read_json_objects(std::string const& path) {
  auto const value = detail::read_json(path);
  if (!value->is_array())
    throw input_error::at(path, "the top level", detail::shown(*value), "an array of objects, [{ ... }]");
  return json_object::objects_in(path, value, *value, "");
}

}  // namespace shardplan::io
