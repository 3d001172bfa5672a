#include <shardplan/io/json_file.hpp>

#include "solved.hpp"

/// Galvatron's dynamic program over layers and strategies: `cases` with tables of memory, time and switching time, and
/// for each several queries of a budget. Its core gives answers that are not optimal where entries need no memory;
/// those cases give an `optimum` beside the core's `cost`.
namespace search_instances {

namespace {

using shardplan::io::json_object;
using shardplan::testing::chain_case;
using shardplan::testing::chain_instance;

template <class Rows>
void check_size(json_object const& in, std::string const& key, Rows const& rows, std::size_t size) {
  if (rows.size() != size)
    throw shardplan::io::input_error(in.file(), key, "an array of " + std::to_string(rows.size()),
                                     "an array of " + std::to_string(size));
}

chain_instance instance_of(json_object const& from) {
  auto const layers = static_cast<std::size_t>(from.whole("L", 1, 100000));
  auto const choices = static_cast<std::size_t>(from.whole("S", 1, 100000));
  bool const by_type = from.has("layer_type");
  std::string const prefix = by_type ? "type_" : "";
  auto const memory = from.numbers<2>(prefix + "mem"), time = from.numbers<2>(prefix + "intra");
  auto const switching = from.numbers<3>(prefix + "inter");
  auto const types = by_type ? from.numbers<1>("layer_type") : std::vector<double>{};
  if (by_type)
    check_size(from, "layer_type", types, layers);
  std::size_t const rows = by_type ? memory.size() : layers;
  check_size(from, prefix + "mem", memory, rows);
  check_size(from, prefix + "intra", time, rows);
  check_size(from, prefix + "inter", switching, rows);
  chain_instance result;
  for (std::size_t layer = 0; layer < layers; ++layer) {
    double const type = by_type ? types[layer] : static_cast<double>(layer);
    if (!(type >= 0 && type < static_cast<double>(rows)) || type != static_cast<double>(static_cast<std::size_t>(type)))
      throw shardplan::io::input_error(from.file(), "layer_type[" + std::to_string(layer) + "]", std::to_string(type),
                                       "a whole number below " + std::to_string(rows));
    auto const row = static_cast<std::size_t>(type);
    std::string const place = "[" + std::to_string(row) + "]";
    check_size(from, prefix + "mem" + place, memory[row], choices);
    check_size(from, prefix + "intra" + place, time[row], choices);
    check_size(from, prefix + "inter" + place, switching[row], choices);
    for (auto const& each : switching[row])
      check_size(from, prefix + "inter" + place, each, choices);
    result.resource_of.push_back(memory[row]);
    result.cost_of.push_back(time[row]);
    result.switching_of.push_back(switching[row]);
  }
  return result;
}

}  // namespace

std::vector<solved> solve_galvatron(std::string const& file, search_contests const& among,
                                    std::string const& algorithm) {
  auto const& run = algorithm_of(among.chains, algorithm);
  std::vector<named<chain_case>> instances;
  for (json_object const& each : shardplan::io::read_json_object(file).objects("cases")) {
    auto const of = instance_of(each);
    double const budget = each.number("M", 0, 1e15);
    std::size_t number = 0;
    for (json_object const& query : each.objects("queries")) {
      named<chain_case> one{each.text("id") + "/" + std::to_string(number++),
                            {of, budget - query.number("other_mem", 0, 1e15)}};
      one.plus = query.number("other_time", -1e15, 1e15);
      // An optimum by enumeration if there is one, else what the core found.
      one.proven = query.has("optimum");
      std::string const key = one.proven ? "optimum" : "cost";
      one.expected = query.is_set(key) ? query.number(key, -1e300, 1e300) : std::numeric_limits<double>::infinity();
      instances.push_back(std::move(one));
    }
  }
  return solve_all(instances, run);
}

/// One sharding for each operator under a memory limit. See docs/reference/search-instances.md.
std::vector<solved> solve_osdp(std::string const& file, search_contests const& among, std::string const& algorithm) {
  auto const& run = algorithm_of(among.chains, algorithm);
  std::vector<named<chain_case>> instances;
  auto const whole = shardplan::io::read_json_object(file);
  whole.allow_only({"format", "about", "instances"});
  whole.name("format", {"shardplan-osdp"});
  for (json_object const& each : whole.objects("instances")) {
    each.allow_only({"instance", "limit", "operators", "optimum"});
    named<chain_case> one{each.text("instance"), {{}, each.number("limit", 0, 1e300)}};
    for (json_object const& operators : each.objects("operators")) {
      operators.allow_only({"count", "memory", "cost"});
      auto const memory = operators.numbers<1>("memory"), cost = operators.numbers<1>("cost");
      check_size(operators, "cost", cost, memory.size());
      for (std::size_t choice = 0; choice < memory.size(); ++choice)
        if (memory[choice] < 0 || cost[choice] < 0)
          throw shardplan::io::input_error(file, "operators of " + one.name, "negative", "not negative");
      for (long long left = operators.whole("count", 1, 100000); left > 0; --left) {
        one.of.of.resource_of.push_back(memory);
        one.of.of.cost_of.push_back(cost);
        std::size_t const before = one.of.of.cost_of.size() < 2 ? 0 : one.of.of.cost_of.end()[-2].size();
        one.of.of.switching_of.push_back(std::vector(before, std::vector<double>(memory.size(), 0.0)));
      }
    }
    if (each.has("optimum"))
      one.expected =
          each.is_set("optimum") ? each.number("optimum", 0, 1e300) : std::numeric_limits<double>::infinity();
    instances.push_back(std::move(one));
  }
  return solve_all(instances, run);
}

}  // namespace search_instances
