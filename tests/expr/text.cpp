#include <array>
#include <limits>
#include <span>
#include <string>

#include <doctest/doctest.h>

#include <shardplan/expr.hpp>
#include <shardplan/expr/python.hpp>
#include <shardplan/expr/text.hpp>

#include <support/elements.hpp>
#include <support/symbols.hpp>

// The reading "text": plain, with values, and for Python. tests/oracles/python.cpp runs what is printed.
namespace {

using namespace shardplan;
using namespace expr::literals;
using namespace support;
using expr::environment;
using expr::text;

TEST_CASE("a formula prints as it is written") {
  CHECK(text(x) == "x");
  CHECK(text(2_n * x * y) == "2*x*y");
  CHECK(text(x + y * z) == "x + y*z");
  CHECK(text(x / y / z) == "x/y/z");
  CHECK(text(0.5_n * x) == "0.5*x");
  CHECK(text(ceil(x / y)) == "ceil(x/y)");
  CHECK(text(positive_part(u)) == "positive_part(u)");
  CHECK(text(select(u, x, y)) == "select(u, x, y)");
}

TEST_CASE("brackets stand where they must and nowhere else") {
  CHECK(text((x + y) * z) == "(x + y)*z");
  CHECK(text(x * (y * z)) == "x*y*z");
  CHECK(text(x / (y * z)) == "x/(y*z)");
  CHECK(text(x / (y / z)) == "x/(y/z)");
  CHECK(text(x * (y / z)) == "x*y/z");
  CHECK(text(x - (y + z)) == "x - (y + z)");
  CHECK(text(x - (y - z)) == "x - (y - z)");
  CHECK(text((x - y) - z) == "x - y - z");
  CHECK(text(x + (y - z)) == "x + y - z");
  CHECK(text(max(x + y, z)) == "max(x + y, z)");
}

TEST_CASE("nested minima and maxima print as one call, mixed ones do not") {
  CHECK(text(max(x, y, z)) == "max(x, y, z)");
  CHECK(text(min(min(x, y), min(z, u))) == "min(x, y, z, u)");
  CHECK(text(max(x, min(y, z))) == "max(x, min(y, z))");
  CHECK(text(max(x + max(y, z), u)) == "max(x + max(y, z), u)");
}

TEST_CASE("the unit of a literal is not printed as a factor") {
  CHECK(text(expr::byte * x) == "x");
  CHECK(text(x * expr::byte) == "x");
  CHECK(text(2_n * expr::byte * x) == "2*x");
}

TEST_CASE("the formula with its values") {
  environment const values{x = 8192.0, y = 4096.0, z = 0.0, u = -2.0, M = 2.0};
  CHECK(text(2_n * x * y, values) == "2*8192*4096");
  CHECK(text(x * y * M, values) == "8192*4096*2");
  CHECK(text(x + z * u, values) == "8192 + 0*-2");
  CHECK(text(x / y, values) == "8192/4096");
}

TEST_CASE("powers and functions print as calls") {
  CHECK(text(pow(x, 3_n)) == "pow(x, 3)");
  CHECK(text(pow(x + y, 0_n - 2_n) * z) == "pow(x + y, -2)*z");
  CHECK(text(pow(x, 0.5_n)) == "pow(x, 0.5)");
  CHECK(text(pow(z, y / x)) == "pow(z, y/x)");
  CHECK(text(pow(M, 2_n)) == "pow(M, 2)");
  CHECK(text(x * efficiency(z + 1_n)) == "x*efficiency(z + 1)");
  CHECK(text(contention(x, y)) == "contention(x, y)");
  CHECK(text(pow(u, 2_n), environment{u = -3.0}) == "pow(-3, 2)");
}

TEST_CASE("a number that its decimals would not give prints as a ratio or with all digits") {
  CHECK(text(x * (1_n / 3_n)) == "x*1/3");
  CHECK(text(x / (1_n / 3_n)) == "x/(1/3)");
  CHECK(text(x + (0_n - 2_n) / 7_n) == "x + -2/7");
  CHECK(text(0.0625_n * x) == "0.0625*x");
  CHECK(text(1125899906842624_n + x) == "1125899906842624 + x");
  CHECK(text(0.123456789_n + x) == "123456789/1000000000 + x");
}

TEST_CASE("a let says its value after the formula") {
  CHECK(text(let(v, x * z, v * v)) == "v*v where v = x*z");
  CHECK(text(1_n + let(v, x * z, v * v)) == "1 + (v*v where v = x*z)");
  CHECK(text(max(x, let(v, z, v + 1_n))) == "max(x, (v + 1 where v = z))");
  CHECK(text(let(w, u, let(v, z, v + w))) == "v + w where v = z where w = u");
  CHECK(text(let(w, let(v, z, v + 1_n), w * x)) == "w*x where w = (v + 1 where v = z)");
  CHECK(expr::python_text(1_n + let(v, x * z, v * v)) == "1 + let(\"v\", x*z, lambda: v*v)");
}

TEST_CASE("what is read over elements names its scope") {
  CHECK(text(x * expr::over<stage>(expr::sum, T + M / B)) == "x*sum(stage: T + M/B)");
  CHECK(text(expr::over<stage>(expr::largest, T - expr::earlier<stage>(T))) == "max(stage: T - earlier(stage: T))");
  CHECK(expr::python_text(expr::over<stage>(expr::sum, T)) == "over(\"stage\", sum, 0, lambda: T)");
  CHECK(expr::python_text(expr::over<stage>(expr::largest, T)) == "over(\"stage\", max, 0, lambda: T)");
  CHECK(expr::python_text(expr::over<stage>(expr::largest, u)) == "over(\"stage\", max, -inf, lambda: u)");
  CHECK(expr::python_text(expr::over<stage>(expr::smallest, T - expr::earlier<stage>(T))) ==
        "over(\"stage\", min, inf, lambda: T - earlier(\"stage\", lambda: T))");
}

TEST_CASE("with values, what elements bind keeps its name and a let shows its value") {
  std::array<stage_values, 2> const elements{stage_values{y = 1.0, T = 2.0}, stage_values{y = 3.0, T = 4.0}};
  environment const values{x = 8.0, y = 5.0, z = 2.0, expr::each<stage> = std::span<stage_values const>(elements)};
  CHECK(text(y + expr::over<stage>(expr::sum, x * y), values) == "5 + sum(stage: 8*y)");
  CHECK(text(let(v, x * z, v * v), values) == "16*16 where v = 8*2");
  CHECK(text(expr::over<stage>(expr::sum, let(v, x * y, v * z)), values) == "sum(stage: v*2 where v = 8*y)");
  CHECK(text(let(v, expr::over<stage>(expr::sum, y), v * x), values) == "4*8 where v = sum(stage: y)");

  auto const formula = make_tree(x * expr::over<stage>(expr::sum, y), values);
  auto const& inner = formula.operands[1].operands[0];
  CHECK(inner.varies);
  CHECK(inner.value != inner.value);
  CHECK(!formula.operands[0].varies);
  CHECK(formula.operands[0].value == 8);
}

TEST_CASE("with values in the units that people use") {
  environment const values{x = 8.0, M = 2147483648.0, B = 450e9, T = 0.0125, W = 3.5e15};
  auto const in_units = [&](auto formula) { return text(formula, values, expr::symbols_as::quantities); };
  CHECK(in_units(M / B) == "(2.00 GiB)/(450.0 GB/s)");
  CHECK(in_units(x * M) == "8*(2.00 GiB)");
  CHECK(in_units(T + M / B) == "12.50 ms + (2.00 GiB)/(450.0 GB/s)");
  CHECK(in_units(T - T) == "12.50 ms - 12.50 ms");
  CHECK(in_units(W / T) == "(3.500 PFLOP)/(12.50 ms)");
  CHECK(in_units(max(M, 2_n * expr::byte * x)) == "max(2.00 GiB, (2 B)*8)");
  CHECK(in_units(x + 1_n) == "8 + 1");
}

}  // namespace
