#pragma once
#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

/// Suggestions for names that a user mistyped.
namespace shardplan::io {

/// Changes of one letter (insert, delete, replace) that turn one word into the other, upper and lower case alike
/// (Levenshtein 1966).
inline std::size_t edit_distance(std::string_view left, std::string_view right) {
  auto const lower = [](char letter) { return letter >= 'A' && letter <= 'Z' ? letter - 'A' + 'a' : int{letter}; };
  std::vector<std::size_t> row(right.size() + 1);
  for (std::size_t j = 0; j <= right.size(); ++j)
    row[j] = j;
  for (std::size_t i = 1; i <= left.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= right.size(); ++j) {
      std::size_t const replaced = diagonal + (lower(left[i - 1]) == lower(right[j - 1]) ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({replaced, row[j] + 1, row[j - 1] + 1});
    }
  }
  return row[right.size()];
}

/// The words separated by commas.
inline std::string listed(std::vector<std::string> const& words) {
  std::string text;
  for (auto const& word : words)
    text += (text.empty() ? "" : ", ") + word;
  return text;
}

/// What `word` probably stands for: all names that begin with it, or else the nearest ones if they are near. No word of
/// more than 64 letters is a mistyped name.
inline std::vector<std::string> nearest(std::string_view word, std::vector<std::string> const& names) {
  std::vector<std::string> found;
  if (word.size() < 2 || word.size() > 64)
    return found;
  for (auto const& name : names)
    if (edit_distance(word, std::string_view{name}.substr(0, word.size())) == 0)
      found.push_back(name);
  if (!found.empty())
    return found;
  std::size_t best = 1 + word.size() / 4;
  for (auto const& name : names) {
    std::size_t const distance = edit_distance(word, name);
    if (distance < best)
      found.clear();
    if (distance <= best)
      found.push_back(name);
    best = std::min(best, distance);
  }
  return found;
}

/// "one of a, b, c", followed by a suggestion where one of them is near.
inline std::string one_of(std::string_view word, std::vector<std::string> const& names) {
  auto const near = nearest(word, names);
  return "one of " + listed(names) + (near.empty() ? "" : " (did you mean " + listed(near) + "?)");
}

}  // namespace shardplan::io
