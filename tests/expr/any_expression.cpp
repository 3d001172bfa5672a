#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include <shardplan/expr.hpp>
#include <shardplan/expr/any_expression.hpp>
#include <shardplan/expr/run_time/tree.hpp>
#include <shardplan/expr/text.hpp>
#include <shardplan/unit/literals.hpp>

#include <support/numbers.hpp>
#include <support/symbols.hpp>

// Expressions known at run time must read as the typed ones that they stand for. The reference is the reading "number".
namespace {

using namespace shardplan;
using namespace expr::literals;
using namespace support;
using expr::any_environment;
using expr::any_expression;
using expr::any_symbol;
using expr::compile;
using expr::environment;

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr double infinity = std::numeric_limits<double>::infinity();

// ---- what counts as the same
// -----------------------------------------------------------------------------------------

/// The number reading that notes the largest value on its way.
template <class Environment> class largest_reader : public expr::number_reader<Environment> {
  using base = expr::number_reader<Environment>;

 public:
  static constexpr bool inlines = false;
  largest_reader(Environment const& environment, double* largest) : base(environment), largest_(largest) {}
  template <class Inner> largest_reader<Inner> in(Inner const& inner) const { return {inner, largest_}; }
  template <class Node, class... Operands> double apply(Operands const&... operands) const {
    double const value = base::template apply<Node>(operands...);
    for (double const each : {value, static_cast<double>(operands)...})
      if (std::fabs(each) > *largest_)
        *largest_ = std::fabs(each);
    return value;
  }

 private:
  double* largest_;
};

/// To the last bit where nothing is fused, else up to the rounding of the largest value on the way.
bool same(double twin, double typed, [[maybe_unused]] double largest) {
  if (std::isnan(typed) || std::isnan(twin))
    return std::isnan(typed) && std::isnan(twin);
  if (std::bit_cast<std::uint64_t>(twin) == std::bit_cast<std::uint64_t>(typed))
    return true;
#ifdef SHARDPLAN_TEST_EXACT
  return false;
#else
  return std::fabs(twin - typed) <= 4 * std::numeric_limits<double>::epsilon() * largest;
#endif
}

/// Columns of the eight symbols of the tests, with special values among them.
struct test_columns {
  std::array<std::vector<double>, 8> columns;

