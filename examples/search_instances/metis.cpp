#include <algorithm>
#include <filesystem>
#include <map>
#include <set>

#include <shardplan/io/json_file.hpp>
#include <shardplan/search/staged.hpp>

#include "solved.hpp"

/// Metis: stages on groups of a power of two of devices, each with its own data and tensor degree, and a number of
/// micro-batches, timed by a profile. Clusters of one device type. The file gives the optima of an enumeration under
/// three memory rules.
namespace search_instances {

namespace {

using shardplan::io::input_error;
using shardplan::io::json_object;
namespace search = shardplan::search;

struct profile {
  std::vector<double> layer_ms, layer_mem_mb, layer_param_bytes;
  double forward_backward_ms = 0;
};

enum class memory_rule { unconstrained, metis_rule, per_device };

struct metis_instance {
  std::size_t layers = 0, devices = 0, most_tensor = 0, most_micro_batch = 0, most_stages = 0;
  long long global_batch = 0;
  double bandwidth = 0, memory_mib = 0, hidden = 0, sequence = 0, vocabulary = 0, optimizer_ms = 0,
         batch_generator_ms = 0;
  /// By tensor degree and micro-batch.
  std::map<std::pair<long long, long long>, profile> profiles;
  memory_rule rule = memory_rule::unconstrained;
};

/// Slowest stage, longest optimizer step, longest gradient all-reduce.
using objective = search::peaks_objective<3>;

/// A number of stages and of micro-batches. A pool is how many devices are taken; a way is group size and tensor
/// degree.
struct metis_stages {
  metis_instance const& of;
  std::size_t stage_count;
  long long micro_batches;

  std::size_t layers() const { return of.layers; }
  std::size_t stages() const { return stage_count; }
  std::size_t pools() const { return of.devices + 1; }
  bool ends(std::size_t pool) const { return pool == of.devices; }

  template <class Visit>
  void ways(std::size_t stage, std::size_t first, std::size_t last, std::size_t pool, Visit const& visit) const {
    for (std::size_t group = 1; pool + group <= of.devices; group *= 2)
      for (std::size_t tensor = 1; tensor <= std::min(group, of.most_tensor); tensor *= 2)
        if (auto const* const used = profile_of(group, tensor); used && fits(*used, first, last, group))
          visit(cost(*used, stage, first, last, group, tensor), pool + group, group * 1000 + tensor);
  }

