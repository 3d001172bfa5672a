#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <limits>
#include <vector>

#include <shardplan/search/branch_and_bound.hpp>
#include <shardplan/search/chain_front.hpp>
#include <shardplan/search/chain_resources.hpp>
#include <shardplan/search/grid.hpp>
#include <shardplan/search/grid_front.hpp>
#include <shardplan/search/partition.hpp>
#include <shardplan/search/stage_points.hpp>
#include <shardplan/search/stage_points_tree.hpp>
#include <shardplan/search/zero_one.hpp>
#include <shardplan/testing/chain_instances.hpp>
#include <shardplan/testing/partition_instances.hpp>
#include <shardplan/testing/stage_points_instances.hpp>
#include <shardplan/testing/zero_one_instances.hpp>

#include <support/numbers.hpp>

// A hundred thousand random problems of each kind against trying everything; chains under one resource are in
// chain_long.cpp.
namespace {

using namespace shardplan::search;
using namespace shardplan::testing;
using support::close;

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr int rounds = 100000;

std::size_t some(generator& random, long long low, long long high) {
  return static_cast<std::size_t>(random.whole(low, high));
}
bool right(certificate const& proof, double expected) {
  return expected < infinity ? proof.status == status::optimal && close(proof.objective, expected)
                             : proof.status == status::infeasible;
}

TEST_CASE("partitions") {
  generator random{301};
  int wrong = 0;
  for (int round = 0; round < rounds; ++round) {
    auto const of = random_partition(some(random, 1, 9), some(random, 1, 5), random);
    wrong += right(cheapest_partition(of, of.objective).certificate, try_partitions(of).least) ? 0 : 1;
  }
  CHECK(wrong == 0);
}

TEST_CASE("first and last micro-batch, by labels and by branch and bound") {
  generator random{302};
  int wrong = 0;
  for (int round = 0; round < rounds; ++round) {
    auto const stages = some(random, 1, 4);
    auto const of = random_stage_points(stages + some(random, 0, 5), stages, some(random, 0, 2), some(random, 1, 4),
                                        some(random, 1, 32), random);
    double const expected = cheapest_by_trying(of);
    wrong += right(cheapest_stages(of).certificate, expected) ? 0 : 1;
    auto const order = random.chance(0.5) ? branch_order::depth_first : branch_order::best_first;
    wrong += right(branch_and_bound(stage_points_tree{of}, {.order = order}).certificate, expected) ? 0 : 1;
  }
  CHECK(wrong == 0);
}

struct with_second {
  chain_instance of;
  std::vector<std::vector<double>> second;
  std::size_t layers() const { return of.layers(); }
  std::size_t choices(std::size_t layer) const { return of.choices(layer); }
  double cost(std::size_t layer, std::size_t choice) const { return of.cost(layer, choice); }
  double resource(std::size_t layer, std::size_t choice, std::size_t which) const {
    return which == 0 ? of.resource(layer, choice) : second[layer][choice];
  }
  double switching(std::size_t layer, std::size_t from, std::size_t to) const { return of.switching(layer, from, to); }
};

TEST_CASE("chains under two resources, and fronts of chains") {
  generator random{303};
  int wrong = 0;
  for (int round = 0; round < rounds; ++round) {
    auto const kind = random.one_of(chain_kind::trade_off, chain_kind::random, chain_kind::identical);
    with_second problem{random_chain(kind, some(random, 1, 4), some(random, 1, 4), random), {}};
    auto const& of = problem.of;
    for (std::size_t layer = 0; layer < of.layers(); ++layer) {
      auto& row = problem.second.emplace_back();
      for (std::size_t choice = 0; choice < of.choices(layer); ++choice)
        row.push_back(random.chance(0.3) ? static_cast<double>(random.whole(0, 3)) : random.real(0, 4));
    }
    std::array const limits{of.least_resource() + (of.most_resource() - of.least_resource()) * random.real(-0.05, 0.9),
                            random.real(0, 2.5 * static_cast<double>(of.layers()))};
    double expected = infinity, of_one = infinity;
    for_each_chain(of, [&](auto const& choices, double cost, double resource) {
      double second = 0;
      for (std::size_t layer = 0; layer < choices.size(); ++layer)
        second += problem.second[layer][choices[layer]];
      if (resource <= limits[0]) {
        of_one = std::min(of_one, cost);
        if (second <= limits[1])
          expected = std::min(expected, cost);
      }
    });
    wrong += right(cheapest_chain(problem, limits).certificate, expected) ? 0 : 1;
    auto const point = chain_fronts{of}.cheapest(limits[0]);
    wrong += point ? (close(point->cost, of_one) ? 0 : 1) : (of_one < infinity ? 1 : 0);
  }
  CHECK(wrong == 0);
}

struct table_grid {
  static constexpr std::size_t axes = 2, objectives = 2;
  grid_point<2> size{};
  std::array<std::vector<double>, 2> cost;

