#pragma once
#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include <shardplan/search/result.hpp>

/// Chain under a resource: layers in order, one choice for each, costs that add up, a cost of switching between the
/// choices of neighbours, and a limited resource. Exact in real-valued resources.
///
/// The problem is a shortest path under a resource limit. The search bounds it by its Lagrangian dual (Handler and Zang
/// 1980), and then extends labels layer by layer: a label is a cost and a resource with which a choice can be reached.
/// It is dropped if another of the same choice is no worse in both, or if the dual says that nothing cheaper than the
/// best chain known can come of it.
namespace shardplan::search {

/// Layers and choices are numbered from 0. `switching(l, from, to)` is what it costs that layer l - 1 takes `from` and
/// layer l takes `to`, for l of at least 1. Costs, switching costs and resources are not negative.
template <class Problem>
concept chain_problem = requires(Problem const& problem, std::size_t index) {
  { problem.layers() } -> std::convertible_to<std::size_t>;
  { problem.choices(index) } -> std::convertible_to<std::size_t>;
  { problem.cost(index, index) } -> std::convertible_to<double>;
  { problem.resource(index, index) } -> std::convertible_to<double>;
  { problem.switching(index, index, index) } -> std::convertible_to<double>;
};
struct chain_problem_needs_layers_choices_cost_resource_and_switching;

/// The answer for one limit.
struct chain_result {
  search::certificate certificate;
  /// The choice of each layer; empty if there is none.
  std::vector<std::size_t> choices;
  double cost = 0;
  double resource = 0;
  /// What the chain that needs least of the resource needs: above the limit, nothing is feasible.
  double least_resource = 0;
  /// Labels that were made, and of these those that were extended.
  std::size_t labels = 0;
  std::size_t extended = 0;
};

/// A point of the front: no chain is cheaper with so little of the resource.
struct chain_point {
  double cost = 0;
  double resource = 0;
  std::vector<std::size_t> choices;
};

namespace detail {

class chain_tables {
 public:
  template <chain_problem Problem> explicit chain_tables(Problem const& problem) : layers_(problem.layers()) {
    first_.push_back(0);
    switch_first_.push_back(0);
    for (std::size_t layer = 0; layer < layers_; ++layer) {
      std::size_t const count = problem.choices(layer);
      for (std::size_t choice = 0; choice < count; ++choice) {
        cost_.push_back(problem.cost(layer, choice));
        resource_.push_back(problem.resource(layer, choice));
      }
      if (layer > 0)
        for (std::size_t from = 0; from < choices(layer - 1); ++from)
          for (std::size_t to = 0; to < count; ++to)
            switching_.push_back(problem.switching(layer, from, to));
      first_.push_back(cost_.size());
      switch_first_.push_back(switching_.size());
    }
  }

  std::size_t layers() const { return layers_; }
  std::size_t choices(std::size_t layer) const { return first_[layer + 1] - first_[layer]; }
  std::size_t at(std::size_t layer, std::size_t choice) const { return first_[layer] + choice; }
  std::size_t size() const { return cost_.size(); }
  double cost(std::size_t layer, std::size_t choice) const { return cost_[at(layer, choice)]; }
  double resource(std::size_t layer, std::size_t choice) const { return resource_[at(layer, choice)]; }
  /// Costs of switching from a choice of layer - 1 to each of this layer.
  double const* switching(std::size_t layer, std::size_t from) const {
    return switching_.data() + switch_first_[layer] + from * choices(layer);
  }

 private:
  std::size_t layers_;
  std::vector<std::size_t> first_, switch_first_;
  std::vector<double> cost_, resource_, switching_;
};

struct chain_path {
  double cost = 0;
  double resource = 0;
  std::vector<std::size_t> choices = {};
};

class chain_solver {
 public:
  explicit chain_solver(chain_tables const& tables) : t_(tables) {}

  /// Cheapest rest from each choice on, its own weight included, where a choice weighs cost_share * cost +
  /// resource_share * resource and switching cost_share * its cost.
  std::vector<double> rest(double cost_share, double resource_share) const {
    std::vector<double> value(t_.size());
    for (std::size_t layer = t_.layers(); layer-- > 0;) {
      double const* const next = layer + 1 < t_.layers() ? value.data() + t_.at(layer + 1, 0) : nullptr;
      std::size_t const width = next ? t_.choices(layer + 1) : 0;
      for (std::size_t choice = 0; choice < t_.choices(layer); ++choice) {
        double least = next ? std::numeric_limits<double>::infinity() : 0;
        if (next) {
          double const* const row = t_.switching(layer + 1, choice);
          for (std::size_t to = 0; to < width; ++to) {
            double const each = cost_share * row[to] + next[to];
            least = each < least ? each : least;
          }
        }
        value[t_.at(layer, choice)] =
            cost_share * t_.cost(layer, choice) + resource_share * t_.resource(layer, choice) + least;
      }
    }
    return value;
  }