  explicit test_columns(std::size_t count) {
    generator random{static_cast<std::uint64_t>(count) + 11};
    for (auto& column : columns)
      column.resize(count);
    for (std::size_t index = 0; index < count; ++index) {
      columns[0][index] = random.chance(0.3) ? static_cast<double>(random.whole(1, 64)) : random.real(0.01, 100);
      columns[1][index] = random.real(0.01, 100);
      columns[2][index] = random.chance(0.2) ? 0 : random.real(0, 10);
      columns[3][index] = random.chance(0.1) ? random.one_of(0.0, -0.0, -0.5, -1.0, 1e300) : random.real(-50, 50);
      columns[4][index] = random.real(1, 1e12);
      columns[5][index] = random.real(1, 1e15);
      columns[6][index] = random.real(1e-6, 10);
      columns[7][index] = random.real(1e9, 1e12);
    }
  }
  auto one(std::size_t index) const {
    return environment{x = columns[0][index], y = columns[1][index], z = columns[2][index], u = columns[3][index],
                       M = columns[4][index], W = columns[5][index], T = columns[6][index], B = columns[7][index]};
  }
  any_environment all() const {
    any_environment result;
    result.bind(x, columns[0]).bind(y, columns[1]).bind(z, columns[2]).bind(u, columns[3]);
    result.bind(M, columns[4]).bind(W, columns[5]).bind(T, columns[6]).bind(B, columns[7]);
    return result;
  }
};

using one_configuration = decltype(test_columns(1).one(0));

/// A typed expression as what is wanted of its twin.
struct wanted {
  any_expression twin;
  expr::any_dimension dimension;
  expr::sign sign;
  std::string text;
  double (*read)(one_configuration const& values, double* largest);
};
template <class Expression> wanted wanted_of(Expression typed) {
  return {typed, expr::any_dimension_of<typename Expression::dimension>, Expression::sign, expr::text(typed),
          [](one_configuration const& values, double* largest) {
            return static_cast<double>(expr::read(Expression{}, largest_reader<one_configuration>{values, largest}));
          }};
}
template <class... Expressions> std::vector<wanted> all_wanted(Expressions... typed) { return {wanted_of(typed)...}; }

/// The twins of typed expressions against the number reading, for all configurations.
void check_twins(test_columns const& values, std::vector<wanted> const& expressions) {
  for (wanted const& typed : expressions) {
    CAPTURE(typed.text);
    REQUIRE(typed.twin.valid());
    CHECK(typed.twin.dimension() == typed.dimension);
    CHECK(typed.twin.sign() == typed.sign);
    CHECK(expr::text(make_tree(typed.twin)) == typed.text);
    std::vector<double> result(values.columns[0].size(), -7);
    expr::outcome const read = compile(typed.twin).evaluate(values.all(), std::span<double>{result});
    REQUIRE_MESSAGE(read.valid(), read.error());
    for (std::size_t index = 0; index < result.size(); ++index) {
      double largest = 0;
      double const number = typed.read(values.one(index), &largest);
      CAPTURE(index);
      CAPTURE(result[index]);
      CAPTURE(number);
      REQUIRE(same(result[index], number, largest));
    }
  }
}

struct speed_tag : expr::function_tag<unit::bandwidth_dimension, expr::sign::positive, unit::byte_dimension> {
  static constexpr const char* name = "speed";
  static constexpr const char* meaning = "bandwidth by message size";
};
struct loss_tag
    : expr::function_tag<unit::count_dimension, expr::sign::any, unit::count_dimension, unit::count_dimension> {
  static constexpr const char* name = "loss";
  static constexpr const char* meaning = "a function of two counts";
};
constexpr expr::function<speed_tag> speed{};
constexpr expr::function<loss_tag> loss{};

TEST_CASE("sums, products and quotients of a twin are those of the typed expression") {
  test_columns const values(300);
  check_twins(values, all_wanted(x, 3_n, 0.1_n, 1_n / 3_n, x + y, x - y, x * y, x / y, x + 1_n, 1_n - 1_n / x,
                                 x * 0.3_n, x + y * z, (x + y) * z, x / y / z, x / (y * z), x / (y / z), x - (y - z),
                                 x + (y + u), x * (y * u), (x + u) * (y - z) / (x * y), u * u - u / x, u - u * (u - u),
                                 x * y + y * x, (x + y) * (x + y), M / B + T, M * x + 2_n * M, W / T * M,
                                 2_n * expr::byte * x + M, 0.75_n * u / (x + 1_n),
                                 M * (10_n + 24_n / y + 5_n * x * z / (x * y)), x * y * (1_n / 3_n) * z + 0.7_n));
}

TEST_CASE("steps, extrema, choices, logarithms and powers of a twin are those of the typed expression") {
  test_columns const values(300);
  check_twins(values,
              all_wanted(min(x, y), max(x, y), max(z, u, x), min(min(x, y), max(z, u)), max(x, min(y, u), z), ceil(x),
                         floor(x), ceil(u), floor(u), ceil(x / y), floor(z * y), 1_n / ceil(u), 1_n / floor(u), log2(x),
                         log2(z), log2(u), log2(x) * y - log2(y), positive_part(u), positive_part(u - x) * y,
                         select(u, x, y), select(x - y, M, 2_n * M), select(u, u, 0_n - u),
                         select(z, select(u, x, y), select(u, y, x)),
                         select(x - y, log2(x) * y, ceil(x / y)) + positive_part(u) + min(x, max(y, u)) + floor(z * y),
                         pow(x, 2_n), pow(u, 3_n), pow(u, 0_n - 3_n), pow(M, 2_n) / M, pow(x, 0.5_n), pow(x, y / 50_n),
                         pow(z, 1.5_n), pow(x, 7_n) / pow(x, 6_n), pow(x, 0_n - 1_n), min(M / B, T) + max(T, M / B)));
}

TEST_CASE("named values of a twin are those of the typed expression") {
  test_columns const values(300);
  using expr::let;
  check_twins(values, all_wanted(let(x, y * 2_n, x + x), let(x, x + y, x * x), let(x, y, let(y, x + 1_n, x * y)) + x,
                                 let(y, x + 1_n, let(x, y * 2_n, let(y, x + 3_n, x * y)) + x), let(M, M * x, M + M),
                                 let(z, x, u + 1_n), x * let(x, y + x, x * let(x, x + y, x))));
}

TEST_CASE("functions of a twin are those of the typed expression") {
  std::vector<expr::curve_point> const points{{1, 1e9}, {1e6, 5e9}, {1e9, 4e10}};
  expr::piecewise_linear const curve{points};
  auto const two = [](double left, double right) { return left * 0.5 - right; };
  constexpr auto typed = M / speed(M) + T * loss(x, y + u) * loss(x, 2_n);
  test_columns const values(300);
  any_environment columns = values.all();
  columns.bind(speed, curve).bind(loss, two);
  std::vector<double> result(300);
  expr::outcome const read = compile(typed).evaluate(columns, std::span<double>{result});
  REQUIRE_MESSAGE(read.valid(), read.error());
  for (std::size_t index = 0; index < 300; ++index) {
    environment const functions{speed = curve, loss = two};
    auto const one = values.one(index);
    double const number = expr::evaluate(typed, expr::scope{functions, one}).value;
    CHECK(same(result[index], number, std::fabs(number) + values.columns[6][index] * 1e5));
  }
}

// ---- elements of scopes
// ----------------------------------------------------------------------------------------------

struct stage {
  static constexpr const char* name = "stage";
};
struct block {
  static constexpr const char* name = "block";
};

/// Reads the twin under the same elements; both must agree.
template <class Expression, class Typed>
void check_over(Expression typed, Typed const& typed_values, any_environment const& values) {
  any_expression const twin = typed;
  CAPTURE(expr::text(typed));
  CHECK(twin.sign() == Expression::sign);
  CHECK(expr::text(make_tree(twin)) == expr::text(typed));
  expr::any_value const number = evaluate(twin, values);
  REQUIRE_MESSAGE(number.valid(), number.error);
  double const wanted = expr::evaluate(typed, typed_values).value;
  CHECK(same(number.value, wanted, std::fabs(wanted) + 100));
}

TEST_CASE("sums over elements, and over those before, are those of the typed expression") {
  using expr::earlier, expr::each, expr::over;
  for (std::size_t const count : {0u, 1u, 2u, 5u}) {
    CAPTURE(count);
    generator random{count + 5};
    using element = decltype(environment{x = 0.0, u = 0.0});
    std::vector<element> elements;
    std::vector<any_environment> any_elements;
    for (std::size_t index = 0; index < count; ++index) {
      double const of_x = random.real(0.1, 5), of_u = random.real(-5, 5);
      elements.push_back(environment{x = of_x, u = of_u});
      any_elements.push_back(any_environment{}.bind(x, of_x).bind(u, of_u));
    }
    environment const typed{x = 17.0, y = 3.0, z = 0.5, each<stage> = std::span<element const>{elements}};
    any_environment values;
    values.bind(x, 17.0).bind(y, 3.0).bind(z, 0.5).each("stage", any_elements);
    auto const check = [&](auto expression) { check_over(expression, typed, values); };
    check(over<stage>(expr::sum, x * y + u));
    check(over<stage>(expr::largest, x * y));
    check(over<stage>(expr::largest, u));
    check(over<stage>(expr::smallest, x + u * z));
    check(x + over<stage>(expr::sum, x) * x);
    check(over<stage>(expr::largest, earlier<stage>(x) + x * y));
    check(over<stage>(expr::sum, earlier<stage>(x + earlier<stage>(u)) * u));
    check(let(z, x, over<stage>(expr::sum, x * z + earlier<stage>(z * x))));
    check(over<stage>(expr::sum, let(x, x + y, x * u) + earlier<stage>(x)));
    check(over<stage>(expr::sum, u + over<stage>(expr::sum, x * earlier<stage>(x)) + earlier<stage>(u)));
  }
}

TEST_CASE("elements may have elements of their own, and columns") {
  using expr::earlier, expr::each, expr::over;
  using inner = decltype(environment{u = 0.0});
  std::vector<inner> const first{environment{u = 1.0}, environment{u = -2.0}}, second{environment{u = 4.5}};
  auto const outer = [](double value, std::vector<inner> const& of) {
    return environment{x = value, each<block> = std::span<inner const>{of}};
  };
  std::vector const stages{outer(2.0, first), outer(3.0, second)};
  using element = std::remove_cvref_t<decltype(stages[0])>;
  environment const typed{y = 7.0, each<stage> = std::span<element const>{stages}};
  auto const of_u = [](double value) { return any_environment{}.bind(u, value); };
  any_environment values;
  values.bind(y, 7.0).each("stage", {any_environment{}.bind(x, 2.0).each("block", {of_u(1.0), of_u(-2.0)}),
                                     any_environment{}.bind(x, 3.0).each("block", {of_u(4.5)})});
  constexpr auto expression =
      over<stage>(expr::sum, x * over<block>(expr::sum, u * x + y + earlier<stage>(x) * earlier<block>(u)));
  check_over(expression, typed, values);

  // The same with columns in one of the elements.
  std::vector<double> const column{1, 1, 1};
  std::vector<any_environment> mixed{
      any_environment{}.bind(x, 2.0).each("block", {of_u(1.0).bind(u, column), of_u(-2.0)}),
      any_environment{}.bind(x, 3.0).each("block", {of_u(4.5)})};
  any_environment columns;
  columns.bind(y, 7.0).each("stage", mixed);
  std::vector<double> result(3);
  expr::outcome const read = compile(expression, values).evaluate(columns, std::span<double>{result});
  REQUIRE_MESSAGE(read.valid(), read.error());
  double const number = expr::evaluate(expression, typed);
  for (double const value : result)
    CHECK(same(value, number, 1000));
}

TEST_CASE("the elements of a reading must be those of the compilation") {
  any_expression const total = over("stage", expr::sum, any_symbol("a"));
  auto const with = [](std::size_t count) {
    return any_environment{}.each("stage", std::vector<any_environment>(count, any_environment{}.bind("a", 2.0)));
  };
  CHECK(compile(total).error() == "over stage: the program was compiled without elements of this scope");
  CHECK(compile(earlier("stage", any_symbol("a"))).error() == "earlier stage: stands in no over of this scope");
  expr::program const three = compile(total, with(3));
  double value = 0;
  std::span<double> const result{&value, 1};
  CHECK(three.evaluate(with(3), result).valid());
  CHECK(value == 6);
  CHECK(three.evaluate(with(4), result).error() == "scope stage: has 4 elements; the program was compiled for 3");
  CHECK(three.evaluate(with(2), result).error() == "scope stage: has 2 elements; the program was compiled for 3");
  any_environment two_of_three = with(2);
  std::vector<any_environment> elements = *two_of_three.elements("stage");
  elements.emplace_back();
  CHECK(three.evaluate(two_of_three.each("stage", elements), result).error() ==
        "symbol a in element 2 of stage: has no value");
}

// ---- built at run time
// -------------------------------------------------------------------------------------------------

TEST_CASE("operators fold at run time as they do in types") {
  any_expression const a = x, b = y, c = z, d = u, m = M;
  auto const text = [](any_expression const& of) { return expr::text(make_tree(of)); };
  // Each pair: built by operators at run time, and converted from the typed formula.
  std::vector<std::pair<any_expression, any_expression>> const pairs{
      {a + 0, x + 0_n},
      {0 + a, 0_n + x},
      {a - 0, x - 0_n},
      {0 - a, 0_n - x},
      {a * 1, x * 1_n},
      {1 * a, 1_n * x},
      {a * 0, x * 0_n},
      {a / 1, x / 1_n},
      {0 / a, 0_n / x},
      {any_expression(2) * 3 / 4, 2_n * 3_n / 4_n},
      {any_expression(1) / 3 + any_expression(1) / 6, 1_n / 3_n + 1_n / 6_n},
      {any_expression(1) - 3, 1_n - 3_n},
      {1 - 1 / a, 1_n - 1_n / x},
      {max(a, 0), max(x, 0_n)},
      {max(0, d), max(0_n, u)},
      {max(a, b, c), max(x, y, z)},
      {min(a, 0), min(x, 0_n)},
      {positive_part(a), positive_part(x)},
      {positive_part(d), positive_part(u)},
      {pow(a, 0), pow(x, 0_n)},
      {pow(a, 1), pow(x, 1_n)},
      {pow(m, 2), pow(M, 2_n)},
      {pow(a, b), pow(x, y)},
      {select(d, a, b), select(u, x, y)},
      {log2(ceil(a)), log2(ceil(x))},
      {floor(a) - 1, floor(x) - 1_n},
      {ceil(a) - 1, ceil(x) - 1_n},
      {1 - 1 / ceil(a), 1_n - 1_n / ceil(x)},
      {let(x, b, a * a), expr::let(x, y, x * x)},
      {over("stage", expr::largest, d), expr::over<stage>(expr::largest, u)},
      {earlier("stage", a), expr::earlier<stage>(x)},
      {over<stage>(expr::sum, d), expr::over<stage>(expr::sum, u)},
      {over<stage>(expr::smallest, earlier<stage>(a)), expr::over<stage>(expr::smallest, expr::earlier<stage>(x))},
      {m * 1, M * 1_n},
      {m - any_expression::ratio(0, 1, {.byte = 1}), M - 0_n * expr::byte},
  };
  for (auto const& [built, converted] : pairs) {
    CAPTURE(text(converted));
    REQUIRE(built.valid());
    CHECK(text(built) == text(converted));
    CHECK(built.operation() == converted.operation());
    CHECK(built.sign() == converted.sign());
    CHECK(built.dimension() == converted.dimension());
  }
}

TEST_CASE("numbers that do not fit stay operations and keep their value") {
  any_expression const large = 3037000500LL;
  any_expression const square = large * large;
  CHECK(square.operation() == expr::any_operation::multiply);
  CHECK(evaluate(square, {}).value == 3037000500.0 * 3037000500.0);
  any_expression const small = any_expression::ratio(1, 4611686018427387904LL);
  CHECK((small + any_expression::ratio(1, 3)).operation() == expr::any_operation::add);
  CHECK(evaluate(small / large, {}).value == 0x1p-62 / 3037000500.0);
  CHECK(evaluate(any_expression::ratio(std::numeric_limits<long long>::min(), -1), {}).value == 0x1p63);
  CHECK(evaluate(any_expression(std::numeric_limits<unsigned long long>::max()), {}).value == 0x1p64);
}

TEST_CASE("numbers and quantities convert") {
  using namespace unit::literals;
  CHECK(evaluate(any_expression(0.1) + 0.2, {}).value == 0.1 + 0.2);
  CHECK(evaluate(any_expression(80_GiB), {}).value == 80 * unit::gibi);
  CHECK(any_expression(80_GiB).dimension() == expr::any_dimension{.byte = 1});
  CHECK(any_expression(1.0).sign() == expr::sign::at_least_one);
  CHECK(any_expression(nan).sign() == expr::sign::any);
  CHECK(std::signbit(evaluate(any_expression(-0.0), {}).value));
  CHECK(evaluate(any_expression{}, {}).value == 0);
}

// ---- misuse
// ------------------------------------------------------------------------------------------------------------

TEST_CASE("a misuse gives an error that names the operation and the dimensions") {
  any_expression const bytes = M, seconds = T, count = x, any_count = u;
  auto const error = [](any_expression const& of) {
    CHECK(!of.valid());
    return of.error();
  };
  CHECK(error(bytes + seconds) == "+ of byte and second; expected operands of the same dimension");
  CHECK(error(bytes - count) == "- of byte and a plain number; expected operands of the same dimension");
  CHECK(error(min(bytes / seconds, W)) == "min of byte/second and FLOP; expected operands of the same dimension");
  CHECK(error(max(bytes * bytes, 1 / seconds)) ==
        "max of byte^2 and 1/second; expected operands of the same dimension");
  CHECK(error(ceil(bytes)) == "ceil of byte; expected a plain number as operand");
  CHECK(error(floor(bytes)) == "floor of byte; expected a plain number as operand");
  CHECK(error(log2(W * bytes)) == "log2 of byte*FLOP; expected a plain number as operand");
  CHECK(error(count / 0) == "/ of a plain number and a plain number; expected a divisor other than the number zero");
  CHECK(error(pow(bytes, 0.5)) == "pow of byte and a plain number; expected plain numbers, or a whole number from -64 "
                                  "to 64 as exponent");
  CHECK(error(pow(any_count, 0.5)) == "pow of a base that may be negative; expected a base that is not negative, or a "
                                      "whole number from -64 to 64 as exponent");
  CHECK(error(select(bytes, count, count)) == "select of the condition byte; expected a plain number as condition");
  CHECK(error(select(count, bytes, count)) ==
        "select of byte and a plain number; expected branches of the same dimension");
  CHECK(error(let(M, count, bytes)) ==
        "let M of byte and a plain number; expected a value of the dimension of its symbol");
  CHECK(error(let(x, any_count, count)) ==
        "let x of a value of any sign; expected a value that is known to be positive, as its symbol is");
  CHECK(error(any_expression::ratio(1, 0)) == "1/0; expected a denominator other than zero");
  expr::any_function const f = speed;
  CHECK(error(f(count)) == "speed of a plain number as operand 1; expected byte");
  CHECK(error(f(bytes, bytes)) == "speed of 2 operands; expected 1");
  any_expression high = bytes;
  for (int times = 0; times < 3; ++times)
    high = pow(high, 64);
  CHECK(error(high) == "pow of byte^64 and a plain number; expected exponents of units below 1000");
}

TEST_CASE("an error goes on to whatever is made of it, the first of two") {
  any_expression const bad = any_expression(M) + T, worse = ceil(any_expression(M)), fine = x;
  expr::any_function const f("f", {{}, {}});
  for (any_expression const& made :
       {bad + fine, fine - bad, bad * worse, fine / bad, min(bad, fine), max(fine, fine, bad), ceil(bad), floor(bad),
        log2(bad), pow(bad, 2), pow(fine, bad), positive_part(bad), select(fine, bad, worse), let(x, bad, fine),
        let(x, fine, bad), over("stage", expr::sum, bad), earlier("stage", bad), f(fine, bad)}) {
    CHECK(!made.valid());
    CHECK(made.error() == bad.error());
  }
  CHECK(evaluate(bad, {}).error == bad.error());
  CHECK(std::isnan(evaluate(bad, {}).value));
  CHECK(compile({fine, bad}).error() == bad.error());
  double value = -7;
  CHECK(compile(bad).evaluate({}, std::span<double>{&value, 1}).error() == bad.error());
  CHECK(value == -7);
}

struct other_x_tag : expr::symbol_tag<> {
  static constexpr const char* name = "x";
  static constexpr const char* meaning = "another symbol of the same name";
};

TEST_CASE("a name must not stand for two things") {
  any_symbol const a("a"), a_in_bytes("a", {.byte = 1});
  CHECK(compile({a, a_in_bytes}).error() == "symbol a: stands for a plain number and for byte");
  constexpr expr::symbol<other_x_tag> other_x{};
  CHECK(compile(x + other_x).error() == "symbol x: two typed ones have this name");
  CHECK(compile(any_expression(x) + any_symbol("x")).valid());
  CHECK(compile(let(a_in_bytes, M, a)).error() == "symbol a: stands for byte and for a plain number");
  expr::any_function const f("f", {{}}), f_of_two("f", {{}, {}});
  CHECK(compile({f(a), f_of_two(a, a)}).error() == "function f: called with 1 and with 2 operands");
}

// ---- reading
// -----------------------------------------------------------------------------------------------------------

TEST_CASE("columns of all sizes around a block") {
  constexpr auto typed = select(x - y, log2(x) * y, ceil(x / y)) + positive_part(u) * pow(y, 3_n) - z / (x + 1_n);
  expr::program const program = compile(typed);
  CHECK(expr::program::block_size == 256);
  for (std::size_t const count : {0u, 1u, 2u, 3u, 7u, 8u, 15u, 16u, 17u, 255u, 256u, 257u, 511u, 512u, 513u, 1000u}) {
    CAPTURE(count);
    test_columns const values(count);
    std::vector<double> result(count + 1, -7);
    REQUIRE(program.evaluate(values.all(), std::span<double>{result.data(), count}).valid());
    CHECK(result[count] == -7);
    for (std::size_t index = 0; index < count; ++index) {
      double const number = expr::evaluate(typed, values.one(index));
      REQUIRE(same(result[index], number, 1e9));
    }
  }
}

TEST_CASE("any mix of numbers and columns reads the same") {
  constexpr auto typed = select(z, x - y * u, select(u - x, y / x, log2(x))) + max(x, min(y, u)) * z - pow(x, z) +
                         (x - u) / (y + (z - x) * (u / y)) + min(u, 2_n) - max(3_n, u);
  expr::program const program = compile(typed);
  test_columns const values(70);
  constexpr std::size_t fixed = 13;
  for (unsigned mask = 0; mask < 16; ++mask) {
    CAPTURE(mask);
    any_environment mixed;
    const char* const names[] = {"x", "y", "z", "u"};
    for (unsigned symbol = 0; symbol < 4; ++symbol)
      if ((mask >> symbol & 1) != 0)
        mixed.bind(names[symbol], values.columns[symbol]);
      else
        mixed.bind(names[symbol], values.columns[symbol][fixed]);
    std::vector<double> result(70);
    REQUIRE(program.evaluate(mixed, std::span<double>{result}).valid());
    for (std::size_t index = 0; index < 70; ++index) {
      auto const value = [&](unsigned symbol) {
        return values.columns[symbol][(mask >> symbol & 1) != 0 ? index : fixed];
      };
      double const number = expr::evaluate(typed, environment{x = value(0), y = value(1), z = value(2), u = value(3)});
      CAPTURE(index);
      REQUIRE(same(result[index], number, 1e9));
    }
  }
}

TEST_CASE("several expressions share what they have in common") {
  any_expression const common = any_expression(x) * y + z, first = common * common, second = common / x;
  expr::program const both = compile({first, second, common, first, x, 5});
  CHECK(both.operations() == 4);
  CHECK(both.size() == 6);
  CHECK(both.inputs() == std::vector<std::string>{"x", "y", "z"});
  CHECK(compile({any_expression(x) + y, any_expression(y) + x}).operations() == 1);
  CHECK(compile({any_expression(x) - y, any_expression(y) - x}).operations() == 2);
  std::vector<double> const xs{1, 2, 3};
  std::array<std::array<double, 3>, 6> results{};
  std::vector<std::span<double>> const spans(results.begin(), results.end());
  REQUIRE(both.evaluate(any_environment{}.bind(x, xs).bind(y, 10.0).bind(z, 4.0), spans).valid());
  using row = std::array<double, 3>;
  CHECK(results[0] == row{196, 576, 1156});
  CHECK(results[1] == row{14, 12, 34.0 / 3});
  CHECK(results[2] == row{14, 24, 34});
  CHECK(results[3] == results[0]);
  CHECK(results[4] == row{1, 2, 3});
  CHECK(results[5] == row{5, 5, 5});
}

TEST_CASE("a record compiles in its order") {
  constexpr auto record = make_record(define(T, M / B), define(x, y + 1_n));
  std::array<double, 1> time{}, count{};
  std::array<std::span<double>, 2> const results{time, count};
  REQUIRE(compile(record).evaluate(any_environment{}.bind(M, 6.0).bind(B, 2.0).bind(y, 4.0), results).valid());
  CHECK(time[0] == 3);
  CHECK(count[0] == 5);
}

TEST_CASE("what is not needed is not calculated and needs no value") {
  any_expression const unused = let(any_symbol("a"), any_expression(x) * y, any_expression(z) + 1);
  expr::program const program = compile(unused);
  CHECK(program.operations() == 1);
  CHECK(program.inputs() == std::vector<std::string>{"z"});
  any_expression const of_known_choice = select(1, any_expression(z) * 2, x);
  CHECK(evaluate(of_known_choice, any_environment{}.bind(z, 4.0)).value == 8);
}

TEST_CASE("special values follow IEEE 754, as in the number reading") {
  constexpr auto typed = make_record(define(x, x / z), define(y, z / u), define(z, max(z, u)), define(u, min(z, u)));
  std::vector<double> const specials{0.0, -0.0, 1.0, -1.0, infinity, -infinity, nan, 1e308, 5e-324};
  std::vector<double> zs, us;
  for (double const left : specials)
    for (double const right : specials) {
      zs.push_back(left);
      us.push_back(right);
    }
  any_environment columns;
  columns.bind(x, 3.0).bind(z, zs).bind(u, us);
  auto const check = [&](auto expression) {
    CAPTURE(expr::text(expression));
    std::vector<double> result(zs.size());
    REQUIRE(compile(expression).evaluate(columns, std::span<double>{result}).valid());
    for (std::size_t index = 0; index < zs.size(); ++index) {
      CAPTURE(zs[index]);
      CAPTURE(us[index]);
      double const number = expr::evaluate(expression, environment{x = 3.0, z = zs[index], u = us[index]});
      CHECK(same(result[index], number, 0));
    }
  };
  for_each_entry(typed, [&](auto entry) { check(typename decltype(entry)::expression_type{}); });
  check(x / z);
  check(z + u);
  check(z * u);
  check(z - u);
  check(ceil(u));
  check(floor(u));
  check(log2(u));
  check(select(u, z, x));
  check(select(z - u, z, u));
  check(positive_part(u));
  check(pow(u, 3_n));
  check(pow(z, 0.5_n));
  std::vector<double> result(zs.size());
  REQUIRE(compile(x / z).evaluate(columns, std::span<double>{result}).valid());
  CHECK(result[0] == infinity);
  CHECK(std::isnan(result.at(6 * specials.size())));
}

TEST_CASE("what does not fit is an error that names the symbol, and nothing is written") {
  std::vector<double> const three{1, 2, 3}, four{1, 2, 3, 4};
  std::vector<double> result(4, -7);
  std::span<double> const into{result};
  expr::program const program = compile(any_expression(x) * any_symbol("heads", {}, expr::sign::positive) + log2(y));
  auto const error = [&](any_environment const& values) { return program.evaluate(values, into).error(); };
  any_environment values;
  CHECK(error(values) == "symbol x (a positive count): has no value");
  values.bind(x, four);
  CHECK(error(values) == "symbol heads: has no value");
  values.bind("heads", three);
  CHECK(error(values) == "symbol heads: its column has 3 values, the results have 4");
  values.bind("heads", [](double value) { return value; });
  CHECK(error(values) == "symbol heads: is bound to a function");
  values.bind("heads", 2.0).bind(y, four);
  CHECK(result == std::vector<double>(4, -7));

  expr::any_function const f("f", {{}, {}});
  CHECK(evaluate(f(1, 2), {}).error == "function f: has no value");
  CHECK(evaluate(f(1, 2), any_environment{}.bind("f", 2.0)).error == "function f: is bound to a number");
  CHECK(evaluate(f(1, 2), any_environment{}.bind("f", [](double value) { return value; })).error ==
        "function f: what it is bound to does not take 2 numbers");

  std::array<double, 2> two{};
  std::array<double, 3> other{};
  std::array<std::span<double>, 2> const uneven{two, other};
  CHECK(compile({1, 2}).evaluate({}, uneven).error() == "results: columns of 2 and of 3 values");
  CHECK(compile({1, 2, 3}).evaluate({}, uneven).error() == "results: 2 columns for 3 expressions");
}

TEST_CASE("empty columns give empty results, and still must be there") {
  expr::program const program = compile(any_expression(x) + y);
  std::vector<double> const none;
  CHECK(program.evaluate(any_environment{}.bind(x, none).bind(y, 1.0), std::span<double>{}).valid());
  CHECK(!program.evaluate(any_environment{}.bind(x, none), std::span<double>{}).valid());
}

TEST_CASE("long chains and shared parts do no harm") {
  any_expression sum = any_symbol("a");
  for (int term = 1; term < 200000; ++term)
    sum = sum + any_symbol("a");
  CHECK(evaluate(sum, any_environment{}.bind("a", 1.0)).value == 200000);
  any_expression doubled = any_symbol("a");
  for (int times = 0; times < 100; ++times)
    doubled = doubled + doubled;
  CHECK(compile(doubled).operations() == 100);
  CHECK(evaluate(doubled, any_environment{}.bind("a", 1.0)).value == 0x1p100);
  any_expression named = any_symbol("a");
  for (int times = 0; times < 60; ++times)
    named = named + let(any_symbol("b"), any_symbol("a"), named);
  CHECK(evaluate(named, any_environment{}.bind("a", 1.0)).value == 0x1p60);
}

TEST_CASE("copies are independent of what they were made from") {
  any_expression original = any_expression(x) + y;
  any_expression const copy = original;
  original = original * z;
  CHECK(expr::text(make_tree(copy)) == "x + y");
  CHECK(expr::text(make_tree(original)) == "(x + y)*z");
  any_expression moved = std::move(original);
  original = copy;
  CHECK(expr::text(make_tree(moved)) == "(x + y)*z");
  CHECK(expr::text(make_tree(original)) == "x + y");
}

}  // namespace
