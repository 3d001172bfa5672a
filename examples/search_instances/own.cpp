#include "own.hpp"

// An algorithm of one's own, and a bound: change these, or add more. The bench runs them beside the library's searches
// and checks them against the oracle; `search-instances --algorithm greedy` runs them on files.
void add_own(shardplan::testing::search_contests& to) {
  using shardplan::testing::chain_case;
  // Gives each layer the cheapest choice that leaves the others what they need at least.
  to.chains.add_algorithm("greedy", [](chain_case const& each) -> shardplan::testing::verdict {
    double cost = 0, room = each.limit - each.of.least_resource();
    std::size_t before = 0;
    for (std::size_t layer = 0; layer < each.of.layers(); ++layer) {
      auto const& needs = each.of.resource_of[layer];
      double const least = *std::min_element(needs.begin(), needs.end());
      double best = std::numeric_limits<double>::infinity();
      std::size_t chosen = 0;
      for (std::size_t choice = 0; choice < needs.size(); ++choice)
        if (double const way = layer > 0 ? each.of.switching(layer, before, choice) : 0;
            needs[choice] - least <= room && way + each.of.cost(layer, choice) < best) {
          best = way + each.of.cost(layer, choice);
          chosen = choice;
        }
      cost += best;
      room -= needs[chosen] - least;
      before = chosen;
    }
    return cost;
  });
  to.chains.add_bound("cheapest choices", [](chain_case const& each) {
    double sum = 0;
    for (auto const& costs : each.of.cost_of)
      sum += *std::min_element(costs.begin(), costs.end());
    return sum;
  });
}
