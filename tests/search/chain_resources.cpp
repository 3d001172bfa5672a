#include <doctest/doctest.h>

#include <array>
#include <limits>
#include <vector>

#include <shardplan/search/chain.hpp>
#include <shardplan/search/chain_resources.hpp>

#include <support/chains.hpp>

// Chain under several resources: the optimum of trying everything.
namespace {

using namespace shardplan::search;
using support::chain_instance;
using support::chain_kind;
using support::close;

constexpr double infinity = std::numeric_limits<double>::infinity();

struct two_resources {
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

two_resources random_problem(std::size_t layers, std::size_t choices, support::generator& random) {
  auto const kind = random.one_of(chain_kind::trade_off, chain_kind::random, chain_kind::identical);
  two_resources result{random_chain(kind, layers, choices, random), {}};
  bool const whole = random.chance(0.3);
  for (std::size_t layer = 0; layer < layers; ++layer) {
    auto& row = result.second.emplace_back();
    for (std::size_t choice = 0; choice < choices; ++choice)
      row.push_back(whole ? static_cast<double>(random.whole(0, 3)) : random.real(0, 4));
  }
  return result;
}

double try_all(two_resources const& problem, std::array<double, 2> const& limits) {
  double best = infinity;
  for_each_chain(problem.of, [&](auto const& choices, double cost, double resource) {
    double second = 0;
    for (std::size_t layer = 0; layer < choices.size(); ++layer)
      second += problem.second[layer][choices[layer]];
    if (resource <= limits[0] && second <= limits[1])
      best = std::min(best, cost);
  });
  return best;
}

TEST_CASE("the cheapest chain under two limits is the one that trying everything finds") {
  support::generator random{211};
  int infeasible = 0, excluded = 0;
  for (int round = 0; round < 5000; ++round) {
    auto const problem = random_problem(static_cast<std::size_t>(random.whole(1, 5)),
                                        static_cast<std::size_t>(random.whole(1, 4)), random);
    auto const& of = problem.of;
    std::array const limits{of.least_resource() + (of.most_resource() - of.least_resource()) * random.real(-0.05, 0.8),
                            random.real(0, 2.5 * static_cast<double>(of.layers()))};
    double const expected = try_all(problem, limits);
    auto const answer = cheapest_chain(problem, limits);
    if (!(expected < infinity)) {
      ++infeasible;
      CHECK(answer.certificate.status == status::infeasible);
      if (answer.least_resources[0] <= limits[0] && answer.least_resources[1] <= limits[1])
        ++excluded;
      continue;
    }
    CHECK(answer.certificate.status == status::optimal);
    CHECK(close(answer.cost, expected));
    CHECK(answer.resources[0] <= limits[0]);
    CHECK(answer.resources[1] <= limits[1]);
  }
  CHECK(infeasible > 300);
  // Each limit alone could be kept.
  CHECK(excluded > 30);
}

TEST_CASE("a second limit that does not bind changes nothing; a larger chain takes few labels") {
  support::generator random{212};
  for (int round = 0; round < 10; ++round) {
    auto const problem = random_problem(12, 6, random);
    double const limit = 0.6 * problem.of.least_resource() + 0.4 * problem.of.most_resource();
    auto const free = cheapest_chain(problem, std::array{limit, 1e9});
    CHECK(close(free.cost, cheapest_chain(problem.of, limit).cost));
    auto const bound = cheapest_chain(problem, std::array{limit, 14.0});
    REQUIRE(bound.certificate.status == status::optimal);
    CHECK(bound.cost >= free.cost * (1 - 1e-12));
    CHECK(static_cast<double>(bound.labels) < 0.01 * static_cast<double>(bound.certificate.candidates));
    auto const part = cheapest_chain(problem, std::array{limit, 14.0}, {.most_nodes = 1});
    CHECK(part.certificate.bound <= bound.cost * (1 + 1e-12));
    CHECK(part.certificate.status == (part.choices.empty() ? status::stopped : status::feasible));
  }
}

TEST_CASE("no layers, and a layer without choices") {
  two_resources none;
  CHECK(cheapest_chain(none, std::array{0.0, 0.0}).certificate.status == status::optimal);
  two_resources empty{{{{}}, {{}}, {{}}}, {{}}};
  CHECK(cheapest_chain(empty, std::array{1.0, 1.0}).certificate.status == status::infeasible);
}

}  // namespace
