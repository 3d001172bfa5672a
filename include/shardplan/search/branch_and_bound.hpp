#pragma once
#include <algorithm>
#include <cmath>
#include <concepts>
#include <cstddef>
#include <functional>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include <shardplan/search/control.hpp>
#include <shardplan/search/result.hpp>

/// Branch and bound over partial assignments (Land and Doig 1960): a node stands for all answers that agree with it, a
/// bound says what they cost at least, and nodes whose bound is not below the best answer known are closed unopened.
namespace shardplan::search {

/// A problem that is solved by branching.
/// - `root()` is the node of all answers;
/// - `bound(node)`: no answer of the node costs less; infinity where it has none. Of a complete node it is the cost;
/// - `complete(node)`: the node is one answer;
/// - `branch(node, visit)` calls `visit(child)` for nodes that together have all answers of the node, in the order in
///   which they should be tried where their bounds are equal.
/// A problem may have more:
/// - `guess(node)` is an answer (a complete node) of the node, or nothing: a heuristic;
/// - `before(left, right)` orders answers of equal cost. Without it the first one found is kept, which may depend on
///   the order of search; with it the answer does not, and all answers of least cost are looked at.
template <class Problem>
concept branching_problem =
    requires(Problem const& problem, typename Problem::node const& node, void (*visit)(typename Problem::node)) {
      { problem.root() } -> std::convertible_to<typename Problem::node>;
      { problem.bound(node) } -> std::convertible_to<double>;
      { problem.complete(node) } -> std::convertible_to<bool>;
      problem.branch(node, visit);
    };
struct branching_problem_needs_node_root_bound_complete_and_branch;

template <class Problem>
concept guessing_problem =
    branching_problem<Problem> && requires(Problem const& problem, typename Problem::node const& node) {
      { problem.guess(node) } -> std::convertible_to<std::optional<typename Problem::node>>;
    };
template <class Problem>
concept ordered_problem =
    branching_problem<Problem> && requires(Problem const& problem, typename Problem::node const& node) {
      { problem.before(node, node) } -> std::convertible_to<bool>;
    };

enum class branch_order {
  /// The children of a node before its siblings, the cheapest bound first: finds answers early, keeps few nodes.
  depth_first,
  /// The node of the cheapest bound: opens fewest nodes, keeps many.
  best_first
};

template <class Node> struct branch_options {
  branch_order order = branch_order::depth_first;
  /// An answer known before, or nothing.
  std::optional<Node> incumbent = {};
  /// Is told every better answer, with its cost.
  std::function<void(Node const&, double)> on_incumbent = {};
  /// Answers must be cheaper than this by `gap`, relatively; 0 asks for the optimum.
  double gap = 0;
};

template <class Node> struct branch_result {
  search::certificate certificate;
  /// The best answer, or nothing.
  std::optional<Node> best = {};
  /// Nodes whose children were made, and nodes that were made.
  std::size_t opened = 0;
  std::size_t made = 0;
  /// Nodes closed unopened since their bound was not below the best answer, and since they had no answer.
  std::size_t closed_by_bound = 0;
  std::size_t without_answer = 0;
};

namespace detail {

template <branching_problem Problem> class branching {
 public:
  using node = typename Problem::node;
  branching(Problem const& problem, branch_options<node> const& options, control const& asked)
      : problem_(problem), options_(options), watch_(asked) {}

  branch_result<node> run() {
    if (options_.incumbent)
      consider(*options_.incumbent, problem_.bound(*options_.incumbent));
    add(problem_.root(), -infinity);
    settle();
    std::vector<open> children;
    while (!waiting_.empty() && !watch_.stops(result_.opened)) {
      open const now = take();
      if (hopeless(now.bound)) {
        ++result_.closed_by_bound;
        continue;
      }
      ++result_.opened;
      guess(now.what);
      problem_.branch(now.what, [&](node child) { add(std::move(child), now.bound); });
      settle();
      if (options_.order == branch_order::best_first && !waiting_.empty())
        watch_.bound(std::min(waiting_.front().bound, best_));
    }
    return finish();
  }

 private:
  static constexpr double infinity = std::numeric_limits<double>::infinity();
  struct open {
    node what;
    double bound;
    std::size_t number;
  };
  /// For the heap: what comes later.
  static bool later(open const& left, open const& right) {
    return left.bound != right.bound ? left.bound > right.bound : left.number > right.number;
  }

  /// Nothing of this bound can be the answer.
  bool hopeless(double bound) const {
    if (!(best_ < infinity))
      return !(bound < infinity);
    double const room = best_ - options_.gap * std::abs(best_);
    if constexpr (ordered_problem<Problem>)
      if (options_.gap == 0)
        return clearly_less(best_, bound);
    return !clearly_less(bound, room);
  }

  void consider(node const& answer, double cost) {
    bool better = clearly_less(cost, best_) || (cost < infinity && !(best_ < infinity));
    if constexpr (ordered_problem<Problem>)
      better = better || (result_.best && !clearly_less(best_, cost) && problem_.before(answer, *result_.best));
    if (!better)
      return;
    best_ = std::min(best_, cost);
    result_.best = answer;
    watch_.objective(best_);
    if (options_.on_incumbent)
      options_.on_incumbent(answer, cost);
  }

  void guess(node const& from) {
    if constexpr (guessing_problem<Problem>)
      if (std::optional<node> const found = problem_.guess(from))
        consider(*found, problem_.bound(*found));
  }

  /// A node that was made: an answer, closed, or open. No node has answers cheaper than the one it comes from.
  void add(node made, double bound_before) {
    ++result_.made;
    double const bound = std::max(bound_before, static_cast<double>(problem_.bound(made)));
    if (!(bound < infinity))
      ++result_.without_answer;
    else if (problem_.complete(made))
      consider(made, problem_.bound(made));
    else if (hopeless(bound))
      ++result_.closed_by_bound;
    else
      fresh_.push_back({std::move(made), bound, number_++});
  }

  void settle() {
    if (options_.order == branch_order::depth_first)
      // The last is taken next.
      std::sort(fresh_.begin(), fresh_.end(), later);
    for (open& each : fresh_) {
      waiting_.push_back(std::move(each));
      if (options_.order == branch_order::best_first)
        std::push_heap(waiting_.begin(), waiting_.end(), later);
    }
    fresh_.clear();
  }
  open take() {
    if (options_.order == branch_order::best_first)
      std::pop_heap(waiting_.begin(), waiting_.end(), later);
    open result = std::move(waiting_.back());
    waiting_.pop_back();
    return result;
  }

  branch_result<node> finish() {
    double least = infinity;
    for (open const& each : waiting_)
      least = std::min(least, each.bound);
    auto& proof = result_.certificate;
    proof.candidates = result_.made;
    proof.evaluated = result_.opened;
    bool const whole = waiting_.empty();
    if (result_.best) {
      proof.objective = best_;
      proof.bound = std::min(best_ - options_.gap * std::abs(best_), least);
      proof.status = whole && options_.gap == 0 ? status::optimal : status::feasible;
      if (!(proof.bound < best_))
        proof.status = status::optimal;
    } else {
      proof.bound = whole ? 0 : least;
      proof.status = whole ? status::infeasible : status::stopped;
    }
    if (result_.best || !whole)
      watch_.bound(proof.bound);
    watch_.end(result_.opened);
    return std::move(result_);
  }

  Problem const& problem_;
  branch_options<node> const& options_;
  watch watch_;
  branch_result<node> result_;
  double best_ = infinity;
  std::size_t number_ = 0;
  std::vector<open> waiting_, fresh_;
};

}  // namespace detail

/// The cheapest answer. Counts opened nodes towards the control's limit.
template <branching_problem Problem>
branch_result<typename Problem::node> branch_and_bound(Problem const& problem,
                                                       branch_options<typename Problem::node> const& options = {},
                                                       control const& asked = {}) {
  return detail::branching<Problem>{problem, options, asked}.run();
}
template <class Problem, class... More>
  requires(!branching_problem<Problem>)
branching_problem_needs_node_root_bound_complete_and_branch branch_and_bound(Problem const&, More const&...) = delete;

}  // namespace shardplan::search
