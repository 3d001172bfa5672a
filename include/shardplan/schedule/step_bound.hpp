#pragma once
#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

#include <shardplan/expr/number.hpp>
#include <shardplan/expr/operators.hpp>
#include <shardplan/expr/over.hpp>
#include <shardplan/schedule/compiled_order.hpp>

/// A lower bound of the step of any schedule: the longest of some chains of work that must run one after the other.
namespace shardplan::schedule {

namespace tag {
struct chain_from : expr::symbol_tag<unit::time_dimension, expr::sign::non_negative> {
  static constexpr const char* name = "T_from";
  static constexpr const char* meaning = "until what a device waits for can arrive, with nothing in its way";
};
struct chain_work : expr::symbol_tag<unit::time_dimension, expr::sign::non_negative> {
  static constexpr const char* name = "T_work";
  static constexpr const char* meaning = "what the device runs from there to the end of the chain on it";
};
struct chain_way : expr::symbol_tag<unit::time_dimension, expr::sign::non_negative> {
  static constexpr const char* name = "T_way";
  static constexpr const char* meaning = "the way of a micro-batch to a second device, where the chain changes to one";
};
struct chain_more : expr::symbol_tag<unit::time_dimension, expr::sign::non_negative> {
  static constexpr const char* name = "T_more";
  static constexpr const char* meaning = "what the second device runs from there on";
};
struct chain_to : expr::symbol_tag<unit::time_dimension, expr::sign::non_negative> {
  static constexpr const char* name = "T_to";
  static constexpr const char* meaning = "the way of the last micro-batch from there to the end of the step";
};
}  // namespace tag

/// Chains of work, as elements of `over`.
struct chain {
  static constexpr const char* name = "chain";
};

/// The bound. A device runs its tasks in order. What it waits for first (the first pass of a chunk) comes no earlier
/// than a micro-batch can get there; from then on it has all later tasks to run, and the last gradient of a chunk has a
/// way to go from there. A chain may change the device once: where the last forward pass, or the first backward pass,
/// of a chunk is what another chunk waits for. For 1F1B the chains on one device are those of
/// `one_forward_one_backward::step_bound`.
consteval auto chain_bound() {
  constexpr expr::symbol<tag::chain_from> from{};
  constexpr expr::symbol<tag::chain_work> work{};
  constexpr expr::symbol<tag::chain_way> way{};
  constexpr expr::symbol<tag::chain_more> more{};
  constexpr expr::symbol<tag::chain_to> to{};
  return expr::over<chain>(expr::largest, from + work + way + more + to);
}

using chain_values = expr::environment<expr::binding<tag::chain_from, double>, expr::binding<tag::chain_work, double>,
                                       expr::binding<tag::chain_way, double>, expr::binding<tag::chain_more, double>,
                                       expr::binding<tag::chain_to, double>>;

namespace detail {

/// The chains of an order.
class chain_finder {
 public:
  chain_finder(compiled_order const& order, std::vector<chunk_times> const& times)
      : order_(order), times_(times), graph_(order.order().graph), chunks_(graph_.chunks.size()) {
    find_ways();
    find_turns();
  }

  std::vector<chain_values> chains() const {
    std::vector<chain_values> result;
    auto const add = [&](double from, double work, double way, double more, double to) {
      result.push_back({expr::binding<tag::chain_from, double>{from}, expr::binding<tag::chain_work, double>{work},
                        expr::binding<tag::chain_way, double>{way}, expr::binding<tag::chain_more, double>{more},
                        expr::binding<tag::chain_to, double>{to}});
    };
    for (auto const& turns : turns_)
      for (turn const& last : turns)
        if (last.ends && last.start != nowhere) {
          turn const& first = turns[last.start];
          add(first.from, last.done - first.begun, 0, 0, last.to);
        }
    // Along a row of chunks: forward from a last forward pass, backward from a first backward pass. For each chunk at
    // which such a chain arrives the chunk that it is longest from; ways are differences of sums along the row.
    row_end best;
    double along = 0;
    for (std::size_t chunk = 0; chunk < chunks_; ++chunk) {
      if (!follows(chunk)) {
        best = {};
        along = 0;
      } else {
        along += sent(chunk - 1, chunk, times_[chunk - 1].send_forward);
        join(best, last_forward_[chunk], along, add);
      }
      along += times_[chunk].forward;
      best.consider(*this, last_forward_[chunk], along);
    }
    best = {};
    along = 0;
    for (std::size_t chunk = chunks_; chunk-- > 0;) {
      if (chunk + 1 == chunks_ || !follows(chunk + 1) || graph_.chunks[chunk].forward_only) {
        best = {};
        along = 0;
      } else {
        along += sent(chunk + 1, chunk, times_[chunk + 1].send_backward);
        join(best, first_backward_[chunk], along, add);
      }
      along += gradient(chunk);
      best.consider(*this, first_backward_[chunk], along);
    }
    return result;
  }

