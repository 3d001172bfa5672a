// Whether the last stage may leave a pool must be said.
// expect-gcc: staged_problem_needs_layers_stages_pools_ways_and_ends.*cheapest_stages\(.*Problem = one_pool
// expect-clang: call to deleted function 'cheapest_stages'
#include <cstddef>
#include <span>

#include <shardplan/search.hpp>

using namespace shardplan;

using objective = search::peaks_objective<1>;

struct one_pool {
  std::size_t layers() const { return 4; }
  std::size_t stages() const { return 2; }
  std::size_t pools() const { return 1; }
  template <class Visit>
  void ways(std::size_t, std::size_t first, std::size_t last, std::size_t, Visit const& visit) const {
    visit(objective::stage_cost{{static_cast<double>(last - first)}, 0}, 0, 0);
  }
#ifdef SHARDPLAN_ACCEPT
  bool ends(std::size_t) const { return true; }
#endif
};

auto search_some() { return search::cheapest_stages(one_pool{}, objective{{1}}); }
