#include <string>
#include <vector>

#include <doctest/doctest.h>

#include <shardplan/expr.hpp>

#include <support/symbols.hpp>

// Environments, scopes and records.
namespace {

using namespace shardplan;
using namespace expr::literals;
using namespace support;
using expr::environment;
using expr::evaluate;
using expr::scope;
using expr::value_of;

TEST_CASE("the innermost scope wins, and what it lacks is found outside") {
  environment const plan{x = 1.0, y = 10.0, z = 100.0};
  environment const stage{x = 2.0, y = 20.0};
  environment const block{x = 3.0};
  scope const in_stage{stage, plan};
  scope const in_block{block, in_stage};
  CHECK(evaluate(x + y + z, plan) == 111.0);
  CHECK(evaluate(x + y + z, in_stage) == 122.0);
  CHECK(evaluate(x + y + z, in_block) == 123.0);
  // A scope can be the inner one as well.
  scope const inner_scope{block, stage};
  scope const nested{inner_scope, plan};
  CHECK(evaluate(x + y + z, nested) == 123.0);
}

TEST_CASE("a scope views its environments") {
  environment inner{x = 1.0};
  environment outer{y = 2.0};
  scope const both{inner, outer};
  CHECK(evaluate(x + y, both) == 3.0);
  static_cast<expr::binding<support::tag::x, double>&>(inner).value = 5.0;
  static_cast<expr::binding<support::tag::y, double>&>(outer).value = 7.0;
  CHECK(evaluate(x + y, both) == 12.0);
}

TEST_CASE("what is bound can be asked") {
  using bound = environment<expr::binding<support::tag::x, double>>;
  using other = environment<expr::binding<support::tag::y, int>>;
  CHECK(expr::binds<bound, support::tag::x>);
  CHECK_FALSE(expr::binds<bound, support::tag::y>);
  CHECK(expr::binds<scope<bound, other>, support::tag::x>);
  CHECK(expr::binds<scope<bound, other>, support::tag::y>);
  CHECK_FALSE(expr::binds<scope<bound, other>, support::tag::z>);
  CHECK(value_of<support::tag::x>(bound{x = 4.0}) == 4.0);
}

TEST_CASE("the results of one record are the inputs of the next") {
  auto const first = expr::make_record(define(x, y + 1_n), define(M, y * expr::byte));
  auto const second = expr::make_record(define(T, M / B), define(z, 2_n * x));
  environment const inputs{y = 3.0, B = 2.0};
  auto const between = evaluate(first, inputs);
  CHECK(value_of<support::tag::x>(between) == 4.0);
  CHECK(value_of<support::tag::size>(between) == 3.0);
  scope const all{between, inputs};
  auto const results = evaluate(second, all);
  CHECK(value_of<support::tag::duration>(results) == 1.5);
  CHECK(value_of<support::tag::z>(results) == 8.0);
  // Read together they need no symbol of each other.
  auto const together = evaluate(first + expr::make_record(define(z, y * y)), inputs);
  CHECK(value_of<support::tag::x>(together) == 4.0);
  CHECK(value_of<support::tag::z>(together) == 9.0);
}

TEST_CASE("the entries of a record are visited in order, and read in any number type") {
  auto const record = expr::make_record(define(x, y + 1_n), define(T, M / B), define(z, y));
  std::vector<std::string> names;
  expr::for_each_entry(record, [&](auto entry) { names.emplace_back(decltype(entry)::tag::name); });
  CHECK(names == std::vector<std::string>{"x", "T", "z"});
  auto const singles = expr::evaluate<float>(record, environment{y = 3.0, M = 1.0, B = 4.0});
  CHECK(std::same_as<std::remove_cvref_t<decltype(value_of<support::tag::duration>(singles))>, float>);
  CHECK(value_of<support::tag::duration>(singles) == 0.25F);
}

}  // namespace
