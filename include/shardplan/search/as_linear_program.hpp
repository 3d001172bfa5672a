#pragma once
#include <cstddef>
#include <limits>
#include <string>
#include <vector>

#include <shardplan/search/chain_problem.hpp>
#include <shardplan/search/linear_program.hpp>
#include <shardplan/search/partition.hpp>
#include <shardplan/search/stage_points.hpp>

/// The problems of this room as linear programs, for solvers of other kinds: to compare with, and to check against.
namespace shardplan::search {

namespace detail {
/// "x3_1" of "x", 3, 1.
template <class... More> std::string numbered_name(char const* name, std::size_t first, More... more) {
  std::string result = name;
  result.append(std::to_string(first));
  (result.append("_").append(std::to_string(more)), ...);
  return result;
}
}  // namespace detail

/// A chain under a resource: x_l_k says that layer l takes choice k, y_l_i_j that it does so after choice i.
template <chain_problem Problem> linear_program as_linear_program(Problem const& problem, double limit) {
  using detail::numbered_name;
  linear_program result;
  linear_row resource{"resource"};
  resource.most = limit;
  std::vector<std::size_t> before;
  for (std::size_t layer = 0; layer < problem.layers(); ++layer) {
    std::vector<std::size_t> now;
    linear_row one{numbered_name("one_of_layer", layer)};
    one.least = one.most = 1;
    for (std::size_t choice = 0; choice < problem.choices(layer); ++choice) {
      now.push_back(result.add_zero_or_one(numbered_name("x", layer, choice), problem.cost(layer, choice)));
      one.terms.push_back({now.back(), 1});
      resource.terms.push_back({now.back(), problem.resource(layer, choice)});
    }
    result.add(std::move(one));
    if (layer > 0) {
      std::vector<linear_row> into;
      for (std::size_t to = 0; to < now.size(); ++to) {
        into.push_back({numbered_name("into", layer, to), {{now[to], -1}}});
        into.back().least = into.back().most = 0;
      }
      for (std::size_t from = 0; from < before.size(); ++from) {
        linear_row out{numbered_name("out_of", layer - 1, from), {{before[from], -1}}};
        out.least = out.most = 0;
        for (std::size_t to = 0; to < now.size(); ++to) {
          std::size_t const way =
              result.add({numbered_name("y", layer, from, to), problem.switching(layer, from, to), 0, 1});
          out.terms.push_back({way, 1});
          into[to].terms.push_back({way, 1});
        }
        result.add(std::move(out));
      }
      for (linear_row& each : into)
        result.add(std::move(each));
    }
    before = std::move(now);
  }
  result.add(std::move(resource));
  return result;
}

/// A contiguous partition: x_s_i_j says that stage s takes layers [i, j).
template <partition_problem Problem>
linear_program as_linear_program(Problem const& problem, partition_objective const& objective) {
  using detail::numbered_name;
  constexpr double infinity = std::numeric_limits<double>::infinity();
  linear_program result;
  std::size_t const slowest = result.add({"slowest", objective.slowest});
  std::size_t const layers = problem.layers();
  // What reaches a layer leaves it again.
  std::vector<linear_row> at(layers + 1);
  for (std::size_t stage = 0; stage < problem.stages(); ++stage) {
    std::vector<linear_row> next(layers + 1);
    linear_row one{numbered_name("one_of_stage", stage)}, time{numbered_name("time", stage), {{slowest, -1}}};
    one.least = one.most = 1;
    time.most = 0;
    for (std::size_t first = 0; first < layers; ++first)
      for (std::size_t last = first + 1; last <= layers; ++last) {
        bool const ends = (stage == 0) == (first == 0) && (stage + 1 == problem.stages()) == (last == layers);
        double const takes = ends ? problem.stage_time(stage, first, last) : infinity;
        if (!(takes < infinity))
          continue;
        std::size_t const x = result.add_zero_or_one(numbered_name("x", stage, first, last),
                                                     objective.sum * takes + problem.extra(stage, first, last));
        one.terms.push_back({x, 1});
        time.terms.push_back({x, takes});
        at[first].terms.push_back({x, -1});
        next[last].terms.push_back({x, 1});
      }
    if (stage > 0)
      for (std::size_t layer = 0; layer <= layers; ++layer)
        if (!at[layer].terms.empty()) {
          at[layer].name = numbered_name("at", stage, layer);
          at[layer].least = at[layer].most = 0;
          result.add(std::move(at[layer]));
        }
    result.add(std::move(one));
    result.add(std::move(time));
    at = std::move(next);
  }
  return result;
}

/// Mist's inter-stage problem (Zhu et al., EuroSys 2025): z_s_e_p says that stage s takes point p of entry e; slowest
/// is at least each stage's T, extra at least what its D is above the times of the stages before.
inline linear_program as_linear_program(stage_points const& of) {
  using detail::numbered_name;
  linear_program result;
  std::size_t const slowest = result.add({"slowest", static_cast<double>(of.micro_batches) - 1});
  std::size_t const extra = result.add({"extra", 1});
  linear_row layers{"layers"};
  layers.least = layers.most = static_cast<double>(of.layers());
  std::vector<linear_term> times_before;
  for (std::size_t stage = 0; stage < of.stages(); ++stage) {
    linear_row one{numbered_name("one_of_stage", stage)}, time{numbered_name("time", stage), {{slowest, -1}}};
    linear_row last{numbered_name("extra", stage), {{extra, -1}}};
    one.least = one.most = 1;
    time.most = last.most = 0;
    last.terms.insert(last.terms.end(), times_before.begin(), times_before.end());
    for (std::size_t entry = 0; entry < of.entries[stage].size(); ++entry)
      for (std::size_t point = 0; point < of.entries[stage][entry].points.size(); ++point) {
        auto const& [t, d] = of.entries[stage][entry].points[point];
        std::size_t const z = result.add_zero_or_one(numbered_name("z", stage, entry, point), t);
        one.terms.push_back({z, 1});
        time.terms.push_back({z, t});
        last.terms.push_back({z, d});
        layers.terms.push_back({z, static_cast<double>(of.entries[stage][entry].layers)});
        times_before.push_back({z, -t});
      }
    result.add(std::move(one));
    result.add(std::move(time));
    result.add(std::move(last));
  }
  result.add(std::move(layers));
  return result;
}

}  // namespace shardplan::search
