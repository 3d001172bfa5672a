#pragma once
#include <algorithm>
#include <concepts>
#include <cstddef>
#include <limits>
#include <utility>
#include <vector>

#include <shardplan/search/result.hpp>

/// Exhaustive search: evaluates every candidate and keeps the best few. The reference that other searches are tested
/// with.
namespace shardplan::search {

/// What a problem says of one candidate: its cost, or why it is not allowed.
struct outcome {
  bool allowed = false;
  /// Of a candidate that is not allowed: what it would cost, or infinity where that means nothing.
  double cost = std::numeric_limits<double>::infinity();
  /// Index of the reason, where not allowed.
  std::size_t reason = 0;
  /// By how much the candidate breaks it, in the reason's own unit; the smallest is the nearest miss.
  double excess = 0;
};

/// Candidates that were refused for one reason.
template <class Candidate> struct refusal {
  std::size_t count = 0;
  /// The nearest miss.
  Candidate nearest{};
  double excess = 0;
  /// The one that would cost least, were it allowed.
  Candidate cheapest{};
  double cost = std::numeric_limits<double>::infinity();
};

template <class Candidate> struct ranked {
  Candidate candidate;
  double cost;
};

template <class Candidate> struct exhaustive_result {
  search::certificate certificate;
  /// The best candidates, best first.
  std::vector<ranked<Candidate>> best;
  /// By reason.
  std::vector<refusal<Candidate>> refused;
};

/// A problem over candidates: says what it makes of one, and in which order equally good ones are named.
template <class Problem, class Candidate>
concept candidate_problem = requires(Problem const& problem, Candidate const& candidate) {
  { problem.evaluate(candidate) } -> std::same_as<outcome>;
  { problem.reasons() } -> std::convertible_to<std::size_t>;
  { problem.before(candidate, candidate) } -> std::convertible_to<bool>;
};

/// Evaluates all candidates of a range. `keep` is how many of the best are returned. `should_stop(evaluated)` is asked
/// between candidates; once it says yes the best so far are returned as `feasible`, without a bound.
/// The answer does not depend on the order of the range.
template <class Candidate, class Range, candidate_problem<Candidate> Problem, std::predicate<std::size_t> ShouldStop>
exhaustive_result<Candidate> exhaustive(Range const& candidates, Problem const& problem, std::size_t keep,
                                        ShouldStop should_stop) {
  exhaustive_result<Candidate> result;
  result.refused.resize(problem.reasons());
  auto const better = [&](ranked<Candidate> const& left, ranked<Candidate> const& right) {
    if (clearly_less(left.cost, right.cost))
      return true;
    if (clearly_less(right.cost, left.cost))
      return false;
    return static_cast<bool>(problem.before(left.candidate, right.candidate));
  };
  bool stopped = false;
  for (Candidate const& candidate : candidates) {
    ++result.certificate.candidates;
    if (stopped || (stopped = should_stop(result.certificate.evaluated)))
      continue;
    ++result.certificate.evaluated;
    outcome const found = problem.evaluate(candidate);
    if (!found.allowed) {
      auto& refused = result.refused[found.reason];
      bool const nearer = refused.count == 0 || clearly_less(found.excess, refused.excess) ||
                          (!clearly_less(refused.excess, found.excess) && problem.before(candidate, refused.nearest));
      if (nearer) {
        refused.nearest = candidate;
        refused.excess = found.excess;
      }
      bool const cheaper = clearly_less(found.cost, refused.cost) ||
                           (!clearly_less(refused.cost, found.cost) && problem.before(candidate, refused.cheapest));
      if (refused.count == 0 || cheaper) {
        refused.cheapest = candidate;
        refused.cost = found.cost;
      }
      ++refused.count;
      continue;
    }
    ranked<Candidate> entry{candidate, found.cost};
    auto const place = std::upper_bound(result.best.begin(), result.best.end(), entry, better);
    if (result.best.size() < keep || place != result.best.end()) {
      result.best.insert(place, std::move(entry));
      if (result.best.size() > keep)
        result.best.pop_back();
    }
  }
  auto& proof = result.certificate;
  if (result.best.empty()) {
    proof.status = stopped ? status::stopped : status::infeasible;
  } else {
    proof.status = stopped ? status::feasible : status::optimal;
    proof.objective = result.best.front().cost;
    proof.bound = stopped ? 0 : proof.objective;
  }
  return result;
}

template <class Candidate, class Range, candidate_problem<Candidate> Problem>
exhaustive_result<Candidate> exhaustive(Range const& candidates, Problem const& problem, std::size_t keep) {
  return exhaustive<Candidate>(candidates, problem, keep, [](std::size_t) { return false; });
}

}  // namespace shardplan::search
