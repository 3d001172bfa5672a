#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include <shardplan/search/chain.hpp>
#include <shardplan/search/chain_labels.hpp>
#include <shardplan/search/chain_problem.hpp>
#include <shardplan/search/control.hpp>
#include <shardplan/search/result.hpp>

/// Chain under a resource for all limits and ends at once: labels are extended once, and every question is then read
/// off.
namespace shardplan::search {

/// A point of the front: no chain is cheaper with so little of the resource.
struct chain_point {
  double cost = 0;
  double resource = 0;
  std::vector<std::size_t> choices;
};

/// The fronts of cost and resource of a chain. Their points may grow with the product of the choices.
class chain_fronts {
 public:
  /// Only chains that need no more than `most` of the resource are looked at. Counts labels towards the control's
  /// limit.
  template <chain_problem Problem>
  explicit chain_fronts(Problem const& problem, double most = std::numeric_limits<double>::infinity(),
                        control const& asked = {})
      : most_(most) {
    detail::chain_tables const t{problem};
    detail::watch looks{asked};
    if (t.layers() > 0 && detail::all_chains(t) > 0) {
      detail::chain_solver const solver{t};
      detail::chain_limits limits{
          .after = std::vector<double>(t.size()), .least_after = solver.rest(0, 1), .room = most * (1 + tie_tolerance)};
      for (std::size_t layer = 0; layer < t.layers(); ++layer)
        for (std::size_t choice = 0; choice < t.choices(layer); ++choice)
          limits.least_after[t.at(layer, choice)] -= t.resource(layer, choice);
      layers_ = detail::chain_labels(t, limits, looks, made_);
    }
    whole_ = !looks.stopped();
    looks.end(made_);
  }

  /// All labels were made; if not, there are no points.
  bool whole() const { return whole_; }
  std::size_t labels() const { return made_; }

  /// One point for every limit at which the answer changes, from the least resource on; of chains that end with one
  /// choice, or of all.
  std::vector<chain_point> front(std::optional<std::size_t> end = {}) const {
    std::vector<chain_point> result;
    for (detail::chain_label const& each : last(end))
      result.push_back(point(each));
    return result;
  }
  /// The cheapest chain within a limit, and of an end; nothing if there is none. The limit is no larger than `most`.
  std::optional<chain_point> cheapest(double limit, std::optional<std::size_t> end = {}) const {
    std::optional<chain_point> result;
    if (limit <= most_)
      for (detail::chain_label const& each : last(end))
        if (each.resource <= limit)
          result = point(each);
    return result;
  }

 private:
  /// Labels of the last layer, the best of them, each with its own index as `before`.
  std::vector<detail::chain_label> last(std::optional<std::size_t> end) const {
    std::vector<detail::chain_label> result;
    if (layers_.empty())
      return result;
    for (std::size_t index = 0; index < layers_.back().size(); ++index)
      if (auto each = layers_.back()[index]; !end || each.choice == *end) {
        each.before = static_cast<std::uint32_t>(index);
        result.push_back(each);
      }
    detail::keep_best(result);
    return result;
  }
  chain_point point(detail::chain_label const& each) const {
    return {each.cost, each.resource, detail::choices_of(layers_, each.before)};
  }

  double most_;
  bool whole_ = false;
  std::size_t made_ = 0;
  std::vector<std::vector<detail::chain_label>> layers_;
};

}  // namespace shardplan::search
