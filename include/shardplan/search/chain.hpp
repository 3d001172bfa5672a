#pragma once
#include <algorithm>
#include <cstddef>
#include <limits>
#include <utility>
#include <vector>

#include <shardplan/search/chain_labels.hpp>
#include <shardplan/search/chain_problem.hpp>
#include <shardplan/search/control.hpp>
#include <shardplan/search/result.hpp>

/// Chain under a resource: layers in order, one choice for each, costs that add up, a cost of switching between the
/// choices of neighbours, and a limited resource. Exact in real-valued resources.
///
/// The problem is a shortest path under a resource limit. The search bounds it by its Lagrangian dual (Handler and Zang
/// 1980), and then extends labels layer by layer: a label is a cost and a resource with which a choice can be reached.
/// It is dropped if another of the same choice is no worse in both, or if the dual says that nothing cheaper than the
/// best chain known can come of it.
namespace shardplan::search {

/// The answer for one limit.
struct chain_result {
  search::certificate certificate;
  /// The choice of each layer; empty if there is none.
  std::vector<std::size_t> choices;
  double cost = 0;
  double resource = 0;
  /// What the chain that needs least of the resource needs: above the limit, nothing is feasible.
  double least_resource = 0;
  /// Where nothing is feasible: the choices of that chain.
  std::vector<std::size_t> nearest;
  /// Labels that were made, and of these those that were extended.
  std::size_t labels = 0;
  std::size_t extended = 0;
};

namespace detail {

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

}  // namespace detail

/// The cheapest chain that needs no more than `limit` of the resource. Counts labels towards the control's limit; a
/// search that is stopped returns the best chain so far as `feasible`, with the dual's bound.
template <chain_problem Problem>
chain_result cheapest_chain(Problem const& problem, double limit, control const& asked = {}) {
  detail::chain_tables const t{problem};
  detail::chain_solver const solver{t};
  detail::watch looks{asked};
  chain_result result;
  auto& proof = result.certificate;
  proof.candidates = detail::all_chains(t);
  auto const infeasible = [&] {
    proof.status = status::infeasible;
    looks.end(0);
    return result;
  };
  auto const answer = [&](detail::chain_path const& path, double bound, bool stopped) {
    result.choices = path.choices;
    result.cost = proof.objective = path.cost;
    result.resource = path.resource;
    proof.bound = stopped ? std::min(bound, path.cost) : path.cost;
    proof.status = stopped ? status::feasible : status::optimal;
    proof.evaluated = result.labels;
    looks.objective(path.cost);
    looks.bound(proof.bound);
    looks.end(result.labels);
    return result;
  };
  if (proof.candidates == 0)
    return infeasible();
  auto const least_rest = solver.rest(0, 1);
  detail::chain_path thrifty = solver.path(least_rest, 0);
  result.least_resource = thrifty.resource;
  if (!(thrifty.resource <= limit)) {
    result.nearest = thrifty.choices;
    return infeasible();
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
  for (double const factor : {0.5, 0.8, 1.25, 2.0})
    limits.others.push_back({factor * price, solver.rest(1, factor * price)});
  looks.objective(best.cost);
  looks.bound(bound);
  double const gap = best.cost - bound;
  for (double const share : {1.0 / 64, 1.0 / 16, 1.0 / 8, 3.0 / 16, 1.0 / 4, 3.0 / 8, 1.0 / 2, 3.0 / 4, 1.0}) {
    double const widest = best.cost * (1 - tie_tolerance);
    double const target = share == 1 ? widest : std::min(bound + share * gap, widest);
    limits.below = target + price * limit;
    for (detail::chain_price& each : limits.others)
      each.below = target + each.price * limit;
    auto const layers = detail::chain_labels(t, limits, looks, result.labels);
    if (looks.stopped())
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
    if (best.cost <= target || target == widest)
      break;
  }
  return answer(best, bound, false);
}
template <class Problem, class... More>
  requires(!chain_problem<Problem>)
chain_problem_needs_layers_choices_cost_resource_and_switching cheapest_chain(Problem const&, double,
                                                                              More const&...) = delete;

}  // namespace shardplan::search
