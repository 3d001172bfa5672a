#pragma once
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include <doctest/doctest.h>

#include <shardplan/expr.hpp>
#include <shardplan/expr/dual.hpp>
#include <shardplan/expr/interval.hpp>

#include <support/column_values.hpp>
#include <support/error_bound.hpp>
#include <support/random_expression.hpp>
#include <support/random_values.hpp>

/// What must hold between the readings of any expression. readings.cpp checks it for some random expressions,
/// readings_long.cpp for many.
namespace laws {

namespace expr = shardplan::expr;
using namespace support;

#ifdef SHARDPLAN_TEST_EXACT
inline constexpr bool exact = true;
#else
inline constexpr bool exact = false;
#endif

/// The same bits, or neither is a number.
inline bool identical(double left, double right) {
  return std::bit_cast<std::uint64_t>(left) == std::bit_cast<std::uint64_t>(right) || (left != left && right != right);
}
/// Equal up to the roundings of one evaluation; where these may change a branch, or a value is not finite, nothing is
/// said.
inline bool equal_up_to(double left, double right, double bound) {
  return !(bound < with_error::unknown) || !std::isfinite(left) || std::fabs(left - right) <= bound;
}

/// Readings as functions of their own, which are compiled once for each expression.
template <class Expression> [[gnu::noinline]] double number(Expression expression, expression_values const& values) {
  return expr::evaluate(expression, values.environment()).value;
}
template <class Expression> [[gnu::noinline]] double bound(Expression expression, expression_values const& values) {
  return error_bound(expression, values.environment());
}

/// Reads numbers and notes whether any of them, on the way, was none: minima, maxima and branches may lose it again.
template <class Environment> class watching_reader {
 public:
  using value_type = double;
  using number_type = double;

  watching_reader(Environment const& environment, bool& lost) : environment_(environment), lost_(lost) {}

  Environment const& environment() const { return environment_; }
  template <class Inner> watching_reader<Inner> in(Inner const& inner) const {
    return watching_reader<Inner>{inner, lost_};
  }
  template <class Literal> double literal() const { return Literal::template value<double>; }
  template <class Tag> double symbol() const { return expr::value_of<Tag>(environment_); }
  template <class Node, class... Operands> double apply(Operands... operands) const {
    return watched(typename Node::operation{}(operands...));
  }
  template <class Node, class... Operands> double call(Operands... operands) const {
    return watched(expr::value_of<typename Node::tag>(environment_)(operands...));
  }

 private:
  double watched(double value) const {
    lost_ = lost_ || value != value;
    return value;
  }

  Environment const& environment_;
  bool& lost_;
};

struct watched_number {
  double value;
  bool defined;
};
template <class Expression>
[[gnu::noinline]] watched_number watched(Expression expression, expression_values const& at) {
  bool lost = false;
  auto const environment = at.environment();
  double const value = expr::read(expression, watching_reader<decltype(environment)>{environment, lost});
  return {value, !lost};
}

/// Column reading = number reading, for moderate, special and wild values and all lengths around the widths of packs.
/// Counts the values that were checked.
template <class Expression> int check_column(Expression expression, std::uint64_t seed, generator& random) {
  CAPTURE(seed);
  int checked = 0;
  for (int round = 0; round < 3; ++round)
    for (std::size_t const count : {1u, 2u, 3u, 4u, 5u, 7u, 8u, 9u, 17u}) {
      std::vector<expression_values> configurations;
      for (std::size_t index = 0; index < count; ++index) {
        auto const kind = random.whole(0, 2);
        configurations.push_back(kind == 0   ? moderate_values(random)
                                 : kind == 1 ? special_values(random)
                                             : wild_values(random));
        configurations[index].stages = configurations[0].stages;
        configurations[index].stage_count = configurations[0].stage_count;
        configurations[index].work = configurations[0].work;
        configurations[index].bandwidth = configurations[0].bandwidth;
      }
      auto const column = column_values(expression, std::span<expression_values const>(configurations));
      for (std::size_t index = 0; index < count; ++index) {
        double const expected = number(expression, configurations[index]);
        CAPTURE(count);
        CAPTURE(index);
        ++checked;
        if (!identical(column[index], expected) &&
            (exact || !equal_up_to(expected, column[index], bound(expression, configurations[index]))))
          CHECK(column[index] == expected);
      }
    }
  return checked;
}

/// A box around values, with the values in it.
class box {
 public:
  using interval = expr::interval<double>;
  using stage_ranges =
      expr::environment<expr::binding<support::tag::y, interval>, expr::binding<support::tag::duration, interval>>;

