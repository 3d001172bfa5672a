#pragma once
#include <algorithm>
#include <array>
#include <cmath>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include <shardplan/search/control.hpp>
#include <shardplan/search/result.hpp>

/// A grid of configurations, searched in boxes: a box is dropped if its bound says that nothing in it is cheaper than
/// the best point known, else halved, and small ones are evaluated point by point. The optimum is that of evaluating
/// everything.
namespace shardplan::search {

/// A point: its place on each axis.
template <std::size_t Axes> using grid_point = std::array<std::uint32_t, Axes>;

/// The points whose places lie in [first, last) on every axis.
template <std::size_t Axes> struct grid_box {
  grid_point<Axes> first = {};
  grid_point<Axes> last = {};

  constexpr std::size_t extent(std::size_t axis) const { return last[axis] - first[axis]; }
  /// Number of points, or the largest number if there are more.
  constexpr std::size_t size() const {
    std::size_t product = 1;
    for (std::size_t axis = 0; axis < Axes; ++axis) {
      if (extent(axis) != 0 && product > static_cast<std::size_t>(-1) / extent(axis))
        return static_cast<std::size_t>(-1);
      product *= extent(axis);
    }
    return product;
  }
};

/// The point of a number in a box, where the last axis is counted first.
template <std::size_t Axes> constexpr grid_point<Axes> point_of(grid_box<Axes> const& box, std::size_t number) {
  grid_point<Axes> point = box.first;
  for (std::size_t axis = Axes; axis-- > 0;) {
    point[axis] += static_cast<std::uint32_t>(number % box.extent(axis));
    number /= box.extent(axis);
  }
  return point;
}

/// - `axes`: a constant, the number of axes; `sizes()`: places on each;
/// - `least(box)`: no point of the box costs less; infinity where none is allowed;
/// - `costs(box, values)`: writes what each point costs, the last axis counted first; infinity where it is not allowed.
template <class Problem>
concept grid_problem = requires(Problem const& problem, grid_box<Problem::axes> const& box, std::span<double> values) {
  { problem.sizes() } -> std::convertible_to<grid_point<Problem::axes>>;
  { problem.least(box) } -> std::convertible_to<double>;
  problem.costs(box, values);
};
struct grid_problem_needs_axes_sizes_least_and_costs;

enum class box_split {
  /// Where the box is longest.
  longest,
  /// Where the lesser bound of the halves is largest: more bounds, fewer boxes.
  tightest
};

struct grid_options {
  box_split split = box_split::tightest;
  /// Boxes of so many points or fewer are evaluated.
  std::size_t evaluate_at = 64;
};

template <std::size_t Axes> struct grid_result {
  /// `candidates` are points, `evaluated` those that were evaluated.
  search::certificate certificate;
  /// Means something where an answer was found.
  grid_point<Axes> best = {};
  /// Boxes whose bound was asked for, and boxes that were dropped.
  std::size_t bounded = 0;
  std::size_t dropped = 0;
};

namespace detail {

template <grid_problem Problem> class grid_search {
 public:
  static constexpr std::size_t axes = Problem::axes;
  using box = grid_box<axes>;

  grid_search(Problem const& problem, grid_options const& options, control const& asked)
      : problem_(problem), options_(options), looks_(asked) {}

  grid_result<axes> run() {
    box const all{{}, problem_.sizes()};
    result_.certificate.candidates = all.size();
    if (all.size() > 0)
      add(all, bound(all));
    while (!open_.empty() && !looks_.stops(result_.bounded)) {
      std::pop_heap(open_.begin(), open_.end(), later);
      waiting const now = open_.back();
      open_.pop_back();
      if (hopeless(now.where, now.bound)) {
        ++result_.dropped;
        continue;
      }
      looks_.bound(std::min(now.bound, best_));
      if (now.where.size() <= options_.evaluate_at)
        evaluate(now.where);
      else
        halve(now.where, now.bound);
    }
    return finish();
  }

 private:
  static constexpr double infinity = std::numeric_limits<double>::infinity();
  struct waiting {
    box where;
    double bound;
  };
  static bool later(waiting const& left, waiting const& right) {
    return left.bound != right.bound ? left.bound > right.bound : left.where.first > right.where.first;
  }

  double bound(box const& of) {
    ++result_.bounded;
    return problem_.least(of);
  }
  /// Of points of equal cost the first is named.
  bool hopeless(box const& of, double bound) const {
    if (!(bound < infinity))
      return true;
    return found_ && (clearly_less(best_, bound) || (!clearly_less(bound, best_) && result_.best < of.first));
  }
  void add(box const& where, double bound) {
    if (hopeless(where, bound)) {
      ++result_.dropped;
      return;
    }
    open_.push_back({where, bound});
    std::push_heap(open_.begin(), open_.end(), later);
  }

  static std::array<box, 2> halves(box const& of, std::size_t axis) {
    std::array<box, 2> result{of, of};
    result[0].last[axis] = result[1].first[axis] = of.first[axis] + static_cast<std::uint32_t>(of.extent(axis) / 2);
    return result;
  }
  /// A half has no cheaper points than the whole.
  void halve(box const& of, double bound_of_all) {
    std::array<box, 2> best{};
    std::array<double, 2> bounds{-infinity, -infinity};
    bool any = false;
    std::size_t longest = 0;
    for (std::size_t axis = 0; axis < axes; ++axis)
      if (of.extent(axis) > of.extent(longest))
        longest = axis;
    for (std::size_t axis = 0; axis < axes; ++axis) {
      if (options_.split == box_split::longest ? axis != longest : of.extent(axis) < 2)
        continue;
      auto const here = halves(of, axis);
      std::array const found{bound(here[0]), bound(here[1])};
      auto const [low, high] = std::minmax(found[0], found[1]);
      auto const [least, most] = std::minmax(bounds[0], bounds[1]);
      if (!any || low > least || (low == least && high > most)) {
        best = here;
        bounds = found;
        any = true;
      }
    }
    for (std::size_t half = 0; half < 2; ++half)
      add(best[half], std::max(bound_of_all, bounds[half]));
  }

  void evaluate(box const& of) {
    std::size_t const count = of.size();
    values_.resize(count);
    problem_.costs(of, std::span<double>{values_});
    result_.certificate.evaluated += count;
    for (std::size_t number = 0; number < count; ++number) {
      double const cost = values_[number];
      if (!(cost < infinity) || (found_ && clearly_less(best_, cost)))
        continue;
      auto const point = point_of(of, number);
      if (!found_ || clearly_less(cost, best_) || point < result_.best) {
        result_.best = point;
        best_ = found_ ? std::min(best_, cost) : cost;
        found_ = true;
        looks_.objective(best_);
      }
    }
  }

  grid_result<axes> finish() {
    auto& proof = result_.certificate;
    double least = infinity;
    for (waiting const& each : open_)
      least = std::min(least, each.bound);
    bool const whole = open_.empty();
    proof.objective = found_ ? best_ : 0;
    proof.bound = found_ ? std::min(best_, least) : whole ? 0 : least;
    proof.status = found_  ? (whole || !clearly_less(proof.bound, best_) ? status::optimal : status::feasible)
                   : whole ? status::infeasible
                           : status::stopped;
    if (found_ || !whole)
      looks_.bound(proof.bound);
    looks_.end(result_.bounded);
    return result_;
  }

  Problem const& problem_;
  grid_options options_;
  watch looks_;
  grid_result<axes> result_;
  std::vector<waiting> open_;
  std::vector<double> values_;
  double best_ = infinity;
  bool found_ = false;
};

}  // namespace detail

/// The cheapest point. Counts bounded boxes towards the control's limit.
template <grid_problem Problem>
grid_result<Problem::axes> cheapest_point(Problem const& problem, grid_options const& options = {},
                                          control const& asked = {}) {
  return detail::grid_search<Problem>{problem, options, asked}.run();
}
template <class Problem, class... More>
  requires(!grid_problem<Problem>)
grid_problem_needs_axes_sizes_least_and_costs cheapest_point(Problem const&, More const&...) = delete;

}  // namespace shardplan::search
