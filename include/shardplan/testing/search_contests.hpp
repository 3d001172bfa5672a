#pragma once
#include <cstddef>
#include <limits>
#include <string>
#include <utility>

#include <shardplan/search/chain.hpp>
#include <shardplan/search/partition.hpp>
#include <shardplan/search/stage_points.hpp>
#include <shardplan/search/stage_points_tree.hpp>
#include <shardplan/search/zero_one.hpp>
#include <shardplan/testing/chain_instances.hpp>
#include <shardplan/testing/contest.hpp>
#include <shardplan/testing/partition_instances.hpp>
#include <shardplan/testing/stage_points_instances.hpp>
#include <shardplan/testing/zero_one_instances.hpp>

/// The library's searches and their textbook rivals as contenders, beside which one's own are put.
namespace shardplan::testing {

struct chain_case {
  chain_instance of;
  double limit = 0;
};

struct search_contests {
  contest<chain_case> chains = {};
  contest<partition_instance> partitions = {};
  contest<search::stage_points> stage_points = {};
  contest<search::linear_program> zero_one_programs = {};
};

namespace detail {
inline verdict verdict_of(search::certificate const& proof, std::size_t made) {
  verdict result;
  bool const any = proof.status == search::status::optimal || proof.status == search::status::feasible;
  if (any)
    result.objective = proof.objective;
  result.bound = proof.bound;
  result.status = proof.status;
  result.work = made;
  result.candidates = proof.candidates;
  return result;
}
inline verdict verdict_of_all(double least) {
  verdict result{least};
  result.status =
      least < std::numeric_limits<double>::infinity() ? search::status::optimal : search::status::infeasible;
  result.bound = least;
  return result;
}
}  // namespace detail

/// `labels` (ours), and `brute-force`; for chains `table` over whole units of the resource; for stage points and 0-1
/// programs `branch-and-bound`, for these also `best-first`.
inline search_contests contests_of_the_library() {
  search_contests result;
  result.chains.add_algorithm("labels", [](chain_case const& each) {
    auto const found = search::cheapest_chain(each.of, each.limit);
    return detail::verdict_of(found.certificate, found.labels);
  });
  result.chains.add_algorithm("table", [](chain_case const& each) {
    return verdict{each.limit >= 0 ? cheapest_by_table(each.of, static_cast<std::size_t>(each.limit))
                                   : std::numeric_limits<double>::infinity()};
  });
  result.chains.add_algorithm("brute-force", [](chain_case const& each) {
    return detail::verdict_of_all(cheapest_by_trying(each.of, each.limit));
  });
  result.partitions.add_algorithm("labels", [](partition_instance const& each) {
    auto const found = search::cheapest_partition(each, each.objective);
    return detail::verdict_of(found.certificate, found.labels);
  });
  result.partitions.add_algorithm(
      "brute-force", [](partition_instance const& each) { return detail::verdict_of_all(try_partitions(each).least); });
  result.stage_points.add_algorithm("labels", [](search::stage_points const& each) {
    auto const found = search::cheapest_stages(each);
    return detail::verdict_of(found.certificate, found.labels);
  });
  result.stage_points.add_algorithm("branch-and-bound", [](search::stage_points const& each) {
    auto const found = search::branch_and_bound(search::stage_points_tree{each});
    return detail::verdict_of(found.certificate, found.made);
  });
  result.stage_points.add_algorithm(
      "brute-force", [](search::stage_points const& each) { return detail::verdict_of_all(cheapest_by_trying(each)); });
  for (auto const& [name, order] : {std::pair{"branch-and-bound", search::branch_order::depth_first},
                                    std::pair{"best-first", search::branch_order::best_first}})
    result.zero_one_programs.add_algorithm(name, [order = order](search::linear_program const& each) {
      auto const found = search::solve_zero_one(each, order);
      auto one = detail::verdict_of(found.certificate, found.made);
      one.candidates =
          each.variables.size() < 63 ? std::size_t{1} << each.variables.size() : static_cast<std::size_t>(-1);
      return one;
    });
  result.zero_one_programs.add_algorithm("brute-force", [](search::linear_program const& each) {
    return detail::verdict_of_all(try_assignments(each).least);
  });
  return result;
}

}  // namespace shardplan::testing
