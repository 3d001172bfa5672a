#pragma once
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <string>
#include <vector>

#include <shardplan/search/linear_program.hpp>
#include <shardplan/testing/generator.hpp>

/// Small 0-1 programs from seeds, and what trying all assignments makes of them.
namespace shardplan::testing {

/// Costs and factors are at times whole, which makes ties; rows have one end, the other, or both.
inline search::linear_program random_zero_one(std::size_t variables, std::size_t rows, generator& random) {
  search::linear_program result;
  bool const whole = random.chance(0.5);
  auto const number = [&](long long size) {
    return whole ? static_cast<double>(random.whole(-size, size))
                 : random.real(-static_cast<double>(size), static_cast<double>(size));
  };
  for (std::size_t index = 0; index < variables; ++index)
    result.add_zero_or_one(std::string{"x"}.append(std::to_string(index)), number(5));
  for (std::size_t index = 0; index < rows; ++index) {
    search::linear_row row{std::string{"row"}.append(std::to_string(index))};
    double low = 0, high = 0;
    for (std::size_t variable = 0; variable < variables; ++variable)
      if (random.chance(0.6)) {
        double const factor = number(4);
        row.terms.push_back({variable, factor});
        (factor < 0 ? low : high) += factor;
      }
    double const middle = low + (high - low) * random.real(0, 1);
    double const end = whole ? static_cast<double>(static_cast<long long>(middle)) : middle;
    switch (random.whole(0, 3)) {
    case 0:
      row.least = end;
      break;
    case 1:
      row.least = end;
      row.most = end + (whole ? static_cast<double>(random.whole(0, 2)) : random.real(0, 3));
      break;
    default:
      row.most = end;
    }
    result.add(std::move(row));
  }
  result.constant = random.chance(0.3) ? number(3) : 0;
  return result;
}

struct tried_assignments {
  double least = std::numeric_limits<double>::infinity();
  /// Of the sum over rows.
  double least_violation = std::numeric_limits<double>::infinity();
};
inline tried_assignments try_assignments(search::linear_program const& of) {
  tried_assignments result;
  std::vector<double> values(of.variables.size());
  for (std::size_t bits = 0; bits < std::size_t{1} << values.size(); ++bits) {
    for (std::size_t index = 0; index < values.size(); ++index)
      values[index] = static_cast<double>(bits >> index & 1);
    double violation = 0;
    for (auto const& row : of.rows) {
      double scale = 0;
      for (auto const& each : row.terms)
        scale += std::abs(each.factor);
      double const one = of.violation_of(row, values);
      violation += one > 1e-9 * scale ? one : 0;
    }
    result.least_violation = std::min(result.least_violation, violation);
    if (violation == 0)
      result.least = std::min(result.least, of.cost_of(values));
  }
  return result;
}

}  // namespace shardplan::testing
