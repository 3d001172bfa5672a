#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <shardplan/schedule/chunk_times.hpp>
#include <shardplan/schedule/work_order.hpp>

/// A work order made ready for timing: every task once, after all that it waits for.
namespace shardplan::schedule {

/// One task in the order in which tasks can be timed. Tasks are numbered by `compiled_order`.
struct timed_step {
  std::uint32_t task = 0;
  /// The task that it waits for beside the one before it on the device; `no_task` if there is none.
  std::uint32_t waits_for = 0;
  std::uint32_t device = 0;
  /// Where its duration stands, and the delay after the task it waits for: `4 * chunk + pass`, `1 + 2 * chunk + way`.
  std::uint32_t duration = 0;
  std::uint32_t delay = 0;
  /// The duration of a task that runs together with it; 4 * chunks, which is nothing, if there is none.
  std::uint32_t joined_duration = 0;
};
inline constexpr std::uint32_t no_task = 0;

/// What keeps an order from being run: two tasks that wait for each other, in the end.
struct deadlock {
  task first;
  int first_device = 0;
  task second;
  int second_device = 0;
  std::string text() const {
    return "the order cannot be run: device " + std::to_string(first_device) + " waits with the " +
           schedule::text(first) + " for the " + schedule::text(second) + ", which device " +
           std::to_string(second_device) + " has not run and cannot reach";
  }
};

class compiled_order {
 public:
  /// The order, or what is wrong with it in `error()`: a task that is missing, twice there or on another device than
  /// its chunk, or two tasks that wait for each other.
  explicit compiled_order(work_order order) : order_(std::move(order)) {
    if (!check_graph())
      return;
    fed_by_ = order_.graph.fed_by();
    gradients_from_ = order_.graph.gradients_from();
    if (check_ranges() && number_tasks())
      line_up();
  }

  bool valid() const { return error_.empty(); }
  std::string const& error() const { return error_; }
  work_order const& order() const { return order_; }
  std::vector<std::vector<int>> const& fed_by() const { return fed_by_; }
  std::vector<std::vector<int>> const& gradients_from() const { return gradients_from_; }
  int devices() const { return order_.graph.devices; }
  std::size_t chunks() const { return order_.graph.chunks.size(); }

  std::vector<timed_step> const& steps() const { return steps_; }
  /// Further tasks that a step waits for, for the few that wait for several: sorted by step.
  struct further_wait {
    std::size_t step;
    std::uint32_t waits_for;
    std::uint32_t delay;
  };
  std::vector<further_wait> const& further_waits() const { return further_; }

  /// The number of a task, from 1; forward, backward (or input gradient) and weight gradient of each chunk and
  /// micro-batch have places of their own, used or not.
  std::uint32_t number_of(task const& each) const {
    auto const row = each.kind == pass::forward ? 0u : each.kind == pass::weight_gradient ? 2u : 1u;
    auto const micro_batches = static_cast<std::uint32_t>(order_.graph.micro_batches);
    return 1 + (3 * static_cast<std::uint32_t>(each.chunk) + row) * micro_batches +
           static_cast<std::uint32_t>(each.micro_batch);
  }
  /// Numbers are below this.
  std::size_t numbers() const { return 1 + 3 * chunks() * static_cast<std::size_t>(order_.graph.micro_batches); }

  /// Calls `visit(task number, from another device's way: 0 forward, 1 backward)` for what a task waits for.
  template <class Visit> void for_each_wait(task const& each, Visit visit) const {
    chunk const& own = chunk_of(each);
    auto const wait = [&](pass kind, int other, std::uint32_t way) {
      bool const sent = order_.graph.chunks[static_cast<std::size_t>(other)].device != own.device;
      visit(task{kind, other, each.micro_batch}, sent ? 1 + 2 * static_cast<std::uint32_t>(other) + way : 0);
    };
    if (each.kind == pass::forward) {
      for (int const before : own.after)
        wait(pass::forward, before, 0);
    } else if (each.kind == pass::weight_gradient) {
      wait(pass::input_gradient, each.chunk, 1);
    } else {
      auto const& later = gradients_from_[static_cast<std::size_t>(each.chunk)];
      for (int const next : later)
        wait(pass::backward, next, 1);
      if (later.empty())
        wait(pass::forward, each.chunk, 0);
    }
  }

 private:
  chunk const& chunk_of(task const& each) const { return order_.graph.chunks[static_cast<std::size_t>(each.chunk)]; }

