#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include <shardplan/search/branch_and_bound.hpp>
#include <shardplan/search/control.hpp>
#include <shardplan/search/result.hpp>

/// Small schedules of operators on devices: a graph of operators, times on each device, a delay where the result goes
/// to another device, memory for each device; the least time until all are done (She et al. 2025, Automatic
/// operator-level parallelism planning, as a program; here branch and bound over schedules in the order of starts).
namespace shardplan::search {

struct operator_edge {
  std::size_t from;
  std::size_t to;
  /// Where the two run on different devices.
  double delay = 0;
};

struct operator_graph {
  /// By operator and device; infinity where it cannot run.
  std::vector<std::vector<double>> time = {};
  /// From operators to later ones: an edge leads to a larger number.
  std::vector<operator_edge> edges = {};
  /// By operator; empty for none. What an operator keeps on its device.
  std::vector<double> memory = {};
  /// By device; empty for no limit.
  std::vector<double> capacity = {};

  std::size_t operators() const { return time.size(); }
  std::size_t devices() const { return time.empty() ? 0 : time[0].size(); }
};

struct scheduled_operator {
  std::size_t device = 0;
  double start = 0;
};

struct operator_schedule_result {
  search::certificate certificate;
  /// By operator; empty if there is none.
  std::vector<scheduled_operator> schedule = {};
  std::size_t opened = 0;
  std::size_t made = 0;
};

namespace detail {

class operator_schedule_tree {
 public:
  struct node {
    std::vector<scheduled_operator> schedule = {};
    std::vector<char> done = {};
    std::vector<double> free = {}, memory = {};
    std::size_t count = 0;
    double last_start = 0;
    double end = 0;
  };

  explicit operator_schedule_tree(operator_graph const& of)
      : of_(of), into_(of.operators()), least_(of.operators()), tail_(of.operators(), 0) {
    for (std::size_t index = 0; index < of.operators(); ++index)
      least_[index] = *std::min_element(of.time[index].begin(), of.time[index].end());
    for (operator_edge const& each : of.edges)
      into_[each.to].push_back(each);
    // The longest way on, its own time not included. Edges lead to larger numbers.
    for (std::size_t index = of.operators(); index-- > 0;)
      for (operator_edge const& each : into_[index])
        tail_[each.from] = std::max(tail_[each.from], least_[index] + tail_[index]);
    twin_.resize(of.devices());
    for (std::size_t device = 0; device < of.devices(); ++device) {
      twin_[device] = device;
      for (std::size_t other = 0; other < device && twin_[device] == device; ++other)
        if (alike(other, device))
          twin_[device] = other;
    }
  }

  node root() const {
    node result;
    result.schedule.resize(of_.operators());
    result.done.assign(of_.operators(), 0);
    result.free.assign(of_.devices(), 0);
    result.memory.assign(of_.devices(), 0);
    return result;
  }
  bool complete(node const& at) const { return at.count == of_.operators(); }

  /// What runs already; the longest way through what does not; and the work left, spread evenly.
  double bound(node const& at) const {
    if (complete(at))
      return at.end;
    double bound = at.end, work = 0;
    std::vector<double> finish(of_.operators());
    for (std::size_t index = 0; index < of_.operators(); ++index) {
      if (at.done[index]) {
        finish[index] = at.schedule[index].start + of_.time[index][at.schedule[index].device];
        continue;
      }
      double start = at.last_start;
      for (operator_edge const& each : into_[index])
        start = std::max(start, finish[each.from]);
      finish[index] = start + least_[index];
      bound = std::max(bound, finish[index] + tail_[index]);
      work += least_[index];
    }
    // Nothing more starts before the last start.
    for (double const each : at.free)
      work += std::max(each, at.last_start);
    return std::max(bound, work / static_cast<double>(of_.devices()) * (1 - tie_tolerance));
  }

  /// One more operator on one device, at the earliest time, and none before one that is there: every schedule in which
  /// no operator could start earlier in its place comes about once for each order of equal starts.
  template <class Visit> void branch(node const& at, Visit visit) const {
    for (std::size_t index = 0; index < of_.operators(); ++index) {
      if (at.done[index] || !std::all_of(into_[index].begin(), into_[index].end(),
                                         [&](operator_edge const& each) { return at.done[each.from] != 0; }))
        continue;
      for (std::size_t device = 0; device < of_.devices(); ++device) {
        double const takes = of_.time[index][device];
        if (!(takes < std::numeric_limits<double>::infinity()) || beside_an_empty_twin(at, device))
          continue;
        double const memory = at.memory[device] + (of_.memory.empty() ? 0 : of_.memory[index]);
        if (!of_.capacity.empty() && memory > of_.capacity[device])
          continue;
        double start = at.free[device];
        for (operator_edge const& each : into_[index]) {
          auto const& from = at.schedule[each.from];
          start =
              std::max(start, from.start + of_.time[each.from][from.device] + (from.device == device ? 0 : each.delay));
        }
        if (start < at.last_start)
          continue;
        node child = at;
        child.schedule[index] = {device, start};
        child.done[index] = 1;
        child.free[device] = start + takes;
        child.memory[device] = memory;
        child.last_start = start;
        child.end = std::max(at.end, start + takes);
        ++child.count;
        visit(std::move(child));
      }
    }
  }

 private:
  bool alike(std::size_t left, std::size_t right) const {
    if (!of_.capacity.empty() && of_.capacity[left] != of_.capacity[right])
      return false;
    return std::all_of(of_.time.begin(), of_.time.end(), [&](auto const& each) { return each[left] == each[right]; });
  }
  /// An equal device before this one is empty, too: one of them is enough.
  bool beside_an_empty_twin(node const& at, std::size_t device) const {
    auto const empty = [&](std::size_t which) {
      for (std::size_t index = 0; index < of_.operators(); ++index)
        if (at.done[index] && at.schedule[index].device == which)
          return false;
      return true;
    };
    for (std::size_t other = twin_[device]; other < device; ++other)
      if (twin_[other] == twin_[device] && empty(other) && empty(device))
        return true;
    return false;
  }

  operator_graph const& of_;
  std::vector<std::vector<operator_edge>> into_;
  std::vector<double> least_, tail_;
  std::vector<std::size_t> twin_;
};

}  // namespace detail

/// The shortest schedule. Counts opened nodes towards the control's limit. For graphs of about a dozen operators; an
/// edge must lead to a larger number, and every operator must have a time for each device.
inline operator_schedule_result
shortest_schedule(operator_graph const& of, branch_order order = branch_order::depth_first, control const& asked = {}) {
  detail::operator_schedule_tree const tree{of};
  auto const found = branch_and_bound(tree, {.order = order}, asked);
  operator_schedule_result result;
  result.certificate = found.certificate;
  result.opened = found.opened;
  result.made = found.made;
  if (found.best)
    result.schedule = found.best->schedule;
  return result;
}

}  // namespace shardplan::search
