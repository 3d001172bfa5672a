#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

#include <shardplan/search/branch_and_bound.hpp>
#include <shardplan/search/grid.hpp>

/// A grid as a problem of branch and bound: axes are assigned one after the other, and a partial assignment is bounded
/// as the box of all points that agree with it; for a grid of an expression by the expression's interval reading. For
/// when few values decide much; where values lie in order and neighbours cost alike, boxes that are halved are fewer.
namespace shardplan::search {

template <grid_problem Grid> class grid_assignments {
 public:
  using node = grid_box<Grid::axes>;

  /// Axes are assigned in this order. The grid is viewed.
  explicit grid_assignments(Grid const& grid, grid_point<Grid::axes> order = in_order()) : grid_(grid), order_(order) {}

  node root() const { return {{}, grid_.sizes()}; }
  bool complete(node const& at) const { return at.size() == 1; }
  double bound(node const& at) const {
    if (!complete(at))
      return grid_.least(at);
    double cost = 0;
    grid_.costs(at, std::span<double>{&cost, 1});
    return cost;
  }
  template <class Visit> void branch(node const& at, Visit visit) const {
    auto const next =
        std::find_if(order_.begin(), order_.end(), [&](std::uint32_t axis) { return at.extent(axis) != 1; });
    if (next == order_.end())
      return;
    for (std::uint32_t value = at.first[*next]; value < at.last[*next]; ++value) {
      node child = at;
      child.first[*next] = value;
      child.last[*next] = value + 1;
      visit(child);
    }
  }
  bool before(node const& left, node const& right) const { return left.first < right.first; }

 private:
  static constexpr grid_point<Grid::axes> in_order() {
    grid_point<Grid::axes> result{};
    for (std::size_t axis = 0; axis < Grid::axes; ++axis)
      result[axis] = static_cast<std::uint32_t>(axis);
    return result;
  }

  Grid const& grid_;
  grid_point<Grid::axes> order_;
};

}  // namespace shardplan::search
