// Without a bound a box cannot be dropped.
// expect-gcc: grid_problem_needs_axes_sizes_least_and_costs.*cheapest_point\(.*Problem = line
// expect-clang: call to deleted function 'cheapest_point'
#include <cstddef>
#include <span>

#include <shardplan/search.hpp>

using namespace shardplan;

struct line {
  static constexpr std::size_t axes = 1;
  search::grid_point<1> sizes() const { return {8}; }
#ifdef SHARDPLAN_ACCEPT
  double least(search::grid_box<1> const& box) const { return box.first[0]; }
#endif
  void costs(search::grid_box<1> const& box, std::span<double> values) const {
    for (std::size_t number = 0; number < values.size(); ++number)
      values[number] = static_cast<double>(box.first[0] + number);
  }
};

auto search_some() { return search::cheapest_point(line{}); }
