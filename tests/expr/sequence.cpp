#include <array>
#include <span>
#include <vector>

#include <doctest/doctest.h>

#include <shardplan/expr.hpp>
#include <shardplan/expr/group.hpp>
#include <shardplan/expr/interval.hpp>
#include <shardplan/expr/share.hpp>
#include <shardplan/expr/substitute.hpp>
#include <shardplan/expr/table.hpp>
#include <shardplan/expr/text.hpp>

#include <support/numbers.hpp>
#include <support/symbols.hpp>

// Records in sequence, tables over a scope, and transformations of records: the same values in another form.
namespace {

using namespace shardplan;
using namespace expr::literals;
using namespace support;
using expr::environment;
using expr::record;

struct stage {
  static constexpr const char* name = "stage";
};
struct first_result : expr::symbol_tag<unit::count_dimension, expr::sign::any> {
  static constexpr const char* name = "r_1";
  static constexpr const char* meaning = "a result";
};
struct second_result : expr::symbol_tag<unit::count_dimension, expr::sign::any> {
  static constexpr const char* name = "r_2";
  static constexpr const char* meaning = "another result";
};
constexpr expr::symbol<first_result> r_1{};
constexpr expr::symbol<second_result> r_2{};

TEST_CASE("a record knows what the records before it define, and hides what lies around it") {
  constexpr auto steps = expr::in_sequence(expr::make_record(define(r_1, x * y)),
                                           expr::make_record(define(r_2, r_1 + x), define(u, r_1 * r_1)));
  environment const values{x = 2.0, y = 5.0, r_1 = -1000.0};
  auto const all = expr::evaluate(steps, values);
  CHECK(expr::get<first_result>(all) == 10);
  CHECK(expr::get<second_result>(all) == 12);
  CHECK(expr::get<tag::u>(all) == 100);
  static_assert(std::same_as<std::remove_const_t<decltype(all)>, expr::values_of<decltype(steps)>>);
}

TEST_CASE("columns of a sequence are its numbers, for any count") {
  constexpr auto steps = expr::in_sequence(expr::make_record(define(r_1, x / y + z)),
                                           expr::make_record(define(r_2, max(r_1, y) - log2(x))));
  generator random{3};
  for (std::size_t const count : {0u, 1u, 2u, 3u, 4u, 5u, 7u, 8u, 9u, 31u, 257u}) {
    std::vector<double> xs(count), ys(count), firsts(count, -1), seconds(count, -1);
    for (std::size_t index = 0; index < count; ++index) {
      xs[index] = random.real(0.1, 100);
      ys[index] = random.real(0.1, 100);
    }
    environment const columns{x = expr::column<double>{xs}, y = expr::column<double>{ys}, z = 3.0};
    expr::evaluate_columns(steps, columns, count, expr::into(r_2, std::span<double>{seconds}),
                           expr::into(r_1, std::span<double>{firsts}));
    for (std::size_t index = 0; index < count; ++index) {
      auto const one = expr::evaluate(steps, environment{x = xs[index], y = ys[index], z = 3.0});
      CHECK(close(firsts[index], expr::get<first_result>(one)));
      CHECK(close(seconds[index], expr::get<second_result>(one)));
    }
  }
}

using element = environment<expr::binding<tag::x, double>>;

TEST_CASE("over and earlier: sums, extremes and sums so far of any number of elements") {
  constexpr auto terms =
      expr::make_record(define(r_1, expr::over<stage>(expr::sum, x * y)),
                        define(r_2, expr::over<stage>(expr::largest, x - expr::earlier<stage>(x * y))),
                        define(u, expr::over<stage>(expr::smallest, x)));
  for (std::size_t const count : {0u, 1u, 2u, 3u, 4u, 9u}) {
    std::vector<element> elements;
    double sum = 0, largest = -std::numeric_limits<double>::infinity(),
           smallest = std::numeric_limits<double>::infinity();
    for (std::size_t index = 0; index < count; ++index) {
      double const value = static_cast<double>((index * 7) % 5) + 1;
      elements.push_back(element{x = value});
      largest = std::max(largest, value - sum);
      smallest = std::min(smallest, value);
      sum += 3 * value;
    }
    environment const around{y = 3.0, expr::each<stage> = std::span<element const>{elements}};
    auto const all = expr::evaluate(expr::in_sequence(terms), around);
    CHECK(expr::get<first_result>(all) == sum);
    CHECK(expr::get<second_result>(all) == largest);
    CHECK(expr::get<tag::u>(all) == smallest);
    // One by one as well as together.
    CHECK(expr::evaluate(expr::expression_of<second_result>(terms), around) == largest);
    CHECK(expr::enclose(expr::expression_of<first_result>(terms), around).contains(sum));
  }
}

TEST_CASE("the largest of nothing is 0 where no value can be negative") {
  environment const around{y = 3.0, expr::each<stage> = std::span<element const>{}};
  CHECK(expr::evaluate(expr::over<stage>(expr::largest, x * y), around) == 0);
}

TEST_CASE("a table keeps what is read of each element, for the records after it") {
  constexpr auto of_stage = expr::in_sequence(expr::make_record(define(r_1, x * y)));
  constexpr auto steps = expr::in_sequence(
      expr::make_record(define(u, y + 1_n)), expr::tabulate<stage, 8, first_result>(of_stage),
      expr::make_record(define(r_2, expr::over<stage>(expr::sum, r_1 * u) + expr::over<stage>(expr::largest, r_1))));
  std::vector<double> ys(13), results(13), xs(13, 2.0);
  for (std::size_t index = 0; index < ys.size(); ++index)
    ys[index] = static_cast<double>(index);
  using wide = environment<expr::binding<tag::x, expr::column<double>>>;
  std::vector<double> threes(13, 3.0);
  std::vector<wide> const elements{wide{x = expr::column<double>{xs}}, wide{x = expr::column<double>{threes}}};
  environment const around{y = expr::column<double>{ys}, expr::each<stage> = std::span<wide const>{elements}};
  expr::evaluate_columns(steps, around, ys.size(), expr::into(r_2, std::span<double>{results}));
  for (std::size_t index = 0; index < ys.size(); ++index)
    CHECK(results[index] == 5 * ys[index] * (ys[index] + 1) + 3 * ys[index]);
}

TEST_CASE("let reads a value once, and hides what lies around it") {
  constexpr auto squared = let(z, x + y, z * z);
  CHECK(expr::evaluate(squared, environment{x = 1.0, y = 2.0, z = 100.0}) == 9);
  std::array<double, 5> const xs{1, 2, 3, 4, 5};
  std::array<double, 5> results{};
  expr::evaluate_column(squared, environment{x = expr::column<double>{xs}, y = 2.0}, std::span<double>{results});
  CHECK(results == std::array<double, 5>{9, 16, 25, 36, 49});
}

/// One value of each symbol.
struct point {
  double x_value, y_value, z_value;
  auto values() const { return environment{x = x_value, y = y_value, z = z_value}; }
};

template <class Left, class Right> void check_same(Left left, Right right) {
  static_assert(std::same_as<typename Left::dimension, typename Right::dimension>);
  generator random{8};
  for (int round = 0; round < 20; ++round) {
    auto const values = point{random.real(0.1, 9), random.real(0.1, 9), random.real(0.1, 9)}.values();
    CHECK(close(expr::evaluate(left, values).value, expr::evaluate(right, values).value));
  }
}

TEST_CASE("grouping changes no value and collects what does not vary") {
  auto const check = [](auto expression) { check_same(expression, expr::group<tag::x>(expression)); };
  check(y * x * z / y + x * 3_n - y / x);
  check(max(2_n * y * x / z, z * x) / y);
  check(min(x / y, z) + select(y - z, x * y, x * z));
  check(select(y, x * 2_n, 0_n) * z);
  check((x + y) * (x - y) / (z * x));
  check(ceil(x * y / z) * pow(x * y, 3_n) - positive_part(y - x) + floor(z) * log2(x * y));
  check((1_n - 1_n / x) * y);
  check(let(z, x, z * y) * y);
  CHECK(expr::text(expr::group<tag::x>(y * x * z + x * y * 2_n)) == "(y*z + y*2)*x");
  CHECK(expr::text(expr::group<tag::x>(max(y * x / z, x * 2_n) + 5_n * x)) == "(max(y/z, 2) + 5)*x");
  CHECK(expr::text(expr::group<tag::x>(x * y / z)) == "y/z*x");
}

TEST_CASE("sharing names common parts, substituting puts them back") {
  constexpr auto common = expr::make_record(define(r_1, x / y), define(u, log2(z)));
  constexpr auto whole = (x / y) * (x / y) + max(log2(z), x / y) - x;
  constexpr auto shared = expr::share(whole, common);
  CHECK(expr::text(shared) == "r_1*r_1 + max(u, r_1) - x");
  static_assert(std::same_as<std::remove_const_t<decltype(whole)>,
                             std::remove_const_t<decltype(expr::substitute(shared, common))>>);
  check_same(whole, expr::substitute(shared, common));
}

TEST_CASE("inlined: a sequence in terms of its inputs") {
  constexpr auto steps = expr::in_sequence(expr::make_record(define(r_1, x * y)),
                                           expr::make_record(define(r_2, r_1 + let(u, r_1, u * x))));
  constexpr auto flat = expr::inlined(steps);
  CHECK(expr::text(expr::expression_of<second_result>(flat)) == "x*y + x*y*x");
  auto const values = point{3, 4, 5}.values();
  CHECK(expr::evaluate(expr::expression_of<second_result>(flat), values) ==
        expr::get<second_result>(expr::evaluate(steps, values)));
}

}  // namespace
