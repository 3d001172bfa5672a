#pragma once
#include <cstddef>

/// What every search returns beside its solution.
namespace shardplan::search {

/// What is known about the answer.
enum class status {
  /// No candidate is better.
  optimal,
  /// A candidate was found, a better one may exist; `bound` says how much better at most.
  feasible,
  /// No candidate is allowed; the reasons say why.
  infeasible,
  /// Stopped before any candidate was found.
  stopped
};

constexpr const char* name_of(status value) {
  switch (value) {
  case status::optimal:
    return "optimal";
  case status::feasible:
    return "feasible";
  case status::infeasible:
    return "infeasible";
  case status::stopped:
    return "stopped";
  }
  return "";
}

/// The proof that goes with an answer. Costs are minimised.
struct certificate {
  search::status status = search::status::stopped;
  double objective = 0;
  /// No candidate costs less.
  double bound = 0;
  std::size_t candidates = 0;
  std::size_t evaluated = 0;

  /// (objective - bound) / objective.
  constexpr double gap() const { return objective > 0 ? (objective - bound) / objective : 0; }
};

/// Costs that differ by less, relatively, are equal; then the candidates' own order decides. Compilers may differ in
/// last bits, and must still name the same candidate.
inline constexpr double tie_tolerance = 1e-12;

constexpr bool clearly_less(double left, double right) {
  double const magnitude = left < 0 ? -left : left;
  return left + tie_tolerance * magnitude < right;
}

}  // namespace shardplan::search