  bool check_graph() {
    auto const& graph = order_.graph;
    if (graph.devices < 0 || graph.micro_batches < 0 || order_.tasks.size() != static_cast<std::size_t>(graph.devices))
      return fail("the graph has " + std::to_string(graph.devices) + " devices, the order has lists of tasks for " +
                  std::to_string(order_.tasks.size()));
    for (std::size_t index = 0; index < graph.chunks.size(); ++index) {
      chunk const& each = graph.chunks[index];
      std::string const name = "chunk " + std::to_string(index);
      if (each.device < 0 || each.device >= graph.devices)
        return fail(name + " is on device " + std::to_string(each.device) + ", which is not there");
      if (each.first_micro_batch < 0 || each.micro_batches < 0 ||
          each.micro_batches > graph.micro_batches - each.first_micro_batch)
        return fail(name + " has micro-batches that are not there");
      for (int const before : each.after)
        if (before < 0 || static_cast<std::size_t>(before) >= index)
          return fail(name + " is fed by chunk " + std::to_string(before) + ", which does not stand before it");
    }
    return true;
  }
  /// What a chunk waits for has all of its micro-batches.
  bool check_ranges() {
    auto const& chunks = order_.graph.chunks;
    auto const within = [](chunk const& inner, chunk const& outer) {
      return inner.micro_batches == 0 ||
             (inner.first_micro_batch >= outer.first_micro_batch &&
              inner.first_micro_batch + inner.micro_batches <= outer.first_micro_batch + outer.micro_batches);
    };
    for (std::size_t index = 0; index < chunks.size(); ++index) {
      std::vector<int> const* const lists[] = {&chunks[index].after, &gradients_from_[index]};
      for (auto const* others : lists)
        for (int const other : *others)
          if (!within(chunks[index], chunks[static_cast<std::size_t>(other)]))
            return fail("chunk " + std::to_string(index) + " waits for micro-batches that chunk " +
                        std::to_string(other) + " does not have");
    }
    return true;
  }

  bool number_tasks() {
    std::vector<char> seen(numbers(), 0);
    for (std::size_t device = 0; device < order_.tasks.size(); ++device)
      for (task const& each : order_.tasks[device]) {
        if (each.chunk < 0 || static_cast<std::size_t>(each.chunk) >= chunks() ||
            each.micro_batch < chunk_of(each).first_micro_batch ||
            each.micro_batch >= chunk_of(each).first_micro_batch + chunk_of(each).micro_batches)
          return fail("the " + text(each) + " names a chunk or micro-batch that is not there");
        if (chunk_of(each).device != static_cast<int>(device))
          return fail("the " + text(each) + " stands on device " + std::to_string(device) + ", its chunk on device " +
                      std::to_string(chunk_of(each).device));
        if (chunk_of(each).forward_only && each.kind != pass::forward)
          return fail("the " + text(each) + ": the chunk has no backward pass");
        if (each.joined && &each == &order_.tasks[device].back())
          return fail("the " + text(each) + " is joined with the task after it, and there is none");
        if (each.joined && (&each + 1)->joined)
          return fail("the " + text(each) +
                      " is joined with a task that is joined with another one; two can be joined");
        if (seen[number_of(each)]++)
          return fail("the " + text(each) + " is there twice");
        if (each.kind == pass::backward)
          ++seen[number_of({pass::weight_gradient, each.chunk, each.micro_batch})];
      }
    for (std::size_t index = 0; index < chunks(); ++index) {
      chunk const& each = order_.graph.chunks[index];
      for (int k = each.first_micro_batch; k < each.first_micro_batch + each.micro_batches; ++k)
        for (pass const kind : {pass::forward, pass::backward, pass::weight_gradient})
          if ((kind == pass::forward || !each.forward_only) && seen[number_of({kind, static_cast<int>(index), k})] != 1)
            return fail("the " + text(task{kind, static_cast<int>(index), k}) +
                        (seen[number_of({kind, static_cast<int>(index), k})] ? " is there twice" : " is missing"));
    }
    return true;
  }
  bool fail(std::string message) {
    error_ = std::move(message);
    return false;
  }

  /// Runs through the devices, each as far as it gets; a device that waits is woken by the task it waits for.
  void line_up() {
    constexpr std::uint32_t nobody = 0xffffffff;
    std::vector<char> done(numbers(), 0);
    std::vector<std::uint32_t> waiting(numbers(), nobody), next_waiting(order_.tasks.size(), nobody);
    std::vector<std::size_t> next(order_.tasks.size(), 0);
    std::vector<std::uint32_t> ready;
    for (std::size_t device = order_.tasks.size(); device-- > 0;)
      ready.push_back(static_cast<std::uint32_t>(device));
    steps_.reserve(order_.size());
    while (!ready.empty()) {
      std::uint32_t const device = ready.back();
      ready.pop_back();
      auto const& tasks = order_.tasks[device];
      for (; next[device] < tasks.size(); ++next[device]) {
        task const& each = tasks[next[device]];
        timed_step step{
            .task = number_of(each), .device = device, .duration = duration_of(each), .joined_duration = nothing()};
        std::uint32_t missing = no_task;
        std::size_t const further = further_.size();
        auto const wait = [&](task const& other, std::uint32_t delay) {
          std::uint32_t const number = number_of(other);
          if (!done[number])
            missing = number;
          if (step.waits_for == no_task) {
            step.waits_for = number;
            step.delay = delay;
          } else {
            further_.push_back({steps_.size(), number, delay});
          }
        };
        for_each_wait(each, wait);
        // The first of two joined tasks waits and takes time for both; the second ends with it.
        if (each.joined) {
          for_each_wait(tasks[next[device] + 1], wait);
          step.joined_duration = duration_of(tasks[next[device] + 1]);
        } else if (next[device] > 0 && tasks[next[device] - 1].joined) {
          step.duration = nothing();
        }
        if (missing != no_task) {
          further_.resize(further);
          next_waiting[device] = waiting[missing];
          waiting[missing] = device;
          break;
        }
        done[step.task] = 1;
        steps_.push_back(step);
        for (std::uint32_t woken = waiting[step.task]; woken != nobody;) {
          std::uint32_t const following = next_waiting[woken];
          ready.push_back(woken);
          woken = following;
        }
        waiting[step.task] = nobody;
      }
    }
    for (std::size_t device = 0; device < order_.tasks.size(); ++device)
      if (next[device] < order_.tasks[device].size())
        return explain_deadlock(device, next, done);
  }

