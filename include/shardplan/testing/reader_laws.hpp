#pragma once
#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include <shardplan/expr/function.hpp>
#include <shardplan/expr/let.hpp>
#include <shardplan/expr/number.hpp>
#include <shardplan/expr/operators.hpp>
#include <shardplan/expr/over.hpp>
#include <shardplan/testing/broken_laws.hpp>
#include <shardplan/testing/random_values.hpp>
#include <shardplan/unit/text.hpp>

/// Laws of readings whose values stand for numbers, for readers of one's own.
namespace shardplan::testing {

/// The parts of the language that a reader reads beside symbols, numbers and operations.
struct reader_parts {
  bool let = true;
  bool functions = true;
  bool elements = true;
};

namespace detail {

namespace reader_tag {
using unit::count_dimension;
struct x : expr::symbol_tag<> {
  static constexpr const char* name = "x";
  static constexpr const char* meaning = "a positive count";
};
struct y : expr::symbol_tag<> {
  static constexpr const char* name = "y";
  static constexpr const char* meaning = "another positive count";
};
struct u : expr::symbol_tag<count_dimension, expr::sign::any> {
  static constexpr const char* name = "u";
  static constexpr const char* meaning = "a count of any sign";
};
struct nothing : expr::symbol_tag<count_dimension, expr::sign::non_negative> {
  static constexpr const char* name = "nothing";
  static constexpr const char* meaning = "zero, as a value";
};
struct unity : expr::symbol_tag<> {
  static constexpr const char* name = "unity";
  static constexpr const char* meaning = "one, as a value";
};
struct named : expr::symbol_tag<> {
  static constexpr const char* name = "v";
  static constexpr const char* meaning = "stands for a value";
};
struct thrice : expr::function_tag<count_dimension, expr::sign::any, count_dimension> {
  static constexpr const char* name = "thrice";
  static constexpr const char* meaning = "three times its operand";
  static constexpr expr::direction directions[] = {expr::direction::up};
};
}  // namespace reader_tag

struct some_elements {
  static constexpr const char* name = "element";
};
/// What readings ask of a function that moves in one direction: a value, and slopes.
struct three_times {
  constexpr double operator()(double operand) const { return 3 * operand; }
  constexpr std::array<double, 1> slopes(double) const { return {3.0}; }
};

}  // namespace detail

/// The broken laws of a reading at `points` random points. `read(expression, environment)` reads with the reader under
/// test, in an environment of plain numbers, functions and elements; `stands_for(value, number)` says whether the value
/// that it gave stands for a number (an interval contains it, a dual number has it as its value, ...).
/// - numbers, symbols and every operation read as what they are;
/// - a summand 0, a factor or divisor 1, a maximum or minimum of equals, and a choice of equals change nothing;
/// - `let` reads as its body with the value written out; functions and elements as what they give.
template <reader_parts Parts = reader_parts{}, class Read, class StandsFor>
std::vector<std::string> broken_laws_of_reader(Read const& read, StandsFor const& stands_for, int points = 16) {
  using namespace expr::literals;
  namespace tag = detail::reader_tag;
  constexpr expr::symbol<tag::x> x{};
  constexpr expr::symbol<tag::y> y{};
  constexpr expr::symbol<tag::u> u{};
  constexpr expr::symbol<tag::nothing> nothing{};
  constexpr expr::symbol<tag::unity> unity{};
  constexpr expr::symbol<tag::named> v{};
  constexpr expr::function<tag::thrice> thrice{};
  using scope = detail::some_elements;
  broken_laws broken;
  for (int point = 0; point < points; ++point) {
    random_values const drawn{static_cast<std::uint64_t>(point)};
    using element = expr::environment<expr::binding<tag::y, double>>;
    std::array<element, 3> const elements{element{y = 0.5}, element{y = 2.0}, element{y = drawn.find<tag::y>()}};
    expr::environment const values{x = drawn.find<tag::x>(),
                                   y = drawn.find<tag::y>(),
                                   u = drawn.find<tag::u>(),
                                   nothing = 0.0,
                                   unity = 1.0,
                                   thrice = detail::three_times{},
                                   expr::each<scope> = std::span<element const>{elements}};
    auto const reads_as = [&](auto formula, double number, const char* law, const char* what) {
      broken.expect(stands_for(read(formula, values), number), law, [&] {
        return std::string(what) + " is not " + unit::number_text(number) +
               " for x = " + unit::number_text(drawn.find<tag::x>()) +
               ", y = " + unit::number_text(drawn.find<tag::y>()) + ", u = " + unit::number_text(drawn.find<tag::u>());
      });
    };
    // Each operation has a law of its own, so that every broken one is named.
    auto const reads = [&](auto formula, const char* law) {
      reads_as(formula, expr::evaluate(formula, values).value, law, "it");
    };
    reads(2.5_n, "a number reads as itself");
    reads(x, "a symbol reads as its value");
    reads(x + y * u, "+ reads as a sum");
    reads(x - y, "- reads as a difference");
    reads(x * u, "* reads as a product");
    reads(u / x, "/ reads as a quotient");
    reads(min(x, y), "min reads as the smaller");
    reads(max(x, u), "max reads as the larger");
    reads(ceil(x), "ceil reads as the whole number above");
    reads(floor(u), "floor reads as the whole number below");
    reads(log2(x), "log2 reads as the logarithm");
    reads(pow(u, 3_n), "pow with a whole exponent reads as a power");
    reads(pow(x, u), "pow reads as a power");
    reads(positive_part(u), "positive_part reads as the part above zero");
    reads(select(u, x, y), "select reads as the one or the other");

    double const at_x = drawn.find<tag::x>();
    constexpr const char* neutral = "neutral elements change nothing";
    reads_as(x + nothing, at_x, neutral, "x + 0");
    reads_as(nothing + x, at_x, neutral, "0 + x");
    reads_as(x - nothing, at_x, neutral, "x - 0");
    reads_as(x * unity, at_x, neutral, "x*1");
    reads_as(unity * x, at_x, neutral, "1*x");
    reads_as(x / unity, at_x, neutral, "x/1");
    reads_as(pow(x, unity), at_x, neutral, "pow(x, 1)");
    reads_as(min(x, x), at_x, neutral, "min(x, x)");
    reads_as(max(x, x), at_x, neutral, "max(x, x)");
    reads_as(select(u, x, x), at_x, neutral, "select(u, x, x)");

    if constexpr (Parts.let) {
      reads_as(let(v, x * y, v * v + v), expr::evaluate(x * y * (x * y) + x * y, values).value,
               "let reads as its body with the value written out", "v*v + v where v = x*y");
      reads_as(let(v, x, let(v, v + y, v)), expr::evaluate(x + y, values).value, "the innermost let counts",
               "x + y, named twice");
    }
    if constexpr (Parts.functions)
      reads_as(thrice(u + x), expr::evaluate(3_n * (u + x), values).value, "a function reads as what it gives",
               "thrice(u + x)");
    if constexpr (Parts.elements) {
      reads(over<scope>(expr::sum, x * y), "over reads all elements");
      reads(over<scope>(expr::largest, y + expr::earlier<scope>(y)), "earlier reads the elements before");
      reads(over<scope>(expr::smallest, y), "the smallest of the elements");
    }
  }
  return broken.take();
}

}  // namespace shardplan::testing