  /// The path that the rests stand for.
  chain_path path(std::vector<double> const& rest, double cost_share) const {
    chain_path result;
    std::size_t before = 0;
    for (std::size_t layer = 0; layer < t_.layers(); ++layer) {
      std::size_t best = 0;
      double least = std::numeric_limits<double>::infinity();
      for (std::size_t choice = 0; choice < t_.choices(layer); ++choice) {
        double const switching = layer > 0 ? cost_share * t_.switching(layer, before)[choice] : 0;
        if (double const each = switching + rest[t_.at(layer, choice)]; each < least) {
          least = each;
          best = choice;
        }
      }
      result.choices.push_back(best);
      before = best;
    }
    measure(result);
    return result;
  }

  void measure(chain_path& path) const {
    path.cost = path.resource = 0;
    for (std::size_t layer = 0; layer < t_.layers(); ++layer) {
      path.cost += t_.cost(layer, path.choices[layer]);
      path.resource += t_.resource(layer, path.choices[layer]);
      if (layer > 0)
        path.cost += t_.switching(layer, path.choices[layer - 1])[path.choices[layer]];
    }
  }

  /// Changes one layer at a time while that makes a feasible path cheaper.
  void improve(chain_path& path, double limit) const {
    for (bool changed = true; changed;) {
      changed = false;
      for (std::size_t layer = 0; layer < t_.layers(); ++layer) {
        auto const around = [&](std::size_t choice) {
          double sum = t_.cost(layer, choice);
          if (layer > 0)
            sum += t_.switching(layer, path.choices[layer - 1])[choice];
          if (layer + 1 < t_.layers())
            sum += t_.switching(layer + 1, choice)[path.choices[layer + 1]];
          return sum;
        };
        std::size_t const now = path.choices[layer];
        double best = around(now) * (1 - tie_tolerance);
        for (std::size_t choice = 0; choice < t_.choices(layer); ++choice)
          if (path.resource - t_.resource(layer, now) + t_.resource(layer, choice) <= limit && around(choice) < best) {
            best = around(choice);
            path.choices[layer] = choice;
          }
        if (path.choices[layer] != now) {
          measure(path);
          changed = path.resource <= limit;
          if (!changed) {
            path.choices[layer] = now;
            measure(path);
          }
        }
      }
    }
  }

