// A search names equally good candidates in the problem's own order.
// expect-gcc: candidate_problem_needs_evaluate_reasons_and_before.*exhaustive\(.*Problem = smallest
// expect-clang: call to deleted function 'exhaustive'
#include <vector>

#include <shardplan/search.hpp>

using namespace shardplan;

struct smallest {
  search::outcome evaluate(int candidate) const { return {.allowed = true, .cost = static_cast<double>(candidate)}; }
  std::size_t reasons() const { return 0; }
#ifdef SHARDPLAN_ACCEPT
  bool before(int left, int right) const { return left < right; }
#endif
};

auto search_some() { return search::exhaustive<int>(std::vector<int>{1, 2}, smallest{}, 1); }
