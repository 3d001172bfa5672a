#pragma once
#include <algorithm>
#include <cstdint>
#include <iterator>
#include <limits>
#include <utility>
#include <vector>

#include <shardplan/schedule/chunk_times.hpp>

/// What a simulation reads beside the order: times, links, loads of chunks and devices.
namespace shardplan::schedule {

/// A link between devices. What it carries takes its turn in the order in which it is asked for.
struct pipeline_link {
  /// Bytes per second.
  double bandwidth = std::numeric_limits<double>::infinity();
  /// Seconds, once per message.
  double latency = 0;
  /// From these times on (seconds, rising) the bandwidth is this share of the usual one.
  std::vector<std::pair<double, double>> share_from = {};

  /// When a message of so many bytes that starts at `begin` has arrived.
  double arrival(double begin, double bytes) const {
    double time = begin + latency;
    if (bytes <= 0)
      return time;
    auto next = std::upper_bound(share_from.begin(), share_from.end(), time,
                                 [](double at, std::pair<double, double> const& each) { return at < each.first; });
    double share = next == share_from.begin() ? 1 : std::prev(next)->second;
    for (; next != share_from.end(); ++next) {
      double const sent = (next->first - time) * bandwidth * share;
      if (sent >= bytes)
        break;
      bytes -= sent;
      time = next->first;
      share = next->second;
    }
    return time + bytes / (bandwidth * share);
  }
};
inline constexpr int no_link = -1;

/// What a simulation reads of one chunk beside its times.
struct chunk_load {
  /// Bytes that a forward pass sends to the next chunk, and a backward pass to the one before.
  double forward_bytes = 0;
  double backward_bytes = 0;
  /// Activations of one micro-batch, and the share of them that goes with the input gradient where backward passes are
  /// split; the rest goes with the weight gradient.
  double kept_bytes = 0;
  double freed_by_input_gradient = 0;
  /// Bytes that the gradient reduction sends, in so many buckets that become ready during the last backward pass.
  double gradient_bytes = 0;
  int gradient_buckets = 1;
  /// Time that only the first forward pass takes (gathering weights, say), and only the last backward pass.
  double first_extra = 0;
  double last_extra = 0;
};

/// What a simulation reads of one device.
struct device_load {
  /// How much slower than planned it is: 1.1 takes a tenth longer.
  double slowdown = 1;
  /// Bytes that are there all the time.
  double static_bytes = 0;
  /// Time after the last task and the last bucket: the optimizer.
  double end_of_step = 0;
  /// The link of the gradient reduction.
  int gradient_link = no_link;
};

/// Everything that a simulation reads beside the order. Empty lists stand for the defaults of their elements.
struct pipeline_load {
  std::vector<chunk_times> times;
  std::vector<chunk_load> chunks = {};
  std::vector<device_load> devices = {};
  std::vector<pipeline_link> links = {};
  /// The link from a device to another, `from * devices + to`; where there is none `chunk_times` say how long it takes.
  std::vector<int> route = {};
  /// A device computes nothing while it sends.
  bool sending_blocks = false;
  /// Every pass takes between 1 - jitter and 1 + jitter of its time, drawn from `seed`.
  double jitter = 0;
  std::uint64_t seed = 0;
};

}  // namespace shardplan::schedule
