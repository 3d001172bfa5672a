#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <tuple>
#include <utility>
#include <vector>

#include <shardplan/expr/column.hpp>
#include <shardplan/expr/environment.hpp>
#include <shardplan/expr/interval.hpp>
#include <shardplan/expr/record.hpp>
#include <shardplan/expr/symbol.hpp>
#include <shardplan/search/grid.hpp>

/// A grid whose cost is an expression: boxes are bounded by its interval reading, points are evaluated by its column
/// reading. Nothing else is asked of the user.
namespace shardplan::search {

/// The values of one symbol, in rising order.
template <expr::symbol_description Tag> struct grid_axis {
  using tag = Tag;
  std::vector<double> values;
};
template <class Tag> grid_axis<Tag> axis_of(expr::symbol<Tag>, std::vector<double> values) {
  return {std::move(values)};
}

/// An expression that may not exceed a number.
template <expr::expression Expression> struct grid_limit {
  using expression_type = Expression;
  double most;
};
template <expr::expression Expression> grid_limit<Expression> at_most(Expression, double most) { return {most}; }

namespace detail {

template <std::size_t Index, class Dimension> struct grid_value : expr::symbol_tag<Dimension, expr::sign::any> {
  static constexpr const char* name = "value";
  static constexpr const char* meaning = "one of the expressions of a grid";
};

template <class Indices, class... Expressions> struct grid_record;
template <std::size_t... Indices, class... Expressions>
struct grid_record<std::index_sequence<Indices...>, Expressions...> {
  template <std::size_t Index, class Expression> using tag_of = grid_value<Index, typename Expression::dimension>;
  static constexpr auto record =
      expr::make_record(expr::define(expr::symbol<tag_of<Indices, Expressions>>{}, Expressions{})...);

  /// Writes the values of all expressions, the last axis counted first.
  template <class Environment>
  static void evaluate(Environment const& environment, std::size_t count, std::size_t offset,
                       std::array<std::vector<double>, sizeof...(Indices)>& values) {
    expr::evaluate_columns(record, environment, count,
                           expr::into(expr::symbol<tag_of<Indices, Expressions>>{},
                                      std::span<double>{values[Indices].data() + offset, count})...);
  }
};

/// What grids of expressions have in common: their axes, and readings over boxes and points.
template <class Environment, class Axes, class... Expressions> class grid_readings;
template <class Environment, class... Tags, class... Expressions>
class grid_readings<Environment, std::tuple<grid_axis<Tags>...>, Expressions...> {
 public:
  static constexpr std::size_t axes = sizeof...(Tags);
  static constexpr std::size_t count = sizeof...(Expressions);

  grid_readings(Environment const& fixed, grid_axis<Tags>... axes) : fixed_(fixed), axes_(std::move(axes)...) {}

  grid_point<axes> sizes() const {
    return std::apply(
        [](auto const&... each) { return grid_point<axes>{static_cast<std::uint32_t>(each.values.size())...}; }, axes_);
  }
  /// The least that each expression can be in a box.
  std::array<double, count> least(grid_box<axes> const& box) const {
    return with_box(box, std::make_index_sequence<axes>{}, [](auto const& environment) {
      return std::array<double, count>{expr::enclose(Expressions{}, environment).low...};
    });
  }
  /// All expressions at all points of a box, into columns.
  void evaluate(grid_box<axes> const& box, std::array<std::vector<double>, count>& values) const {
    std::size_t const all = box.size(), row = box.extent(axes - 1);
    for (auto& each : values)
      each.resize(all);
    for (std::size_t done = 0; done < all; done += row)
      with_row(point_of(box, done), row, std::make_index_sequence<axes - 1>{}, [&](auto const& environment) {
        grid_record<std::make_index_sequence<count>, Expressions...>::evaluate(environment, row, done, values);
      });
  }
  /// The values of the symbols at a point.
  std::array<double, axes> values_at(grid_point<axes> const& point) const {
    return [&]<std::size_t... Axis>(std::index_sequence<Axis...>) {
      return std::array<double, axes>{std::get<Axis>(axes_).values[point[Axis]]...};
    }(std::make_index_sequence<axes>{});
  }

 private:
  template <class Tag>
  static expr::interval<double> range(grid_axis<Tag> const& axis, std::size_t first, std::size_t last) {
    return {axis.values[first], axis.values[last - 1]};
  }
  template <std::size_t... Axis, class Read>
  auto with_box(grid_box<axes> const& box, std::index_sequence<Axis...>, Read const& read) const {
    expr::environment<expr::binding<Tags, expr::interval<double>>...> const here{
        expr::binding<Tags, expr::interval<double>>{range(std::get<Axis>(axes_), box.first[Axis], box.last[Axis])}...};
    return read(expr::scope{here, fixed_});
  }
  template <std::size_t Axis> using tag_at = std::tuple_element_t<Axis, std::tuple<Tags...>>;
  template <std::size_t... Axis, class Read>
  void with_row(grid_point<axes> const& point, std::size_t row, std::index_sequence<Axis...>, Read const& read) const {
    expr::environment<expr::binding<tag_at<Axis>, double>...,
                      expr::binding<tag_at<axes - 1>, expr::column<double>>> const here{
        expr::binding<tag_at<Axis>, double>{std::get<Axis>(axes_).values[point[Axis]]}...,
        expr::binding<tag_at<axes - 1>, expr::column<double>>{
            {std::span<double const>{std::get<axes - 1>(axes_).values.data() + point[axes - 1], row}}}};
    read(expr::scope{here, fixed_});
  }

