#include <doctest/doctest.h>

#include <shardplan/search/chain.hpp>

#include <support/chains.hpp>

// A hundred thousand small chains against trying everything, and larger ones against the textbook table.
namespace {

using namespace shardplan::search;
using support::chain_kind;
using support::close;

TEST_CASE("100,000 chains") {
  support::generator random{81};
  int wrong = 0;
  for (int round = 0; round < 100000; ++round) {
    auto const kind = random.one_of(chain_kind::trade_off, chain_kind::random, chain_kind::identical);
    auto of = random_chain(kind, static_cast<std::size_t>(random.whole(1, 5)),
                           static_cast<std::size_t>(random.whole(1, 4)), random);
    if (random.chance(0.3))
      for (auto& layer : of.resource_of)
        for (double& each : layer)
          each = static_cast<double>(random.whole(0, 3));
    double const limit = of.least_resource() + (of.most_resource() - of.least_resource()) * random.real(-0.1, 1.1);
    double const expected = cheapest_by_trying(of, limit);
    auto const answer = cheapest_chain(of, limit);
    bool const right = std::isinf(expected) ? answer.certificate.status == status::infeasible
                                            : answer.certificate.status == status::optimal &&
                                                  close(answer.cost, expected) && answer.resource <= limit;
    wrong += right ? 0 : 1;
  }
  CHECK(wrong == 0);
}

TEST_CASE("500 larger chains") {
  support::generator random{82};
  for (int round = 0; round < 500; ++round) {
    auto const kind = random.one_of(chain_kind::trade_off, chain_kind::random, chain_kind::identical);
    auto const of = random_chain(kind, static_cast<std::size_t>(random.whole(8, 20)),
                                 static_cast<std::size_t>(random.whole(4, 12)), random);
    double const limit =
        std::round(of.least_resource() + (of.most_resource() - of.least_resource()) * random.real(0.02, 0.9));
    CHECK(close(cheapest_chain(of, limit).cost, cheapest_by_table(of, static_cast<std::size_t>(limit))));
  }
}

}  // namespace