  /// Around the values; `share` of the symbols are ranges, up to `widest` times (or, about zero, plus) their value.
  box(expression_values const& values, double share, double widest, generator& random) : count_(values.stage_count) {
    auto const around = [&](double value, double least) {
      if (!random.chance(share))
        return interval{value};
      double const width = widest * std::fabs(value) + (value == 0 ? widest : 0);
      double const low = std::fmax(least, value - random.real(0, 1) * width);
      double const high = std::fmin(value + random.real(0, 1) * width, std::numeric_limits<double>::max());
      return interval{std::fmin(low, value), std::fmax(high, value)};
    };
    // A share of the smallest number is zero, which no positive symbol may be.
    auto const positive = [&](double value) {
      return around(value, std::fmax(value / (1 + widest), std::numeric_limits<double>::denorm_min()));
    };
    x_ = positive(values.x_value);
    y_ = positive(values.y_value);
    z_ = around(values.z_value, 0);
    u_ = around(values.u_value, -std::numeric_limits<double>::max());
    size_ = positive(values.size);
    work_ = positive(values.work);
    duration_ = positive(values.duration);
    bandwidth_ = positive(values.bandwidth);
    for (std::size_t index = 0; index < count_; ++index)
      stages_[index] = stage_ranges{support::y = positive(expr::get<support::tag::y>(values.stages[index])),
                                    support::T = positive(expr::get<support::tag::duration>(values.stages[index]))};
  }

  auto environment() const {
    return expr::environment{support::x = x_,
                             support::y = y_,
                             support::z = z_,
                             support::u = u_,
                             support::M = size_,
                             support::W = work_,
                             support::T = duration_,
                             support::B = bandwidth_,
                             stages(),
                             support::efficiency = saturating{},
                             support::contention = opposing{}};
  }

  /// A box inside this one that has the values in it.
  box part_around(expression_values const& values, generator& random) const {
    box result = *this;
    auto const shrink = [&](interval& range, double value) {
      range.low = random.chance(0.3) ? value : std::fmin(value, range.low + random.real(0, 1) * (value - range.low));
      range.high = random.chance(0.3) ? value : std::fmax(value, range.high - random.real(0, 1) * (range.high - value));
    };
    shrink(result.x_, values.x_value);
    shrink(result.y_, values.y_value);
    shrink(result.z_, values.z_value);
    shrink(result.u_, values.u_value);
    shrink(result.size_, values.size);
    shrink(result.work_, values.work);
    shrink(result.duration_, values.duration);
    shrink(result.bandwidth_, values.bandwidth);
    for (std::size_t index = 0; index < count_; ++index) {
      stage_ranges& stage = result.stages_[index];
      interval by_y = expr::get<support::tag::y>(stage), by_time = expr::get<support::tag::duration>(stage);
      shrink(by_y, expr::get<support::tag::y>(values.stages[index]));
      shrink(by_time, expr::get<support::tag::duration>(values.stages[index]));
      stage = stage_ranges{support::y = by_y, support::T = by_time};
    }
    return result;
  }

  /// Values in the box: ends, where bounds are missed, and others.
  expression_values point(generator& random) const {
    auto const in = [&](interval range) {
      double const between = range.low + random.real(0, 1) * (range.high - range.low);
      return random.one_of(range.low, range.high, std::fmax(range.low, std::fmin(between, range.high)));
    };
    expression_values result;
    result.x_value = in(x_);
    result.y_value = in(y_);
    result.z_value = in(z_);
    result.u_value = in(u_);
    result.size = in(size_);
    result.work = in(work_);
    result.duration = in(duration_);
    result.bandwidth = in(bandwidth_);
    result.stage_count = count_;
    for (std::size_t index = 0; index < count_; ++index)
      result.stages[index] = stage_values{support::y = in(expr::get<support::tag::y>(stages_[index])),
                                          support::T = in(expr::get<support::tag::duration>(stages_[index]))};
    return result;
  }

 private:
  expr::binding<expr::elements_of<stage>, std::span<stage_ranges const>> stages() const {
    return {std::span<stage_ranges const>(stages_.data(), count_)};
  }

  interval x_, y_, z_, u_, size_, work_, duration_, bandwidth_;
  std::array<stage_ranges, 3> stages_{};
  std::size_t count_;
};

template <class Expression> [[gnu::noinline]] box::interval enclosed(Expression expression, box const& ranges) {
  return expr::enclose(expression, ranges.environment());
}

/// Values and a box around them, from a point to several times the values.
struct random_box {
  expression_values values;
  box ranges;

