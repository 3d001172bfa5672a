#pragma once
#include <concepts>
#include <cstddef>
#include <vector>

/// A chain of choices, as a problem and as tables.
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

}  // namespace shardplan::search
