#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include <shardplan/schedule/compiled_order.hpp>
#include <shardplan/schedule/pipeline_load.hpp>
#include <shardplan/schedule/simulated_step.hpp>

/// Event simulation of a pipeline: compute streams and links as resources, gradient buckets, memory over time, and the
/// chain of events that makes up the step.
namespace shardplan::schedule {

namespace detail {

/// A number in [0, 1) that depends on seed and index alone.
constexpr double uniform(std::uint64_t seed, std::uint64_t index) {
  std::uint64_t state = seed + 0x9e3779b97f4a7c15u * (index + 1);
  state = (state ^ state >> 30) * 0xbf58476d1ce4e5b9u;
  state = (state ^ state >> 27) * 0x94d049bb133111ebu;
  state ^= state >> 31;
  return static_cast<double>(state >> 11) * 0x1.0p-53;
}

}  // namespace detail

/// Runs simulations of one order one after the other, in the memory of the first. Views the order.
class simulator {
 public:
  explicit simulator(compiled_order const& order)
      : order_(order), devices_(static_cast<std::size_t>(order.devices())), gradients_to_(order.chunks()) {
    for (std::size_t index = 0; index < order.chunks(); ++index)
      for (int const later : order.gradients_from()[index])
        gradients_to_[static_cast<std::size_t>(later)].push_back(static_cast<int>(index));
    waits_.assign(order.numbers(), 0);
    place_.assign(order.numbers(), 0);
    completing_.assign(order.chunks(), 0);
    first_number_.assign(order.chunks(), no_task);
    last_number_.assign(order.chunks(), no_task);
    std::size_t place = 0;
    for (std::size_t device = 0; device < devices_; ++device) {
      result_.first_task.push_back(place);
      for (task const& each : tasks_of(device)) {
        std::uint32_t const number = order.number_of(each);
        place_[number] = static_cast<std::uint32_t>(place++);
        numbers_.push_back(number);
        order.for_each_wait(each, [&](task const&, std::uint32_t) { ++waits_[number]; });
        auto const index = static_cast<std::size_t>(each.chunk);
        if (each.kind == pass::forward && first_number_[index] == no_task)
          first_number_[index] = number;
        if (each.kind == pass::backward || each.kind == pass::weight_gradient) {
          ++completing_[index];
          last_number_[index] = number;
        }
      }
    }
  }

  explicit simulator(compiled_order&&) = delete;

  /// One step. The lists of `load` are empty, or as long as there are chunks and devices. The result is valid until the
  /// next run.
  simulated_step const& run(pipeline_load const& load) {
    load_ = &load;
    prepare();
    for (std::size_t device = 0; device < devices_; ++device)
      start_next(device);
    while (!events_.empty()) {
      std::pop_heap(events_.begin(), events_.end(), is_later{});
      event const now = events_.back();
      events_.pop_back();
      if (now.bucket)
        reduce(now.device, now.chunk, now.time);
      else
        finish(now.device, now.time);
    }
    close();
    return result_;
  }
  /// The result of the last run; the simulator cannot run again.
  simulated_step take() && { return std::move(result_); }

 private:
  struct event {
    double time;
    std::uint32_t device;
    bool bucket;
    int chunk;
  };
  /// A function object, so that the heap's functions take it in.
  struct is_later {
    bool operator()(event const& left, event const& right) const {
      if (left.time != right.time)
        return left.time > right.time;
      return left.device != right.device ? left.device > right.device : left.bucket < right.bucket;
    }
  };
  /// What is known of a task before it runs: since when it could start, how much it still waits for, and why then.
  struct waiting_task {
    double ready = 0;
    int missing = 0;
    /// The task that was waited for last, and when its message began.
    std::uint32_t cause = no_task;
    double asked = 0;
    double sent = 0;
  };
  static constexpr std::uint32_t nowhere = 0xffffffff;

