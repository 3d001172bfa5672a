#pragma once
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>

#include <shardplan/search/as_linear_program.hpp>
#include <shardplan/search/chain.hpp>
#include <shardplan/search/partition.hpp>
#include <shardplan/search/stage_points.hpp>
#include <shardplan/search/zero_one.hpp>
#include <shardplan/testing/chain_instances.hpp>
#include <shardplan/testing/partition_instances.hpp>
#include <shardplan/testing/stage_points_instances.hpp>
#include <shardplan/testing/zero_one_instances.hpp>

#include <support/solver.hpp>

/// The searches against solvers on the same problems as linear programs. Each returns how many answers differ.
namespace support {

namespace detail {
/// Solvers print few digits and keep rows to 1e-6.
inline bool same(shardplan::search::certificate const& proof, std::optional<double> const& optimum) {
  if (!optimum)
    return proof.status == shardplan::search::status::infeasible;
  return proof.status == shardplan::search::status::optimal &&
         std::abs(proof.objective - *optimum) <= 1e-6 * (1 + std::abs(*optimum));
}
inline std::size_t some(shardplan::testing::generator& random, long long low, long long high) {
  return static_cast<std::size_t>(random.whole(low, high));
}
}  // namespace detail

inline int chains_that_differ(solver by, int rounds, std::uint64_t seed) {
  using namespace shardplan;
  testing::generator random{seed};
  int differ = 0;
  for (int round = 0; round < rounds; ++round) {
    auto const kind =
        random.one_of(testing::chain_kind::trade_off, testing::chain_kind::random, testing::chain_kind::identical);
    auto const of = random_chain(kind, detail::some(random, 4, 10), detail::some(random, 3, 6), random);
    double const limit =
        std::round(of.least_resource() + (of.most_resource() - of.least_resource()) * random.real(-0.05, 0.9));
    differ +=
        detail::same(search::cheapest_chain(of, limit).certificate, solve(by, search::as_linear_program(of, limit)))
            ? 0
            : 1;
  }
  return differ;
}

inline int partitions_that_differ(solver by, int rounds, std::uint64_t seed) {
  using namespace shardplan;
  testing::generator random{seed};
  int differ = 0;
  for (int round = 0; round < rounds; ++round) {
    auto const of = testing::random_partition(detail::some(random, 8, 14), detail::some(random, 2, 5), random);
    differ += detail::same(search::cheapest_partition(of, of.objective).certificate,
                           solve(by, search::as_linear_program(of, of.objective)))
                  ? 0
                  : 1;
  }
  return differ;
}

inline int stage_points_that_differ(solver by, int rounds, std::uint64_t seed) {
  using namespace shardplan;
  testing::generator random{seed};
  int differ = 0;
  for (int round = 0; round < rounds; ++round) {
    auto const stages = detail::some(random, 2, 4);
    auto const of =
        testing::random_stage_points(stages * detail::some(random, 2, 4) + detail::some(random, 0, 2), stages, 1,
                                     detail::some(random, 2, 5), detail::some(random, 1, 32), random);
    differ += detail::same(search::cheapest_stages(of).certificate, solve(by, search::as_linear_program(of))) ? 0 : 1;
  }
  return differ;
}

inline int zero_one_programs_that_differ(solver by, int rounds, std::uint64_t seed) {
  using namespace shardplan;
  testing::generator random{seed};
  int differ = 0;
  for (int round = 0; round < rounds; ++round) {
    auto const of = testing::random_zero_one(detail::some(random, 8, 18), detail::some(random, 2, 8), random);
    auto const order = random.chance(0.5) ? search::branch_order::depth_first : search::branch_order::best_first;
    differ += detail::same(search::solve_zero_one(of, order).certificate, solve(by, of)) ? 0 : 1;
  }
  return differ;
}

}  // namespace support
