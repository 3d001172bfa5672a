#include <algorithm>
#include <string_view>
#include <vector>

#include <doctest/doctest.h>

#include <shardplan/search.hpp>

#include <support/numbers.hpp>

// The exhaustive search against a plain loop, and its promises: any order of the candidates gives the same answer, ties
// go by the candidates' own order, refusals are counted by reason with the nearest miss.
namespace {

using namespace shardplan;
using search::outcome;
using search::status;

struct candidate {
  int id = -1;
  double cost = 0;
  /// -1 where allowed.
  int reason = -1;
  double excess = 0;
};

struct problem {
  std::size_t reason_count = 3;
  outcome evaluate(candidate const& each) const {
    if (each.reason >= 0)
      return {.allowed = false, .reason = static_cast<std::size_t>(each.reason), .excess = each.excess};
    return {.allowed = true, .cost = each.cost};
  }
  std::size_t reasons() const { return reason_count; }
  bool before(candidate const& left, candidate const& right) const { return left.id < right.id; }
};
static_assert(search::candidate_problem<problem, candidate>);
static_assert(!search::candidate_problem<int, candidate>);

std::vector<candidate> random_candidates(support::generator& random) {
  std::vector<candidate> list;
  auto const count = random.whole(1, 60);
  double const refused_share = random.one_of(0.0, 0.3, 0.9);
  for (int id = 0; id < count; ++id) {
    candidate each{.id = id};
    // Few different costs, so that ties are common.
    each.cost = static_cast<double>(random.whole(1, 12));
    if (random.chance(refused_share)) {
      each.reason = static_cast<int>(random.whole(0, 2));
      each.excess = static_cast<double>(random.whole(1, 5));
    }
    list.push_back(each);
  }
  return list;
}
void shuffle(std::vector<candidate>& list, support::generator& random) {
  for (std::size_t index = list.size() - 1; index > 0; --index)
    std::swap(list[index], list[static_cast<std::size_t>(random.whole(0, static_cast<long long>(index)))]);
}

std::vector<int> ids(search::exhaustive_result<candidate> const& result) {
  std::vector<int> list;
  for (auto const& each : result.best)
    list.push_back(each.candidate.id);
  return list;
}

TEST_CASE("the best few and the refusals of a plain loop, whatever the order of the candidates") {
  support::generator random{8};
  for (int round = 0; round < 500; ++round) {
    auto list = random_candidates(random);
    auto const keep = static_cast<std::size_t>(random.whole(1, 10));

    // The plain loop: candidates come in the order of their ids here.
    std::vector<candidate> allowed;
    std::size_t refused[3] = {};
    candidate nearest[3];
    for (candidate const& each : list) {
      if (each.reason < 0) {
        allowed.push_back(each);
        continue;
      }
      auto const reason = static_cast<std::size_t>(each.reason);
      if (refused[reason]++ == 0 || each.excess < nearest[reason].excess)
        nearest[reason] = each;
    }
    std::sort(allowed.begin(), allowed.end(), [](candidate const& left, candidate const& right) {
      return left.cost < right.cost || (left.cost == right.cost && left.id < right.id);
    });
    std::vector<int> expected;
    for (std::size_t index = 0; index < std::min(keep, allowed.size()); ++index)
      expected.push_back(allowed[index].id);

    for (int order = 0; order < 3; ++order) {
      auto const found = search::exhaustive<candidate>(list, problem{}, keep);
      CHECK(ids(found) == expected);
      CHECK(found.certificate.status == (expected.empty() ? status::infeasible : status::optimal));
      CHECK(found.certificate.candidates == list.size());
      CHECK(found.certificate.evaluated == list.size());
      if (!expected.empty()) {
        CHECK(found.certificate.objective == allowed.front().cost);
        CHECK(found.certificate.bound == found.certificate.objective);
        CHECK(found.certificate.gap() == 0);
      }
      for (std::size_t reason = 0; reason < 3; ++reason) {
        CHECK(found.refused[reason].count == refused[reason]);
        CHECK(found.refused[reason].nearest.id == nearest[reason].id);
        CHECK(found.refused[reason].excess == nearest[reason].excess);
      }
      shuffle(list, random);
    }
  }
}

TEST_CASE("costs within the relative tolerance are ties and go by the candidates' order") {
  std::vector<candidate> const list{
      {.id = 2, .cost = 1e6}, {.id = 1, .cost = 1e6 * (1 + 5e-13)}, {.id = 0, .cost = 2e6}};
  CHECK(ids(search::exhaustive<candidate>(list, problem{}, 3)) == std::vector<int>{1, 2, 0});
  std::vector<candidate> const apart{{.id = 2, .cost = 1e6}, {.id = 1, .cost = 1e6 * (1 + 5e-12)}};
  CHECK(ids(search::exhaustive<candidate>(apart, problem{}, 3)) == std::vector<int>{2, 1});
}

TEST_CASE("costs compare by relative tolerance") {
  CHECK(search::clearly_less(1, 2));
  CHECK_FALSE(search::clearly_less(2, 1));
  CHECK_FALSE(search::clearly_less(1, 1));
  CHECK_FALSE(search::clearly_less(1, 1 + 5e-13));
  CHECK(search::clearly_less(1, 1 + 5e-12));
  CHECK(search::clearly_less(0, 1e-300));
  CHECK(search::clearly_less(-1, -1 + 5e-12));
  CHECK_FALSE(search::clearly_less(-1, -1 + 5e-13));
}

TEST_CASE("a search that is stopped returns the best so far, as feasible and without a bound") {
  std::vector<candidate> list;
  for (int id = 0; id < 100; ++id)
    list.push_back({.id = id, .cost = 100.0 - id});
  auto const found =
      search::exhaustive<candidate>(list, problem{}, 2, [](std::size_t evaluated) { return evaluated >= 10; });
  CHECK(found.certificate.status == status::feasible);
  CHECK(found.certificate.evaluated == 10);
  CHECK(found.certificate.candidates == 100);
  CHECK(ids(found) == std::vector<int>{9, 8});
  CHECK(found.certificate.objective == 91);
  CHECK(found.certificate.bound == 0);
  CHECK(found.certificate.gap() == 1);

  auto const at_once = search::exhaustive<candidate>(list, problem{}, 2, [](std::size_t) { return true; });
  CHECK(at_once.certificate.status == status::stopped);
  CHECK(at_once.certificate.evaluated == 0);
  CHECK(at_once.best.empty());
}

TEST_CASE("once told to stop, the search does not ask again") {
  std::vector<candidate> const list(5, candidate{.id = 0, .cost = 1});
  int asked = 0;
  search::exhaustive<candidate>(list, problem{}, 1, [&](std::size_t) { return ++asked == 2; });
  CHECK(asked == 2);
}

TEST_CASE("nothing allowed is infeasible, with counts and nearest misses by reason") {
  std::vector<candidate> const list{{.id = 0, .reason = 0, .excess = 3},
                                    {.id = 1, .reason = 0, .excess = 1},
                                    {.id = 2, .reason = 2, .excess = 7},
                                    {.id = 3, .reason = 0, .excess = 2}};
  auto const found = search::exhaustive<candidate>(list, problem{}, 5);
  CHECK(found.certificate.status == status::infeasible);
  CHECK(found.best.empty());
  CHECK(found.refused.size() == 3);
  CHECK(found.refused[0].count == 3);
  CHECK(found.refused[0].nearest.id == 1);
  CHECK(found.refused[0].excess == 1);
  CHECK(found.refused[1].count == 0);
  CHECK(found.refused[2].count == 1);
}

TEST_CASE("no candidates at all") {
  auto const found = search::exhaustive<candidate>(std::vector<candidate>{}, problem{}, 5);
  CHECK(found.certificate.status == status::infeasible);
  CHECK(found.certificate.candidates == 0);
}

TEST_CASE("every status has a name") {
  using std::string_view;
  CHECK(string_view{name_of(status::optimal)} == "optimal");
  CHECK(string_view{name_of(status::feasible)} == "feasible");
  CHECK(string_view{name_of(status::infeasible)} == "infeasible");
  CHECK(string_view{name_of(status::stopped)} == "stopped");
}

}  // namespace