  chunk_load const& chunk_of(int index) const {
    static constexpr chunk_load none{};
    return load_->chunks.empty() ? none : load_->chunks[static_cast<std::size_t>(index)];
  }
  device_load const& device_of(std::size_t index) const {
    static constexpr device_load none{};
    return load_->devices.empty() ? none : load_->devices[index];
  }
  std::vector<task> const& tasks_of(std::size_t device) const { return order_.order().tasks[device]; }
  chunk const& graph_of(int index) const { return order_.order().graph.chunks[static_cast<std::size_t>(index)]; }

  void prepare() {
    waiting_.resize(order_.numbers());
    for (std::size_t number = 0; number < waiting_.size(); ++number)
      waiting_[number] = {.missing = waits_[number]};
    next_.assign(devices_, 0);
    free_at_.assign(devices_, 0.0);
    running_.assign(devices_, 0);
    held_.resize(devices_);
    left_ = completing_;
    link_free_.assign(load_->links.size(), 0.0);
    last_bucket_.assign(devices_, {0.0, nowhere});
    events_.clear();
    result_.transfers.clear();
    result_.critical_path.clear();
    result_.attribution = {};
    result_.tasks.resize(order_.order().size());
    result_.busy.assign(devices_, 0.0);
    result_.begin.assign(devices_, 0.0);
    result_.end.assign(devices_, 0.0);
    result_.memory.resize(devices_);
    result_.peak_bytes.resize(devices_);
    for (std::size_t device = 0; device < devices_; ++device) {
      held_[device] = result_.peak_bytes[device] = device_of(device).static_bytes;
      result_.memory[device].clear();
      result_.memory[device].reserve(2 * tasks_of(device).size() + 1);
      result_.memory[device].push_back({0, held_[device]});
    }
    gates_.assign(result_.tasks.size(), no_task);
    events_.reserve(2 * devices_ + order_.chunks());
  }

  /// Starts the next task of a device that is free, or the next two where they are joined, if they wait for nothing.
  void start_next(std::size_t device) {
    auto const& tasks = tasks_of(device);
    std::size_t const at = next_[device];
    if (running_[device] || at == tasks.size())
      return;
    task const& what = tasks[at];
    std::size_t const place = result_.first_task[device] + at;
    waiting_task const* gate = &waiting_[numbers_[place]];
    bool const joined = what.joined;
    if (gate->missing > 0)
      return;
    if (joined) {
      waiting_task const& other = waiting_[numbers_[place + 1]];
      if (other.missing > 0)
        return;
      if (other.ready > gate->ready)
        gate = &other;
    }
    double const begin = std::max(free_at_[device], gate->ready);
    double const end = begin + duration(device, what, numbers_[place]) +
                       (joined ? duration(device, tasks[at + 1], numbers_[place + 1]) : 0);
    fetch_ahead(device, at, place);
    for (std::size_t offset = 0; offset < (joined ? 2u : 1u); ++offset) {
      ran_task& ran = result_.tasks[place + offset];
      ran = {tasks[at + offset], static_cast<std::uint32_t>(device), begin, end};
      if (ran.what.kind == pass::forward)
        hold(device, begin, graph_of(ran.what.chunk).forward_only ? 0 : chunk_of(ran.what.chunk).kept_bytes);
    }
    if (gate->ready > free_at_[device] || at == 0)
      gates_[place] = static_cast<std::uint32_t>(gate - waiting_.data());
    if (at == 0)
      result_.begin[device] = begin;
    result_.busy[device] += end - begin;
    running_[device] = joined ? 2 : 1;
    push({end, static_cast<std::uint32_t>(device), false, 0});
    for (std::size_t offset = 0; offset < (joined ? 2u : 1u); ++offset)
      announce_buckets(device, tasks[at + offset], begin, end);
  }

  /// Every device walks through memory of its own, more ways at once than a processor foresees: what comes a few tasks
  /// later is asked for now.
  void fetch_ahead(std::size_t device, std::size_t at, std::size_t place) {
#if defined(__GNUC__) || defined(__clang__)
    constexpr std::size_t ahead = 4;
    auto const& tasks = tasks_of(device);
    if (at + ahead < tasks.size()) {
      __builtin_prefetch(&result_.tasks[place + ahead], 1);
      __builtin_prefetch(&waiting_[numbers_[place + ahead]], 1);
      __builtin_prefetch(&tasks[at + ahead] + 4);
    }
    auto const& points = result_.memory[device];
    if (points.size() + ahead < points.capacity())
      __builtin_prefetch(points.data() + points.size() + ahead, 1);
#endif
  }