 private:
  static constexpr std::size_t nowhere = static_cast<std::size_t>(-1);

  /// A task at which a chain may start or end.
  struct turn {
    bool starts = false;
    bool ends = false;
    /// No earlier than `from`; `begun` and `done` are the device's work before it and with it.
    double from = 0;
    double begun = 0;
    double done = 0;
    /// What must follow elsewhere.
    double to = 0;
    /// The turn on the device at which the longest chain that comes by here starts, and the one at which it ends.
    std::size_t start = nowhere;
    std::size_t end = nowhere;
  };
  struct place {
    std::size_t device = 0;
    std::size_t turn = 0;
    bool found = false;
  };
  /// Where the longest chain along a row so far leaves its first device, and how far along the row that is.
  struct row_end {
    place from = {};
    double along = 0;
    double longest = 0;

    void consider(chain_finder const& finder, place const& next, double next_along) {
      if (!next.found)
        return;
      turn const& at = finder.turns_[next.device][next.turn];
      if (at.start == nowhere)
        return;
      turn const& first = finder.turns_[next.device][at.start];
      double const length = first.from + at.done - first.begun - next_along;
      if (!from.found || length > longest) {
        from = next;
        along = next_along;
        longest = length;
      }
    }
  };

  bool follows(std::size_t chunk) const {
    auto const& after = graph_.chunks[chunk].after;
    return after.size() == 1 && static_cast<std::size_t>(after[0]) + 1 == chunk;
  }
  double sent(std::size_t from, std::size_t to, double time) const {
    return graph_.chunks[from].device == graph_.chunks[to].device ? 0.0 : time;
  }
  double gradient(std::size_t chunk) const {
    return split_[chunk] ? times_[chunk].input_gradient : times_[chunk].backward();
  }

  /// Ways of one micro-batch with nothing else around: chunks are fed by chunks before them in the list.
  void find_ways() {
    forward_from_.assign(chunks_, 0.0);
    backward_from_.assign(chunks_, 0.0);
    after_.assign(chunks_, 0.0);
    split_.assign(chunks_, 0);
    for (auto const& tasks : order_.order().tasks)
      for (task const& each : tasks)
        if (each.kind == pass::input_gradient)
          split_[static_cast<std::size_t>(each.chunk)] = 1;
    for (std::size_t index = 0; index < chunks_; ++index)
      for (int const each : graph_.chunks[index].after) {
        auto const before = static_cast<std::size_t>(each);
        forward_from_[index] = std::max(forward_from_[index], forward_from_[before] + times_[before].forward +
                                                                  sent(before, index, times_[before].send_forward));
      }
    for (std::size_t index = chunks_; index-- > 0;) {
      backward_from_[index] = forward_from_[index] + times_[index].forward;
      for (int const each : order_.gradients_from()[index]) {
        auto const next = static_cast<std::size_t>(each);
        backward_from_[index] = std::max(backward_from_[index], backward_from_[next] + gradient(next) +
                                                                    sent(next, index, times_[next].send_backward));
      }
    }
    for (std::size_t before = 0; before < chunks_; ++before)
      for (int const each : order_.gradients_from()[before]) {
        if (graph_.chunks[before].forward_only)
          continue;
        auto const index = static_cast<std::size_t>(each);
        double const rest = split_[before] ? std::max(times_[before].weight_gradient, after_[before]) : after_[before];
        after_[index] =
            std::max(after_[index], sent(index, before, times_[index].send_backward) + gradient(before) + rest);
      }
  }

