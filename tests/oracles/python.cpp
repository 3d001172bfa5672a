#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <random>
#include <span>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include <shardplan/expr.hpp>
#include <shardplan/expr/python.hpp>

#include <support/error_bound.hpp>
#include <support/random_expression.hpp>
#include <support/random_values.hpp>

// Python as an oracle: what the reading "text" prints, Python evaluates to what the reading "number" gives.
namespace {

using namespace shardplan;
using namespace expr::literals;
using namespace support;

std::string exact(double value) {
  char buffer[64];
  std::snprintf(buffer, sizeof buffer, "%.17g", value);
  return buffer;
}

/// A program that checks formulas with their numbers.
class script {
 public:
  void define(std::string const& name, std::string const& value) { lines_ += name + " = " + value + "\n"; }
  void define(std::string const& name, double value) { define(name, exact(value)); }

  /// Of a bound that is not finite the rounding decides which way a step or branch goes: nothing to check.
  void add(std::string const& formula, double number, double bound) {
    if (!(bound < 1e300) || !(number - number == 0))
      return;
    lines_ += "check(lambda: " + formula + ", " + exact(number) + ", " + exact(bound) + ")\n";
    ++count_;
  }
  int count() const { return count_; }

  /// Whether Python runs the program, with more lines, to its end.
  bool runs(std::string const& more = {}) const {
    // Two builds' tests may run at the same time.
    auto const name = "shardplan_formulas_" + std::to_string(std::random_device{}());
    auto const file = std::filesystem::temp_directory_path() / (name + ".py");
    std::ofstream{file} << text_of_program(more);
    int const status =
        std::system(("python3 \"" + file.string() + "\"" + (more.empty() ? "" : " 2>/dev/null")).c_str());
    std::filesystem::remove(file);
    return status == 0;
  }

 private:
  std::string text_of_program(std::string const& more) const {
    return std::string(expr::python_definitions) +
           "checked = 0\n"
           "def check(formula, number, bound):\n"
           "    global checked\n"
           "    found = formula()\n"
           "    assert abs(found - number) <= bound, (found, number, bound)\n"
           "    checked += 1\n"
           "def efficiency(operand): return operand / (1 + operand)\n"
           "def contention(one, other): return 2 * one - 3 * other\n" +
           lines_ + more + "assert checked == " + std::to_string(count_) + "\n";
  }

