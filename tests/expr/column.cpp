#include <array>
#include <span>
#include <vector>

#include <doctest/doctest.h>

#include <shardplan/expr.hpp>

#include <support/numbers.hpp>
#include <support/symbols.hpp>

// The reading "column" must give, element by element, what the reading "number" gives.
namespace {

using namespace shardplan;
using namespace expr::literals;
using namespace support;
using expr::column;
using expr::environment;
using expr::evaluate;
using expr::evaluate_column;

/// Every operation of the language at least once.
constexpr auto everything = select(x - y, log2(x) * y, ceil(x / y)) + positive_part(u) + min(x, max(y, u)) +
                            floor(z * y) - 0.75_n * u / (x + 1_n) + select(u, x, z);

TEST_CASE("a column reads as one number per configuration") {
  generator random_values{1};
  for (int round = 0; round < 50; ++round) {
    auto const count = static_cast<std::size_t>(random_values.whole(1, 40));
    std::vector<double> xs(count), ys(count), zs(count), us(count), result(count);
    for (std::size_t index = 0; index < count; ++index) {
      xs[index] = random_values.real(0.01, 100);
      ys[index] = random_values.real(0.01, 100);
      zs[index] = random_values.chance(0.2) ? 0 : random_values.real(0, 10);
      us[index] = random_values.real(-50, 50);
    }
    environment const columns{x = column<double>{xs}, y = column<double>{ys}, z = column<double>{zs},
                              u = column<double>{us}};
    evaluate_column(everything, columns, std::span<double>{result});
    for (std::size_t index = 0; index < count; ++index) {
      environment const one{x = xs[index], y = ys[index], z = zs[index], u = us[index]};
      double const number = evaluate(everything, one);
      CAPTURE(index);
      CHECK(close(result[index], number));
    }
  }
}

TEST_CASE("a symbol bound to a plain number has that value in all configurations") {
  std::array<double, 4> const xs{1, 2, 3, 4};
  std::array<double, 4> result{};
  environment const mixed{x = column<double>{xs}, y = 10.0, M = 2};
  evaluate_column(x * y, mixed, std::span<double>{result});
  CHECK(result == std::array<double, 4>{10, 20, 30, 40});
  evaluate_column(x * M, mixed, std::span<double>{result});
  CHECK(result == std::array<double, 4>{2, 4, 6, 8});
  evaluate_column(y - 1_n, mixed, std::span<double>{result});
  CHECK(result == std::array<double, 4>{9, 9, 9, 9});
}

TEST_CASE("columns may sit in the outer scope") {
  std::array<double, 3> const xs{1, 2, 3};
  std::array<double, 3> const hidden_xs{100, 100, 100};
  std::array<double, 3> const ys{5, 6, 7};
  environment const outer{x = column<double>{hidden_xs}, y = column<double>{ys}};
  environment const inner{x = column<double>{xs}};
  std::array<double, 3> result{};
  evaluate_column(x * y, expr::scope{inner, outer}, std::span<double>{result});
  CHECK(result == std::array<double, 3>{5, 12, 21});
}

TEST_CASE("an empty column reads nothing and writes nothing") {
  environment const nothing{x = column<double>{}, y = column<double>{}};
  std::array<double, 1> untouched{-7};
  evaluate_column(x + y, nothing, std::span<double>{untouched.data(), 0});
  CHECK(untouched[0] == -7);
}

TEST_CASE("columns of float read into float and into double") {
  std::array<float, 3> const xs{1.5F, 2.5F, 3.5F};
  environment const values{x = column<float>{xs}, y = 2.0};
  std::array<float, 3> singles{};
  evaluate_column(x * y, values, std::span<float>{singles});
  CHECK(singles == std::array<float, 3>{3, 5, 7});
  std::array<double, 3> doubles{};
  evaluate_column(x / y, values, std::span<double>{doubles});
  CHECK(doubles == std::array<double, 3>{0.75, 1.25, 1.75});
}

}  // namespace
