#pragma once
#include <array>
#include <cstddef>
#include <limits>
#include <span>

/// Curves of one operand that measurements give, to be bound to a `function` in an environment.
namespace shardplan::expr {

struct curve_point {
  double at = 0;
  double value = 0;
};

namespace detail {
/// The number of points whose `at` is not above the operand.
constexpr std::size_t points_up_to(std::span<curve_point const> points, double operand) {
  std::size_t low = 0, high = points.size();
  while (low < high) {
    std::size_t const middle = low + (high - low) / 2;
    if (points[middle].at <= operand)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}
/// The interval `values` and the values of the points that lie in `operand`.
template <class Interval>
constexpr Interval with_points_in(std::span<curve_point const> points, Interval operand, Interval values) {
  for (curve_point const& point : points)
    if (operand.low <= point.at && point.at <= operand.high) {
      values.low = point.value < values.low ? point.value : values.low;
      values.high = values.high < point.value ? point.value : values.high;
    }
  return values;
}
constexpr bool ascending(std::span<curve_point const> points) {
  for (std::size_t index = 1; index < points.size(); ++index)
    if (!(points[index - 1].at < points[index].at))
      return false;
  return !points.empty();
}
}  // namespace detail

/// Straight lines between points with ascending `at`; constant before the first and after the last. Views the points.
/// Without points, or of an operand that is no number, it has no value (NaN). At a point the slope is that to its
/// right.
class piecewise_linear {
 public:
  constexpr explicit piecewise_linear(std::span<curve_point const> points) : points_(points) {}

  /// The points are there and in ascending order, which the other functions rely on.
  constexpr bool valid() const { return detail::ascending(points_); }

  constexpr double operator()(double operand) const {
    if (points_.empty() || operand != operand)
      return std::numeric_limits<double>::quiet_NaN();
    std::size_t const after = detail::points_up_to(points_, operand);
    if (after == 0)
      return points_.front().value;
    if (after == points_.size())
      return points_.back().value;
    curve_point const left = points_[after - 1], right = points_[after];
    return left.value + (right.value - left.value) * ((operand - left.at) / (right.at - left.at));
  }
  /// All values between two operands: those at the ends and at the points between.
  template <class Interval> constexpr Interval enclose(Interval operand) const {
    double const first = (*this)(operand.low), last = (*this)(operand.high);
    Interval result{first < last ? first : last, first < last ? last : first};
    return detail::with_points_in(points_, operand, result);
  }
  constexpr std::array<double, 1> slopes(double operand) const {
    std::size_t const after = detail::points_up_to(points_, operand);
    if (after == 0 || after == points_.size())
      return {0.0};
    curve_point const left = points_[after - 1], right = points_[after];
    return {(right.value - left.value) / (right.at - left.at)};
  }

 private:
  std::span<curve_point const> points_;
};

/// A table of steps: from each `at` on, its value; before the first, the first value. Views the points.
class steps {
 public:
  constexpr explicit steps(std::span<curve_point const> points) : points_(points) {}

  constexpr bool valid() const { return detail::ascending(points_); }

  constexpr double operator()(double operand) const {
    if (points_.empty() || operand != operand)
      return std::numeric_limits<double>::quiet_NaN();
    std::size_t const after = detail::points_up_to(points_, operand);
    return points_[after == 0 ? 0 : after - 1].value;
  }
  template <class Interval> constexpr Interval enclose(Interval operand) const {
    double const first = (*this)(operand.low);
    Interval result{first, first};
    return detail::with_points_in(points_, operand, result);
  }
  constexpr std::array<double, 1> slopes(double) const { return {0.0}; }

 private:
  std::span<curve_point const> points_;
};

}  // namespace shardplan::expr
