#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include <shardplan/search/chain_problem.hpp>
#include <shardplan/search/control.hpp>

/// Labels of a chain under a resource: costs and resources with which a choice can be reached.
namespace shardplan::search::detail {

struct chain_label {
  double cost;
  double resource;
  std::uint32_t before;
  std::uint32_t choice;
};

/// Keeps the labels of which no other is better or equal in both; sorted by resource.
inline void keep_best(std::vector<chain_label>& labels) {
  std::sort(labels.begin(), labels.end(), [](chain_label const& left, chain_label const& right) {
    return left.resource != right.resource ? left.resource < right.resource
           : left.cost != right.cost       ? left.cost < right.cost
                                           : left.before < right.before;
  });
  double least = std::numeric_limits<double>::infinity();
  std::erase_if(labels, [&](chain_label const& each) {
    if (each.cost >= least)
      return true;
    least = each.cost;
    return false;
  });
}

/// A bound at another price: cost + price * resource + rest[choice] of a label must be below `below`.
struct chain_price {
  double price = 0;
  std::vector<double> rest = {};
  double below = 0;
};

/// What labels must be below: cost + price * resource + after[choice], where `after` bounds what follows, and
/// resource + least_after[choice] at most `room`. At the best price nearly all labels fail. Those that have spent much
/// less or more of the resource than the best chain at that price are bounded better at other prices.
struct chain_limits {
  double price = 0;
  std::vector<double> after;
  std::vector<double> least_after;
  double room = std::numeric_limits<double>::infinity();
  double below = std::numeric_limits<double>::infinity();
  std::vector<chain_price> others = {};

  /// Whether a label that takes a choice next is below at the other prices, too.
  bool let_through(double cost, double resource, std::size_t index) const {
    for (chain_price const& each : others)
      if (!(cost + each.price * resource + each.rest[index] < each.below))
        return false;
    return true;
  }
};

/// All labels, layer by layer, that the limits let through. Empty if it is stopped.
inline std::vector<std::vector<chain_label>> chain_labels(chain_tables const& t, chain_limits const& limits,
                                                          watch& looks, std::size_t& made) {
  std::vector<std::vector<chain_label>> layers;
  std::vector<std::vector<chain_label>> of_choice;
  std::vector<double> own, least;
  for (std::size_t layer = 0; layer < t.layers(); ++layer) {
    std::size_t const count = t.choices(layer);
    of_choice.resize(std::max(of_choice.size(), count));
    own.resize(count);
    least.resize(count);
    for (std::size_t choice = 0; choice < count; ++choice) {
      of_choice[choice].clear();
      std::size_t const index = t.at(layer, choice);
      own[choice] = t.cost(layer, choice) + limits.price * t.resource(layer, choice) + limits.after[index];
      least[choice] = t.resource(layer, choice) + limits.least_after[index];
    }
    // One label to all choices: nearly all of them fail the first test.
    auto const extend = [&](double cost, double resource, double const* switching, std::size_t before) {
      double const weight = cost + limits.price * resource;
      for (std::size_t choice = 0; choice < count; ++choice) {
        double const way = switching ? switching[choice] : 0;
        if (weight + way + own[choice] < limits.below && resource + least[choice] <= limits.room &&
            limits.let_through(cost + way, resource, t.at(layer, choice)))
          of_choice[choice].push_back({cost + way + t.cost(layer, choice), resource + t.resource(layer, choice),
                                       static_cast<std::uint32_t>(before), static_cast<std::uint32_t>(choice)});
      }
    };
    if (layer == 0) {
      extend(0, 0, nullptr, 0);
      made += count;
    } else {
      auto const& last = layers.back();
      for (std::size_t before = 0; before < last.size(); ++before) {
        extend(last[before].cost, last[before].resource, t.switching(layer, last[before].choice), before);
        if (before % 1024 == 0 && looks.stops(made)) {
          layers.clear();
          return layers;
        }
        made += count;
      }
    }
    auto& labels = layers.emplace_back();
    for (std::size_t choice = 0; choice < count; ++choice) {
      keep_best(of_choice[choice]);
      labels.insert(labels.end(), of_choice[choice].begin(), of_choice[choice].end());
    }
    if (looks.stops(made)) {
      layers.clear();
      return layers;
    }
  }
  return layers;
}

inline std::vector<std::size_t> choices_of(std::vector<std::vector<chain_label>> const& layers, std::size_t last) {
  std::vector<std::size_t> choices(layers.size());
  for (std::size_t layer = layers.size(); layer-- > 0;) {
    choices[layer] = layers[layer][last].choice;
    last = layers[layer][last].before;
  }
  return choices;
}

}  // namespace shardplan::search::detail
