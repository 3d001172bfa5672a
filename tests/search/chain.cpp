#include <doctest/doctest.h>

#include <shardplan/search/chain.hpp>
#include <shardplan/search/chain_front.hpp>

#include <support/chains.hpp>

// Chain under a resource: the optimum of trying everything, with its proof.
namespace {

using namespace shardplan::search;
using support::chain_instance;
using support::chain_kind;
using support::close;

constexpr double infinity = std::numeric_limits<double>::infinity();

chain_kind any_kind(support::generator& random) {
  return random.one_of(chain_kind::trade_off, chain_kind::random, chain_kind::identical);
}

TEST_CASE("the cheapest chain is the one that trying everything finds") {
  support::generator random{71};
  int infeasible = 0, found = 0;
  for (int round = 0; round < 5000; ++round) {
    auto of = random_chain(any_kind(random), static_cast<std::size_t>(random.whole(1, 5)),
                           static_cast<std::size_t>(random.whole(1, 4)), random);
    // Few different resources, among them none at all: many ties.
    if (random.chance(0.3))
      for (auto& layer : of.resource_of)
        for (double& each : layer)
          each = static_cast<double>(random.whole(0, 3));
    double const limit = of.least_resource() + (of.most_resource() - of.least_resource()) * random.real(-0.1, 1.1);
    double const expected = cheapest_by_trying(of, limit);
    auto const answer = cheapest_chain(of, limit);
    if (std::isinf(expected)) {
      ++infeasible;
      CHECK(answer.certificate.status == status::infeasible);
      CHECK(answer.choices.empty());
      CHECK(answer.least_resource > limit);
      continue;
    }
    ++found;
    CHECK(answer.certificate.status == status::optimal);
    CHECK(close(answer.cost, expected));
    CHECK(answer.resource <= limit);
    CHECK(answer.certificate.bound == answer.certificate.objective);
    // What is said of the chain is so.
    double cost = 0, resource = 0;
    for (std::size_t layer = 0; layer < of.layers(); ++layer) {
      cost += of.cost(layer, answer.choices[layer]);
      resource += of.resource(layer, answer.choices[layer]);
      if (layer > 0)
        cost += of.switching(layer, answer.choices[layer - 1], answer.choices[layer]);
    }
    CHECK(close(cost, answer.cost));
    CHECK(close(resource, answer.resource));
  }
  CHECK(found > 4000);
  CHECK(infeasible > 100);
}

TEST_CASE("larger chains: never above the textbook table, and equal where resources are whole") {
  support::generator random{72};
  for (auto const kind : {chain_kind::trade_off, chain_kind::random, chain_kind::identical}) {
    auto const of = random_chain(kind, 12, 8, random);
    for (double const share : {0.1, 0.3, 0.6}) {
      double const limit = std::round(of.least_resource() + share * (of.most_resource() - of.least_resource()));
      auto const answer = cheapest_chain(of, limit);
      CHECK(answer.certificate.status == status::optimal);
      CHECK(close(answer.cost, cheapest_by_table(of, static_cast<std::size_t>(limit))));
      // Below a hundredth of trying everything.
      CHECK(static_cast<double>(answer.labels) < 0.01 * static_cast<double>(answer.certificate.candidates));
    }
  }
}

TEST_CASE("a fraction of a unit decides, where a table of whole units rounds up") {
  chain_instance of;
  of.cost_of = {{1, 3}, {1, 3}};
  of.resource_of = {{1.4, 1}, {1.6, 1}};
  of.switching_of.assign(2, {{0, 0}, {0, 0}});
  CHECK(cheapest_chain(of, 3).cost == 2);
  CHECK(support::cheapest_by_table(of, 3) == 4);
}

TEST_CASE("a limit that no chain can keep is infeasible, and the least that is needed is said") {
  chain_instance of;
  of.cost_of = {{1, 2}, {1, 2}};
  of.resource_of = {{5, 3}, {5, 4}};
  of.switching_of.assign(2, {{0, 0}, {0, 0}});
  auto const none = cheapest_chain(of, 6.5);
  CHECK(none.certificate.status == status::infeasible);
  CHECK(none.least_resource == 7);
  CHECK(none.nearest == std::vector<std::size_t>{1, 1});
  CHECK(cheapest_chain(of, 7).cost == 4);
  // A resource that is no number is never within the limit.
  CHECK(cheapest_chain(of, std::numeric_limits<double>::quiet_NaN()).certificate.status == status::infeasible);
}

TEST_CASE("no layers, and a layer without choices") {
  chain_instance of;
  auto const empty = cheapest_chain(of, 0);
  CHECK(empty.certificate.status == status::optimal);
  CHECK(empty.cost == 0);
  of.cost_of = {{}};
  of.resource_of = {{}};
  of.switching_of = {{}};
  CHECK(cheapest_chain(of, 1).certificate.status == status::infeasible);
}

TEST_CASE("a search that is stopped returns a chain within the limit, and a bound that holds") {
  support::generator random{73};
  auto const of = random_chain(chain_kind::trade_off, 32, 24, random);
  double const limit = 31130;
  auto const whole = cheapest_chain(of, limit);
  auto const part = cheapest_chain(of, limit, {.most_nodes = 0});
  CHECK(part.certificate.status == status::feasible);
  CHECK(part.resource <= limit);
  CHECK(part.cost >= whole.cost);
  CHECK(part.certificate.bound <= whole.cost * (1 + 1e-12));
  CHECK(part.certificate.gap() < 0.05);
}

TEST_CASE("the front has the answer for every limit") {
  support::generator random{74};
  for (int round = 0; round < 200; ++round) {
    auto const of = random_chain(any_kind(random), static_cast<std::size_t>(random.whole(1, 6)),
                                 static_cast<std::size_t>(random.whole(1, 4)), random);
    chain_fronts const fronts{of};
    CHECK(fronts.whole());
    auto const front = fronts.front();
    REQUIRE(!front.empty());
    for (std::size_t index = 1; index < front.size(); ++index) {
      CHECK(front[index].resource > front[index - 1].resource);
      CHECK(front[index].cost < front[index - 1].cost);
    }
    for (int turn = 0; turn < 5; ++turn) {
      double const limit = random.real(of.least_resource(), of.most_resource());
      auto point = front.begin();
      while (std::next(point) != front.end() && std::next(point)->resource <= limit)
        ++point;
      double const cheapest = cheapest_chain(of, limit).cost;
      CHECK(close(point->cost, cheapest));
      CHECK(close(fronts.cheapest(limit)->cost, cheapest));
      // The same of each end, and of a front that was limited from the start.
      chain_fronts const limited{of, limit};
      CHECK(close(limited.cheapest(limit)->cost, cheapest));
      CHECK(limited.labels() <= fronts.labels());
      CHECK(!limited.cheapest(2 * limit + 1));
      double least = infinity;
      for (std::size_t end = 0; end < of.choices(of.layers() - 1); ++end) {
        auto const ended = of.ending_with(end);
        auto const one = cheapest_chain(ended, limit);
        auto const found = fronts.cheapest(limit, end);
        CHECK(found.has_value() == (one.certificate.status == status::optimal));
        if (found) {
          CHECK(found->choices.back() == end);
          CHECK(close(found->cost, one.cost));
          least = std::min(least, found->cost);
        }
      }
      CHECK(close(least, cheapest));
    }
  }
  CHECK(!chain_fronts(random_chain(chain_kind::random, 20, 10, random), infinity, {.most_nodes = 1000}).whole());
}

}  // namespace