 private:
  chain_tables const& t_;
};

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

/// What labels must be below: cost + price * resource + after[choice], where `after` bounds what follows, and
/// resource + least_after[choice] at most `room`.
struct chain_limits {
  double price = 0;
  std::vector<double> after;
  std::vector<double> least_after;
  double room = std::numeric_limits<double>::infinity();
  double below = std::numeric_limits<double>::infinity();
};

/// All labels, layer by layer, that the limits let through. Empty if `stop(made)` says so.
template <class Stop>
std::vector<std::vector<chain_label>> chain_labels(chain_tables const& t, chain_limits const& limits, Stop const& stop,
                                                   std::size_t& made) {
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
        if (weight + way + own[choice] < limits.below && resource + least[choice] <= limits.room)
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
        if (before % 1024 == 0 && stop(made)) {
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
    if (stop(made)) {
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

inline std::size_t all_chains(chain_tables const& t) {
  std::size_t all = 1;
  for (std::size_t layer = 0; layer < t.layers(); ++layer) {
    std::size_t const count = t.choices(layer);
    if (count > 0 && all > static_cast<std::size_t>(-1) / count)
      return static_cast<std::size_t>(-1);
    all *= count;
  }
  return all;
}

}  // namespace detail

/// The cheapest chain that needs no more than `limit` of the resource. `should_stop(labels)` is asked between choices;
/// once it says yes the best chain so far is returned as `feasible`, with the dual's bound.
template <chain_problem Problem, std::predicate<std::size_t> ShouldStop>
chain_result cheapest_chain(Problem const& problem, double limit, ShouldStop should_stop) {
  detail::chain_tables const t{problem};
  detail::chain_solver const solver{t};
  chain_result result;
  auto& proof = result.certificate;
  proof.candidates = detail::all_chains(t);
  auto const answer = [&](detail::chain_path const& path, double bound, bool stopped) {
    result.choices = path.choices;
    result.cost = proof.objective = path.cost;
    result.resource = path.resource;
    proof.bound = stopped ? std::min(bound, path.cost) : path.cost;
    proof.status = stopped ? status::feasible : status::optimal;
    proof.evaluated = result.labels;
    return result;
  };
  if (proof.candidates == 0) {
    proof.status = status::infeasible;
    return result;
  }
  auto const least_rest = solver.rest(0, 1);
  detail::chain_path thrifty = solver.path(least_rest, 0);
  result.least_resource = thrifty.resource;
  if (!(thrifty.resource <= limit)) {
    proof.status = status::infeasible;
    return result;
  }
  auto rest = solver.rest(1, 0);
  detail::chain_path greedy = solver.path(rest, 1);
  if (greedy.resource <= limit)
    return answer(greedy, greedy.cost, false);

  // The dual: the price of the resource at which a chain above the limit and one below it weigh the same.
  solver.improve(thrifty, limit);
  detail::chain_path best = thrifty, above = greedy, below = thrifty;
  double price = 0, bound = greedy.cost;
  for (int round = 0; round < 100; ++round) {
    double const next = (below.cost - above.cost) / (above.resource - below.resource);
    if (!(next >= 0))
      break;
    auto weights = solver.rest(1, next);
    detail::chain_path found = solver.path(weights, 1);
    double const value = found.cost + next * (found.resource - limit);
    if (value > bound || round == 0) {
      bound = std::max(bound, value);
      price = next;
      rest = std::move(weights);
    }
    bool const new_point =
        found.cost + next * found.resource < (above.cost + next * above.resource) * (1 - tie_tolerance);
    if (found.resource <= limit) {
      below = found;
      solver.improve(found, limit);
      if (found.cost < best.cost)
        best = found;
    } else {
      above = found;
    }
    if (!new_point)
      break;
  }

  // Labels from which nothing cheaper can come are dropped. The optimum is mostly near the bound: first only labels
  // that stay near it are kept, then more, until a chain is found; then none of those that were dropped is cheaper.
  detail::chain_limits limits{.price = price,
                              .after = std::vector<double>(t.size()),
                              .least_after = std::vector<double>(t.size()),
                              .room = limit * (1 + tie_tolerance)};
  for (std::size_t layer = 0; layer < t.layers(); ++layer)
    for (std::size_t choice = 0; choice < t.choices(layer); ++choice) {
      std::size_t const index = t.at(layer, choice);
      limits.after[index] = rest[index] - t.cost(layer, choice) - price * t.resource(layer, choice);
      limits.least_after[index] = least_rest[index] - t.resource(layer, choice);
    }
  bool stopped = false;
  auto const stop = [&](std::size_t made) { return stopped = stopped || should_stop(made); };
  double const widest = best.cost * (1 - tie_tolerance);
  for (double const share : {1.0 / 256, 1.0 / 64, 1.0 / 16, 1.0 / 4, 1.0}) {
    double const target = share == 1 ? widest : bound + share * (widest - bound);
    limits.below = target + price * limit;
    auto const layers = detail::chain_labels(t, limits, stop, result.labels);
    if (stopped)
      return answer(best, bound, true);
    for (auto const& each : layers)
      result.extended += each.size();
    for (std::size_t last = 0; last < layers.back().size(); ++last) {
      // Sums along a label and along a chain may differ in their last bits: the chain's own count.
      detail::chain_path found{0, 0, detail::choices_of(layers, last)};
      solver.measure(found);
      if (found.resource <= limit && found.cost < best.cost)
        best = found;
    }
    if (best.cost <= target)
      break;
  }
  return answer(best, bound, false);
}
template <chain_problem Problem> chain_result cheapest_chain(Problem const& problem, double limit) {
  return cheapest_chain(problem, limit, [](std::size_t) { return false; });
}
template <class Problem, class... More>
  requires(!chain_problem<Problem>)
chain_problem_needs_layers_choices_cost_resource_and_switching cheapest_chain(Problem const&, double, More...) = delete;

/// All points of the front of cost and resource, from the least resource on: one for every limit at which the answer
/// changes. Their number may grow with the product of the choices; empty once more than `most_labels` are made.
template <chain_problem Problem>
std::vector<chain_point> chain_front(Problem const& problem, std::size_t most_labels = 100'000'000) {
  detail::chain_tables const t{problem};
  std::vector<chain_point> front;
  if (t.layers() == 0 || detail::all_chains(t) == 0)
    return front;
  std::size_t made = 0;
  detail::chain_limits const none{.after = std::vector<double>(t.size()), .least_after = std::vector<double>(t.size())};
  auto const layers = detail::chain_labels(t, none, [&](std::size_t labels) { return labels > most_labels; }, made);
  if (layers.empty())
    return front;
  std::vector<detail::chain_label> last = layers.back();
  for (std::size_t index = 0; index < last.size(); ++index)
    last[index].before = static_cast<std::uint32_t>(index);
  detail::keep_best(last);
  for (detail::chain_label const& each : last)
    front.push_back({each.cost, each.resource, detail::choices_of(layers, each.before)});
  return front;
}

}  // namespace shardplan::search
