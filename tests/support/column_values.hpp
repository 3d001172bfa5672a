#pragma once
#include <cstddef>
#include <span>
#include <vector>

#include <shardplan/expr.hpp>

#include <support/random_values.hpp>

/// The reading "column" for tests, in one place.
namespace support {

/// The values of an expression for a list of configurations. x, y, z, u, M and T are columns; the rest, and the
/// elements, are those of the first configuration.
template <shardplan::expr::expression Expression>
std::vector<double> column_values(Expression expression, std::span<expression_values const> configurations) {
  std::size_t const count = configurations.size();
  std::vector<double> result(count);
  std::vector<double> xs(count), ys(count), zs(count), us(count), sizes(count), durations(count);
  for (std::size_t index = 0; index < count; ++index) {
    auto const& one = configurations[index];
    xs[index] = one.x_value;
    ys[index] = one.y_value;
    zs[index] = one.z_value;
    us[index] = one.u_value;
    sizes[index] = one.size;
    durations[index] = one.duration;
  }
  using shardplan::expr::column;
  shardplan::expr::environment const columns{x = column<double>{xs},    y = column<double>{ys},
                                             z = column<double>{zs},    u = column<double>{us},
                                             M = column<double>{sizes}, T = column<double>{durations}};
  auto const first = (count == 0 ? expression_values{} : configurations[0]).environment();
  shardplan::expr::scope const all{columns, first};
  shardplan::expr::evaluate_column(expression, all, std::span<double>(result));
  return result;
}

}  // namespace support
