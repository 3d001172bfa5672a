#include <doctest/doctest.h>

#include <cmath>
#include <functional>
#include <limits>
#include <vector>

#include <shardplan/search/staged.hpp>

#include <support/numbers.hpp>

// Stages that draw on a pool, under every objective: the optimum of trying everything, with its proof.
namespace {

using namespace shardplan::search;
using support::close;

constexpr double infinity = std::numeric_limits<double>::infinity();

/// Every way of every stage is random, and may not be there.
template <class Cost> struct random_stages {
  struct way {
    Cost cost;
    std::size_t pool;
  };
  std::size_t layer_count = 0, stage_count = 0, pool_count = 0;
  std::vector<std::vector<way>> ways_of;
  std::vector<char> end;

  std::size_t layers() const { return layer_count; }
  std::size_t stages() const { return stage_count; }
  std::size_t pools() const { return pool_count; }
  bool ends(std::size_t pool) const { return end[pool] != 0; }
  std::size_t at(std::size_t stage, std::size_t first, std::size_t last, std::size_t pool) const {
    return ((stage * layer_count + first) * (layer_count + 1) + last) * pool_count + pool;
  }
  template <class Visit>
  void ways(std::size_t stage, std::size_t first, std::size_t last, std::size_t pool, Visit const& visit) const {
    auto const& list = ways_of[at(stage, first, last, pool)];
    for (std::size_t index = 0; index < list.size(); ++index)
      visit(list[index].cost, list[index].pool, index);
  }
};

template <class Cost, class Draw> random_stages<Cost> draw_stages(support::generator& random, Draw draw) {
  random_stages<Cost> result;
  result.layer_count = static_cast<std::size_t>(random.whole(1, 6));
  result.stage_count = static_cast<std::size_t>(random.whole(1, 4));
  result.pool_count = static_cast<std::size_t>(random.whole(1, 3));
  double const share = random.real(0.3, 1);
  result.ways_of.resize(
      result.at(result.stage_count - 1, result.layer_count - 1, result.layer_count, result.pool_count - 1) + 1);
  for (auto& list : result.ways_of)
    for (auto left = random.whole(0, 2); left > 0; --left)
      if (random.chance(share))
        list.push_back(
            {draw(), static_cast<std::size_t>(random.whole(0, static_cast<long long>(result.pool_count) - 1))});
  for (std::size_t pool = 0; pool < result.pool_count; ++pool)
    result.end.push_back(random.chance(0.7) ? 1 : 0);
  return result;
}

struct tried {
  double least = infinity;
  std::size_t count = 0;
};
/// `cost(stages)` from the costs of all stages.
template <class Cost, class Total> tried try_all(random_stages<Cost> const& of, Total total) {
  tried result;
  std::vector<Cost> chosen;
  std::function<void(std::size_t, std::size_t)> const go = [&](std::size_t first, std::size_t pool) {
    if (chosen.size() == of.stages()) {
      if (first == of.layers() && of.ends(pool)) {
        ++result.count;
        result.least = std::min(result.least, total(chosen));
      }
      return;
    }
    for (std::size_t last = first + 1; last <= of.layers(); ++last)
      of.ways(chosen.size(), first, last, pool, [&](Cost const& cost, std::size_t next, std::size_t) {
        chosen.push_back(cost);
        go(last, next);
        chosen.pop_back();
      });
  };
  go(0, 0);
  return result;
}

template <class Objective, class Draw, class Total>
void check_all(std::uint64_t seed, Draw draw, Objective const& objective, Total total) {
  using cost = typename Objective::stage_cost;
  support::generator random{seed};
  int found = 0, infeasible = 0;
  for (int round = 0; round < 3000; ++round) {
    bool const whole = random.chance(0.3);
    auto const of = draw_stages<cost>(random, [&] { return draw(random, whole); });
    auto const expected = try_all(of, total);
    auto const answer = cheapest_stages(of, objective);
    CHECK(answer.certificate.candidates == expected.count);
    if (expected.count == 0) {
      ++infeasible;
      CHECK(answer.certificate.status == status::infeasible);
      CHECK(answer.stages.empty());
      continue;
    }
    ++found;
    CHECK(answer.certificate.status == status::optimal);
    CHECK(close(answer.certificate.objective, expected.least));
    REQUIRE(answer.stages.size() == of.stages());
    // The stages that are named are there, and cost what is said.
    std::vector<cost> chosen;
    std::size_t layer = 0, pool = 0;
    for (std::size_t stage = 0; stage < of.stages(); ++stage) {
      auto const& [first, last, way, left] = answer.stages[stage];
      CHECK(first == layer);
      auto const& list = of.ways_of[of.at(stage, first, last, pool)];
      REQUIRE(way < list.size());
      CHECK(list[way].pool == left);
      chosen.push_back(list[way].cost);
      layer = last;
      pool = left;
    }
    CHECK(layer == of.layers());
    CHECK(of.ends(pool));
    CHECK(close(total(chosen), expected.least));
    // With the optimum known nothing better is found; with a little more room it is.
    CHECK(cheapest_stages(of, objective, answer.certificate.objective).stages.empty());
    CHECK(close(cheapest_stages(of, objective, answer.certificate.objective * 1.001 + 1).certificate.objective,
                expected.least));
    auto const part = cheapest_stages(of, objective, infinity, {.most_nodes = 0});
    CHECK(part.certificate.bound <= expected.least * (1 + 1e-12));
  }
  CHECK(found > 500);
  CHECK(infeasible > 300);
}

double any_time(support::generator& random, bool whole) {
  return whole ? static_cast<double>(random.whole(0, 3)) : random.real(0, 2);
}

TEST_CASE("one peak and a sum") {
  peaks_objective<1> const objective{{7}};
  check_all(
      221,
      [](support::generator& random, bool whole) {
        return peaks_objective<1>::stage_cost{{any_time(random, whole)}, any_time(random, whole)};
      },
      objective,
      [](auto const& stages) {
        double peak = 0, sum = 0;
        for (auto const& each : stages) {
          peak = std::max(peak, each.peaks[0]);
          sum += each.sum;
        }
        return 7 * peak + sum;
      });
}

TEST_CASE("three peaks and a sum") {
  peaks_objective<3> const objective{{3, 1, 0.5}};
  check_all(
      222,
      [](support::generator& random, bool whole) {
        return peaks_objective<3>::stage_cost{
            {any_time(random, whole), any_time(random, whole), any_time(random, whole)}, any_time(random, whole)};
      },
      objective,
      [](auto const& stages) {
        double peaks[3] = {0, 0, 0}, sum = 0;
        for (auto const& each : stages) {
          for (std::size_t index = 0; index < 3; ++index)
            peaks[index] = std::max(peaks[index], each.peaks[index]);
          sum += each.sum;
        }
        return 3 * peaks[0] + peaks[1] + 0.5 * peaks[2] + sum;
      });
}

// Mist's own form, with the maximum over differences.
double first_and_last(std::vector<first_and_last_objective::stage_cost> const& stages, double micro_batches) {
  double slowest = 0, sum = 0, most = 0;
  for (auto const& each : stages) {
    slowest = std::max(slowest, each.time);
    most = std::max(most, each.first_and_last - sum);
    sum += each.time;
  }
  return (micro_batches - 1) * slowest + sum + most;
}

TEST_CASE("what the first and the last micro-batch add") {
  first_and_last_objective const objective{5};
  check_all(
      223,
      [](support::generator& random, bool whole) {
        return first_and_last_objective::stage_cost{any_time(random, whole), any_time(random, whole) * 4 - 1};
      },
      objective, [](auto const& stages) { return first_and_last(stages, 5); });
}

TEST_CASE("Mist's examples") {
  // papers.md, Mist: Zhu et al., EuroSys 2025: T = (1.0, 1.2, 1.1, 0.9), D = (0.5, 2.0, 0.3, 0.8), G = 8 is 13.6, and
  // T = (2, 3), D = (1, 4), G = 4 is 16.
  CHECK(close(first_and_last({{1, 0.5}, {1.2, 2}, {1.1, 0.3}, {0.9, 0.8}}, 8), 13.6));
  first_and_last_objective const eight{8}, four{4};
  auto label = eight.start();
  for (first_and_last_objective::stage_cost const each :
       {first_and_last_objective::stage_cost{1, 0.5}, {1.2, 2}, {1.1, 0.3}, {0.9, 0.8}})
    label = eight.grow(label, each);
  CHECK(close(eight.cost(label), 13.6));
  label = four.start();
  for (first_and_last_objective::stage_cost const each : {first_and_last_objective::stage_cost{2, 1}, {3, 4}})
    label = four.grow(label, each);
  CHECK(four.cost(label) == 16);
}

TEST_CASE("the lower bound of 1F1B") {
  one_forward_one_backward_objective const objective{6};
  auto const total = [](auto const& stages) {
    double const m = 6;
    double bound = 0, all = 0, before = 0;
    for (auto const& each : stages)
      all += each.forward + each.backward;
    for (auto const& each : stages) {
      double const both = each.forward + each.backward;
      bound = std::max({bound, before + m * both,
                        all - both + each.forward + m * each.backward + (m - each.in_flight) * each.forward});
      before += both;
    }
    return bound;
  };
  check_all(
      224,
      [](support::generator& random, bool whole) {
        return one_forward_one_backward_objective::stage_cost{any_time(random, whole), any_time(random, whole),
                                                              static_cast<double>(random.whole(1, 6))};
      },
      objective, total);
}

TEST_CASE("more stages than layers, no stage, no pool") {
  random_stages<peaks_objective<1>::stage_cost> of;
  peaks_objective<1> const objective{{1}};
  CHECK(cheapest_stages(of, objective).certificate.status == status::infeasible);
  of.layer_count = 1;
  of.stage_count = 2;
  of.pool_count = 1;
  of.ways_of.resize(20);
  of.end = {1};
  CHECK(cheapest_stages(of, objective).certificate.status == status::infeasible);
}

}  // namespace
