#include <array>
#include <cmath>
#include <concepts>
#include <limits>
#include <span>
#include <tuple>

#include <doctest/doctest.h>

#include <shardplan/expr.hpp>
#include <shardplan/expr/curve.hpp>
#include <shardplan/expr/group.hpp>
#include <shardplan/expr/interval.hpp>
#include <shardplan/expr/let.hpp>
#include <shardplan/expr/over.hpp>
#include <shardplan/expr/simplify.hpp>

#include <support/numbers.hpp>
#include <support/simplify.hpp>
#include <support/symbols.hpp>

// Laws of `simplify` and `group`, over random values that satisfy the equations: the value stays, the enclosure holds
// it, no sign is lost, and simplifying again changes nothing.

namespace {

using namespace shardplan;
using namespace support;
using namespace expr::literals;
using expr::interval;

/// A value, and the largest of the values that it was made from: what rounding errors are relative to.
struct tracked {
  double value = 0;
  double largest = 0;

  constexpr tracked(double number) : value(number), largest(number < 0 ? -number : number) {}
};

template <class Environment> class tracking_reader {
 public:
  using value_type = tracked;
  using number_type = double;

  explicit tracking_reader(Environment const& environment) : environment_(environment) {}
  Environment const& environment() const { return environment_; }
  template <class Inner> tracking_reader<Inner> in(Inner const& inner) const { return tracking_reader<Inner>{inner}; }

  template <class Literal> tracked literal() const { return Literal::template value<double>; }
  template <class Tag> tracked symbol() const { return tracked{expr::value_of<Tag>(environment_)}; }
  template <class Node, class... Operands> tracked apply(Operands const&... operands) const {
    return joined(typename Node::operation{}(operands.value...), operands...);
  }
  template <class Node, class... Operands> tracked call(Operands const&... operands) const {
    return joined(expr::value_of<typename Node::tag>(environment_)(operands.value...), operands...);
  }

 private:
  template <class... Operands> static tracked joined(tracked result, Operands const&... operands) {
    ((result.largest = std::fmax(result.largest, operands.largest)), ...);
    return result;
  }
  Environment const& environment_;
};

/// A curve and a function of two operands.
struct bend_function {
  double operator()(double count, double bytes) const { return count * count / (1 + count) + std::sqrt(bytes); }
  template <class Interval> Interval enclose(Interval count, Interval bytes) const {
    return {(*this)(count.low, bytes.low), (*this)(count.high, bytes.high)};
  }
};
constexpr std::array<expr::curve_point, 3> points{{{0, 1}, {4, 3}, {20, 2}}};
struct curve_tag : expr::function_tag<unit::count_dimension, expr::sign::positive, unit::count_dimension> {
  static constexpr const char* name = "curve";
  static constexpr const char* meaning = "measured points";
};
constexpr expr::function<curve_tag> curve{};

constexpr auto e = 1_n - 1_n / t;

/// Formulas with every node, as costs have them and as they do not.
constexpr auto formulas() {
  return std::tuple{
      // What costs are made of.
      (m + p - 1_n) * (x / p) * b * y / t, m / p * max(b * x / t, y),
      (m + p - 1_n) * (max(b * x / t, y) + max(b * y / (t * p), x * z)) / p, 2_n * e * b * x / t + (p - 1_n) * y,
      max(M / B, T * log2(t)) * m + positive_part(M / B - T), m * positive_part(b * x / t - y) * max(x, z * p) / d,
      select(t - 1_n, 2_n * e * x, 0_n * x) * m * b, x / select(u, x * y, y) + y / select(u, x * y, y),
      (t * p * d * x + y) / (t * p * d), ceil(x * t / p) * p / t + floor(m * b / (t * p)),
      log2(t * p * d) * x / (m * b * d), min(x / t, y / p) * t * p,
      // Sums and cancelling.
      x - x + y, x * y / x - y, (x + y) * (x - y), (x - y) * (x - y) * z, (x + y + z) * (x + y + z) / (x + y),
      (u - x) * (u + x) / (u * u + 1_n), z / (z + 1_n) * (z + 1_n), u * u * u / (x * x), x / (y / (t / p)),
      pow(x + y, 3_n) / (x + y), pow(u, 2_n) * pow(x, 3_n) / pow(x, 5_n), 1_n / pow(x, 2_n) + pow(x / y, 4_n),
      0.3_n * x + 0.7_n * x - x * 1_n / 3_n, (x / 7_n - y / 3_n) * 21_n,
      // n - 1.
      t - 1_n + p - 1_n + d - 2_n, (t * p - 1_n) * x / (t * p), e * x + x / t, e * (x - x / p) - x,
      (t - 1_n) * (p - 1_n) - t * p, 3_n - 1_n / t + 1_n / p,
      // Nodes in nodes.
      max(max(x, u), max(u, 2_n * x)), x * max(u, max(y * u, z)) / y, min(min(x, y), min(3_n * y, z)),
      positive_part(u - x) * positive_part(x - u * y) * t / p, max(x, y) * max(z, u) / x, x / max(x * y, x * z),
      select(u, select(u, x, y) * t, y) / t, select(u, x, y) * select(u, y, z) + select(u, z * z, x),
      select(x - y, u, z) * select(u, x, y) * x, select(t * x / t - y, x, u) * u - u * select(x - y, x, u),
      max(select(u, x, y), positive_part(u)) * x / t, positive_part(select(u, u, z) - x) * (y + z),
      pow(x * y / x, u) + pow(t, 0.5_n) * pow(t, 0.5_n), ceil(u) * floor(u) + ceil(x) * x,
      // Names, elements and functions.
      let(y, x * t / t, y * y / x + u) * x * t, let(t, p * p, t * p * d * m * b) / p,
      bend(x * t / t, M + M) * x / t + bend(x, 2_n * M), curve(x * y / x) * t + curve(y),
      expr::over<stage>(expr::sum, x * z * t / t + expr::earlier<stage>(t * p * d * x / t) * y) / t,
      expr::over<stage>(expr::largest, x - z + z) * m, expr::over<stage>(expr::smallest, u * x / x) + m};
}

/// Elements of the scope bind x and z.
template <class Value> auto elements(generator& random) {
  using bound = decltype(expr::environment{x = Value{}, z = Value{}});
  std::array<bound, 3> result{};
  for (bound& each : result)
    each = bound{x = Value{random.real(0.2, 4)}, z = Value{random.real(0, 4)}};
  return result;
}

template <class Element> std::span<Element const> viewed(std::array<Element, 3> const& list) { return list; }

struct point {
  double t, p, d, m, b, x, y, z, u;
};
point random_point(generator& random) {
  auto const whole = [&] {
    return random.chance(0.2) ? 1.0 : random.chance(0.5) ? std::floor(random.real(1, 9)) : random.real(1, 9);
  };
  return {whole(),
          whole(),
          whole(),
          whole(),
          whole(),
          random.real(0.1, 6),
          random.real(0.1, 6),
          random.chance(0.1) ? 0 : random.real(0, 5),
          random.real(-5, 5)};
}
template <class Elements> auto bindings(point const& at, Elements const& list) {
  return expr::environment{t = at.t,
                           p = at.p,
                           d = at.d,
                           N = at.t * at.p * at.d,
                           m = at.m,
                           b = at.b,
                           G = at.m * at.b * at.d,
                           x = at.x,
                           y = at.y,
                           z = at.z,
                           u = at.u,
                           M = 700.0,
                           B = 90.0,
                           T = 0.4,
                           bend = bend_function{},
                           curve = expr::piecewise_linear{points},
                           expr::each<stage> = viewed(list)};
}
template <class Expression, class Environment> tracked track(Expression expression, Environment const& environment) {
  return read(expression, tracking_reader<Environment>{environment});
}

/// Steps make a small error large; at a point where the value jumps there is nothing to compare.
template <class Original, class Changed, class Make>
void check_values(Original original, Changed changed, Make environment_of, generator& random) {
  int compared = 0;
  for (int round = 0; round < 60; ++round) {
    auto const list = elements<double>(random);
    point const at = random_point(random);
    auto const values = environment_of(at, list);
    tracked const before = track(original, values), after = track(changed, values);
    if (!std::isfinite(before.value))
      continue;
    ++compared;
    CHECK(std::fabs(before.value - after.value) <= 1e-12 * std::fmax(before.largest, after.largest));
  }
  CHECK(compared > 30);
}

template <class Formula> constexpr auto simplified(Formula) {
  return expr::simplify(Formula{}, devices_in_all, global_batch);
}

TEST_CASE("a simplified formula has the value of the formula") {
  generator random{11};
  auto const make = [](point const& at, auto const& list) { return bindings(at, list); };
  auto const check = [&](auto formula) {
    check_values(formula, expr::simplify(formula), make, random);
    check_values(formula, simplified(formula), make, random);
  };
  std::apply([&](auto... formula) { (check(formula), ...); }, formulas());
  static_assert(std::tuple_size_v<decltype(formulas())> > 40);
}

TEST_CASE("a grouped formula has the value of the formula") {
  generator random{12};
  auto const make = [](point const& at, auto const& list) { return bindings(at, list); };
  auto const check = [&](auto formula) {
    check_values(formula, expr::group<tag::tensor, tag::pipeline, tag::x>(formula), make, random);
    check_values(formula, expr::group<tag::micro_batches>(simplified(formula)), make, random);
  };
  std::apply([&](auto... formula) { (check(formula), ...); }, formulas());
}

TEST_CASE("no sign and no dimension is lost, and simplifying again changes nothing") {
  auto const check = []<class Formula>(Formula) {
    using once = decltype(expr::simplify(Formula{}));
    static_assert(std::same_as<typename once::dimension, typename Formula::dimension>);
    static_assert(expr::implies(once::sign, Formula::sign));
    static_assert(std::same_as<decltype(expr::simplify(once{})), once>);
    using exchanged = decltype(simplified(Formula{}));
    static_assert(std::same_as<typename exchanged::dimension, typename Formula::dimension>);
    static_assert(std::same_as<decltype(simplified(exchanged{})), exchanged>);
  };
  std::apply([&](auto... formula) { (check(formula), ...); }, formulas());
}

TEST_CASE("the enclosure of a simplified formula holds the values of the formula") {
  generator random{13};
  auto const check = [&](auto formula) {
    constexpr auto form = simplified(decltype(formula){});
    for (int round = 0; round < 20; ++round) {
      auto const list = elements<double>(random);
      point const low = random_point(random), high = random_point(random);
      auto const range = [](double left, double right) {
        return interval<double>{std::fmin(left, right), std::fmax(left, right)};
      };
      auto const ts = range(low.t, high.t), ps = range(low.p, high.p), ds = range(low.d, high.d);
      auto const ms = range(low.m, high.m), bs = range(low.b, high.b);
      auto const xs = range(low.x, high.x), ys = range(low.y, high.y), zs = range(low.z, high.z),
                 us = range(low.u, high.u);
      auto const enclosed = expr::enclose(
          form, expr::environment{t = ts, p = ps, d = ds, N = ts * ps * ds, m = ms, b = bs, G = ms * bs * ds, x = xs,
                                  y = ys, z = zs, u = us, M = 700.0, B = 90.0, T = 0.4, bend = bend_function{},
                                  curve = expr::piecewise_linear{points}, expr::each<stage> = viewed(list)});
      for (int sample = 0; sample < 10; ++sample) {
        auto const within = [&](interval<double> of) { return std::fmin(of.high, random.real(of.low, of.high)); };
        point const at{within(ts), within(ps), within(ds), within(ms), within(bs),
                       within(xs), within(ys), within(zs), within(us)};
        tracked const value = track(formula, bindings(at, list));
        if (!std::isfinite(value.value))
          continue;
        double const slack = 1e-12 * value.largest;
        CHECK(enclosed.low <= value.value + slack);
        CHECK(value.value - slack <= enclosed.high);
      }
    }
  };
  std::apply([&](auto... formula) { (check(formula), ...); }, formulas());
}

TEST_CASE("total work in place of a product of ranges: the enclosure is far tighter") {
  // 64 devices, 256 sequences; how they are divided is not known.
  auto const width = [](auto formula) {
    auto const enclosed =
        expr::enclose(formula, expr::environment{t = interval<double>{1, 8}, p = interval<double>{1, 8},
                                                 d = interval<double>{1, 8}, m = interval<double>{1, 64},
                                                 b = interval<double>{1, 4}, N = 64.0, G = 256.0, x = 1.0, y = 1.0});
    CHECK(enclosed.low > 0);
    return enclosed.high - enclosed.low;
  };
  constexpr auto step_time = (m + p - 1_n) * (x / p) * b * y / t;
  CHECK(width(step_time) > 250);
  CHECK(width(simplified(step_time)) < 4);
  CHECK(width(step_time) > 70 * width(simplified(step_time)));
}

}  // namespace
