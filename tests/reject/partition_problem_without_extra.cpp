// What a cut costs must be said, even where it is nothing.
// expect-gcc: partition_problem_needs_layers_stages_stage_time_and_extra.*cheapest_partition\(.*Problem = even_layers
// expect-clang: call to deleted function 'cheapest_partition'
#include <cstddef>
#include <span>

#include <shardplan/search.hpp>

using namespace shardplan;

struct even_layers {
  std::size_t layers() const { return 4; }
  std::size_t stages() const { return 2; }
  double stage_time(std::size_t, std::size_t first, std::size_t last) const {
    return static_cast<double>(last - first);
  }
#ifdef SHARDPLAN_ACCEPT
  double extra(std::size_t, std::size_t, std::size_t) const { return 0; }
#endif
};

auto search_some() { return search::cheapest_partition(even_layers{}, search::partition_objective{1, 0}); }
