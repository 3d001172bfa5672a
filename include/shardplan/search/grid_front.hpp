#pragma once
#include <algorithm>
#include <array>
#include <concepts>
#include <cstddef>
#include <limits>
#include <span>
#include <vector>

#include <shardplan/search/control.hpp>
#include <shardplan/search/grid.hpp>
#include <shardplan/search/pareto.hpp>
#include <shardplan/search/result.hpp>

/// The Pareto front of a grid over two or three objectives, searched in boxes: a box is dropped if a point of the front
/// is at least as good as its bounds in all objectives.
namespace shardplan::search {

/// As `grid_problem`, for several objectives: `least(box)` gives a bound for each, and `costs(box, values)` writes each
/// into a span of its own. A point that is not allowed has infinity in one.
template <class Problem>
concept grid_front_problem = requires(Problem const& problem, grid_box<Problem::axes> const& box,
                                      std::array<std::span<double>, Problem::objectives> const& values) {
  requires Problem::objectives == 2 || Problem::objectives == 3;
  { problem.sizes() } -> std::convertible_to<grid_point<Problem::axes>>;
  { problem.least(box) } -> std::convertible_to<std::array<double, Problem::objectives>>;
  problem.costs(box, values);
};
struct grid_front_problem_needs_axes_objectives_sizes_least_and_costs;

template <std::size_t Axes, std::size_t Objectives> struct front_point {
  std::array<double, Objectives> costs = {};
  grid_point<Axes> where = {};
};

template <std::size_t Axes, std::size_t Objectives> struct grid_front_result {
  /// `optimal` where the front is whole; `feasible` where it was stopped: then points may be missing or beaten. The
  /// objective is the number of points.
  search::certificate certificate;
  /// In the order of their costs, the first objective first.
  std::vector<front_point<Axes, Objectives>> front = {};
  std::size_t bounded = 0;
  std::size_t dropped = 0;
};

namespace detail {

template <grid_front_problem Problem> class grid_front_search {
 public:
  static constexpr std::size_t axes = Problem::axes, objectives = Problem::objectives;
  using box = grid_box<axes>;
  using costs = std::array<double, objectives>;
  using point = front_point<axes, objectives>;

  grid_front_search(Problem const& problem, grid_options const& options, control const& asked)
      : problem_(problem), options_(options), looks_(asked) {}

  grid_front_result<axes, objectives> run() {
    box const all{{}, problem_.sizes()};
    auto& proof = result_.certificate;
    proof.candidates = all.size();
    if (all.size() > 0)
      add(all);
    while (!open_.empty() && !looks_.stops(result_.bounded)) {
      std::pop_heap(open_.begin(), open_.end(), later);
      waiting const now = open_.back();
      open_.pop_back();
      if (beaten(now.least, now.where))
        ++result_.dropped;
      else if (now.where.size() <= options_.evaluate_at)
        evaluate(now.where);
      else
        halve(now.where);
    }
    bool const whole = open_.empty();
    std::vector<costs> values;
    for (point const& each : found_)
      values.push_back(each.costs);
    for (std::size_t const index : pareto_front(values))
      result_.front.push_back(found_[index]);
    proof.objective = static_cast<double>(result_.front.size());
    proof.bound = whole ? proof.objective : 0;
    proof.status = result_.front.empty() ? (whole ? status::infeasible : status::stopped)
                   : whole               ? status::optimal
                                         : status::feasible;
    looks_.end(result_.bounded);
    return std::move(result_);
  }

 private:
  static constexpr double infinity = std::numeric_limits<double>::infinity();
  struct waiting {
    box where;
    costs least;
    double order;
  };
  static bool later(waiting const& left, waiting const& right) {
    return left.order != right.order ? left.order > right.order : left.where.first > right.where.first;
  }

  /// A point found is at least as good in all; where it is equal, it must also come first.
  bool beaten(costs const& by, box const& where) const {
    for (std::size_t index = 0; index < objectives; ++index)
      if (!(by[index] < infinity))
        return true;
    for (point const& each : found_) {
      bool covers = true;
      for (std::size_t index = 0; index < objectives; ++index)
        covers = covers && each.costs[index] <= by[index];
      if (covers && (each.costs != by || each.where < where.first))
        return true;
    }
    return false;
  }
  void add(box const& where) {
    ++result_.bounded;
    costs const least = problem_.least(where);
    if (beaten(least, where)) {
      ++result_.dropped;
      return;
    }
    // The product of the bounds: what lies in the middle of the front comes first and drops most.
    double order = 1;
    for (double const each : least)
      order *= each;
    open_.push_back({where, least, order});
    std::push_heap(open_.begin(), open_.end(), later);
  }
  void halve(box const& of) {
    std::size_t longest = 0;
    for (std::size_t axis = 0; axis < axes; ++axis)
      if (of.extent(axis) > of.extent(longest))
        longest = axis;
    box low = of, high = of;
    low.last[longest] = high.first[longest] = of.first[longest] + static_cast<std::uint32_t>(of.extent(longest) / 2);
    add(low);
    add(high);
  }
  void evaluate(box const& of) {
    std::size_t const count = of.size();
    std::array<std::span<double>, objectives> values;
    for (std::size_t index = 0; index < objectives; ++index) {
      values_[index].resize(count);
      values[index] = values_[index];
    }
    problem_.costs(of, values);
    result_.certificate.evaluated += count;
    for (std::size_t number = 0; number < count; ++number) {
      point one{{}, point_of(of, number)};
      for (std::size_t index = 0; index < objectives; ++index)
        one.costs[index] = values_[index][number];
      if (beaten(one.costs, {one.where, one.where}))
        continue;
      std::erase_if(found_, [&](point const& each) {
        for (std::size_t index = 0; index < objectives; ++index)
          if (each.costs[index] < one.costs[index])
            return false;
        return true;
      });
      found_.push_back(one);
    }
  }

  Problem const& problem_;
  grid_options options_;
  watch looks_;
  grid_front_result<axes, objectives> result_;
  std::vector<waiting> open_;
  std::vector<point> found_;
  std::array<std::vector<double>, objectives> values_;
};

}  // namespace detail

/// All points of the front; of points with equal costs the first. Counts bounded boxes towards the control's limit.
template <grid_front_problem Problem>
grid_front_result<Problem::axes, Problem::objectives>
grid_front(Problem const& problem, grid_options const& options = {}, control const& asked = {}) {
  return detail::grid_front_search<Problem>{problem, options, asked}.run();
}
template <class Problem, class... More>
  requires(!grid_front_problem<Problem>)
grid_front_problem_needs_axes_objectives_sizes_least_and_costs grid_front(Problem const&, More const&...) = delete;

}  // namespace shardplan::search