  std::string lines_;
  int count_ = 0;
};

bool has_python() { return std::system("python3 -c pass") == 0; }

void define_all(script& program, expression_values const& values) {
  program.define("x", values.x_value);
  program.define("y", values.y_value);
  program.define("z", values.z_value);
  program.define("u", values.u_value);
  program.define("M", values.size);
  program.define("W", values.work);
  program.define("T", values.duration);
  program.define("B", values.bandwidth);
  std::string elements;
  for (auto const& stage : values.elements())
    elements += "{\"y\": " + exact(expr::get<support::tag::y>(stage)) +
                ", \"T\": " + exact(expr::get<support::tag::duration>(stage)) + "}, ";
  program.define("stage", "[" + elements + "]");
}

TEST_CASE("Python evaluates random formulas to their numbers") {
  if (!has_python()) {
    MESSAGE("no python3: skipped");
    return;
  }
  generator random{201};
  std::vector<expression_values> configurations;
  for (int round = 0; round < 12; ++round)
    configurations.push_back(moderate_values(random));
  script program;
  std::vector<script> programs(configurations.size());
  for (std::size_t index = 0; index < configurations.size(); ++index)
    define_all(programs[index], configurations[index]);
  int formulas = 0;
  for_each_random_expression<16, 5, everything, 1001>([&](auto expression, auto) {
    std::string const formula = expr::python_text(expression);
    ++formulas;
    for (std::size_t index = 0; index < configurations.size(); ++index) {
      auto const environment = configurations[index].environment();
      programs[index].add(formula, expr::evaluate(expression, environment).value, error_bound(expression, environment));
    }
  });
  CHECK(formulas == 16);
  int checked = 0;
  for (auto const& one : programs) {
    checked += one.count();
    CHECK(one.runs());
    // A wrong number fails.
    CHECK(!one.runs("check(lambda: 1, 1.000001, 1e-12)\n"));
  }
  CHECK(checked > 16 * 8);
}

TEST_CASE("names are looked up innermost first, and elements in turn") {
  if (!has_python()) {
    MESSAGE("no python3: skipped");
    return;
  }
  generator random{202};
  script program;
  for (int round = 0; round < 20; ++round) {
    auto const values = moderate_values(random);
    define_all(program, values);
    auto const environment = values.environment();
    auto const add = [&](auto expression) {
      program.add(expr::python_text(expression), expr::evaluate(expression, environment).value,
                  error_bound(expression, environment));
    };
    using expr::earlier;
    using expr::over;
    add(let(v, x, let(v, v * x, v + 1_n) * v));
    add(let(w, u, over<stage>(expr::sum, w * y)) + y);
    add(over<stage>(expr::sum, let(w, y - x, w * w)));
    add(over<stage>(expr::largest, T - earlier<stage>(T * x)));
    add(over<stage>(expr::smallest, T + earlier<stage>(T * y + earlier<stage>(T / x))));
    add(T + over<stage>(expr::sum, y * T + pow(y, 2_n) * T));
    add(over<stage>(expr::largest, let(w, y, earlier<stage>(T) * w)));
  }
  CHECK(program.count() == 140);
  CHECK(program.runs());
  CHECK(!program.runs("check(lambda: x, x + 1, 0.5)\n"));
}

TEST_CASE("what is made of no elements") {
  if (!has_python()) {
    MESSAGE("no python3: skipped");
    return;
  }
  script program;
  program.define("stage", "[]");
  program.define("x", 2.0);
  auto const values = expr::environment{x = 2.0, expr::each<stage> = std::span<stage_values const>{}};
  auto const add = [&](auto expression) {
    program.add(expr::python_text(expression), expr::evaluate(expression, values).value, 0);
  };
  add(expr::over<stage>(expr::sum, T));
  add(expr::over<stage>(expr::largest, T));
  add(1_n / (x - expr::over<stage>(expr::largest, x - y)));
  add(1_n / (x + expr::over<stage>(expr::smallest, y)));
  CHECK(program.count() == 4);
  CHECK(program.runs());
}

TEST_CASE("Python reads the text with values as the same number") {
  if (!has_python()) {
    MESSAGE("no python3: skipped");
    return;
  }
  script program;
  generator random{4};
  for (int round = 0; round < 40; ++round) {
    // Multiples of 1/8 print with all their digits.
    auto const eighths = [&](double low, double high) { return std::floor(8 * random.real(low, high)) / 8; };
    expr::environment const values{x = eighths(0.125, 100), y = eighths(0.125, 100), z = eighths(0, 10),
                                   u = eighths(-50, 50),    M = eighths(1, 1000),    B = eighths(1, 100),
                                   T = eighths(1, 10)};
    auto const add = [&](auto expression) {
      double const number = expr::evaluate(expression, values).value;
      program.add(text(expression, values), number, 1e-12 * std::fmax(1, std::fabs(number)));
    };
    add(x - (y - u));
    add(x - (y + u));
    add(x / (y * x));
    add(x / (y / x));
    add((x + u) * (y - z) / (x * y));
    add(u * u - u / x);
    add(u - u * (u - u));
    add(max(x, min(y, u), z));
    add(min(min(x, y), max(z, u)));
    add(select(x - y, log2(x) * y, ceil(x / y)) + positive_part(u) + min(x, max(y, u)) + floor(z * y));
    add(0.75_n * u / (x + 1_n));
    add(M / B + T * (1_n - 1_n / x));
    add(2_n * expr::byte * x + M);
    add(pow(u, 3_n) - pow(x, 0.5_n) + pow(y, 0_n - 2_n));
  }
  CHECK(program.count() == 560);
  CHECK(program.runs());
  CHECK(!program.runs("check(lambda: 1, 2, 1e-12)\n"));
}

}  // namespace