  double duration(std::size_t device, task const& what, std::uint32_t number) const {
    double time = load_->times[static_cast<std::size_t>(what.chunk)].of(what.kind) * device_of(device).slowdown;
    if (load_->jitter > 0)
      time *= 1 + load_->jitter * (2 * detail::uniform(load_->seed, number) - 1);
    return time + extra_of(what, number);
  }
  double extra_of(task const& what, std::uint32_t number) const {
    if (load_->chunks.empty())
      return 0;
    auto const index = static_cast<std::size_t>(what.chunk);
    return number == first_number_[index]  ? chunk_of(what.chunk).first_extra
           : number == last_number_[index] ? chunk_of(what.chunk).last_extra
                                           : 0;
  }

  void hold(std::size_t device, double time, double bytes) {
    if (bytes == 0)
      return;
    held_[device] += bytes;
    result_.peak_bytes[device] = std::max(result_.peak_bytes[device], held_[device]);
    auto& points = result_.memory[device];
    // What is held for no time at all stays on the curve, as two points at one time.
    if (points.back().time == time && held_[device] >= points.back().bytes)
      points.back().bytes = held_[device];
    else
      points.push_back({time, held_[device]});
  }
  void push(event each) {
    events_.push_back(each);
    std::push_heap(events_.begin(), events_.end(), is_later{});
  }

  /// Gradients of the last pass of a chunk are ready bucket by bucket.
  void announce_buckets(std::size_t device, task const& what, double begin, double end) {
    if (what.kind != pass::backward && what.kind != pass::weight_gradient)
      return;
    if (--left_[static_cast<std::size_t>(what.chunk)] > 0)
      return;
    chunk_load const& load = chunk_of(what.chunk);
    if (load.gradient_bytes <= 0 || device_of(device).gradient_link == no_link)
      return;
    int const buckets = std::max(1, load.gradient_buckets);
    for (int bucket = 1; bucket <= buckets; ++bucket)
      push({begin + (end - begin) * bucket / buckets, static_cast<std::uint32_t>(device), true, what.chunk});
  }
  void reduce(std::size_t device, int chunk, double time) {
    auto const link = static_cast<std::size_t>(device_of(device).gradient_link);
    chunk_load const& load = chunk_of(chunk);
    double const begin = std::max(time, link_free_[link]);
    double const end = load_->links[link].arrival(begin, load.gradient_bytes / std::max(1, load.gradient_buckets));
    link_free_[link] = end;
    result_.transfers.push_back({static_cast<int>(device), static_cast<int>(device), chunk, 0,
                                 activity::gradient_reduction, true, time, begin, end});
    if (end > last_bucket_[device].first)
      last_bucket_[device] = {end, static_cast<std::uint32_t>(result_.transfers.size() - 1)};
  }

  void finish(std::size_t device, double time) {
    auto const& tasks = tasks_of(device);
    int const count = std::exchange(running_[device], 0);
    free_at_[device] = time;
    std::size_t const at = next_[device];
    next_[device] += static_cast<std::size_t>(count);
    for (int offset = 0; offset < count; ++offset)
      finish_task(device, tasks[at + static_cast<std::size_t>(offset)], time);
    start_next(device);
  }
  void finish_task(std::size_t device, task const& what, double time) {
    chunk_load const& load = chunk_of(what.chunk);
    if (what.kind == pass::backward)
      hold(device, time, -load.kept_bytes);
    else if (what.kind == pass::input_gradient)
      hold(device, time, -load.kept_bytes * load.freed_by_input_gradient);
    else if (what.kind == pass::weight_gradient)
      hold(device, time, -load.kept_bytes * (1 - load.freed_by_input_gradient));
    switch (what.kind) {
    case pass::forward: {
      auto const index = static_cast<std::size_t>(what.chunk);
      for (int const next : order_.fed_by()[index])
        deliver(device, what, {pass::forward, next, what.micro_batch}, time);
      if (order_.gradients_from()[index].empty() && !graph_of(what.chunk).forward_only)
        deliver(device, what, {pass::backward, what.chunk, what.micro_batch}, time);
      break;
    }
    case pass::input_gradient:
      deliver(device, what, {pass::weight_gradient, what.chunk, what.micro_batch}, time);
      [[fallthrough]];
    case pass::backward:
      for (int const before : gradients_to_[static_cast<std::size_t>(what.chunk)])
        deliver(device, what, {pass::backward, before, what.micro_batch}, time);
      break;
    case pass::weight_gradient:
      break;
    }
  }

