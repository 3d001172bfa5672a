#pragma once
#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

namespace testing_support {

/// One of the sentences has this part.
inline bool reports(std::vector<std::string> const& sentences, std::string_view part) {
  return std::any_of(sentences.begin(), sentences.end(),
                     [part](std::string const& each) { return each.find(part) != std::string::npos; });
}

}  // namespace testing_support
