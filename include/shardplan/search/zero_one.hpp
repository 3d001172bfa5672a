#pragma once
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include <shardplan/search/branch_and_bound.hpp>
#include <shardplan/search/control.hpp>
#include <shardplan/search/linear_program.hpp>
#include <shardplan/search/result.hpp>

/// Small 0-1 programs, exactly: branch and bound with propagation over rows, and the Lagrangian dual of all rows as the
/// bound (Geoffrion 1974: it is that of the linear relaxation, without a linear solver).
namespace shardplan::search {

struct zero_one_result {
  search::certificate certificate;
  /// The values of the variables; empty if there are none.
  std::vector<int> values = {};
  std::size_t opened = 0;
  std::size_t made = 0;
  /// Where nothing is allowed: the assignment of the least sum of violations that was found, that sum, and the row that
  /// it breaks most.
  std::vector<int> nearest = {};
  double violation = 0;
  std::size_t row = 0;
};

namespace detail {

/// All rows as sum <= most; with the columns.
struct zero_one_rows {
  struct row {
    std::vector<linear_term> terms;
    double most;
    std::size_t of;
    /// Sums may be off by rounding by so much.
    double slack;
  };
  std::vector<row> rows;
  std::vector<double> costs;
  double constant;

  explicit zero_one_rows(linear_program const& of) : constant(of.constant) {
    for (auto const& each : of.variables)
      costs.push_back(each.cost);
    for (std::size_t index = 0; index < of.rows.size(); ++index) {
      auto const& from = of.rows[index];
      for (double const sign : {1.0, -1.0}) {
        double const most = sign > 0 ? from.most : -from.least;
        if (!(most < std::numeric_limits<double>::infinity()))
          continue;
        row one{{}, most, index, 0};
        double scale = std::abs(most);
        for (linear_term const& each : from.terms)
          if (each.factor != 0) {
            one.terms.push_back({each.variable, sign * each.factor});
            scale += std::abs(each.factor);
          }
        one.slack = 1e-9 * scale;
        rows.push_back(std::move(one));
      }
    }
  }
};

/// -1 where a variable is free.
using zero_one_values = std::vector<std::int8_t>;

class zero_one_tree {
 public:
  struct node {
    zero_one_values values;
    std::vector<double> prices = {};
    double bound = 0;
    /// The free variable to branch on, and the value that the dual would give it.
    std::size_t next = 0;
    std::int8_t first = 0;
  };

  explicit zero_one_tree(zero_one_rows const& of) : of_(of) {}

  node root() const {
    node result{zero_one_values(of_.costs.size(), std::int8_t{-1}), std::vector<double>(of_.rows.size(), 0.0)};
    settle(result, 200);
    return result;
  }
  bool complete(node const& at) const { return at.next == of_.costs.size(); }
  double bound(node const& at) const { return at.bound; }
  template <class Visit> void branch(node const& at, Visit visit) const {
    for (std::int8_t const value : {at.first, static_cast<std::int8_t>(1 - at.first)}) {
      node child = at;
      child.values[at.next] = value;
      settle(child, 12);
      visit(std::move(child));
    }
  }
  /// What the dual would choose, repaired: where a row is broken the flip that costs least for what it mends.
  std::optional<node> guess(node const& from) const {
    node result = from;
    std::vector<double> const reduced = reduced_costs(from.prices);
    for (std::size_t index = 0; index < result.values.size(); ++index)
      if (result.values[index] < 0)
        result.values[index] = reduced[index] < 0 ? 1 : 0;
    for (std::size_t round = 0; round <= result.values.size(); ++round) {
      double const broken = violation(result.values);
      if (broken == 0) {
        result.next = result.values.size();
        result.bound = cost(result.values);
        return result;
      }
      std::size_t best = result.values.size();
      double best_rate = std::numeric_limits<double>::infinity();
      for (std::size_t index = 0; index < result.values.size(); ++index) {
        if (from.values[index] >= 0)
          continue;
        auto& value = result.values[index];
        value = static_cast<std::int8_t>(1 - value);
        double const mended = broken - violation(result.values);
        double const price = of_.costs[index] * (value ? 1 : -1);
        value = static_cast<std::int8_t>(1 - value);
        if (mended > 0 && price / mended < best_rate) {
          best_rate = price / mended;
          best = index;
        }
      }
      if (best == result.values.size())
        return std::nullopt;
      result.values[best] = static_cast<std::int8_t>(1 - result.values[best]);
    }
    return std::nullopt;
  }

  double cost(zero_one_values const& values) const {
    double sum = of_.constant;
    for (std::size_t index = 0; index < values.size(); ++index)
      sum += values[index] > 0 ? of_.costs[index] : 0;
    return sum;
  }
  /// The sum over rows of what they are broken by; what rounding may do is nothing.
  double violation(zero_one_values const& values) const {
    double sum = 0;
    for (auto const& row : of_.rows) {
      double left = row.most;
      for (linear_term const& each : row.terms)
        left -= values[each.variable] > 0 ? each.factor : 0;
      sum += left < -row.slack ? -left : 0;
    }
    return sum;
  }

 private:
  static constexpr double infinity = std::numeric_limits<double>::infinity();

  /// Fixes what rows leave no choice. False if a row cannot be kept.
  bool propagate(zero_one_values& values) const {
    for (bool changed = true; changed;) {
      changed = false;
      for (auto const& row : of_.rows) {
        double left = row.most + row.slack;
        for (linear_term const& each : row.terms)
          if (values[each.variable] > 0 || (values[each.variable] < 0 && each.factor < 0))
            left -= each.factor;
        if (left < 0)
          return false;
        for (linear_term const& each : row.terms)
          if (values[each.variable] < 0 && std::abs(each.factor) > left) {
            values[each.variable] = each.factor > 0 ? 0 : 1;
            changed = true;
            // What is fixed against its sign leaves as much room as before.
          }
      }
    }
    return true;
  }

