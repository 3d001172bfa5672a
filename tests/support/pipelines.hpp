#pragma once
#include <algorithm>
#include <string>
#include <vector>

#include <shardplan/schedule/catalogue.hpp>

#include <support/numbers.hpp>

/// Random pipelines for all schedules.
namespace support {

/// Stage times from `low` to 1; backward passes twice that, about, or of their own.
inline std::vector<shardplan::schedule::stage_times> random_stages(int stages, double low, bool sends,
                                                                   generator& random) {
  std::vector<shardplan::schedule::stage_times> result;
  bool const related = random.chance(0.5);
  for (int index = 0; index < stages; ++index) {
    double const forward = random.real(low, 1);
    double const backward = related ? 2 * forward * random.real(0.7, 1.5) : 2 * random.real(low, 1);
    result.push_back({forward, backward, backward * random.real(0.3, 0.6), sends ? random.real(0, 0.1) : 0,
                      sends ? random.real(0, 0.1) : 0});
  }
  return result;
}

/// A shape of up to 8 devices, 4 virtual stages and 32 micro-batches that the schedule can run.
inline shardplan::schedule::pipeline_shape random_shape(shardplan::schedule::named_schedule const& of,
                                                        generator& random) {
  for (;;) {
    shardplan::schedule::pipeline_shape const shape{
        .devices = static_cast<int>(random.whole(1, 8)),
        .micro_batches = static_cast<int>(random.whole(1, 32)),
        .virtual_stages = static_cast<int>(random.whole(1, 4)),
        .forwards = static_cast<int>(random.whole(1, 3)),
    };
    if (of.refusal(shape).empty())
      return shape;
  }
}

/// Calls `visit(shape)` for all shapes up to 8 devices, 4 virtual stages and 32 micro-batches that it can run.
template <class Visit> void for_each_shape(shardplan::schedule::named_schedule const& of, Visit visit) {
  for (int devices = 1; devices <= 8; ++devices)
    for (int virtual_stages = 1; virtual_stages <= 4; ++virtual_stages)
      for (int micro_batches = 1; micro_batches <= 32; ++micro_batches) {
        shardplan::schedule::pipeline_shape const shape{devices, micro_batches, virtual_stages, virtual_stages};
        if (of.refusal(shape).empty())
          visit(shape);
      }
}

}  // namespace support