  void find_turns() {
    last_forward_.assign(chunks_, {});
    first_backward_.assign(chunks_, {});
    std::vector<int> forwards(chunks_, 0), backwards(chunks_, 0);
    for (auto const& tasks : order_.order().tasks) {
      auto& turns = turns_.emplace_back();
      std::size_t const device = turns_.size() - 1;
      double done = 0;
      for (std::size_t at = 0; at < tasks.size(); ++at) {
        task const& each = tasks[at];
        auto const index = static_cast<std::size_t>(each.chunk);
        bool const forward = each.kind == pass::forward, weight = each.kind == pass::weight_gradient;
        turn now{.begun = done};
        done += times_[index].of(each.kind);
        now.done = done;
        bool last_of_forward = false, first_of_backward = false;
        if (forward) {
          now.starts = forwards[index]++ == 0;
          now.from = forward_from_[index];
          last_of_forward = forwards[index] == graph_.chunks[index].micro_batches;
        } else if (!weight) {
          first_of_backward = backwards[index]++ == 0;
          now.starts = first_of_backward;
          now.from = backward_from_[index];
          now.ends = backwards[index] == graph_.chunks[index].micro_batches;
          now.to = after_[index];
        }
        now.ends = now.ends || at + 1 == tasks.size();
        // The first of two joined tasks ends with the second: taking its end too early keeps the bound below.
        if (now.starts || now.ends || last_of_forward) {
          if (last_of_forward)
            last_forward_[index] = {device, turns.size(), true};
          if (first_of_backward)
            first_backward_[index] = {device, turns.size(), true};
          turns.push_back(now);
        }
      }
      std::size_t best = nowhere;
      for (std::size_t index = 0; index < turns.size(); ++index) {
        turn& each = turns[index];
        if (each.starts && (best == nowhere || each.from - each.begun > turns[best].from - turns[best].begun))
          best = index;
        each.start = best;
      }
      best = nowhere;
      for (std::size_t index = turns.size(); index-- > 0;) {
        turn& each = turns[index];
        if (each.ends && (best == nowhere || each.done + each.to > turns[best].done + turns[best].to))
          best = index;
        each.end = best;
      }
    }
  }

  /// The longest chain that runs on one device up to a task, goes to another task that waits for it, and on from there.
  template <class Add> void join(row_end const& left, place const& right, double along, Add const& add) const {
    if (!left.from.found || !right.found)
      return;
    turn const& from = turns_[left.from.device][left.from.turn];
    turn const& first = turns_[left.from.device][from.start];
    turn const& to = turns_[right.device][right.turn];
    if (to.end == nowhere)
      return;
    turn const& last = turns_[right.device][to.end];
    add(first.from, from.done - first.begun, along - left.along, last.done - to.begun, last.to);
  }

  compiled_order const& order_;
  std::vector<chunk_times> const& times_;
  stage_graph const& graph_;
  std::size_t chunks_;
  std::vector<double> forward_from_, backward_from_, after_;
  std::vector<char> split_;
  std::vector<std::vector<turn>> turns_;
  std::vector<place> last_forward_, first_backward_;
};

}  // namespace detail

/// The chains that the bound of an order is the largest of.
inline std::vector<chain_values> chains_of(compiled_order const& order, std::vector<chunk_times> const& times) {
  return detail::chain_finder{order, times}.chains();
}

/// A lower bound of the step.
inline double step_bound(compiled_order const& order, std::vector<chunk_times> const& times) {
  auto const chains = chains_of(order, times);
  expr::environment const values{expr::each<chain> = std::span<chain_values const>{chains}};
  return expr::evaluate(chain_bound(), values).value;
}

}  // namespace shardplan::schedule