  random_box(bool special, generator& random)
      : values(special ? special_values(random) : moderate_values(random)),
        ranges(values, random.one_of(0.0, 0.3, 1.0), random.one_of(1e-15, 0.01, 1.0, 5.0), random) {}
};

/// The number reading at any point of a box lies in the interval reading of the box, where no operation on the way has
/// no value (0/0, infinity - infinity). Counts the values that were checked.
template <class Expression> int check_enclosure(Expression expression, std::uint64_t seed, generator& random) {
  CAPTURE(seed);
  int checked = 0;
  for (int round = 0; round < 60; ++round) {
    random_box const around{round % 3 == 0, random};
    auto const whole = enclosed(expression, around.ranges);
    CAPTURE(whole.low);
    CAPTURE(whole.high);
    for (int point = 0; point < 8; ++point) {
      auto const inside = watched(expression, around.ranges.point(random));
      CAPTURE(inside.value);
      checked += inside.defined ? 1 : 0;
      if (inside.defined && !whole.contains(inside.value))
        CHECK(whole.contains(inside.value));
    }
  }
  return checked;
}

/// The interval reading of a part of a box lies in that of the box. Holds to the last bit where all operations round
/// monotonously, as the four basic ones do and library functions do not. Counts the parts.
template <class Expression> int check_parts(Expression expression, std::uint64_t seed, generator& random) {
  CAPTURE(seed);
  int checked = 0;
  for (int round = 0; round < 200; ++round) {
    random_box const around{round % 3 == 0, random};
    auto const whole = enclosed(expression, around.ranges);
    auto const part = enclosed(expression, around.ranges.part_around(around.values, random));
    ++checked;
    CAPTURE(whole.low);
    CAPTURE(whole.high);
    CAPTURE(part.low);
    CAPTURE(part.high);
    if (!(whole.low <= part.low && part.high <= whole.high))
      FAIL_CHECK("the interval of a part of the box lies in that of the box");
  }
  return checked;
}

/// The values with one of x, y (in the elements too), z and u moved.
inline expression_values moved(expression_values values, int which, double by) {
  switch (which) {
  case 0:
    values.x_value += by;
    break;
  case 1:
    values.y_value += by;
    for (std::size_t index = 0; index < values.stage_count; ++index) {
      auto const& stage = values.stages[index];
      values.stages[index] = stage_values{support::y = expr::get<support::tag::y>(stage) + by,
                                          support::T = expr::get<support::tag::duration>(stage)};
    }
    break;
  case 2:
    values.z_value += by;
    break;
  default:
    values.u_value += by;
  }
  return values;
}

template <class Expression>
[[gnu::noinline]] expr::dual<double, 4> slopes(Expression expression, expression_values const& values) {
  return expr::differentiate<support::tag::x, support::tag::y, support::tag::z, support::tag::u>(expression,
                                                                                                 values.environment());
}

/// Slopes equal central differences, where these say the same with two step sizes and rounding does not spoil them:
/// away from kinks. Counts the slopes that were checked.
template <class Expression> int check_slopes(Expression expression, std::uint64_t seed, generator& random) {
  CAPTURE(seed);
  int checked = 0;
  for (int round = 0; round < 60; ++round) {
    auto values = moderate_values(random);
    values.z_value += 0.1;  // so that a step to both sides is in range
    if (values.x_value == values.y_value)
      values.y_value += 0.25;  // at a kink central differences agree on the mean of two slopes
    auto const found = slopes(expression, values);
    double const here = number(expression, values);
    double const error = bound(expression, values);
    if (!identical(found.value, here) && (exact || !equal_up_to(found.value, here, error)))
      CHECK(found.value == here);
    for (int which = 0; which < 4; ++which) {
      auto const with_step = [&](double step) {
        return (number(expression, moved(values, which, step)) - number(expression, moved(values, which, -step))) /
               (2 * step);
      };
      double const wide = with_step(2e-4), narrow = with_step(1e-4), narrowest = with_step(1e-5);
      double const scale = 1 + std::fabs(narrow) + std::fabs(here);
      double const noise = error / 1e-5;
      if (!(std::fabs(wide - narrow) <= 1e-6 * scale && std::fabs(narrowest - narrow) <= 1e-6 * scale &&
            noise <= 1e-7 * scale))
        continue;
      ++checked;
      double const expected = (4 * narrow - wide) / 3;
      double const slope = found.slope[static_cast<std::size_t>(which)];
      CAPTURE(which);
      if (!(std::fabs(slope - expected) <= 1e-6 * scale))
        CHECK(slope == expected);
    }
  }
  return checked;
}

}  // namespace laws
