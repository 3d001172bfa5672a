#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <sstream>
#include <string>
#include <vector>

#include <shardplan/search/branch_and_bound.hpp>

#include <support/numbers.hpp>

// The driver of branch and bound: the optimum of trying everything, in both orders, and what it says when it is
// stopped.
namespace {

using namespace shardplan::search;
using support::close;

constexpr double infinity = std::numeric_limits<double>::infinity();

/// Things with a value and a weight; a knapsack.
struct knapsack {
  std::vector<double> value, weight;
  double limit = 0;

  struct node {
    std::vector<int> taken = {};
    double value = 0;
    double weight = 0;
  };
  node root() const { return {}; }
  bool complete(node const& at) const { return at.taken.size() == value.size(); }
  double bound(node const& at) const {
    if (at.weight > limit)
      return infinity;
    double all = at.value;
    for (std::size_t index = at.taken.size(); index < value.size(); ++index)
      all += value[index];
    return -all;
  }
  template <class Visit> void branch(node const& at, Visit visit) const {
    for (int const take : {1, 0}) {
      node child = at;
      child.taken.push_back(take);
      child.value += take * value[at.taken.size()];
      child.weight += take * weight[at.taken.size()];
      visit(child);
    }
  }
};
/// Of equal answers the one that takes the earlier things.
struct ordered_knapsack : knapsack {
  bool before(node const& left, node const& right) const { return left.taken > right.taken; }
};
struct guessing_knapsack : knapsack {
  /// Takes what still fits.
  std::optional<node> guess(node const& from) const {
    node result = from;
    for (std::size_t index = from.taken.size(); index < value.size(); ++index) {
      int const take = result.weight + weight[index] <= limit ? 1 : 0;
      result.taken.push_back(take);
      result.value += take * value[index];
      result.weight += take * weight[index];
    }
    return result;
  }
};

template <class Problem> Problem random_problem(support::generator& random) {
  Problem result;
  bool const whole = random.chance(0.5);
  for (auto left = random.whole(0, 10); left > 0; --left) {
    result.value.push_back(whole ? static_cast<double>(random.whole(1, 3)) : random.real(0, 1));
    result.weight.push_back(whole ? static_cast<double>(random.whole(1, 3)) : random.real(0, 1));
  }
  result.limit = random.chance(0.05) ? -1 : std::floor(random.real(0, 8)) / (whole ? 1 : 3);
  return result;
}

/// The best answer, and of equal ones that which takes the earlier things; nothing if none is allowed.
std::optional<knapsack::node> try_all(knapsack const& of, knapsack::node const& at = {}) {
  if (of.complete(at))
    return at.weight <= of.limit ? std::optional{at} : std::nullopt;
  std::optional<knapsack::node> best;
  of.branch(at, [&](knapsack::node const& child) {
    auto const found = try_all(of, child);
    if (found && (!best || clearly_less(-found->value, -best->value)))
      best = found;
  });
  return best;
}

template <class Problem> void check_all(std::uint64_t seed, bool named) {
  support::generator random{seed};
  int infeasible = 0;
  for (int round = 0; round < 3000; ++round) {
    auto const of = random_problem<Problem>(random);
    auto const expected = try_all(of);
    for (auto const order : {branch_order::depth_first, branch_order::best_first}) {
      auto const answer = branch_and_bound(of, {.order = order});
      if (!expected) {
        ++infeasible;
        CHECK(answer.certificate.status == status::infeasible);
        CHECK(!answer.best);
        continue;
      }
      CHECK(answer.certificate.status == status::optimal);
      CHECK(close(answer.certificate.objective, -expected->value));
      CHECK(answer.certificate.bound == answer.certificate.objective);
      REQUIRE(answer.best);
      CHECK(answer.best->weight <= of.limit);
      if (named)
        CHECK(answer.best->taken == expected->taken);
    }
  }
  CHECK(infeasible > 50);
}

TEST_CASE("the optimum of trying everything") { check_all<knapsack>(201, false); }
TEST_CASE("of equal answers the same one is named in any order of search") { check_all<ordered_knapsack>(202, true); }
TEST_CASE("guesses change no optimum") { check_all<guessing_knapsack>(203, false); }

knapsack large(std::uint64_t seed) {
  support::generator random{seed};
  knapsack result;
  for (int index = 0; index < 22; ++index) {
    result.value.push_back(random.real(0.9, 1.1));
    result.weight.push_back(random.real(0.5, 1.5));
  }
  result.limit = 9;
  return result;
}

TEST_CASE("a search that is stopped has a bound that holds") {
  auto const of = large(204);
  auto const whole = branch_and_bound(of);
  REQUIRE(whole.certificate.status == status::optimal);
  for (auto const order : {branch_order::depth_first, branch_order::best_first})
    for (std::size_t const nodes : {0u, 1u, 30u, 1000u}) {
      auto const part = branch_and_bound(of, {.order = order}, {.most_nodes = nodes});
      CHECK(part.opened <= nodes);
      CHECK(part.certificate.bound <= whole.certificate.objective + 1e-9);
      CHECK(part.certificate.status == (part.best ? status::feasible : status::stopped));
      if (part.best)
        CHECK(part.certificate.objective >= whole.certificate.objective - 1e-9);
    }
  std::stop_source source;
  source.request_stop();
  CHECK(branch_and_bound(of, {}, {.stop = source.get_token()}).opened == 0);
  CHECK(branch_and_bound(of, {}, within_seconds(0)).opened == 0);
}

TEST_CASE("a gap is kept to, and an incumbent is not lost") {
  auto const of = large(205);
  auto const whole = branch_and_bound(of);
  auto const rough = branch_and_bound(of, {.gap = 0.05});
  CHECK(rough.opened < whole.opened);
  CHECK(rough.certificate.bound <= whole.certificate.objective + 1e-9);
  CHECK(rough.certificate.objective <= whole.certificate.objective * 0.95);
  auto const again = branch_and_bound(of, {.incumbent = whole.best});
  CHECK(again.opened <= whole.opened);
  CHECK(again.best->taken == whole.best->taken);
  CHECK(again.certificate.status == status::optimal);
}

TEST_CASE("better answers are told as they come, and a record is kept of them") {
  auto const of = large(206);
  search_record record;
  std::vector<double> told;
  auto const answer = branch_and_bound(of,
                                       {.on_incumbent =
                                            [&](knapsack::node const& found, double cost) {
                                              CHECK(close(cost, -found.value));
                                              told.push_back(cost);
                                            }},
                                       {.record = &record});
  REQUIRE(!told.empty());
  for (std::size_t index = 1; index < told.size(); ++index)
    CHECK(told[index] < told[index - 1]);
  CHECK(told.back() == answer.certificate.objective);
  CHECK(record.moments.size() >= told.size() + 2);
  CHECK(record.moments.back().nodes == answer.opened);
  CHECK(record.moments.back().bound == answer.certificate.bound);
  for (std::size_t index = 1; index < record.moments.size(); ++index) {
    CHECK(record.moments[index].seconds >= record.moments[index - 1].seconds);
    CHECK(record.moments[index].objective <= record.moments[index - 1].objective);
  }
  std::ostringstream lines;
  write_csv(lines, record);
  std::string const text = lines.str();
  CHECK(text.starts_with("seconds,nodes,objective,bound\n"));
  CHECK(static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n')) == record.moments.size() + 1);
  // Nothing is known at first.
  CHECK(text.find(",0,,\n") != std::string::npos);
}

}  // namespace
