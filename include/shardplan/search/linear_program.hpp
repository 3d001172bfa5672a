#pragma once
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <string>
#include <utility>
#include <vector>

/// Mixed-integer linear programs as values: what solvers of other kinds understand, and what small ones are solved from
/// here.
namespace shardplan::search {

enum class variable_kind { continuous, whole, zero_or_one };

struct linear_variable {
  std::string name;
  double cost = 0;
  double lower = 0;
  double upper = std::numeric_limits<double>::infinity();
  variable_kind kind = variable_kind::continuous;
};

struct linear_term {
  std::size_t variable;
  double factor;
};

/// least <= sum of the terms <= most; either end may be infinite.
struct linear_row {
  std::string name;
  std::vector<linear_term> terms = {};
  double least = -std::numeric_limits<double>::infinity();
  double most = std::numeric_limits<double>::infinity();
};

/// Minimise constant + sum of cost * value.
struct linear_program {
  std::vector<linear_variable> variables = {};
  std::vector<linear_row> rows = {};
  double constant = 0;

  /// The number of the new variable.
  std::size_t add(linear_variable variable) {
    variables.push_back(std::move(variable));
    return variables.size() - 1;
  }
  std::size_t add_zero_or_one(std::string name, double cost = 0) {
    return add({std::move(name), cost, 0, 1, variable_kind::zero_or_one});
  }
  void add(linear_row row) { rows.push_back(std::move(row)); }

  double cost_of(std::vector<double> const& values) const {
    double sum = constant;
    for (std::size_t index = 0; index < variables.size(); ++index)
      sum += variables[index].cost * values[index];
    return sum;
  }
  /// By how much a row is broken, or 0.
  double violation_of(linear_row const& row, std::vector<double> const& values) const {
    double sum = 0;
    for (linear_term const& each : row.terms)
      sum += each.factor * values[each.variable];
    return std::max({0.0, row.least - sum, sum - row.most});
  }
};

}  // namespace shardplan::search
