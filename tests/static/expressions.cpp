#include <concepts>
#include <span>
#include <type_traits>

#include <shardplan/expr.hpp>

#include "../support/symbols.hpp"

// The expression language at compile time: readings are constant expressions, dimensions and signs are types, neutral
// elements fold.
namespace {

using namespace shardplan;
using namespace shardplan::expr::literals;
using expr::environment;
using expr::evaluate;
using expr::sign;
using support::B, support::M, support::T, support::u, support::W, support::x, support::y, support::z;

// ---- numbers --------------------------------------------------------------------------------------------------------

constexpr environment at{x = 10.0, y = 4.0, z = 0.0, u = -2.5, M = 6e9, B = 3e9, T = 0.5, W = 8e12};

static_assert(evaluate(2_n * x * y, at) == 80.0);
static_assert(evaluate(x / y, at) == 2.5);
static_assert(evaluate(ceil(x / y), at) == 3.0);
static_assert(evaluate(floor(x / y), at) == 2.0);
static_assert(evaluate(ceil(u), at) == -2.0);
static_assert(evaluate(floor(u), at) == -3.0);
static_assert(evaluate(log2(y), at) == 2.0);
static_assert(evaluate(log2(1_n / y), at) == -2.0);
static_assert(evaluate(min(x, y), at) == 4.0);
static_assert(evaluate(max(x, y, u), at) == 10.0);
static_assert(evaluate(positive_part(u), at) == 0.0);
static_assert(evaluate(positive_part(y - x), at) == 0.0);
static_assert(evaluate(positive_part(x - y), at) == 6.0);
static_assert(evaluate(select(u, x, y), at) == 4.0);
static_assert(evaluate(select(z, x, y), at) == 4.0);
static_assert(evaluate(select(x, x, y), at) == 10.0);
static_assert(evaluate(M / B + T, at) == unit::seconds{2.5});
static_assert(evaluate(W / T, at) == unit::flop_per_second{16e12});

// log2(10) = 3.321928094887362347870319429489390175864831
constexpr double error_of_log2 = evaluate(log2(x), at) - 3.3219280948873623;
static_assert(error_of_log2 < 1e-15 && error_of_log2 > -1e-15);
static_assert(evaluate<float>(log2(y) * x, at) == 20.0F);

constexpr auto record = expr::make_record(define(x, y + 1_n), define(T, M / B));
constexpr auto results = evaluate(record, at);
static_assert(expr::value_of<support::tag::x>(results) == 5.0);
static_assert(expr::value_of<support::tag::duration>(results) == 2.0);

constexpr environment inner{x = 1.0};
static_assert(evaluate(x + y, expr::scope{inner, at}) == 5.0);

constexpr double of_column = [] {
  double const xs[] = {1, 2, 3};
  double result[3] = {};
  expr::evaluate_column(x * y, environment{x = expr::column<double>{xs}, y = 10.0}, std::span<double>{result});
  return result[0] + 100 * result[1] + 10000 * result[2];
}();
static_assert(of_column == 302010);

// ---- dimensions -----------------------------------------------------------------------------------------------------

template <class Expression> using dimension_of = typename Expression::dimension;
static_assert(std::same_as<dimension_of<decltype(M / B)>, unit::time_dimension>);
static_assert(std::same_as<dimension_of<decltype(W / T)>, unit::flop_rate_dimension>);
static_assert(std::same_as<dimension_of<decltype(M / M)>, unit::count_dimension>);
static_assert(std::same_as<dimension_of<decltype(2_n * expr::byte)>, unit::byte_dimension>);
static_assert(std::same_as<dimension_of<decltype(max(M, x* M))>, unit::byte_dimension>);
static_assert(std::same_as<dimension_of<decltype(select(x, T, T))>, unit::time_dimension>);
static_assert(std::same_as<dimension_of<decltype(ceil(x))>, unit::count_dimension>);

// What is wrong can be asked without an error.
template <class Left, class Right>
concept adds = requires(Left left, Right right) { left + right; };
template <class Left, class Right>
concept subtracts = requires(Left left, Right right) { left - right; };
template <class Left, class Right>
concept has_minimum = requires(Left left, Right right) { min(left, right); };
template <class Left, class Right>
concept has_maximum = requires(Left left, Right right) { max(left, right); };
template <class Left, class Right>
concept divides = requires(Left left, Right right) { left / right; };
template <class Operand>
concept has_logarithm = requires(Operand operand) { log2(operand); };
template <class Operand>
concept has_ceiling = requires(Operand operand) { ceil(operand); };
template <class Operand>
concept has_floor = requires(Operand operand) { floor(operand); };
template <class Condition, class Value, class Otherwise>
concept selects =
    requires(Condition condition, Value value, Otherwise otherwise) { select(condition, value, otherwise); };

using bytes = decltype(M);
using seconds = decltype(T);
using counts = decltype(x);
static_assert(adds<bytes, bytes> && !adds<bytes, seconds> && !adds<bytes, counts>);
static_assert(subtracts<bytes, bytes> && !subtracts<bytes, seconds>);
static_assert(has_minimum<bytes, bytes> && !has_minimum<bytes, seconds>);
static_assert(has_maximum<bytes, bytes> && !has_maximum<bytes, seconds>);
static_assert(divides<bytes, seconds> && !divides<bytes, decltype(0_n)>);
static_assert(!divides<bytes, decltype(0_n * x)>);
static_assert(has_logarithm<counts> && !has_logarithm<bytes>);
static_assert(has_ceiling<counts> && !has_ceiling<bytes>);
static_assert(has_floor<counts> && !has_floor<bytes>);
static_assert(selects<counts, bytes, bytes> && !selects<bytes, bytes, bytes> && !selects<counts, bytes, seconds>);

// ---- folding --------------------------------------------------------------------------------------------------------

template <class Left, class Right> constexpr bool same(Left, Right) { return std::same_as<Left, Right>; }
static_assert(same(x * 1_n, x) && same(1_n * x, x) && same(x / 1_n, x));
static_assert(same(x + 0_n, x) && same(0_n + x, x) && same(x - 0_n, x));
static_assert(same(x * 0_n, 0_n) && same(0_n * x, 0_n) && same(0_n / x, 0_n));
static_assert(same(2_n * 3_n, 6_n) && same(6_n / 4_n, 1.5_n) && same(1_n + 0.5_n, 1.5_n) && same(1_n - 1_n, 0_n));
static_assert(same(0.25_n * 4_n, 1_n) && same(1'000_n, 1000_n));
static_assert(same(max(x, 0_n), x) && same(max(0_n, z), z) && !same(max(0_n, u), u));
static_assert(same(positive_part(x), x) && same(positive_part(z), z) && !same(positive_part(u), u));
// The literal one of a dimension is not neutral, and zero keeps its dimension.
static_assert(!same(x * expr::byte, x) && same(1_n * expr::byte, expr::byte));
static_assert(std::same_as<dimension_of<decltype(0_n * M)>, unit::byte_dimension>);
static_assert(same(M + 0_n * M, M));
// Nothing that could change a value folds.
static_assert(!same(x - x, 0_n) && !same(x / x, 1_n));

// ---- expressions are empty ------------------------------------------------------------------------------------------

static_assert(std::is_empty_v<decltype((x + y) * z / (x - u))>);
static_assert(expr::expression<decltype(x + y)> && !expr::expression<double> && !expr::expression<int>);
static_assert(expr::symbol_description<support::tag::x> && !expr::symbol_description<int>);

static_assert(decltype(x + z)::sign == sign::positive && decltype(x - z)::sign == sign::any);

}  // namespace
