#pragma once
#include <algorithm>
#include <array>
#include <cmath>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include <shardplan/search/chain_problem.hpp>
#include <shardplan/search/control.hpp>
#include <shardplan/search/result.hpp>

/// Chain under several resources: as `search/chain.hpp`, with a limit for each (device memory and host memory, say).
///
/// Bounded by the Lagrangian dual over a price for each resource, which a subgradient method raises (Held and Karp
/// 1971; Polyak's step), then labels that are dropped if another of the same choice is no worse in cost and all
/// resources, if the rest cannot be within a limit, or if the dual says that nothing below a target can come of it. The
/// target rises until a chain is found below it, or until it drops nothing.
namespace shardplan::search {

/// As `chain_problem`, but `resource(layer, choice, which)` for the resources 0 ... Resources - 1.
template <class Problem, std::size_t Resources>
concept chain_problem_of = requires(Problem const& problem, std::size_t index) {
  { problem.layers() } -> std::convertible_to<std::size_t>;
  { problem.choices(index) } -> std::convertible_to<std::size_t>;
  { problem.cost(index, index) } -> std::convertible_to<double>;
  { problem.resource(index, index, index) } -> std::convertible_to<double>;
  { problem.switching(index, index, index) } -> std::convertible_to<double>;
};

template <std::size_t Resources> struct chain_resources_result {
  search::certificate certificate;
  /// The choice of each layer; empty if there is none.
  std::vector<std::size_t> choices = {};
  double cost = 0;
  std::array<double, Resources> resources = {};
  /// Of each resource alone, what the chain that needs least of it needs. Where one of these is above its limit nothing
  /// is feasible; where none is and still nothing is, the limits exclude each other.
  std::array<double, Resources> least_resources = {};
  std::size_t labels = 0;
  std::size_t extended = 0;
};

namespace detail {

/// The chain with one resource in place of all; what it weighs, the search says.
template <class Problem, std::size_t Resources> struct one_of_resources {
  Problem const& problem;
  std::size_t which;
  std::size_t layers() const { return problem.layers(); }
  std::size_t choices(std::size_t layer) const { return problem.choices(layer); }
  double cost(std::size_t layer, std::size_t choice) const { return problem.cost(layer, choice); }
  double resource(std::size_t layer, std::size_t choice) const { return problem.resource(layer, choice, which); }
  double switching(std::size_t layer, std::size_t from, std::size_t to) const {
    return problem.switching(layer, from, to);
  }
};

template <std::size_t Resources> class chain_resources_search {
 public:
  using amounts = std::array<double, Resources>;
  using result_type = chain_resources_result<Resources>;

  template <class Problem>
  chain_resources_search(Problem const& problem, amounts const& limits, control const& asked)
      : t_(one_of_resources<Problem, Resources>{problem, 0}), limits_(limits), looks_(asked), resource_(t_.size()) {
    for (std::size_t layer = 0; layer < t_.layers(); ++layer)
      for (std::size_t choice = 0; choice < t_.choices(layer); ++choice)
        for (std::size_t which = 0; which < Resources; ++which)
          resource_[t_.at(layer, choice)][which] = problem.resource(layer, choice, which);
  }

  result_type run() {
    auto& proof = result_.certificate;
    proof.candidates = all_chains(t_);
    if (proof.candidates == 0)
      return infeasible();
    if (t_.layers() == 0) {
      consider({});
      return answer(false);
    }
    bool possible = true;
    for (std::size_t which = 0; which < Resources; ++which) {
      amounts only{};
      only[which] = 1;
      least_after_[which] = rests(0, only);
      result_.least_resources[which] = least_of_first(least_after_[which]);
      possible = possible && result_.least_resources[which] <= limits_[which];
    }
    if (!possible)
      return infeasible();
    raise_bound();
    looks_.bound(bound_);
    double const step = result_.choices.empty() ? std::abs(bound_) : best_ - bound_;
    for (double share = 1.0 / 256;; share *= 4) {
      double const room = std::max(share * step, tie_tolerance * std::abs(bound_));
      double const widest = best_ < infinity ? best_ - tie_tolerance * std::abs(best_) : infinity;
      bool const all = share > 1e6 || (step == 0 && share >= 1);
      double const target = all ? widest : std::min(bound_ + room, widest);
      bool cut = false;
      if (!extend(target, cut))
        return answer(true);
      if (best_ <= target || target == widest || !cut)
        return answer(false);
    }
  }

 private:
  static constexpr double infinity = std::numeric_limits<double>::infinity();
  struct label {
    double cost;
    amounts resources;
    std::uint32_t before;
    std::uint32_t choice;
  };

  /// Least of cost_share * cost + prices * resources from each choice on, its own included.
  std::vector<double> rests(double cost_share, amounts const& prices) const {
    std::vector<double> value(t_.size());
    for (std::size_t layer = t_.layers(); layer-- > 0;)
      for (std::size_t choice = 0; choice < t_.choices(layer); ++choice) {
        double least = layer + 1 < t_.layers() ? infinity : 0;
        if (layer + 1 < t_.layers()) {
          double const* const row = t_.switching(layer + 1, choice);
          for (std::size_t to = 0; to < t_.choices(layer + 1); ++to)
            least = std::min(least, cost_share * row[to] + value[t_.at(layer + 1, to)]);
        }
        value[t_.at(layer, choice)] =
            cost_share * t_.cost(layer, choice) + priced(prices, resource_[t_.at(layer, choice)]) + least;
      }
    return value;
  }
  static double priced(amounts const& prices, amounts const& of) {
    double sum = 0;
    for (std::size_t which = 0; which < Resources; ++which)
      sum += prices[which] * of[which];
    return sum;
  }
  double least_of_first(std::vector<double> const& rest) const {
    return *std::min_element(rest.begin(), rest.begin() + static_cast<std::ptrdiff_t>(t_.choices(0)));
  }
  bool within(amounts const& of) const {
    for (std::size_t which = 0; which < Resources; ++which)
      if (!(of[which] <= limits_[which]))
        return false;
    return true;
  }
  amounts measure(std::vector<std::size_t> const& choices, double& cost) const {
    amounts sum{};
    cost = 0;
    for (std::size_t layer = 0; layer < t_.layers(); ++layer) {
      cost += t_.cost(layer, choices[layer]);
      if (layer > 0)
        cost += t_.switching(layer, choices[layer - 1])[choices[layer]];
      for (std::size_t which = 0; which < Resources; ++which)
        sum[which] += resource_[t_.at(layer, choices[layer])][which];
    }
    return sum;
  }
  void consider(std::vector<std::size_t> const& choices) {
    double cost = 0;
    amounts const needs = measure(choices, cost);
    if (!within(needs) || !(cost < best_))
      return;
    best_ = cost;
    result_.choices = choices;
    result_.cost = cost;
    result_.resources = needs;
    looks_.objective(cost);
  }
  std::vector<std::size_t> path(std::vector<double> const& rest) const {
    std::vector<std::size_t> choices;
    for (std::size_t layer = 0; layer < t_.layers(); ++layer) {
      std::size_t best = 0;
      double least = infinity;
      for (std::size_t choice = 0; choice < t_.choices(layer); ++choice) {
        double const way = layer > 0 ? t_.switching(layer, choices.back())[choice] : 0;
        if (double const each = way + rest[t_.at(layer, choice)]; each < least) {
          least = each;
          best = choice;
        }
      }
      choices.push_back(best);
    }
    return choices;
  }

  void raise_bound() {
    amounts prices{};
    bound_ = -infinity;
    double pace = 1;
    int idle = 0;
    for (int round = 0; round < 200 && pace > 1e-3; ++round) {
      auto rest = rests(1, prices);
      double const value = least_of_first(rest) - priced(prices, limits_);
      auto const found = path(rest);
      consider(found);
      if (value > bound_) {
        bound_ = value;
        prices_ = prices;
        after_ = std::move(rest);
        idle = 0;
      } else if (++idle >= 10) {
        idle = 0;
        pace /= 2;
        prices = prices_;
      }
      double cost = 0;
      amounts const needs = measure(found, cost);
      // Resources have units of their own: each step is made in shares of the limit.
      double length = 0;
      amounts over{};
      for (std::size_t which = 0; which < Resources; ++which) {
        double const unit = limits_[which] > 0 ? limits_[which] : 1;
        over[which] = (needs[which] - limits_[which]) / unit;
        if (prices[which] == 0)
          over[which] = std::max(over[which], 0.0);
        length += over[which] * over[which];
      }
      if (!(length > 0))
        break;
      double const upper = best_ < infinity ? best_ : bound_ + 0.1 * std::abs(bound_) + 1e-300;
      double const step = pace * std::max(upper - value, 1e-6 * std::abs(value)) / length;
      for (std::size_t which = 0; which < Resources; ++which) {
        double const unit = limits_[which] > 0 ? limits_[which] : 1;
        prices[which] = std::max(0.0, prices[which] + step * over[which] / unit);
      }
    }
  }

  /// Of one choice, those of which no other is better or equal in all.
  static void keep_best(std::vector<label>& labels) {
    std::sort(labels.begin(), labels.end(), [](label const& left, label const& right) {
      return left.cost != right.cost             ? left.cost < right.cost
             : left.resources != right.resources ? left.resources < right.resources
                                                 : left.before < right.before;
    });
    std::size_t kept = 0;
    for (label const& each : labels) {
      bool beaten = false;
      for (std::size_t index = 0; index < kept && !beaten; ++index) {
        beaten = true;
        for (std::size_t which = 0; which < Resources; ++which)
          beaten = beaten && labels[index].resources[which] <= each.resources[which];
      }
      if (!beaten)
        labels[kept++] = each;
    }
    labels.erase(labels.begin() + static_cast<std::ptrdiff_t>(kept), labels.end());
  }

  /// All labels below a target; `cut` if the target dropped one. False if it was stopped.
  bool extend(double target, bool& cut) {
    double const below = target + priced(prices_, limits_);
    std::vector<std::vector<label>> layers;
    std::vector<std::vector<label>> of_choice;
    label const empty{0, {}, 0, 0};
    for (std::size_t layer = 0; layer < t_.layers(); ++layer) {
      std::size_t const count = t_.choices(layer);
      of_choice.assign(count, {});
      auto const grow = [&](label const& from, std::uint32_t before, double const* switching) {
        for (std::size_t choice = 0; choice < count; ++choice) {
          std::size_t const index = t_.at(layer, choice);
          double const way = from.cost + (switching ? switching[choice] : 0);
          bool fits = true;
          for (std::size_t which = 0; which < Resources; ++which)
            fits = fits && from.resources[which] + least_after_[which][index] <= limits_[which] * (1 + tie_tolerance);
          if (!fits)
            continue;
          if (!(way + priced(prices_, from.resources) + after_[index] < below)) {
            cut = true;
            continue;
          }
          label grown{way + t_.cost(layer, choice), from.resources, before, static_cast<std::uint32_t>(choice)};
          for (std::size_t which = 0; which < Resources; ++which)
            grown.resources[which] += resource_[index][which];
          of_choice[choice].push_back(grown);
        }
        result_.labels += count;
      };
      if (layer == 0)
        grow(empty, 0, nullptr);
      else
        for (std::size_t before = 0; before < layers.back().size(); ++before) {
          label const& from = layers.back()[before];
          grow(from, static_cast<std::uint32_t>(before), t_.switching(layer, from.choice));
          if (before % 64 == 0 && looks_.stops(result_.labels))
            return false;
        }
      auto& kept = layers.emplace_back();
      for (auto& each : of_choice) {
        keep_best(each);
        kept.insert(kept.end(), each.begin(), each.end());
      }
      result_.extended += kept.size();
      if (looks_.stops(result_.labels))
        return false;
    }
    for (std::size_t last = 0; last < layers.back().size(); ++last) {
      std::vector<std::size_t> choices(layers.size());
      std::size_t now = last;
      for (std::size_t layer = layers.size(); layer-- > 0;) {
        choices[layer] = layers[layer][now].choice;
        now = layers[layer][now].before;
      }
      consider(choices);
    }
    return true;
  }

  result_type infeasible() {
    result_.certificate.status = status::infeasible;
    looks_.end(result_.labels);
    return std::move(result_);
  }
  result_type answer(bool stopped) {
    auto& proof = result_.certificate;
    proof.evaluated = result_.labels;
    bool const any = best_ < infinity;
    if (!any && !stopped)
      return infeasible();
    proof.objective = any ? best_ : 0;
    proof.bound = stopped ? std::min(bound_, best_) : best_;
    proof.status = !any ? status::stopped : stopped ? status::feasible : status::optimal;
    looks_.bound(proof.bound);
    looks_.end(result_.labels);
    return std::move(result_);
  }

  chain_tables t_;
  amounts limits_;
  watch looks_;
  std::vector<amounts> resource_;
  std::array<std::vector<double>, Resources> least_after_;
  amounts prices_{};
  std::vector<double> after_;
  double bound_ = 0, best_ = infinity;
  result_type result_;
};

}  // namespace detail

/// The cheapest chain that needs no more of each resource than its limit. Counts labels towards the control's limit.
template <std::size_t Resources, chain_problem_of<Resources> Problem>
chain_resources_result<Resources> cheapest_chain(Problem const& problem, std::array<double, Resources> const& limits,
                                                 control const& asked = {}) {
  return detail::chain_resources_search<Resources>{problem, limits, asked}.run();
}

}  // namespace shardplan::search
