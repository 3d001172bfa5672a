#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>
#include <vector>

#include <shardplan/expr/operators.hpp>
#include <shardplan/search/expression_grid.hpp>
#include <shardplan/search/grid.hpp>
#include <shardplan/search/grid_assignments.hpp>
#include <shardplan/search/grid_front.hpp>

#include <support/numbers.hpp>

// Grids in boxes: the optimum, the named point and the front of evaluating everything.
namespace {

using namespace shardplan;
using namespace shardplan::search;
using support::close;

constexpr double infinity = std::numeric_limits<double>::infinity();

/// Costs from a table; a bound is the least of the box, less what it may be off.
struct table_grid {
  static constexpr std::size_t axes = 3;
  grid_point<3> size{};
  std::vector<double> cost;
  double off = 0;

  grid_point<3> sizes() const { return size; }
  double at(grid_point<3> const& point) const { return cost[(point[0] * size[1] + point[1]) * size[2] + point[2]]; }
  double least(grid_box<3> const& box) const {
    double result = infinity;
    for (std::size_t number = 0; number < box.size(); ++number)
      result = std::min(result, at(point_of(box, number)));
    return result - off * static_cast<double>(box.size() - 1);
  }
  void costs(grid_box<3> const& box, std::span<double> values) const {
    for (std::size_t number = 0; number < box.size(); ++number)
      values[number] = at(point_of(box, number));
  }
};

table_grid random_grid(support::generator& random) {
  table_grid result;
  for (auto& each : result.size)
    each = static_cast<std::uint32_t>(random.whole(0, 9) == 0 ? 0 : random.whole(1, 8));
  bool const whole = random.chance(0.5);
  double const allowed = random.chance(0.1) ? 0 : random.real(0.05, 1);
  for (std::size_t left = std::size_t{result.size[0]} * result.size[1] * result.size[2]; left > 0; --left)
    result.cost.push_back(!random.chance(allowed) ? infinity
                          : whole                 ? static_cast<double>(random.whole(0, 3))
                                                  : random.real(1, 9));
  result.off = random.real(0, 0.05);
  return result;
}

TEST_CASE("the cheapest point is that of evaluating everything, and of equal ones the first") {
  support::generator random{231};
  int infeasible = 0;
  for (int round = 0; round < 4000; ++round) {
    auto const of = random_grid(random);
    grid_options const options{.split = random.one_of(box_split::longest, box_split::tightest),
                               .evaluate_at = static_cast<std::size_t>(random.whole(1, 40))};
    auto const answer = cheapest_point(of, options);
    grid_box<3> const all{{}, of.size};
    double least = infinity;
    for (double const each : of.cost)
      least = std::min(least, each);
    CHECK(answer.certificate.candidates == of.cost.size());
    if (!(least < infinity)) {
      ++infeasible;
      CHECK(answer.certificate.status == status::infeasible);
      continue;
    }
    CHECK(answer.certificate.status == status::optimal);
    CHECK(answer.certificate.objective == least);
    CHECK(answer.certificate.bound == least);
    std::size_t first = 0;
    while (of.cost[first] != least)
      ++first;
    CHECK(answer.best == point_of(all, first));
    for (auto const order : {branch_order::depth_first, branch_order::best_first}) {
      auto const assigned = branch_and_bound(grid_assignments{of, {2, 0, 1}}, {.order = order});
      CHECK(assigned.certificate.status == status::optimal);
      CHECK(assigned.certificate.objective == least);
      CHECK(assigned.best->first == answer.best);
    }
    auto const part = cheapest_point(of, options, {.most_nodes = static_cast<std::size_t>(random.whole(0, 20))});
    CHECK(part.certificate.bound <= least);
    if (part.certificate.status == status::feasible)
      CHECK(part.certificate.objective >= least);
  }
  CHECK(infeasible > 200);
}

struct front_grid {
  static constexpr std::size_t axes = 3, objectives = 3;
  std::array<table_grid, 3> of;
  grid_point<3> sizes() const { return of[0].size; }
  std::array<double, 3> least(grid_box<3> const& box) const {
    return {of[0].least(box), of[1].least(box), of[2].least(box)};
  }
  void costs(grid_box<3> const& box, std::array<std::span<double>, 3> const& values) const {
    for (std::size_t index = 0; index < 3; ++index)
      of[index].costs(box, values[index]);
  }
};

TEST_CASE("the front is that of all points") {
  support::generator random{232};
  std::size_t points = 0;
  for (int round = 0; round < 1000; ++round) {
    front_grid of;
    of.of[0] = random_grid(random);
    for (std::size_t index = 1; index < 3; ++index) {
      of.of[index] = of.of[0];
      bool const whole = random.chance(0.5);
      for (double& each : of.of[index].cost)
        each = whole ? static_cast<double>(random.whole(0, 3)) : random.real(1, 9);
    }
    grid_box<3> const all{{}, of.sizes()};
    auto const answer = grid_front(of, {.evaluate_at = static_cast<std::size_t>(random.whole(1, 40))});
    // By comparing all pairs.
    std::vector<front_point<3, 3>> expected;
    for (std::size_t number = 0; number < all.size(); ++number) {
      auto const costs = [&](std::size_t which) {
        return std::array{of.of[0].cost[which], of.of[1].cost[which], of.of[2].cost[which]};
      };
      auto const mine = costs(number);
      bool beaten = !(mine[0] < infinity);
      for (std::size_t other = 0; other < all.size() && !beaten; ++other) {
        auto const theirs = costs(other);
        bool const no_worse = theirs[0] <= mine[0] && theirs[1] <= mine[1] && theirs[2] <= mine[2];
        beaten = no_worse && (theirs != mine || other < number);
      }
      if (!beaten)
        expected.push_back({mine, point_of(all, number)});
    }
    std::sort(expected.begin(), expected.end(),
              [](auto const& left, auto const& right) { return left.costs < right.costs; });
    REQUIRE(answer.front.size() == expected.size());
    for (std::size_t index = 0; index < expected.size(); ++index) {
      CHECK(answer.front[index].costs == expected[index].costs);
      CHECK(answer.front[index].where == expected[index].where);
    }
    CHECK(answer.certificate.status == (expected.empty() ? status::infeasible : status::optimal));
    points += expected.size();
  }
  CHECK(points > 3000);
}

struct x_tag : expr::symbol_tag<> {
  static constexpr const char* name = "x";
  static constexpr const char* meaning = "a number";
};
struct y_tag : expr::symbol_tag<> {
  static constexpr const char* name = "y";
  static constexpr const char* meaning = "a number";
};
struct z_tag : expr::symbol_tag<> {
  static constexpr const char* name = "z";
  static constexpr const char* meaning = "a number";
};
struct a_tag : expr::symbol_tag<> {
  static constexpr const char* name = "a";
  static constexpr const char* meaning = "a number that is given";
};
constexpr expr::symbol<x_tag> x{};
constexpr expr::symbol<y_tag> y{};
constexpr expr::symbol<z_tag> z{};
constexpr expr::symbol<a_tag> a{};

std::vector<double> rising(support::generator& random, int count) {
  std::vector<double> result;
  double now = random.real(0.1, 2);
  for (int index = 0; index < count; ++index, now += random.real(0.1, 1))
    result.push_back(now);
  return result;
}

TEST_CASE("a grid of an expression under a limit: bounds by intervals, points in columns") {
  using namespace expr::literals;
  constexpr auto cost = a / (x * y) + x * 2_n + max(y, z) / 3_n + 8_n / z;
  constexpr auto weight = x * y * z;
  support::generator random{233};
  int infeasible = 0;
  for (int round = 0; round < 300; ++round) {
    expr::environment const fixed{a = random.real(1, 100)};
    auto const xs = rising(random, 7), ys = rising(random, 9), zs = rising(random, 30);
    double const most = random.chance(0.1) ? 1e-3 : random.real(1, 60);
    expression_grid const of{cost,          std::tuple{at_most(weight, most)}, fixed, axis_of(x, xs), axis_of(y, ys),
                             axis_of(z, zs)};
    double least = infinity, least_share = infinity;
    for (double const each_x : xs)
      for (double const each_y : ys)
        for (double const each_z : zs) {
          expr::environment const point{x = each_x, y = each_y, z = each_z, a = expr::get<a_tag>(fixed)};
          least_share = std::min(least_share, expr::evaluate(weight, point).value / most);
          if (expr::evaluate(weight, point).value <= most)
            least = std::min(least, expr::evaluate(cost, point).value);
        }
    auto const answer = cheapest_point(of);
    if (!(least < infinity)) {
      ++infeasible;
      CHECK(answer.certificate.status == status::infeasible);
      // By how much the nearest point misses the limit.
      auto const nearest = cheapest_point(of.shares());
      CHECK(nearest.certificate.objective > 1);
      CHECK(close(nearest.certificate.objective, least_share));
      continue;
    }
    REQUIRE(answer.certificate.status == status::optimal);
    CHECK(close(answer.certificate.objective, least));
    auto const at = of.values_at(answer.best);
    CHECK(close(
        expr::evaluate(cost, expr::environment{x = at[0], y = at[1], z = at[2], a = expr::get<a_tag>(fixed)}).value,
        least));
    CHECK(answer.certificate.evaluated < answer.certificate.candidates);
    auto const assigned = branch_and_bound(grid_assignments{of});
    CHECK(close(assigned.certificate.objective, least));
    CHECK(assigned.best->first == answer.best);
    auto const front = grid_front(
        expression_front_grid{std::tuple{cost, weight}, fixed, axis_of(x, xs), axis_of(y, ys), axis_of(z, zs)});
    REQUIRE(!front.front.empty());
    double cheapest = infinity;
    for (auto const& each : front.front)
      if (each.costs[1] <= most)
        cheapest = std::min(cheapest, each.costs[0]);
    CHECK(close(cheapest, least));
  }
  CHECK(infeasible > 10);
}

}  // namespace
