// What it costs to switch must be said, even where it is nothing.
// expect-gcc: chain_problem_needs_layers_choices_cost_resource_and_switching.*cheapest_chain\(.*Problem = two_layers
// expect-clang: call to deleted function 'cheapest_chain'
#include <cstddef>
#include <span>

#include <shardplan/search.hpp>

using namespace shardplan;

struct two_layers {
  std::size_t layers() const { return 2; }
  std::size_t choices(std::size_t) const { return 2; }
  double cost(std::size_t, std::size_t choice) const { return static_cast<double>(choice); }
  double resource(std::size_t, std::size_t choice) const { return 1 - static_cast<double>(choice); }
#ifdef SHARDPLAN_ACCEPT
  double switching(std::size_t, std::size_t, std::size_t) const { return 0; }
#endif
};

auto search_some() { return search::cheapest_chain(two_layers{}, 1); }
