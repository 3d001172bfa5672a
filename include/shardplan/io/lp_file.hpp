#pragma once
#include <cctype>
#include <cmath>
#include <cstdio>
#include <set>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include <shardplan/io/input_error.hpp>
#include <shardplan/search/linear_program.hpp>

/// Linear programs in the LP format of CPLEX, which cbc, glpsol and others read.
namespace shardplan::io {

namespace detail {

/// What every reader of the format takes for a name: it starts with a letter other than e (which may begin a number),
/// and goes on with letters, digits and _.
inline bool is_lp_name(std::string const& name) {
  if (name.empty() || name.size() > 100 || !std::isalpha(static_cast<unsigned char>(name[0])) ||
      ((name[0] == 'e' || name[0] == 'E') && (name.size() == 1 || !std::isalpha(static_cast<unsigned char>(name[1])))))
    return false;
  for (char const letter : name)
    if (!std::isalnum(static_cast<unsigned char>(letter)) && letter != '_')
      return false;
  static std::set<std::string> const words{"st",       "free",     "inf",      "infinity", "end",      "bounds",
                                           "binaries", "generals", "binary",   "general",  "minimize", "maximize",
                                           "subject",  "integer",  "integers", "bin",      "gen"};
  std::string lower;
  for (char const letter : name)
    lower += static_cast<char>(std::tolower(static_cast<unsigned char>(letter)));
  return !words.contains(lower);
}

class lp_writer {
 public:
  explicit lp_writer(search::linear_program const& of) : of_(of) {}

  std::string text() {
    check();
    out_ << "Minimize\n objective:";
    std::vector<search::linear_term> costs;
    for (std::size_t index = 0; index < of_.variables.size(); ++index)
      if (of_.variables[index].cost != 0)
        costs.push_back({index, of_.variables[index].cost});
    write(costs, of_.constant != 0 ? of_.constant : 0);
    out_ << "\nSubject To\n";
    for (auto const& row : of_.rows) {
      bool const low = std::isfinite(row.least), high = std::isfinite(row.most);
      if (low && high && row.least == row.most)
        write_row(row, row.name, "=", row.least);
      else {
        if (low)
          write_row(row, high ? row.name + "_least" : row.name, ">=", row.least);
        if (high)
          write_row(row, low ? row.name + "_most" : row.name, "<=", row.most);
      }
    }
    out_ << "Bounds\n";
    if (of_.constant != 0)
      out_ << " objective_constant = 1\n";
    std::vector<std::string> binary, general;
    for (auto const& each : of_.variables) {
      if (each.kind == search::variable_kind::zero_or_one) {
        binary.push_back(each.name);
        continue;
      }
      if (each.kind == search::variable_kind::whole)
        general.push_back(each.name);
      if (!std::isfinite(each.lower) && !std::isfinite(each.upper))
        out_ << ' ' << each.name << " free\n";
      else if (each.lower == each.upper)
        out_ << ' ' << each.name << " = " << number(each.lower) << '\n';
      else if (std::isfinite(each.upper))
        out_ << ' ' << (std::isfinite(each.lower) ? number(each.lower) : "-inf") << " <= " << each.name
             << " <= " << number(each.upper) << '\n';
      else if (each.lower != 0)
        out_ << ' ' << each.name << " >= " << number(each.lower) << '\n';
    }
    list("Generals", general);
    list("Binaries", binary);
    out_ << "End\n";
    return out_.str();
  }

 private:
  void check() const {
    std::set<std::string> seen{"objective", "objective_constant"};
    auto const name = [&](std::string const& what, std::string const& of) {
      if (!is_lp_name(of))
        throw input_error::at("linear program", what, "\"" + of + "\"",
                              "a name of letters, digits and _ that starts with a letter and is no word of the format");
      if (!seen.insert(of).second)
        throw input_error::at("linear program", what, "\"" + of + "\", as another one", "a name of its own");
    };
    auto const is_number = [](double value, std::string const& what) {
      if (!std::isfinite(value))
        throw input_error::at("linear program", what, std::to_string(value), "a finite number");
    };
    for (auto const& each : of_.variables) {
      name("the name of a variable", each.name);
      is_number(each.cost, "the cost of " + each.name);
      if (!(each.lower <= each.upper))
        throw input_error::at("linear program", "the range of " + each.name,
                              std::to_string(each.lower) + " to " + std::to_string(each.upper), "not empty");
    }
    seen = {};
    for (auto const& row : of_.rows) {
      name("the name of a row", row.name);
      if (std::isnan(row.least) || std::isnan(row.most))
        throw input_error::at("linear program", "an end of row " + row.name, "no number", "a number");
      for (auto const& each : row.terms) {
        is_number(each.factor, "a factor of row " + row.name);
        if (each.variable >= of_.variables.size())
          throw input_error::at("linear program", "a variable of row " + row.name,
                                "number " + std::to_string(each.variable),
                                "below " + std::to_string(of_.variables.size()));
      }
    }
  }
  static std::string number(double value) {
    char text[40];
    std::snprintf(text, sizeof text, "%.17g", value);
    return text;
  }
  /// Terms, and a constant as the factor of a variable that is 1. Lines are kept short: some readers have a limit.
  void write(std::vector<search::linear_term> const& terms, double constant = 0) {
    std::size_t written = 0;
    auto const one = [&](double factor, std::string const& variable) {
      if (written++ % 8 == 7)
        out_ << "\n ";
      out_ << (factor < 0 ? " - " : " + ") << number(std::abs(factor)) << ' ' << variable;
    };
    for (auto const& each : terms)
      one(each.factor, of_.variables[each.variable].name);
    if (constant != 0)
      one(constant, "objective_constant");
    if (written == 0)
      one(0, of_.variables.empty() ? "nothing" : of_.variables[0].name);
  }
  void write_row(search::linear_row const& row, std::string const& name, char const* relation, double end) {
    out_ << ' ' << name << ':';
    write(row.terms);
    out_ << ' ' << relation << ' ' << number(end) << '\n';
  }
  void list(char const* title, std::vector<std::string> const& names) {
    if (names.empty())
      return;
    out_ << title;
    for (std::size_t index = 0; index < names.size(); ++index)
      out_ << (index % 8 == 0 ? "\n " : " ") << names[index];
    out_ << '\n';
  }

  search::linear_program const& of_;
  std::ostringstream out_;
};

}  // namespace detail

/// The program in LP format, with 17 digits. A row with two ends becomes two, `..._least` and `..._most`; a constant
/// becomes the cost of a variable `objective_constant` that is 1. Throws `input_error` for names that readers would
/// misread or that are there twice, and for numbers that are none.
inline std::string lp_text(search::linear_program const& of) { return detail::lp_writer{of}.text(); }

}  // namespace shardplan::io
