#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <random>
#include <sstream>
#include <string>

#include <doctest/doctest.h>

#include <shardplan/expr.hpp>
#include <shardplan/expr/text.hpp>

#include <support/numbers.hpp>
#include <support/symbols.hpp>

// The reading "text": plain, with values, and equal to the number when a calculator reads it.
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

/// Formulas of every shape, each with its number, as lines that Python can check.
class script {
 public:
  template <class Expression, class Environment> void add(Expression expression, Environment const& values) {
    char number[64];
    std::snprintf(number, sizeof number, "%.17g", static_cast<double>(expr::evaluate(expression, values).value));
    lines_ << "check(lambda: " << text(expression, values) << ", " << number << ")\n";
    ++count_;
  }
  int count() const { return count_; }
  std::string text_of_program() const {
    return "from math import *\n"
           "def positive_part(x): return max(0, x)\n"
           "def select(c, x, y): return x if c > 0 else y\n"
           "checked = 0\n"
           "def check(formula, number):\n"
           "    global checked\n"
           "    assert abs(formula() - number) <= 1e-12 * max(1, abs(number)), (formula(), number)\n"
           "    checked += 1\n" +
           lines_.str() + "assert checked == " + std::to_string(count_) + "\n";
  }

 private:
  std::ostringstream lines_;
  int count_ = 0;
};

TEST_CASE("Python reads the text with values as the same number") {
  if (std::system("python3 -c pass") != 0) {
    MESSAGE("no python3: skipped");
    return;
  }
  script checks;
  generator random_values{4};
  for (int round = 0; round < 40; ++round) {
    // Multiples of 1/8 print with all their digits.
    auto const eighths = [&](double low, double high) { return std::floor(8 * random_values.real(low, high)) / 8; };
    environment const values{x = eighths(0.125, 100), y = eighths(0.125, 100), z = eighths(0, 10), u = eighths(-50, 50),
                             M = eighths(1, 1000),    B = eighths(1, 100),     T = eighths(1, 10)};
    checks.add(x - (y - u), values);
    checks.add(x - (y + u), values);
    checks.add(x / (y * x), values);
    checks.add(x / (y / x), values);
    checks.add((x + u) * (y - z) / (x * y), values);
    checks.add(u * u - u / x, values);
    checks.add(u - u * (u - u), values);
    checks.add(max(x, min(y, u), z), values);
    checks.add(min(min(x, y), max(z, u)), values);
    checks.add(select(x - y, log2(x) * y, ceil(x / y)) + positive_part(u) + min(x, max(y, u)) + floor(z * y), values);
    checks.add(0.75_n * u / (x + 1_n), values);
    checks.add(M / B + T * (1_n - 1_n / x), values);
    checks.add(2_n * expr::byte * x + M, values);
  }
  CHECK(checks.count() == 520);

  // Two builds' tests may run at the same time.
  auto const name = "shardplan_formulas_" + std::to_string(std::random_device{}()) + ".py";
  auto const file = std::filesystem::temp_directory_path() / name;
  std::ofstream{file} << checks.text_of_program();
  CHECK(std::system(("python3 \"" + file.string() + "\"").c_str()) == 0);
  // The checks are not vacuous: a wrong number fails.
  std::ofstream{file} << checks.text_of_program() << "check(lambda: 1, 2)\n";
  CHECK(std::system(("python3 \"" + file.string() + "\" 2>&1 | grep -q AssertionError").c_str()) == 0);
  std::filesystem::remove(file);
}

}  // namespace
