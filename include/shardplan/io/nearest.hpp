#pragma once
#include <string>
#include <string_view>
#include <vector>

#include <shardplan/unit/nearest.hpp>

/// Lists of names with a suggestion, for error messages.
namespace shardplan::io {

using unit::edit_distance;
using unit::nearest;

/// The words separated by commas.
inline std::string listed(std::vector<std::string> const& words) {
  std::string text;
  for (auto const& word : words)
    text += (text.empty() ? "" : ", ") + word;
  return text;
}

/// "one of a, b, c", followed by a suggestion where one of them is near.
inline std::string one_of(std::string_view word, std::vector<std::string> const& names) {
  auto const near = nearest(word, names);
  return "one of " + listed(names) + (near.empty() ? "" : " (did you mean " + listed(near) + "?)");
}

}  // namespace shardplan::io
