#pragma once
#include <array>
#include <cstddef>
#include <span>

#include <shardplan/expr.hpp>

#include <support/elements.hpp>
#include <support/numbers.hpp>
#include <support/symbols.hpp>

/// Values for everything that a random expression can use.
namespace support {

struct expression_values {
  double x_value = 1, y_value = 1, z_value = 0, u_value = 0;
  double size = 1, work = 1, duration = 1, bandwidth = 1;
  std::array<stage_values, 3> stages{};
  std::size_t stage_count = 1;

  std::span<stage_values const> elements() const { return {stages.data(), stage_count}; }
  /// Views the elements.
  auto environment() const {
    return shardplan::expr::environment{x = x_value,
                                        y = y_value,
                                        z = z_value,
                                        u = u_value,
                                        M = size,
                                        W = work,
                                        T = duration,
                                        B = bandwidth,
                                        shardplan::expr::each<stage> = elements(),
                                        efficiency = saturating{},
                                        contention = opposing{}};
  }
};

namespace detail {
template <class Positive, class NotNegative, class Any>
expression_values filled(generator& random, Positive positive, NotNegative not_negative, Any any) {
  expression_values result;
  result.x_value = positive();
  result.y_value = random.chance(0.1) ? result.x_value : positive();
  result.z_value = not_negative();
  result.u_value = any();
  result.size = positive();
  result.work = positive();
  result.duration = positive();
  result.bandwidth = positive();
  result.stage_count = static_cast<std::size_t>(random.whole(1, 3));
  for (std::size_t index = 0; index < result.stage_count; ++index)
    result.stages[index] = stage_values{y = positive(), T = positive()};
  return result;
}
}  // namespace detail

/// Values of moderate size.
inline expression_values moderate_values(generator& random) {
  return detail::filled(
      random, [&] { return random.real(0.2, 8); }, [&] { return random.real(0, 5); },
      [&] { return random.real(-6, 6); });
}

/// Zeros, equal values, powers of two, whole numbers, and numbers so large and small that products overflow and vanish.
inline expression_values special_values(generator& random) {
  auto const positive = [&] {
    double const whole = static_cast<double>(random.whole(1, 9));
    return random.one_of(1.0, 2.0, 0.5, whole, random.real(0.01, 100), 1e-300, 1e300, 0x1p-1074, 0x1.fffffffffffffp1023,
                         1 + 0x1p-52);
  };
  auto const not_negative = [&] { return random.chance(0.3) ? 0.0 : positive(); };
  return detail::filled(random, positive, not_negative,
                        [&] { return random.chance(0.5) ? not_negative() : -not_negative(); });
}

/// What is no number, or not a finite one, besides.
inline expression_values wild_values(generator& random) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  auto const any = [&] {
    return random.one_of(0.0, -0.0, infinity, -infinity, std::numeric_limits<double>::quiet_NaN(), -1.0,
                         random.real(-5, 5), 1e300, 0x1p-1074);
  };
  return detail::filled(random, any, any, any);
}

}  // namespace support
