#pragma once
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <vector>

#include <shardplan/testing/generator.hpp>

/// Chains under a resource as tables, from seeds, and what trying everything and the textbook table make of them.
namespace shardplan::testing {

struct chain_instance {
  std::vector<std::vector<double>> cost_of, resource_of;
  /// By layer (0 is not used), from, to.
  std::vector<std::vector<std::vector<double>>> switching_of;

  std::size_t layers() const { return cost_of.size(); }
  std::size_t choices(std::size_t layer) const { return cost_of[layer].size(); }
  double cost(std::size_t layer, std::size_t choice) const { return cost_of[layer][choice]; }
  double resource(std::size_t layer, std::size_t choice) const { return resource_of[layer][choice]; }
  double switching(std::size_t layer, std::size_t from, std::size_t to) const { return switching_of[layer][from][to]; }

  /// The same with one choice left to the last layer.
  chain_instance ending_with(std::size_t choice) const {
    chain_instance result = *this;
    result.cost_of.back() = {cost_of.back()[choice]};
    result.resource_of.back() = {resource_of.back()[choice]};
    for (auto& row : result.switching_of.back())
      row = {row[choice]};
    return result;
  }

  double least_resource() const {
    double sum = 0;
    for (auto const& each : resource_of)
      sum += *std::min_element(each.begin(), each.end());
    return sum;
  }
  double most_resource() const {
    double sum = 0;
    for (auto const& each : resource_of)
      sum += *std::max_element(each.begin(), each.end());
    return sum;
  }
};

/// How costs and resources come about: less memory costs more time, nothing goes with anything, or all layers are
/// equal.
enum class chain_kind { trade_off, random, identical };

inline chain_instance random_chain(chain_kind kind, std::size_t layers, std::size_t choices, generator& random) {
  chain_instance result;
  auto const one_layer = [&](std::vector<double>& costs, std::vector<double>& resources) {
    costs.clear();
    resources.clear();
    for (std::size_t choice = 0; choice < choices; ++choice) {
      double const share = random.real(0.05, 1);
      bool const trade = kind == chain_kind::trade_off;
      resources.push_back(std::round(trade ? 200 + 1800 * share : random.real(100, 2000)));
      costs.push_back(trade ? (1 + 0.3 * random.real(0, 1)) / (0.2 + share) : random.real(1, 10));
    }
  };
  std::vector<double> costs, resources;
  std::vector<std::vector<double>> switching;
  for (std::size_t layer = 0; layer < layers; ++layer) {
    if (layer == 0 || kind != chain_kind::identical) {
      one_layer(costs, resources);
      switching.assign(choices, std::vector<double>(choices));
      for (std::size_t from = 0; from < choices; ++from)
        for (std::size_t to = 0; to < choices; ++to)
          switching[from][to] = from == to ? 0 : random.real(0, 0.5);
    }
    result.cost_of.push_back(costs);
    result.resource_of.push_back(resources);
    result.switching_of.push_back(switching);
  }
  return result;
}

/// Calls `visit(choices, cost, resource)` for every chain.
template <class Visit> void for_each_chain(chain_instance const& of, Visit visit) {
  std::vector<std::size_t> choices(of.layers(), 0);
  for (;;) {
    double cost = 0, resource = 0;
    for (std::size_t layer = 0; layer < of.layers(); ++layer) {
      cost += of.cost(layer, choices[layer]);
      resource += of.resource(layer, choices[layer]);
      if (layer > 0)
        cost += of.switching(layer, choices[layer - 1], choices[layer]);
    }
    visit(choices, cost, resource);
    std::size_t layer = 0;
    while (layer < of.layers() && ++choices[layer] == of.choices(layer))
      choices[layer++] = 0;
    if (layer == of.layers())
      return;
  }
}
/// Infinite if no chain is within the limit.
inline double cheapest_by_trying(chain_instance const& of, double limit) {
  double best = std::numeric_limits<double>::infinity();
  for_each_chain(of, [&](auto const&, double cost, double resource) {
    if (resource <= limit)
      best = std::min(best, cost);
  });
  return best;
}

/// The textbook dynamic program over whole units of the resource (Galvatron's core keeps such a table): least cost with
/// exactly a budget, layer by layer. Infinite if none.
inline double cheapest_by_table(chain_instance const& of, std::size_t budget) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  std::vector<std::vector<double>> table, next;
  for (std::size_t layer = 0; layer < of.layers(); ++layer) {
    next.assign(of.choices(layer), std::vector<double>(budget + 1, infinity));
    for (std::size_t to = 0; to < of.choices(layer); ++to) {
      auto const need = static_cast<std::size_t>(std::ceil(of.resource(layer, to)));
      double const cost = of.cost(layer, to);
      double* const row = next[to].data();
      if (layer == 0) {
        for (std::size_t room = need; room <= budget; ++room)
          row[room] = cost;
      } else {
        for (std::size_t from = 0; from < table.size() && need <= budget; ++from) {
          double const* const before = table[from].data();
          double const way = of.switching(layer, from, to) + cost;
          for (std::size_t room = need; room <= budget; ++room) {
            double const each = before[room - need] + way;
            row[room] = each < row[room] ? each : row[room];
          }
        }
      }
    }
    table.swap(next);
  }
  double best = infinity;
  for (auto const& row : table)
    best = std::min(best, row[budget]);
  return best;
}

}  // namespace shardplan::testing
