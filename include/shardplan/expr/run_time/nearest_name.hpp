#pragma once
#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace shardplan::expr::detail {

/// Letters to insert, delete or replace until one word is the other (Levenshtein 1966).
inline std::size_t letters_between(std::string_view left, std::string_view right) {
  std::vector<std::size_t> distances(right.size() + 1);
  for (std::size_t j = 0; j < distances.size(); ++j)
    distances[j] = j;
  for (std::size_t i = 1; i <= left.size(); ++i) {
    std::size_t diagonal = distances[0];
    distances[0] = i;
    for (std::size_t j = 1; j < distances.size(); ++j) {
      std::size_t const replaced = diagonal + (left[i - 1] == right[j - 1] ? 0 : 1);
      diagonal = distances[j];
      distances[j] = std::min({replaced, distances[j] + 1, distances[j - 1] + 1});
    }
  }
  return distances.back();
}

/// The name that a mistyped word probably stands for; empty where none is near. A word of one letter is near none.
inline std::string nearest_name(std::string_view word, std::vector<std::string> const& names) {
  std::string found;
  if (word.size() < 2 || word.size() > 64)
    return found;
  std::size_t best = 2 + word.size() / 4;
  for (std::string const& name : names) {
    std::size_t const distance = letters_between(word, name);
    if (distance < best) {
      best = distance;
      found = name;
    }
  }
  return found;
}

}  // namespace shardplan::expr::detail