  Environment const& fixed_;
  std::tuple<grid_axis<Tags>...> axes_;
};

}  // namespace detail

/// One cost and any number of limits. All symbols that are no axis are bound by the environment, which must outlive the
/// grid. Put the axis with most values last: points are evaluated along it.
template <class Cost, class Limits, class Environment, class Axes> class expression_grid;
template <class Cost, class... Limits, class Environment, class... Tags>
class expression_grid<Cost, std::tuple<grid_limit<Limits>...>, Environment, std::tuple<grid_axis<Tags>...>> {
 public:
  static constexpr std::size_t axes = sizeof...(Tags);

  expression_grid(Cost, std::tuple<grid_limit<Limits>...> limits, Environment const& fixed, grid_axis<Tags>... axes)
      : readings_(fixed, std::move(axes)...),
        limits_(std::apply([](auto const&... each) { return std::array<double, sizeof...(Limits)>{each.most...}; },
                           limits)) {}

  grid_point<axes> sizes() const { return readings_.sizes(); }
  double least(grid_box<axes> const& box) const {
    auto const found = readings_.least(box);
    for (std::size_t limit = 0; limit < limits_.size(); ++limit)
      if (found[limit + 1] > limits_[limit])
        return std::numeric_limits<double>::infinity();
    return found[0];
  }
  void costs(grid_box<axes> const& box, std::span<double> values) const {
    readings_.evaluate(box, columns_);
    for (std::size_t number = 0; number < values.size(); ++number) {
      bool allowed = true;
      for (std::size_t limit = 0; limit < limits_.size(); ++limit)
        allowed = allowed && columns_[limit + 1][number] <= limits_[limit];
      values[number] = allowed ? columns_[0][number] : std::numeric_limits<double>::infinity();
    }
  }
  /// The values of the symbols at a point, in the order of the axes.
  std::array<double, axes> values_at(grid_point<axes> const& point) const { return readings_.values_at(point); }

  /// The grid whose cost is the largest share of its limit that a point takes: its cheapest point breaks the limits
  /// least. For when no point is allowed.
  struct shares_of_limits {
    static constexpr std::size_t axes = sizeof...(Tags);
    expression_grid const& grid;

    grid_point<axes> sizes() const { return grid.sizes(); }
    double least(grid_box<axes> const& box) const {
      auto const found = grid.readings_.least(box);
      double most = 0;
      for (std::size_t limit = 0; limit < grid.limits_.size(); ++limit)
        most = std::max(most, found[limit + 1] / grid.limits_[limit]);
      return most;
    }
    void costs(grid_box<axes> const& box, std::span<double> values) const {
      grid.readings_.evaluate(box, grid.columns_);
      for (std::size_t number = 0; number < values.size(); ++number) {
        double most = 0;
        for (std::size_t limit = 0; limit < grid.limits_.size(); ++limit)
          most = std::max(most, grid.columns_[limit + 1][number] / grid.limits_[limit]);
        values[number] = most;
      }
    }
  };
  shares_of_limits shares() const
    requires(sizeof...(Limits) > 0)
  {
    return {*this};
  }

 private:
  detail::grid_readings<Environment, std::tuple<grid_axis<Tags>...>, Cost, Limits...> readings_;
  std::array<double, sizeof...(Limits)> limits_;
  // Scratch: one thread at a time.
  mutable std::array<std::vector<double>, 1 + sizeof...(Limits)> columns_;
};
template <class Cost, class... Limits, class Environment, class... Tags>
expression_grid(Cost, std::tuple<grid_limit<Limits>...>, Environment const&, grid_axis<Tags>...)
    -> expression_grid<Cost, std::tuple<grid_limit<Limits>...>, Environment, std::tuple<grid_axis<Tags>...>>;

/// Two or three costs, for their Pareto front.
template <class Costs, class Environment, class Axes> class expression_front_grid;
template <class... Costs, class Environment, class... Tags>
class expression_front_grid<std::tuple<Costs...>, Environment, std::tuple<grid_axis<Tags>...>> {
 public:
  static constexpr std::size_t axes = sizeof...(Tags), objectives = sizeof...(Costs);

  expression_front_grid(std::tuple<Costs...>, Environment const& fixed, grid_axis<Tags>... axes)
      : readings_(fixed, std::move(axes)...) {}

  grid_point<axes> sizes() const { return readings_.sizes(); }
  std::array<double, objectives> least(grid_box<axes> const& box) const { return readings_.least(box); }
  void costs(grid_box<axes> const& box, std::array<std::span<double>, objectives> const& values) const {
    readings_.evaluate(box, columns_);
    for (std::size_t index = 0; index < objectives; ++index)
      std::copy(columns_[index].begin(), columns_[index].end(), values[index].begin());
  }
  std::array<double, axes> values_at(grid_point<axes> const& point) const { return readings_.values_at(point); }

 private:
  detail::grid_readings<Environment, std::tuple<grid_axis<Tags>...>, Costs...> readings_;
  mutable std::array<std::vector<double>, objectives> columns_;
};
template <class... Costs, class Environment, class... Tags>
expression_front_grid(std::tuple<Costs...>, Environment const&, grid_axis<Tags>...)
    -> expression_front_grid<std::tuple<Costs...>, Environment, std::tuple<grid_axis<Tags>...>>;

}  // namespace shardplan::search
