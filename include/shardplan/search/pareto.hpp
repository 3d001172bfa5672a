#pragma once
#include <algorithm>
#include <array>
#include <cstddef>
#include <limits>
#include <map>
#include <numeric>
#include <vector>

/// Pareto fronts over two or three objectives: all points than which no other is better in one and no worse in all,
/// not only those that some weighted sum finds.
namespace shardplan::search {

namespace detail {

/// The least second number of points whose first is at most some value: a staircase that falls.
class staircase {
 public:
  /// A point (x, y) that was added is at most this one in both.
  bool covers(double x, double y) const {
    auto const after = steps_.upper_bound(x);
    return after != steps_.begin() && std::prev(after)->second <= y;
  }
  void add(double x, double y) {
    if (covers(x, y))
      return;
    auto step = steps_.insert_or_assign(x, y).first;
    for (++step; step != steps_.end() && step->second >= y;)
      step = steps_.erase(step);
  }

 private:
  std::map<double, double> steps_;
};

}  // namespace detail

/// The indices of the points on the front, in the order of the points' numbers (the first number first). Less is
/// better. Of equal points the first is named. Points with a number that is no number, or infinite, are left out. Takes
/// n log n steps.
template <std::size_t Objectives>
  requires(Objectives == 2 || Objectives == 3)
std::vector<std::size_t> pareto_front(std::vector<std::array<double, Objectives>> const& points) {
  std::vector<std::size_t> order;
  for (std::size_t index = 0; index < points.size(); ++index)
    if (std::all_of(points[index].begin(), points[index].end(), [](double each) {
          return each - each == 0;  // finite
        }))
      order.push_back(index);
  std::sort(order.begin(), order.end(), [&](std::size_t left, std::size_t right) {
    return points[left] != points[right] ? points[left] < points[right] : left < right;
  });
  // Nothing later is better in the first number: what lies below a point so far in the others is better.
  std::vector<std::size_t> front;
  if constexpr (Objectives == 2) {
    double least = std::numeric_limits<double>::infinity();
    for (std::size_t const index : order)
      if (points[index][1] < least) {
        least = points[index][1];
        front.push_back(index);
      }
  } else {
    detail::staircase below;
    for (std::size_t const index : order)
      if (!below.covers(points[index][1], points[index][2])) {
        below.add(points[index][1], points[index][2]);
        front.push_back(index);
      }
  }
  return front;
}

}  // namespace shardplan::search