  static std::uint32_t duration_of(task const& each) {
    return 4 * static_cast<std::uint32_t>(each.chunk) + static_cast<std::uint32_t>(each.kind);
  }
  std::uint32_t nothing() const { return 4 * static_cast<std::uint32_t>(chunks()); }

  /// From one device that waits to the device that should run what it waits for, until one comes again.
  void explain_deadlock(std::size_t device, std::vector<std::size_t> const& next, std::vector<char> const& done) {
    std::vector<char> visited(order_.tasks.size(), 0);
    deadlock found;
    for (;;) {
      task waits = order_.tasks[device][next[device]];
      std::optional<task> missing;
      auto const look = [&](task const& other, std::uint32_t) {
        if (!done[number_of(other)])
          missing = other;
      };
      for_each_wait(waits, look);
      if (!missing) {
        waits = order_.tasks[device][next[device] + 1];
        for_each_wait(waits, look);
      }
      auto const other = static_cast<std::size_t>(chunk_of(*missing).device);
      found = {waits, static_cast<int>(device), *missing, static_cast<int>(other)};
      if (visited[device])
        break;
      visited[device] = 1;
      device = other;
    }
    error_ = found.text();
    steps_.clear();
  }

  work_order order_;
  std::vector<std::vector<int>> fed_by_, gradients_from_;
  std::vector<timed_step> steps_;
  std::vector<further_wait> further_;
  std::string error_;
};

/// Ends of all tasks of a valid order, by the plain recurrence: a task starts when its device is free and what it waits
/// for has arrived. For reuse: nothing is allocated after the first time.
class recurrence {
 public:
  /// The time until the last task ends. `times` are those of the chunks.
  template <class Times> double makespan(compiled_order const& order, Times const& times) {
    prepare(order, times);
    double last = 0;
    auto further = order.further_waits().begin();
    auto const& steps = order.steps();
    double* const ends = ends_.data();
    double* const free_at = free_at_.data();
    if (further == order.further_waits().end()) {
      for (timed_step const& step : steps) {
        double const arrived = ends[step.waits_for] + delays_[step.delay];
        double const begin = free_at[step.device] < arrived ? arrived : free_at[step.device];
        free_at[step.device] = ends[step.task] = begin + durations_[step.duration] + durations_[step.joined_duration];
      }
    } else {
      for (std::size_t index = 0; index < steps.size(); ++index) {
        timed_step const& step = steps[index];
        double begin = std::max(free_at[step.device], ends[step.waits_for] + delays_[step.delay]);
        for (; further != order.further_waits().end() && further->step == index; ++further)
          begin = std::max(begin, ends[further->waits_for] + delays_[further->delay]);
        free_at[step.device] = ends[step.task] = begin + durations_[step.duration] + durations_[step.joined_duration];
      }
    }
    for (double const each : free_at_)
      last = std::max(last, each);
    return last;
  }
  /// The end of a task, after `makespan`.
  double end_of(compiled_order const& order, task const& each) const { return ends_[order.number_of(each)]; }
  /// When each device has run all of its tasks.
  std::vector<double> const& free_at() const { return free_at_; }

 private:
  template <class Times> void prepare(compiled_order const& order, Times const& times) {
    ends_.resize(order.numbers());
    ends_[no_task] = 0;
    free_at_.assign(static_cast<std::size_t>(order.devices()), 0.0);
    durations_.assign(4 * order.chunks() + 1, 0.0);
    delays_.assign(1 + 2 * order.chunks(), 0.0);
    for (std::size_t index = 0; index < order.chunks(); ++index) {
      chunk_times const& each = times[index];
      for (pass const kind : {pass::forward, pass::backward, pass::input_gradient, pass::weight_gradient})
        durations_[4 * index + static_cast<std::size_t>(kind)] = each.of(kind);
      delays_[1 + 2 * index] = each.send_forward;
      delays_[2 + 2 * index] = each.send_backward;
    }
  }

  std::vector<double> ends_, free_at_, durations_, delays_;
};

}  // namespace shardplan::schedule