  /// The output of a task goes to one that waits for it.
  void deliver(std::size_t device, task const& from, task const& to, double time) {
    auto const other = static_cast<std::size_t>(graph_of(to.chunk).device);
    double sent = time, arrived = time;
    if (other != device) {
      bool const forward = from.kind == pass::forward;
      int const link = load_->route.empty() ? no_link : load_->route[device * devices_ + other];
      if (link == no_link) {
        auto const& times = load_->times[static_cast<std::size_t>(from.chunk)];
        arrived = time + (forward ? times.send_forward : times.send_backward);
      } else {
        auto const index = static_cast<std::size_t>(link);
        chunk_load const& load = chunk_of(from.chunk);
        sent = std::max(time, link_free_[index]);
        arrived = load_->links[index].arrival(sent, forward ? load.forward_bytes : load.backward_bytes);
        link_free_[index] = arrived;
      }
      if (arrived > time)
        result_.transfers.push_back({static_cast<int>(device), static_cast<int>(other), from.chunk, from.micro_batch,
                                     activity::transfer, !forward, time, sent, arrived});
      if (load_->sending_blocks)
        free_at_[device] = std::max(free_at_[device], arrived);
    }
    waiting_task& entry = waiting_[order_.number_of(to)];
    if (arrived >= entry.ready) {
      entry.ready = arrived;
      entry.cause = order_.number_of(from);
      entry.asked = time;
      entry.sent = sent;
    }
    if (--entry.missing == 0 && other != device)
      start_next(other);
  }

  void close() {
    std::size_t last = 0;
    for (std::size_t device = 0; device < devices_; ++device) {
      result_.end[device] = std::max(free_at_[device], last_bucket_[device].first) + device_of(device).end_of_step;
      if (result_.end[device] > result_.end[last])
        last = device;
    }
    result_.makespan = devices_ > 0 ? result_.end[last] : 0;
    if (devices_ > 0)
      trace(last);
  }

