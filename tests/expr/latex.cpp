#include <array>
#include <span>
#include <string>
#include <string_view>

#include <doctest/doctest.h>

#include <shardplan/expr.hpp>
#include <shardplan/expr/latex.hpp>

#include <support/elements.hpp>
#include <support/random_expression.hpp>
#include <support/symbols.hpp>

// The reading "LaTeX": exact strings, and balanced ones for random formulas.
namespace {

using namespace shardplan;
using namespace expr::literals;
using namespace support;
using expr::environment;
using expr::latex;

namespace tag {
struct s : expr::symbol_tag<> {
  static constexpr const char* name = "s";
  static constexpr const char* meaning = "sequence length";
};
struct b : expr::symbol_tag<> {
  static constexpr const char* name = "b";
  static constexpr const char* meaning = "micro-batch";
};
struct h : expr::symbol_tag<> {
  static constexpr const char* name = "h";
  static constexpr const char* meaning = "hidden size";
};
struct a : expr::symbol_tag<> {
  static constexpr const char* name = "a";
  static constexpr const char* meaning = "heads";
};
struct t : expr::symbol_tag<> {
  static constexpr const char* name = "t";
  static constexpr const char* meaning = "tensor-parallel degree";
};
struct e_a : expr::symbol_tag<> {
  static constexpr const char* name = "e_a";
  static constexpr const char* meaning = "bytes of an activation";
};
struct before : expr::symbol_tag<> {
  static constexpr const char* name = "T_before";
  static constexpr const char* meaning = "time before";
};
struct compute : expr::symbol_tag<> {
  static constexpr const char* name = "forward_compute";
  static constexpr const char* meaning = "a name of two words";
};
struct three : expr::symbol_tag<> {
  static constexpr const char* name = "P_g_16";
  static constexpr const char* meaning = "a name of three parts";
};
struct strange : expr::symbol_tag<> {
  static constexpr const char* name = "block 1.50%_#";
  static constexpr const char* meaning = "a name with characters that mean something to LaTeX";
};
}  // namespace tag

constexpr expr::symbol<tag::s> s{};
constexpr expr::symbol<tag::b> b{};
constexpr expr::symbol<tag::h> h{};
constexpr expr::symbol<tag::a> a{};
constexpr expr::symbol<tag::t> t{};

TEST_CASE("a formula is set as in the paper") {
  CHECK(latex(s * b * h * (10_n + 24_n / t + 5_n * a * s / (h * t))) ==
        R"(s\,b\,h\,\left(10 + \frac{24}{t} + \frac{5\,a\,s}{h\,t}\right))");
  CHECK(latex(2_n * x * y) == R"(2\,x\,y)");
  CHECK(latex(x * 2_n) == R"(x \cdot 2)");
  CHECK(latex((x + y) * z) == R"(\left(x + y\right)\,z)");
  CHECK(latex(x - (y + z)) == R"(x - \left(y + z\right))");
  CHECK(latex((x - y) - z) == "x - y - z");
  CHECK(latex(x + (y - z)) == "x + y - z");
  CHECK(latex((x + y) / (x - u)) == R"(\frac{x + y}{x - u})");
  CHECK(latex(x / y / z) == R"(\frac{x}{y\,z})");
  CHECK(latex(x / y / (x + z)) == R"(\frac{x}{y\,\left(x + z\right)})");
  CHECK(latex(x / (y / z)) == R"(\frac{x}{\frac{y}{z}})");
  CHECK(latex(2_n * (1_n - 1_n / t) * M / B) == R"(\frac{2\,\left(1 - \frac{1}{t}\right)\,M}{B})");
  CHECK(latex(expr::byte * x) == "x");
}

TEST_CASE("functions, powers and cases") {
  CHECK(latex(max(x, y + z, z)) == R"(\max\left(x, y + z, z\right))");
  CHECK(latex(min(x, max(y, z))) == R"(\min\left(x, \max\left(y, z\right)\right))");
  CHECK(latex(ceil(x / y)) == R"(\left\lceil \frac{x}{y} \right\rceil)");
  CHECK(latex(floor(x) * y) == R"(\left\lfloor x \right\rfloor\,y)");
  CHECK(latex(log2(x + y)) == R"(\log_2\left(x + y\right))");
  CHECK(latex(positive_part(u - x)) == R"(\max\left(u - x, 0\right))");
  CHECK(latex(pow(x, 3_n)) == "x^{3}");
  CHECK(latex(pow(x + y, 2_n)) == R"(\left(x + y\right)^{2})");
  CHECK(latex(pow(x / y, 0.5_n)) == R"(\left(\frac{x}{y}\right)^{0.5})");
  CHECK(latex(pow(pow(x, 2_n), y / z)) == R"(\left(x^{2}\right)^{\frac{y}{z}})");
  CHECK(latex(x + select(u, x, y)) ==
        R"(x + \left(\begin{cases} x & \text{if } u > 0 \\ y & \text{otherwise} \end{cases}\right))");
  CHECK(latex(efficiency(z) * x) == R"(\mathrm{efficiency}\left(z\right)\,x)");
}

TEST_CASE("numbers") {
  CHECK(latex(x * (1_n / 3_n)) == R"(x\,\frac{1}{3})");
  CHECK(latex(pow(x, 1_n / 3_n)) == R"(x^{\frac{1}{3}})");
  CHECK(latex(x - (1_n - 3_n)) == R"(x - \left(-2\right))");
  CHECK(latex(u * (1_n - 3_n)) == R"(u\,\left(-2\right))");
  CHECK(latex((1_n - 3_n) + u) == "-2 + u");
  CHECK(latex(x + 0.75_n) == "x + 0.75");
  CHECK(latex(x / y, environment{x = 1.5e-9, y = 1e20}) == R"(\frac{1.5 \times 10^{-9}}{1 \times 10^{20}})");
  CHECK(latex(pow(x, 2_n), environment{x = 1.5e-9}) == R"(\left(1.5 \times 10^{-9}\right)^{2})");
  CHECK(latex(x + u, environment{x = 1 / 0.0, u = -1 / 0.0}) == R"(\infty + \left(-\infty\right))");
}

TEST_CASE("names with subscripts, and upright words") {
  CHECK(latex(expr::symbol<tag::e_a>{}) == "e_a");
  CHECK(latex(expr::symbol<tag::before>{}) == R"(T_{\mathrm{before}})");
  CHECK(latex(expr::symbol<tag::compute>{}) == R"(\mathrm{forward}_{\mathrm{compute}})");
  CHECK(latex(expr::symbol<tag::three>{}) == R"(P_{g,16})");
  CHECK(latex(expr::symbol<tag::strange>{}) == R"(\mathrm{block\ 1.50\%}_\#)");
}

TEST_CASE("named values and elements") {
  CHECK(latex(let(v, x * z, v * v)) == R"(v\,v \quad\text{where } v = x\,z)");
  CHECK(latex(1_n + let(v, x * z, v * v)) == R"(1 + \left(v\,v \quad\text{where } v = x\,z\right))");
  CHECK(latex(expr::over<stage>(expr::sum, T + M / B)) == R"(\sum_{\mathrm{stage}} \left(T + \frac{M}{B}\right))");
  CHECK(latex(x * expr::over<stage>(expr::sum, y)) == R"(x\,\left(\sum_{\mathrm{stage}} y\right))");
  CHECK(latex(expr::over<stage>(expr::largest, T - expr::earlier<stage>(T))) ==
        R"(\max_{\mathrm{stage}} \left(T - \sum_{\mathrm{stage}' < \mathrm{stage}} T\right))");
}

TEST_CASE("with values, plain and in the units that people use") {
  environment const values{x = 8.0, u = -2.0, M = 2147483648.0, B = 450e9, T = 0.0125};
  CHECK(latex(2_n * x * x, values) == R"(2 \cdot 8 \cdot 8)");
  CHECK(latex(x - u * u, values) == R"(8 - \left(-2\right)\,\left(-2\right))");
  CHECK(latex(M / B + T, values) == R"(\frac{2147483648}{450000000000} + 0.0125)");
  CHECK(latex(x * M / B + T, values, expr::symbols_as::quantities) ==
        R"(\frac{8 \cdot 2.00\,\mathrm{GiB}}{450.0\,\mathrm{GB/s}} + 12.50\,\mathrm{ms})");
}

/// Braces, \left and \right, \begin and \end must come in pairs.
int depth_after(std::string_view formula, std::string_view opening, std::string_view closing) {
  int depth = 0;
  for (std::size_t at = 0; at < formula.size(); ++at) {
    depth += formula.substr(at).starts_with(opening) ? 1 : 0;
    depth -= formula.substr(at).starts_with(closing) ? 1 : 0;
    if (depth < 0)
      return depth;
  }
  return depth;
}
bool balanced(std::string_view formula) {
  return depth_after(formula, "{", "}") == 0 && depth_after(formula, "\\left", "\\right") == 0 &&
         depth_after(formula, "\\begin", "\\end") == 0;
}

TEST_CASE("random formulas are balanced") {
  CHECK(!balanced("{x"));
  CHECK(!balanced("x}{"));
  CHECK(!balanced("\\left(x"));
  environment const values{x = 1.5,
                           y = 2e20,
                           z = 0.0,
                           u = -3.0,
                           M = 1e9,
                           W = 1e12,
                           T = 0.01,
                           B = 4.5e9,
                           efficiency = saturating{},
                           contention = opposing{}};
  std::array<stage_values, 1> const elements{};
  environment const stages{expr::each<stage> = std::span<stage_values const>(elements)};
  expr::scope const all{stages, values};
  for_each_random_expression<12, 5, everything>([&](auto formula, auto) {
    CAPTURE(latex(formula));
    CHECK(balanced(latex(formula)));
    CHECK(balanced(latex(formula, all)));
    CHECK(balanced(latex(formula, all, expr::symbols_as::quantities)));
  });
}

}  // namespace