  grid_point<2> sizes() const { return size; }
  std::array<double, 2> least(grid_box<2> const& box) const {
    std::array<double, 2> result{infinity, infinity};
    for (std::size_t number = 0; number < box.size(); ++number)
      for (std::size_t index = 0; index < 2; ++index)
        result[index] = std::min(result[index], at(index, point_of(box, number)));
    return result;
  }
  double at(std::size_t index, grid_point<2> const& point) const { return cost[index][point[0] * size[1] + point[1]]; }
  void costs(grid_box<2> const& box, std::array<std::span<double>, 2> const& values) const {
    for (std::size_t number = 0; number < box.size(); ++number)
      for (std::size_t index = 0; index < 2; ++index)
        values[index][number] = at(index, point_of(box, number));
  }
};
/// The first cost alone.
struct first_of_grid {
  static constexpr std::size_t axes = 2;
  table_grid const& of;
  grid_point<2> sizes() const { return of.size; }
  double least(grid_box<2> const& box) const { return of.least(box)[0] - 0.01 * static_cast<double>(box.size() - 1); }
  void costs(grid_box<2> const& box, std::span<double> values) const {
    for (std::size_t number = 0; number < box.size(); ++number)
      values[number] = of.at(0, point_of(box, number));
  }
};

TEST_CASE("grids and their fronts") {
  generator random{304};
  int wrong = 0;
  for (int round = 0; round < rounds; ++round) {
    table_grid of;
    of.size = {static_cast<std::uint32_t>(some(random, 1, 7)), static_cast<std::uint32_t>(some(random, 1, 7))};
    bool const whole = random.chance(0.5);
    for (auto& column : of.cost)
      for (std::size_t left = std::size_t{of.size[0]} * of.size[1]; left > 0; --left)
        column.push_back(random.chance(0.1) ? infinity
                         : whole            ? static_cast<double>(random.whole(0, 3))
                                            : random.real(1, 9));
    grid_options const options{.split = random.one_of(box_split::longest, box_split::tightest),
                               .evaluate_at = some(random, 1, 20)};
    double const expected = *std::min_element(of.cost[0].begin(), of.cost[0].end());
    auto const answer = cheapest_point(first_of_grid{of}, options);
    wrong += right(answer.certificate, expected) ? 0 : 1;
    if (expected < infinity) {
      auto const first =
          static_cast<std::size_t>(std::find(of.cost[0].begin(), of.cost[0].end(), expected) - of.cost[0].begin());
      wrong += answer.best == point_of(grid_box<2>{{}, of.size}, first) ? 0 : 1;
    }
    std::vector<std::array<double, 2>> points;
    for (std::size_t index = 0; index < of.cost[0].size(); ++index)
      points.push_back({of.cost[0][index], of.cost[1][index]});
    auto const front = grid_front(of, options);
    auto const all = pareto_front(points);
    bool same = front.front.size() == all.size();
    for (std::size_t index = 0; same && index < all.size(); ++index)
      same = front.front[index].where == point_of(grid_box<2>{{}, of.size}, all[index]);
    wrong += same ? 0 : 1;
  }
  CHECK(wrong == 0);
}

TEST_CASE("0-1 programs") {
  generator random{305};
  int wrong = 0;
  for (int round = 0; round < rounds; ++round) {
    auto const of = random_zero_one(some(random, 0, 7), some(random, 0, 5), random);
    auto const order = random.chance(0.5) ? branch_order::depth_first : branch_order::best_first;
    auto const answer = solve_zero_one(of, order);
    double const expected = try_assignments(of).least;
    wrong += expected < infinity ? (answer.certificate.status == status::optimal &&
                                            close(answer.certificate.objective + 1, expected + 1, 1e-9)
                                        ? 0
                                        : 1)
                                 : (answer.certificate.status == status::infeasible ? 0 : 1);
  }
  CHECK(wrong == 0);
}

}  // namespace