  long long micro_batch(std::size_t group, std::size_t tensor) const {
    return of.global_batch / static_cast<long long>(group / tensor) / micro_batches;
  }
  profile const* profile_of(std::size_t group, std::size_t tensor) const {
    auto const b = micro_batch(group, tensor);
    if (b > static_cast<long long>(of.most_micro_batch))
      return nullptr;
    auto const found = of.profiles.find({static_cast<long long>(tensor), b});
    return found == of.profiles.end() ? nullptr : &found->second;
  }
  static double sum(std::vector<double> const& of_layers, std::size_t first, std::size_t last) {
    double result = 0;
    for (std::size_t layer = first; layer < last; ++layer)
      result += of_layers[layer];
    return result;
  }
  bool fits(profile const& used, std::size_t first, std::size_t last, std::size_t group) const {
    double const needed = sum(used.layer_mem_mb, first, last);
    switch (of.rule) {
    case memory_rule::metis_rule:
      return 5 * needed + 0.001 <= static_cast<double>(group) * of.memory_mib;
    case memory_rule::per_device:
      return needed <= of.memory_mib;
    case memory_rule::unconstrained:
      break;
    }
    return true;
  }
  objective::stage_cost cost(profile const& used, std::size_t stage, std::size_t first, std::size_t last,
                             std::size_t group, std::size_t tensor) const {
    double const t = static_cast<double>(tensor), d = static_cast<double>(group / tensor);
    double const b = static_cast<double>(micro_batch(group, tensor)), m = static_cast<double>(micro_batches);
    double const mib_per_ms = of.bandwidth * 1048576;
    double const time = sum(used.layer_ms, first, last);
    double const optimizer = of.optimizer_ms / t * static_cast<double>(last - first) / static_cast<double>(of.layers);
    // Parameters are those of the profile without tensor parallelism: its first, second and last layer.
    auto const& bytes = of.profiles.at({1, 1}).layer_param_bytes;
    double parameters = 0;
    for (std::size_t layer = first; layer < last; ++layer)
      parameters += layer == 0 ? bytes.front() : layer + 1 == of.layers ? bytes.back() : bytes[1];
    double const all_reduce = 2 * (d - 1) / (d * mib_per_ms) * parameters / t;
    double rest = time;
    if (stage + 1 == stage_count)
      rest += m * (used.forward_backward_ms - sum(used.layer_ms, 0, of.layers));
    else
      rest += b * of.sequence * (last + 1 == of.layers ? of.vocabulary / t : of.hidden) / mib_per_ms;
    return {{time, optimizer, all_reduce}, rest};
  }
};

shardplan::testing::verdict solve(metis_instance const& of, bool by_trying);

/// All choices, one after the other.
double try_stages(metis_stages const& of, objective const& costs, std::size_t stage, std::size_t first,
                  std::size_t pool, objective::label const& numbers) {
  if (stage == of.stages())
    return first == of.layers() && of.ends(pool) ? costs.cost(numbers) : std::numeric_limits<double>::infinity();
  double best = std::numeric_limits<double>::infinity();
  for (std::size_t last = first + 1; last <= of.layers(); ++last)
    of.ways(stage, first, last, pool, [&](objective::stage_cost const& cost, std::size_t next, std::size_t) {
      best = std::min(best, try_stages(of, costs, stage + 1, last, next, costs.grow(numbers, cost)));
    });
  return best;
}

shardplan::testing::verdict solve(metis_instance const& of, bool by_trying) {
  shardplan::testing::verdict result;
  result.status = search::status::infeasible;
  for (long long m = 1; m <= of.global_batch; ++m) {
    if (of.global_batch % m != 0)
      continue;
    double const generator = static_cast<double>(m) * of.batch_generator_ms;
    objective const costs{{static_cast<double>(m - 1), 1, 1}};
    for (std::size_t stages = 1; stages <= std::min(of.most_stages, of.layers); ++stages) {
      metis_stages const problem{of, stages, m};
      double found = std::numeric_limits<double>::infinity();
      if (by_trying) {
        found = try_stages(problem, costs, 0, 0, 0, costs.start());
      } else {
        auto const answer = search::cheapest_stages(problem, costs, result.objective - generator);
        result.work += answer.labels;
        result.candidates += answer.certificate.candidates;
        if (!answer.stages.empty())
          found = answer.certificate.objective;
      }
      result.objective = std::min(result.objective, found + generator);
    }
  }
  if (result.objective < std::numeric_limits<double>::infinity()) {
    result.status = search::status::optimal;
    result.bound = result.objective;
  }
  return result;
}

std::map<std::pair<long long, long long>, profile> read_profiles(json_object const& of_device, std::size_t layers) {
  std::map<std::pair<long long, long long>, profile> result;
  for (std::string const& key : of_device.keys()) {
    long long tensor = 0, micro_batch = 0;
    if (std::sscanf(key.c_str(), "tp%lld_bs%lld", &tensor, &micro_batch) != 2)
      of_device.refuse(key, "named tp<tensor degree>_bs<micro-batch>");
    auto const from = of_device.object(key);
    profile one{from.numbers<1>("layer_ms"), from.numbers<1>("layer_mem_mb"), from.numbers<1>("layer_param_bytes"),
                from.number("forward_backward_ms", 0, 1e300)};
    for (std::string const name : {"layer_ms", "layer_mem_mb", "layer_param_bytes"})
      if (from.numbers<1>(name).size() != layers)
        from.refuse(name, "an array of " + std::to_string(layers) + ", one for each layer");
    result[{tensor, micro_batch}] = std::move(one);
  }
  if (!result.contains({1, 1}))
    of_device.refuse("tp1_bs1", "a profile, as parameters are taken from it");
  return result;
}

}  // namespace

std::vector<solved> solve_metis(std::string const& file, search_contests const&, std::string const& algorithm) {
  shardplan::testing::contest<metis_instance> among;
  among.add_algorithm("labels", [](metis_instance const& of) { return solve(of, false); });
  among.add_algorithm("brute-force", [](metis_instance const& of) { return solve(of, true); });
  auto const& run = algorithm_of(among, algorithm);

  auto const whole = shardplan::io::read_json_object(file);
  metis_instance of;
  auto const model = whole.object("model"), limits = whole.object("limits");
  of.layers = static_cast<std::size_t>(model.whole("num_layers", 2, 100000));
  of.hidden = model.number("hidden", 1, 1e9);
  of.sequence = model.number("seq", 1, 1e9);
  of.vocabulary = model.number("vocab", 1, 1e9);
  of.global_batch = model.whole("gbs", 1, 1'000'000'000);
  of.most_tensor = static_cast<std::size_t>(limits.whole("max_tp", 1, 999));
  of.most_micro_batch = static_cast<std::size_t>(limits.whole("max_bs", 1, 1'000'000));
  of.optimizer_ms = whole.number("optimizer_ms_x2", 0, 1e300);
  of.batch_generator_ms = whole.number("batch_generator_ms", 0, 1e300);
  std::set<std::string> types;
  for (json_object const& node : whole.objects("cluster")) {
    types.insert(node.text("type"));
    of.devices += static_cast<std::size_t>(node.whole("gpus", 1, 100000));
    of.bandwidth = node.number("intra_bandwidth", 1e-9, 1e9);
    of.memory_mib = node.number("memory_gb", 0, 1e9) * 1024;
  }
  if (types.size() != 1)
    throw input_error(file, "cluster", std::to_string(types.size()) + " device types",
                      "nodes of one device type: groups of several types are not read yet");
  auto const beside = std::filesystem::path{file}.parent_path() / whole.text("profile");
  of.profiles = read_profiles(shardplan::io::read_json_object(beside.string()).object(*types.begin()), of.layers);

  std::vector<named<metis_instance>> instances;
  auto const add = [&](memory_rule rule, std::string const& name, std::optional<double> expected) {
    named<metis_instance> one{whole.text("instance") + "/" + name, of};
    one.of.rule = rule;
    one.expected = expected;
    instances.push_back(std::move(one));
  };
  of.most_stages = of.devices;
  std::optional<json_object> optima;
  if (whole.is_object("exhaustive_check")) {
    auto const check = whole.object("exhaustive_check");
    if (check.is_set("exhaustive_max_stages"))
      of.most_stages = static_cast<std::size_t>(check.whole("exhaustive_max_stages", 1, 100000));
    if (check.is_object("exhaustive"))
      optima = check.object("exhaustive");
  }
  for (auto const& [rule, name] :
       {std::pair{memory_rule::unconstrained, "unconstrained"}, std::pair{memory_rule::metis_rule, "metis_rule"},
        std::pair{memory_rule::per_device, "per_device"}})
    add(rule, name,
        optima && optima->is_object(name) ? std::optional{optima->object(name).number("cost_ms", 0, 1e300)}
                                          : std::nullopt);
  return solve_all(instances, run);
}

}  // namespace search_instances