  void add_piece(activity what, std::size_t device, int chunk, int micro_batch, double begin, double end) {
    if (end <= begin)
      return;
    result_.critical_path.push_back({what, static_cast<int>(device), chunk, micro_batch, begin, end});
    result_.attribution[static_cast<std::size_t>(what)] += end - begin;
  }
  /// From the end of the step back to its beginning.
  void trace(std::size_t device) {
    double const after = std::max(free_at_[device], last_bucket_[device].first);
    add_piece(activity::end_of_step, device, 0, 0, after, result_.end[device]);
    if (tasks_of(device).empty())
      return;
    std::size_t place = result_.first_task[device] + tasks_of(device).size() - 1;
    double until = after;
    int bucket_chunk = 0;
    if (last_bucket_[device].second != nowhere && last_bucket_[device].first >= free_at_[device]) {
      // The device's buckets one after the other, back to the pass that made the first of them ready.
      auto const is_before = [&](ran_transfer const& each) {
        return each.end == until && each.what == activity::gradient_reduction && each.from == static_cast<int>(device);
      };
      for (std::size_t bucket = last_bucket_[device].second + 1; bucket-- > 0;) {
        ran_transfer const& each = result_.transfers[bucket];
        if (!is_before(each))
          continue;
        add_piece(each.what, device, each.chunk, 0, each.begin, each.end);
        until = each.begin;
        bool const waited = each.begin > each.asked;
        bool const for_own =
            waited && std::any_of(result_.transfers.begin(),
                                  result_.transfers.begin() + static_cast<std::ptrdiff_t>(bucket), is_before);
        if (waited && !for_own)
          add_piece(activity::wait_for_link, device, each.chunk, 0, each.asked, each.begin);
        if (!for_own) {
          until = each.asked;
          bucket_chunk = each.chunk;
          break;
        }
      }
      // The pass that completed the gradients of that chunk.
      while (place > result_.first_task[device] &&
             last_number_[static_cast<std::size_t>(bucket_chunk)] != order_.number_of(result_.tasks[place].what))
        --place;
    } else if (until > result_.tasks[place].end) {
      add_piece(activity::transfer, device, 0, 0, result_.tasks[place].end, until);
    }
    for (;;) {
      std::size_t const first = result_.first_task[result_.tasks[place].device];
      ran_task const* ran = &result_.tasks[place];
      // Of two joined tasks the first knows what they waited for.
      if (place > first && result_.tasks[place - 1].what.joined) {
        double const middle = ran->begin + (ran->end - ran->begin) / 2;
        add_pass(*ran, middle, std::min(until, ran->end));
        ran = &result_.tasks[--place];
        add_pass(*ran, ran->begin, std::min(until, middle));
      } else {
        add_pass(*ran, ran->begin, std::min(until, ran->end));
      }
      waiting_task const& gate = waiting_[gates_[place]];
      until = ran->begin;
      if (gate.cause != no_task) {
        std::size_t const cause = place_[gate.cause];
        ran_task const& from = result_.tasks[cause];
        add_piece(activity::transfer, ran->device, from.what.chunk, from.what.micro_batch, gate.sent, until);
        add_piece(activity::wait_for_link, from.device, from.what.chunk, from.what.micro_batch, gate.asked, gate.sent);
        until = gate.asked;
        place = cause;
      } else if (place > first) {
        ran_task const& before = result_.tasks[place - 1];
        add_piece(activity::transfer, ran->device, before.what.chunk, before.what.micro_batch, before.end, until);
        until = before.end;
        --place;
      } else {
        break;
      }
    }
    std::reverse(result_.critical_path.begin(), result_.critical_path.end());
  }
  void add_pass(ran_task const& ran, double begin, double end) {
    double const extra = std::min(extra_of(ran.what, order_.number_of(ran.what)), end - begin);
    auto const what = static_cast<activity>(ran.what.kind);
    bool const early = ran.what.kind == pass::forward;
    if (!early)
      add_piece(activity::first_or_last, ran.device, ran.what.chunk, ran.what.micro_batch, end - extra, end);
    add_piece(what, ran.device, ran.what.chunk, ran.what.micro_batch, early ? begin + extra : begin,
              early ? end : end - extra);
    if (early)
      add_piece(activity::first_or_last, ran.device, ran.what.chunk, ran.what.micro_batch, begin, begin + extra);
  }

  compiled_order const& order_;
  pipeline_load const* load_ = nullptr;
  std::size_t devices_;
  std::vector<std::vector<int>> gradients_to_;
  std::vector<waiting_task> waiting_;
  /// For each task that ran: the entry in `waiting_` that it had to wait for, or none if it waited for its device.
  std::vector<std::uint32_t> gates_;
  std::vector<std::size_t> next_;
  std::vector<double> free_at_, held_, link_free_;
  std::vector<int> running_, left_;
  /// What is the same in all runs: how much a task waits for, by number; where it stands in the result, and its number
  /// by that; and how many passes complete the gradients of a chunk's weights.
  std::vector<int> waits_, completing_;
  std::vector<std::uint32_t> place_, numbers_;
  /// The first forward pass of each chunk, and its last pass that computes gradients of weights, as the order has them.
  std::vector<std::uint32_t> first_number_, last_number_;
  std::vector<std::pair<double, std::uint32_t>> last_bucket_;
  std::vector<event> events_;
  simulated_step result_;
};

/// One step of a pipeline. The order must be valid, and the lists of `load` empty or as long as there are chunks and
/// devices.
inline simulated_step simulate(compiled_order const& order, pipeline_load const& load) {
  simulator one{order};
  one.run(load);
  return std::move(one).take();
}

}  // namespace shardplan::schedule
