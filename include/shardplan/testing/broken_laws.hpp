#pragma once
#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

/// What the law checks of this room report: sentences, one for each law that does not hold. They need no test framework
/// and throw nothing of their own.
namespace shardplan::testing {

/// Collects broken laws, each with the first place where it broke.
class broken_laws {
 public:
  /// Notes that `law` is broken at `where()`, a text, if it does not hold and was not noted before.
  template <class Where> void expect(bool holds, std::string_view law, Where const& where) {
    if (holds || std::find(noted_.begin(), noted_.end(), law) != noted_.end())
      return;
    noted_.emplace_back(law);
    sentences_.push_back(noted_.back() + ": " + where());
  }

  std::vector<std::string> take() { return std::move(sentences_); }

 private:
  std::vector<std::string> noted_;
  std::vector<std::string> sentences_;
};

/// Equal up to rounding.
constexpr bool same_value(double left, double right) {
  auto const magnitude = [](double value) { return value < 0 ? -value : value; };
  return left == right || magnitude(left - right) <= 1e-9 * std::max(magnitude(left), magnitude(right));
}
/// Not above, up to rounding.
constexpr bool at_most(double left, double right) { return left <= right || same_value(left, right); }

/// Neither infinite nor no number.
constexpr bool is_finite(double value) { return value - value == 0; }

}  // namespace shardplan::testing
