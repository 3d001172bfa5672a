#include <shardplan/io/json_file.hpp>

#include "solved.hpp"

/// AMP's pipelines: layers into stages of equal devices, (B - 1) max stage + all layers + transfers at the cuts.
namespace search_instances {

std::vector<solved> solve_amp(std::string const& file, search_contests const& among, std::string const& algorithm) {
  using shardplan::testing::partition_instance;
  auto const& run = algorithm_of(among.partitions, algorithm);
  std::vector<named<partition_instance>> instances;
  for (auto const& each : shardplan::io::read_json_objects(file)) {
    named<partition_instance> one;
    auto& of = one.of;
    auto const stages = each.whole("stages", 1, 100000), micro_batches = each.whole("microbatches", 1, 1'000'000'000);
    one.name = each.text("gpu") + "/tp" + std::to_string(each.whole("tp", 1, 100000)) + "/b" +
               std::to_string(each.whole("microbatch", 1, 100000)) + "/p" + std::to_string(stages) + "/m" +
               std::to_string(micro_batches);
    of.stage_count = static_cast<std::size_t>(stages);
    of.time = each.numbers<1>("layer_s");
    of.memory.assign(of.time.size(), 0);
    of.transfer = each.numbers<1>("cut_transfer_s");
    if (of.transfer.size() + 1 != of.time.size())
      throw shardplan::io::input_error(file, "cut_transfer_s", "an array of " + std::to_string(of.transfer.size()),
                                       "one shorter than layer_s");
    of.transfer.insert(of.transfer.begin(), 0.0);
    of.speed.assign(of.stage_count, 1);
    of.limit.assign(of.stage_count, std::numeric_limits<double>::infinity());
    of.objective = {static_cast<double>(micro_batches - 1), 1};
    one.expected = each.number("optimal_cost_s", 0, 1e300);
    instances.push_back(std::move(one));
  }
  return solve_all(instances, run);
}

}  // namespace search_instances
