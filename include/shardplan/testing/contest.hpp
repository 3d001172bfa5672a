#pragma once
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <functional>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include <shardplan/search/result.hpp>

/// A contest of algorithms and bounds over instances of one kind, against an oracle.
namespace shardplan::testing {

/// What an algorithm makes of an instance: the cost of its answer, infinite if it finds none.
struct verdict {
  double objective = std::numeric_limits<double>::infinity();
  /// Where it proves one.
  double bound = -std::numeric_limits<double>::infinity();
  /// What it says of its answer.
  search::status status = search::status::feasible;
  /// Labels, nodes, or whatever it counts; and how many answers there are to choose from, if it knows.
  std::size_t work = 0;
  std::size_t candidates = 0;

  verdict() = default;
  verdict(double cost) : objective(cost) {
    if (!(cost < std::numeric_limits<double>::infinity()))
      status = search::status::stopped;
  }
};

/// How one of them did.
struct standing {
  std::string name;
  bool is_bound = false;
  std::size_t instances = 0;
  /// Answers cheaper than the optimum, or where there is none; bounds above it. What does so is wrong.
  std::size_t wrong = 0;
  /// Answers that cost as much as the optimum; bounds that reach it.
  std::size_t optimal = 0;
  /// |value - optimum| / optimum over instances with both.
  double mean_gap = 0;
  double worst_gap = 0;
  double mean_seconds = 0;
  double worst_seconds = 0;
  std::size_t work = 0;
};

template <class Instance> class contest {
 public:
  using algorithm = std::function<verdict(Instance const&)>;

  void add_algorithm(std::string name, algorithm run) {
    contenders_.push_back({std::move(name), std::move(run), false});
  }
  /// A lower bound of the cost.
  void add_bound(std::string name, std::function<double(Instance const&)> bound) {
    contenders_.push_back(
        {std::move(name), [bound = std::move(bound)](Instance const& of) { return verdict{bound(of)}; }, true});
  }

  /// The algorithm of this name, or null.
  algorithm const* find(std::string const& name) const {
    for (auto const& each : contenders_)
      if (each.name == name && !each.is_bound)
        return &each.run;
    return nullptr;
  }
  std::vector<std::string> names() const {
    std::vector<std::string> result;
    for (auto const& each : contenders_)
      if (!each.is_bound)
        result.push_back(each.name);
    return result;
  }

  /// Runs all on all instances. `optimum(instance)` is the oracle's answer, infinite where nothing is allowed. Of
  /// several rounds the fastest counts.
  std::vector<standing> run(std::vector<Instance> const& instances,
                            std::function<double(Instance const&)> const& optimum, int rounds = 1) const {
    constexpr double infinity = std::numeric_limits<double>::infinity();
    std::vector<double> best;
    for (Instance const& each : instances)
      best.push_back(optimum(each));
    std::vector<standing> result;
    for (contender const& each : contenders_) {
      standing of{.name = each.name, .is_bound = each.is_bound, .instances = instances.size()};
      std::size_t compared = 0;
      for (std::size_t index = 0; index < instances.size(); ++index) {
        verdict found;
        double seconds = infinity;
        for (int round = 0; round < rounds; ++round) {
          auto const begin = std::chrono::steady_clock::now();
          found = each.run(instances[index]);
          seconds = std::min(seconds, std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
        }
        of.mean_seconds += seconds / static_cast<double>(instances.size());
        of.worst_seconds = std::max(of.worst_seconds, seconds);
        of.work += found.work;
        double const allowed = 1e-9 * std::abs(best[index]);
        bool const none = !(best[index] < infinity);
        if (each.is_bound)
          of.wrong += !none && found.objective > best[index] + allowed ? 1 : 0;
        else
          of.wrong += none ? (found.objective < infinity ? 1 : 0) : (found.objective < best[index] - allowed ? 1 : 0);
        bool const equal = none ? !(found.objective < infinity) : std::abs(found.objective - best[index]) <= allowed;
        of.optimal += equal ? 1 : 0;
        if (!none && found.objective < infinity && best[index] != 0) {
          double const gap = std::abs(found.objective - best[index]) / std::abs(best[index]);
          of.mean_gap += gap;
          of.worst_gap = std::max(of.worst_gap, gap);
          ++compared;
        }
      }
      if (compared > 0)
        of.mean_gap /= static_cast<double>(compared);
      result.push_back(of);
    }
    return result;
  }

 private:
  struct contender {
    std::string name;
    algorithm run;
    bool is_bound;
  };
  std::vector<contender> contenders_;
};

}  // namespace shardplan::testing
