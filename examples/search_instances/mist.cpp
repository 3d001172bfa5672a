#include <shardplan/io/json_file.hpp>

#include "solved.hpp"

/// Mist's inter-stage problem: S stages, L layers, G micro-batches, and for each stage entries of a number of layers
/// and points (T, D).
namespace search_instances {

std::vector<solved> solve_mist(std::string const& file, search_contests const& among, std::string const& algorithm) {
  using shardplan::search::stage_points;
  auto const& run = algorithm_of(among.stage_points, algorithm);
  std::vector<named<stage_points>> instances;
  for (auto const& each : shardplan::io::read_json_object(file).objects("instances")) {
    named<stage_points> one{each.text("id"), {}};
    auto& of = one.of;
    of.layer_count = static_cast<std::size_t>(each.whole("L", 1, 100000));
    of.micro_batches = static_cast<std::size_t>(each.whole("G", 1, 1'000'000'000));
    for (auto const& stage : each.object_lists("stages")) {
      auto& entries = of.entries.emplace_back();
      for (auto const& entry : stage) {
        entries.push_back({static_cast<std::size_t>(entry.whole("layers", 1, 100000)), {}});
        for (auto const& point : entry.numbers<2>("points")) {
          if (point.size() != 2 || point[0] < 0)
            entry.refuse("points", "pairs [T, D] with T of at least 0");
          entries.back().points.push_back({point[0], point[1]});
        }
      }
    }
    if (of.entries.size() != static_cast<std::size_t>(each.whole("S", 1, 100000)))
      each.refuse("stages", "an array of " + std::to_string(each.whole("S", 1, 100000)));
    if (each.has("optimum"))
      one.expected =
          each.is_set("optimum") ? each.number("optimum", -1e300, 1e300) : std::numeric_limits<double>::infinity();
    instances.push_back(std::move(one));
  }
  return solve_all(instances, run);
}

}  // namespace search_instances
