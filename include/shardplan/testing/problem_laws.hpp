#pragma once
#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

#include <shardplan/search/exhaustive.hpp>
#include <shardplan/testing/broken_laws.hpp>

/// Laws of search problems, for types of one's own.
namespace shardplan::testing {

/// The broken laws of a search problem on a sample of candidates:
/// - evaluating a candidate twice gives the same outcome;
/// - a candidate that is allowed has a cost that is a number;
/// - one that is not has a reason below `reasons()` and an excess that is not negative;
/// - `before` is a strict weak order, so that the answer does not depend on the order of the candidates.
/// Takes time as the cube of the sample's size: some dozens are enough.
template <class Candidate, search::candidate_problem<Candidate> Problem>
std::vector<std::string> broken_laws_of_problem(Problem const& problem, std::vector<Candidate> const& sample) {
  broken_laws broken;
  std::size_t const count = sample.size();
  auto const number = [](std::size_t index) { return "candidate " + std::to_string(index); };
  for (std::size_t index = 0; index < count; ++index) {
    search::outcome const first = problem.evaluate(sample[index]), again = problem.evaluate(sample[index]);
    auto const same = [](double left, double right) { return left == right || (left != left && right != right); };
    auto const where = [&] { return number(index); };
    broken.expect(first.allowed == again.allowed && same(first.cost, again.cost) && first.reason == again.reason &&
                      same(first.excess, again.excess),
                  "evaluating a candidate twice gives the same outcome", where);
    broken.expect(!first.allowed || is_finite(first.cost), "what is allowed has a cost", where);
    broken.expect(first.allowed || first.reason < problem.reasons(), "what is refused has one of the reasons", where);
    broken.expect(first.allowed || first.excess >= 0, "what is refused has an excess that is not negative", where);
  }
  auto const before = [&](std::size_t left, std::size_t right) {
    return static_cast<bool>(problem.before(sample[left], sample[right]));
  };
  auto const equivalent = [&](std::size_t left, std::size_t right) {
    return !before(left, right) && !before(right, left);
  };
  for (std::size_t a = 0; a < count; ++a) {
    broken.expect(!before(a, a), "no candidate is before itself", [&] { return number(a); });
    for (std::size_t b = 0; b < count; ++b) {
      broken.expect(!(before(a, b) && before(b, a)), "no two candidates are before each other",
                    [&] { return number(a) + " and " + number(b); });
      for (std::size_t c = 0; c < count; ++c) {
        auto const where = [&] { return number(a) + ", " + number(b) + " and " + number(c); };
        broken.expect(!(before(a, b) && before(b, c)) || before(a, c), "before is transitive", where);
        broken.expect(!(equivalent(a, b) && equivalent(b, c)) || equivalent(a, c),
                      "candidates that are equal to one candidate are equal", where);
      }
    }
  }
  return broken.take();
}

}  // namespace shardplan::testing
