#include <doctest/doctest.h>

#include <shardplan/expr.hpp>

#include <support/numbers.hpp>
#include <support/symbols.hpp>

// A reading is a value type and a reader; these two are written outside the library and use only what it documents.
namespace {

using namespace shardplan;
using namespace expr::literals;
using namespace support;

/// Counts operations: what an evaluation costs.
struct operation_counter {
  using value_type = int;
  template <class Literal> int literal() const { return 0; }
  template <class Tag> int symbol() const { return 0; }
  template <class Operation, class... Operands> int apply(Operands... operands) const { return (1 + ... + operands); }
};

/// Counts how often one symbol is used, so that a reader can depend on the tag.
template <class Wanted> struct use_counter {
  using value_type = int;
  template <class Literal> int literal() const { return 0; }
  template <class Tag> int symbol() const { return std::same_as<Tag, Wanted> ? 1 : 0; }
  template <class Operation, class... Operands> int apply(Operands... operands) const { return (0 + ... + operands); }
};

/// All values between two ends.
struct range {
  double low = 0;
  double high = 0;
  range() = default;
  range(double both) : low(both), high(both) {}
  range(double from, double to) : low(from), high(to) {}

  bool holds(double value) const {
    double const slack = 1e-9 * (std::fabs(low) + std::fabs(high) + 1);
    return low - slack <= value && value <= high + slack;
  }
  friend range operator+(range left, range right) { return {left.low + right.low, left.high + right.high}; }
  friend range operator-(range left, range right) { return {left.low - right.high, left.high - right.low}; }
  friend range operator*(range left, range right) {
    double const ends[] = {left.low * right.low, left.low * right.high, left.high * right.low, left.high * right.high};
    return {std::fmin(std::fmin(ends[0], ends[1]), std::fmin(ends[2], ends[3])),
            std::fmax(std::fmax(ends[0], ends[1]), std::fmax(ends[2], ends[3]))};
  }
  friend range operator/(range left, range right) { return left * range{1 / right.high, 1 / right.low}; }
  friend range minimum(range left, range right) {
    return {std::fmin(left.low, right.low), std::fmin(left.high, right.high)};
  }
  friend range maximum(range left, range right) {
    return {std::fmax(left.low, right.low), std::fmax(left.high, right.high)};
  }
  friend range ceiling(range operand) { return {std::ceil(operand.low), std::ceil(operand.high)}; }
  friend range floor_of(range operand) { return {std::floor(operand.low), std::floor(operand.high)}; }
  friend range logarithm2(range operand) { return {std::log2(operand.low), std::log2(operand.high)}; }
  friend range choose(range condition, range value, range otherwise) {
    if (condition.low > 0)
      return value;
    if (!(condition.high > 0))
      return otherwise;
    return {std::fmin(value.low, otherwise.low), std::fmax(value.high, otherwise.high)};
  }
};

template <class Environment> class range_reader : public expr::arithmetic_reader<range> {
 public:
  explicit range_reader(Environment const& environment) : environment_(environment) {}
  template <class Literal> range literal() const { return Literal::template value<double>; }
  template <class Tag> range symbol() const { return expr::value_of<Tag>(environment_); }

 private:
  Environment const& environment_;
};

constexpr auto everything = select(x - y, log2(x) * y, ceil(x / y)) + positive_part(u) + min(x, max(y, u)) +
                            floor(z * y) - 0.75_n * u / (x + 1_n);

static_assert(expr::reading<operation_counter>);
static_assert(expr::reading<range_reader<int>>);
static_assert(!expr::reading<int>);

TEST_CASE("a reading that counts operations") {
  CHECK(expr::read(x, operation_counter{}) == 0);
  CHECK(expr::read(x + y * z, operation_counter{}) == 2);
  CHECK(expr::read(everything, operation_counter{}) == 18);
  // Neutral elements are folded away before any reading sees them.
  CHECK(expr::read(1_n * x + 0_n * y, operation_counter{}) == 0);
}

TEST_CASE("a reading that looks at tags") {
  CHECK(expr::read(everything, use_counter<support::tag::x>{}) == 5);
  CHECK(expr::read(everything, use_counter<support::tag::z>{}) == 1);
  CHECK(expr::read(everything, use_counter<support::tag::size>{}) == 0);
}

TEST_CASE("a reading over ranges holds the number at every point inside") {
  generator random_values{2};
  for (int round = 0; round < 300; ++round) {
    auto const some = [&](double low, double high) {
      double const one = random_values.real(low, high);
      return range{one, one + random_values.real(0, 1) * (high - one)};
    };
    range const xs = some(0.1, 20), ys = some(0.1, 20), zs = some(0, 5), us = some(-10, 10);
    expr::environment const ranges{x = xs, y = ys, z = zs, u = us};
    range const bound = expr::read(everything, range_reader{ranges});
    for (int point = 0; point < 20; ++point) {
      auto const inside = [&](range of) { return random_values.real(of.low, of.high); };
      expr::environment const values{x = inside(xs), y = inside(ys), z = inside(zs), u = inside(us)};
      double const number = expr::evaluate(everything, values);
      CHECK(bound.holds(number));
    }
  }
}

TEST_CASE("ranges of one point give the number") {
  generator random_values{3};
  for (int round = 0; round < 100; ++round) {
    double const xv = random_values.real(0.1, 20), yv = random_values.real(0.1, 20), zv = random_values.real(0, 5),
                 uv = random_values.real(-10, 10);
    expr::environment const ranges{x = range{xv}, y = range{yv}, z = range{zv}, u = range{uv}};
    range const bound = expr::read(everything, range_reader{ranges});
    double const number = expr::evaluate(everything, expr::environment{x = xv, y = yv, z = zv, u = uv});
    CHECK(close(bound.low, number, 1e-9));
    CHECK(close(bound.high, number, 1e-9));
  }
}

}  // namespace
