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
};

template <class Candidate> struct ranked {
  Candidate candidate;
  double cost;
};

namespace detail {

/// The best few of a stream of candidates. Costs within the tie tolerance of the smallest are equal, and of those the
/// first in the candidates' own order is named; then the same for the rest. Comparing neighbours with a tolerance would
/// not do: it is not transitive, and chains of near-ties would be ordered by the order of arrival.
template <class Candidate, class Before> class best_few {
 public:
  best_few(std::size_t keep, Before before) : keep_(keep), before_(before) {}

  void add(Candidate const& candidate, double cost) {
    pool_.push_back({candidate, cost});
    if (pool_.size() >= 4 * (keep_ + 256))
      forget_the_hopeless();
  }

  /// Best first.
  std::vector<ranked<Candidate>> take() {
    std::vector<ranked<Candidate>> best;
    while (best.size() < keep_ && !pool_.empty()) {
      auto const cheapest = std::min_element(pool_.begin(), pool_.end(), cheaper)->cost;
      auto chosen = pool_.end();
      for (auto each = pool_.begin(); each != pool_.end(); ++each)
        if (!clearly_less(cheapest, each->cost) &&
            (chosen == pool_.end() || before_(each->candidate, chosen->candidate)))
          chosen = each;
      best.push_back(*chosen);
      pool_.erase(chosen);
    }
    return best;
  }

 private:
  static bool cheaper(ranked<Candidate> const& left, ranked<Candidate> const& right) { return left.cost < right.cost; }

  /// Drops what costs clearly more than the last that could be kept.
  void forget_the_hopeless() {
    if (keep_ == 0) {
      pool_.clear();
      return;
    }
    auto const last = pool_.begin() + static_cast<std::ptrdiff_t>(keep_ - 1);
    std::nth_element(pool_.begin(), last, pool_.end(), cheaper);
    double const limit = last->cost;
    std::erase_if(pool_, [limit](ranked<Candidate> const& each) { return clearly_less(limit, each.cost); });
  }

  std::size_t keep_;
  Before before_;
  std::vector<ranked<Candidate>> pool_;
};

}  // namespace detail

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
  auto const before = [&problem](Candidate const& left, Candidate const& right) {
    return static_cast<bool>(problem.before(left, right));
  };
  detail::best_few<Candidate, decltype(before)> allowed{keep, before};
  auto& proof = result.certificate;
  proof.objective = std::numeric_limits<double>::infinity();
  bool stopped = false;
  for (Candidate const& candidate : candidates) {
    ++proof.candidates;
    if (stopped || (stopped = should_stop(proof.evaluated)))
      continue;
    ++proof.evaluated;
    outcome const found = problem.evaluate(candidate);
    if (found.allowed) {
      allowed.add(candidate, found.cost);
      proof.objective = std::min(proof.objective, found.cost);
      continue;
    }
    auto& refused = result.refused[found.reason];
    bool const first = refused.count++ == 0;
    if (first || found.excess < refused.excess ||
        (found.excess == refused.excess && before(candidate, refused.nearest))) {
      refused.nearest = candidate;
      refused.excess = found.excess;
    }
  }
  bool const any = proof.objective < std::numeric_limits<double>::infinity();
  result.best = allowed.take();
  proof.status =
      any ? (stopped ? status::feasible : status::optimal) : (stopped ? status::stopped : status::infeasible);
  if (!any)
    proof.objective = 0;
  proof.bound = any && !stopped ? proof.objective : 0;
  return result;
}

template <class Candidate, class Range, candidate_problem<Candidate> Problem>
exhaustive_result<Candidate> exhaustive(Range const& candidates, Problem const& problem, std::size_t keep) {
  return exhaustive<Candidate>(candidates, problem, keep, [](std::size_t) { return false; });
}
struct candidate_problem_needs_evaluate_reasons_and_before;
template <class Candidate, class Range, class Problem, class... ShouldStop>
  requires(!candidate_problem<Problem, Candidate>)
candidate_problem_needs_evaluate_reasons_and_before exhaustive(Range const&, Problem const&, std::size_t,
                                                               ShouldStop...) = delete;

}  // namespace shardplan::search
