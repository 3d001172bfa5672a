#include <shardplan/io/json_file.hpp>

#include "solved.hpp"

/// 0-1 programs. See docs/reference/search-instances.md.
namespace search_instances {

std::vector<solved> solve_zero_one(std::string const& file, search_contests const& among,
                                   std::string const& algorithm) {
  using shardplan::search::linear_program;
  auto const& run = algorithm_of(among.zero_one_programs, algorithm);
  std::vector<named<linear_program>> instances;
  auto const whole = shardplan::io::read_json_object(file);
  whole.allow_only({"format", "about", "instances"});
  whole.name("format", {"shardplan-zero-one"});
  for (auto const& each : whole.objects("instances")) {
    each.allow_only({"instance", "cost", "constant", "rows", "optimum"});
    named<linear_program> one{each.text("instance"), {}};
    for (double const cost : each.numbers<1>("cost"))
      one.of.add_zero_or_one("x" + std::to_string(one.of.variables.size()), cost);
    one.of.constant = each.number_or("constant", -1e300, 1e300, 0);
    for (auto const& row : each.objects("rows")) {
      row.allow_only({"name", "factors", "least", "most"});
      shardplan::search::linear_row read{row.text("name")};
      auto const factors = row.numbers<1>("factors");
      if (factors.size() != one.of.variables.size())
        row.refuse("factors", "an array of " + std::to_string(one.of.variables.size()) + ", as cost");
      for (std::size_t index = 0; index < factors.size(); ++index)
        if (factors[index] != 0)
          read.terms.push_back({index, factors[index]});
      if (!row.is_set("least") && !row.is_set("most"))
        row.refuse("most", "a number, or least must be one");
      read.least = row.number_or("least", -1e300, 1e300, read.least);
      read.most = row.number_or("most", -1e300, 1e300, read.most);
      one.of.add(std::move(read));
    }
    if (each.has("optimum"))
      one.expected =
          each.is_set("optimum") ? each.number("optimum", -1e300, 1e300) : std::numeric_limits<double>::infinity();
    instances.push_back(std::move(one));
  }
  return solve_all(instances, run);
}

}  // namespace search_instances
