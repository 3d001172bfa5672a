#pragma once
#include <chrono>
#include <cstddef>
#include <functional>
#include <limits>
#include <ostream>
#include <stop_token>
#include <vector>

/// What a caller may ask of a search that runs: to stop, to say how far it is, to keep a record.
namespace shardplan::search {

/// How far a search is.
struct progress {
  double seconds = 0;
  /// Nodes or labels so far; each search says which it counts.
  std::size_t nodes = 0;
  /// Of the best answer so far; infinity before there is one.
  double objective = std::numeric_limits<double>::infinity();
  /// No answer costs less.
  double bound = -std::numeric_limits<double>::infinity();
};

/// Moments of a search: its begin, each better answer, each better bound that it looks at, its end.
struct search_record {
  std::vector<progress> moments = {};
};
/// As lines of `seconds,nodes,objective,bound` under these names; empty where there is no answer or no bound yet.
inline void write_csv(std::ostream& out, search_record const& record) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  auto const digits = out.precision(17);
  out << "seconds,nodes,objective,bound\n";
  for (progress const& each : record.moments) {
    out << each.seconds << ',' << each.nodes << ',';
    if (each.objective < infinity)
      out << each.objective;
    out << ',';
    if (each.bound > -infinity)
      out << each.bound;
    out << '\n';
  }
  out.precision(digits);
}

/// All parts are optional. A search that is stopped returns its best answer so far, with the bound it knows.
struct control {
  std::stop_token stop = {};
  std::chrono::steady_clock::time_point deadline = std::chrono::steady_clock::time_point::max();
  std::size_t most_nodes = std::numeric_limits<std::size_t>::max();
  /// Called about every `interval`, and at the end.
  std::function<void(progress const&)> on_progress = {};
  std::chrono::steady_clock::duration interval = std::chrono::milliseconds{100};
  /// Where moments are kept; null for nowhere. Must outlive the search.
  search_record* record = nullptr;
};

/// The control of a search that has this many seconds from now.
inline control within_seconds(double seconds) {
  control result;
  result.deadline = std::chrono::steady_clock::now() + std::chrono::duration_cast<std::chrono::steady_clock::duration>(
                                                           std::chrono::duration<double>(seconds));
  return result;
}

namespace detail {

/// Looks after a control while a search runs.
class watch {
 public:
  using clock = std::chrono::steady_clock;

  explicit watch(control const& asked) : asked_(asked), begin_(clock::now()), next_(begin_ + asked.interval) { keep(); }

  void objective(double value) {
    if (value == now_.objective)
      return;
    now_.objective = value;
    keep();
  }
  void bound(double value) {
    if (value <= now_.bound)
      return;
    now_.bound = value;
    keep();
  }
  /// Whether to stop, after so many nodes. Once it says so it always does. Asks the clock now and then only.
  bool stops(std::size_t nodes) {
    now_.nodes = nodes;
    if (stopped_ || nodes >= asked_.most_nodes || asked_.stop.stop_requested())
      return stopped_ = true;
    if (turns_++ % 64 != 0)
      return false;
    auto const time = clock::now();
    if (time >= asked_.deadline)
      return stopped_ = true;
    if (asked_.on_progress && time >= next_) {
      next_ = time + asked_.interval;
      asked_.on_progress(moment());
    }
    return false;
  }
  bool stopped() const { return stopped_; }
  void end(std::size_t nodes) {
    now_.nodes = nodes;
    keep();
    if (asked_.on_progress)
      asked_.on_progress(moment());
  }

 private:
  progress moment() const {
    progress result = now_;
    result.seconds = std::chrono::duration<double>(clock::now() - begin_).count();
    return result;
  }
  void keep() {
    if (asked_.record)
      asked_.record->moments.push_back(moment());
  }

  control const& asked_;
  clock::time_point begin_, next_;
  progress now_;
  std::size_t turns_ = 0;
  bool stopped_ = false;
};

}  // namespace detail

}  // namespace shardplan::search