  std::vector<double> reduced_costs(std::vector<double> const& prices) const {
    std::vector<double> reduced = of_.costs;
    for (std::size_t index = 0; index < of_.rows.size(); ++index)
      if (prices[index] > 0)
        for (linear_term const& each : of_.rows[index].terms)
          reduced[each.variable] += prices[index] * each.factor;
    return reduced;
  }

  /// Propagates, raises the dual, and says where to branch.
  void settle(node& at, int rounds) const {
    std::size_t const count = of_.costs.size();
    at.next = count;
    if (!propagate(at.values)) {
      at.bound = infinity;
      return;
    }
    if (std::none_of(at.values.begin(), at.values.end(), [](std::int8_t each) { return each < 0; })) {
      at.bound = violation(at.values) == 0 ? cost(at.values) : infinity;
      return;
    }
    std::vector<double> best = at.prices, prices = at.prices;
    double bound = -infinity, pace = 1;
    zero_one_values chosen = at.values;
    for (int round = 0; round < rounds; ++round) {
      std::vector<double> const reduced = reduced_costs(prices);
      double value = of_.constant;
      for (std::size_t index = 0; index < of_.rows.size(); ++index)
        value -= prices[index] * of_.rows[index].most;
      for (std::size_t index = 0; index < count; ++index) {
        chosen[index] = at.values[index] >= 0 ? at.values[index] : reduced[index] < 0 ? std::int8_t{1} : std::int8_t{0};
        value += chosen[index] ? reduced[index] : 0;
      }
      if (value > bound) {
        bound = value;
        best = prices;
      } else if (round % 5 == 4) {
        pace /= 2;
      }
      double length = 0;
      std::vector<double> over(of_.rows.size());
      for (std::size_t index = 0; index < of_.rows.size(); ++index) {
        auto const& row = of_.rows[index];
        over[index] = -row.most;
        for (linear_term const& each : row.terms)
          over[index] += chosen[each.variable] ? each.factor : 0;
        if (prices[index] == 0)
          over[index] = std::max(over[index], 0.0);
        length += over[index] * over[index];
      }
      if (!(length > 0))
        break;
      double const step = pace * (0.05 * std::abs(bound) + 0.05 * spread()) / length;
      for (std::size_t index = 0; index < of_.rows.size(); ++index)
        prices[index] = std::max(0.0, prices[index] + step * over[index]);
    }
    at.prices = std::move(best);
    // Sums of many terms are off by some last bits.
    at.bound = bound - 1e-10 * (std::abs(bound) + spread());
    // The variable about which the dual is least sure.
    std::vector<double> const reduced = reduced_costs(at.prices);
    double least = infinity;
    for (std::size_t index = 0; index < count; ++index)
      if (at.values[index] < 0 && std::abs(reduced[index]) < least) {
        least = std::abs(reduced[index]);
        at.next = index;
        at.first = reduced[index] < 0 ? 1 : 0;
      }
  }
  double spread() const {
    double sum = 0;
    for (double const each : of_.costs)
      sum += std::abs(each);
    return sum;
  }

  zero_one_rows const& of_;
};

/// The assignment of the least sum of violations.
class least_violation_tree {
 public:
  struct node {
    zero_one_values values = {};
  };
  explicit least_violation_tree(zero_one_rows const& of) : of_(of) {}
  node root() const { return {}; }
  bool complete(node const& at) const { return at.values.size() == of_.costs.size(); }
  double bound(node const& at) const {
    double sum = 0;
    for (auto const& row : of_.rows) {
      double left = row.most;
      for (linear_term const& each : row.terms)
        if (each.variable < at.values.size() ? at.values[each.variable] > 0 : each.factor < 0)
          left -= each.factor;
      sum += left < -row.slack ? -left : 0;
    }
    return sum;
  }
  template <class Visit> void branch(node const& at, Visit visit) const {
    for (std::int8_t const value : {std::int8_t{0}, std::int8_t{1}}) {
      node child = at;
      child.values.push_back(value);
      visit(std::move(child));
    }
  }

 private:
  zero_one_rows const& of_;
};

}  // namespace detail

/// The cheapest assignment of a program whose variables are all 0 or 1; their bounds are 0 and 1 whatever they say.
/// Rows are kept to 1e-9 of the sizes of their numbers. Counts opened nodes towards the control's limit.
inline zero_one_result solve_zero_one(linear_program const& of, branch_order order = branch_order::depth_first,
                                      control const& asked = {}) {
  detail::zero_one_rows const rows{of};
  detail::zero_one_tree const tree{rows};
  auto const found = branch_and_bound(tree, {.order = order}, asked);
  zero_one_result result;
  result.certificate = found.certificate;
  result.opened = found.opened;
  result.made = found.made;
  if (found.best)
    result.values.assign(found.best->values.begin(), found.best->values.end());
  if (found.certificate.status == status::infeasible) {
    auto const nearest = branch_and_bound(detail::least_violation_tree{rows}, {}, {.most_nodes = 100'000});
    if (nearest.best) {
      result.nearest.assign(nearest.best->values.begin(), nearest.best->values.end());
      result.violation = nearest.certificate.objective;
      std::vector<double> const values(result.nearest.begin(), result.nearest.end());
      for (std::size_t index = 0; index < of.rows.size(); ++index)
        if (of.violation_of(of.rows[index], values) > of.violation_of(of.rows[result.row], values))
          result.row = index;
    }
  }
  return result;
}

}  // namespace shardplan::search
