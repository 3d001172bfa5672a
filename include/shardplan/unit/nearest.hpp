#pragma once
#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

/// Suggestions for names that a user mistyped.
namespace shardplan::unit {

/// Changes that turn one word into the other: insert, delete or replace a letter, swap two neighbours; upper and lower
/// case are alike (Damerau 1964, each letter changed at most once).
inline std::size_t edit_distance(std::string_view left, std::string_view right) {
  auto const lower = [](char letter) { return letter >= 'A' && letter <= 'Z' ? letter - 'A' + 'a' : int{letter}; };
  auto const equal = [&](std::size_t i, std::size_t j) { return lower(left[i]) == lower(right[j]); };
  std::size_t const width = right.size() + 1;
  std::vector<std::size_t> older(width);
  std::vector<std::size_t> old(width);
  std::vector<std::size_t> now(width);
  for (std::size_t j = 0; j < width; ++j)
    now[j] = j;
  for (std::size_t i = 1; i <= left.size(); ++i) {
    older.swap(old);
    old.swap(now);
    now[0] = i;
    for (std::size_t j = 1; j < width; ++j) {
      now[j] = std::min({old[j - 1] + (equal(i - 1, j - 1) ? 0 : 1), old[j] + 1, now[j - 1] + 1});
      if (i > 1 && j > 1 && equal(i - 1, j - 2) && equal(i - 2, j - 1))
        now[j] = std::min(now[j], older[j - 2] + 1);
    }
  }
  return now[right.size()];
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

}  // namespace shardplan::unit
