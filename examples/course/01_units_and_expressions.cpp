// Step 1 of the course: quantities carry their dimension, and a formula is a value that can be read in several ways.
//
// The laws of this step are static_asserts. The readings that need run time (text, columns) are checked in main, which
// exits with 0 if they hold.
#include <array>
#include <cmath>
#include <cstdio>
#include <string>

#include <shardplan/expr.hpp>
#include <shardplan/expr/text.hpp>
#include <shardplan/model/symbol.hpp>
#include <shardplan/strategy/mesh.hpp>
#include <shardplan/unit.hpp>

using namespace shardplan;
using namespace shardplan::unit::literals;
using namespace shardplan::expr::literals;

// --- Quantities ------------------------------------------------------------------------------------------------------

// A size over a rate is a time. The dimension follows from the operands; no conversion is written down.
static_assert(6700_GB / 3350_GB_per_s == 2_s);
static_assert(989_TFLOP_per_s * 2_s == 1978_TFLOP);

// 1 GiB = 2^30 bytes, 1 GB = 10^9 bytes.
static_assert(1_GiB > 1_GB);
static_assert(1_GiB == unit::bytes{1073741824.0});

// Bytes and seconds neither add nor compare.
template <class Left, class Right>
concept adds = requires(Left left, Right right) { left + right; };
static_assert(adds<unit::bytes, unit::bytes>);
static_assert(!adds<unit::bytes, unit::seconds>);
static_assert(!adds<unit::bytes, double>);
static_assert(adds<unit::count, double>);  // a count has no dimension: it is a number

// --- Expressions -----------------------------------------------------------------------------------------------------

// The activations of one layer under tensor parallelism, Korthikanti et al. 2022, section 4.2.1: s*b*h*(10 + 24/t)
// bytes. It stands in the code as in the paper; `10_n` is the number ten of a formula.
constexpr auto kept = [] {
  using namespace model::symbols;
  using strategy::symbols::t;
  return expr::byte * s * b * h * (10_n + 24_n / t);
}();

// It is an empty object: the formula is its type, and the type knows dimension and sign.
using kept_type = std::remove_cv_t<decltype(kept)>;
static_assert(sizeof(kept_type) == 1);
static_assert(std::same_as<kept_type::dimension, unit::byte_dimension>);
static_assert(expr::implies(kept_type::sign, expr::sign::positive));

// Formulas of different dimensions do not add, as quantities do not.
static_assert(!adds<kept_type, std::remove_cv_t<decltype(expr::second)>>);

// Reading it as a number needs a value for each symbol. GPT-3 175B on 8 devices: 13 s*b*h bytes.
constexpr auto gpt_3 = [] {
  using namespace model::symbols;
  using strategy::symbols::t;
  return expr::environment{s = 2048.0, b = 1.0, h = 12288.0, t = 8.0};
}();
static_assert(expr::evaluate(kept, gpt_3) == unit::bytes{13.0 * 2048 * 12288});

// Law: neutral elements leave no trace in the formula.
static_assert(std::same_as<decltype(kept * 1_n), kept_type>);
static_assert(std::same_as<decltype(kept + 0_n * expr::byte), kept_type>);

int failures = 0;

void check(bool holds, char const* law) {
  std::printf("%s  %s\n", holds ? "ok  " : "FAIL", law);
  failures += holds ? 0 : 1;
}

int main() {
  // The reading "text": the formula, and the formula with values.
  check(expr::text(kept) == "s*b*h*(10 + 24/t)", "the formula reads as in the paper");
  check(expr::text(kept, gpt_3) == "2048*1*12288*(10 + 24/8)", "and with its values filled in");

  // The reading "column": one symbol takes many values, the others one.
  using namespace model::symbols;
  using strategy::symbols::t;
  std::array const degrees{1.0, 2.0, 4.0, 8.0};
  std::array<double, 4> column{};
  expr::evaluate_column(kept, expr::environment{s = 2048.0, b = 1.0, h = 12288.0, t = expr::column<double>{degrees}},
                        std::span<double>(column));
  bool same = true;
  for (std::size_t index = 0; index < degrees.size(); ++index) {
    auto const single = expr::evaluate(kept, expr::environment{s = 2048.0, b = 1.0, h = 12288.0, t = degrees[index]});
    // Two compilations of one formula may differ in the last bit.
    same = same && std::fabs(single.value - column[index]) <= 1e-12 * single.value;
  }
  check(same, "a column holds the numbers of its configurations");
  return failures;
}
