#include <doctest/doctest.h>

#include <limits>
#include <string>
#include <vector>

#include <shardplan/search/zero_one.hpp>
#include <shardplan/testing/zero_one_instances.hpp>

#include <support/numbers.hpp>

// Small 0-1 programs: the optimum of trying everything.
namespace {

using namespace shardplan::search;
using shardplan::testing::random_zero_one;
using shardplan::testing::try_assignments;
using support::close;

constexpr double infinity = std::numeric_limits<double>::infinity();

TEST_CASE("the optimum of trying all assignments, in both orders") {
  support::generator random{261};
  int infeasible = 0, wrong = 0;
  for (int round = 0; round < 4000; ++round) {
    auto const of = random_zero_one(static_cast<std::size_t>(random.whole(0, 8)),
                                    static_cast<std::size_t>(random.whole(0, 5)), random);
    auto const expected = try_assignments(of);
    for (auto const order : {branch_order::depth_first, branch_order::best_first}) {
      auto const answer = solve_zero_one(of, order);
      if (!(expected.least < infinity)) {
        ++infeasible;
        wrong += answer.certificate.status == status::infeasible && answer.values.empty() &&
                         close(answer.violation, expected.least_violation, 1e-9)
                     ? 0
                     : 1;
        continue;
      }
      bool right = answer.certificate.status == status::optimal &&
                   close(answer.certificate.objective + 1, expected.least + 1, 1e-9);
      std::vector<double> const values(answer.values.begin(), answer.values.end());
      right = right && close(of.cost_of(values) + 1, expected.least + 1, 1e-9);
      for (auto const& row : of.rows)
        right = right && of.violation_of(row, values) <= 1e-8;
      wrong += right ? 0 : 1;
    }
  }
  CHECK(wrong == 0);
  CHECK(infeasible > 500);
}

TEST_CASE("a program of 40 variables takes few nodes; stopped, its bound holds") {
  support::generator random{262};
  // A knapsack with conflicts.
  linear_program of;
  linear_row weight{"weight"};
  weight.most = 20;
  for (int index = 0; index < 40; ++index) {
    of.add_zero_or_one("x" + std::to_string(index), -random.real(1, 3));
    weight.terms.push_back({static_cast<std::size_t>(index), random.real(0.5, 2)});
  }
  of.add(weight);
  for (int index = 0; index < 30; ++index) {
    linear_row conflict{"conflict" + std::to_string(index)};
    conflict.most = 1;
    auto const first = static_cast<std::size_t>(random.whole(0, 38));
    conflict.terms = {{first, 1}, {static_cast<std::size_t>(random.whole(static_cast<long long>(first) + 1, 39)), 1}};
    of.add(conflict);
  }
  auto const whole = solve_zero_one(of);
  REQUIRE(whole.certificate.status == status::optimal);
  CHECK(whole.made < 200000);
  for (auto const order : {branch_order::depth_first, branch_order::best_first}) {
    auto const part = solve_zero_one(of, order, {.most_nodes = 20});
    CHECK(part.certificate.status == status::feasible);
    CHECK(part.certificate.bound <= whole.certificate.objective + 1e-9);
    CHECK(part.certificate.objective >= whole.certificate.objective - 1e-9);
  }
}

TEST_CASE("nothing allowed: the row that cannot be kept, and by how much") {
  linear_program of;
  for (int index = 0; index < 3; ++index)
    of.add_zero_or_one("x" + std::to_string(index), 1);
  of.add(linear_row{"enough", {{0, 1}, {1, 2}, {2, 3}}, 8});
  of.add(linear_row{"few", {{0, 1}, {1, 1}, {2, 1}}, -infinity, 3});
  auto const none = solve_zero_one(of);
  CHECK(none.certificate.status == status::infeasible);
  CHECK(none.violation == 2);
  CHECK(none.nearest == std::vector{1, 1, 1});
  CHECK(of.rows[none.row].name == "enough");
}

}  // namespace
