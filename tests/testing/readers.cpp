#include <doctest/doctest.h>

#include <cmath>

#include <shardplan/expr.hpp>
#include <shardplan/expr/dual.hpp>
#include <shardplan/expr/interval.hpp>
#include <shardplan/testing/reader_laws.hpp>

#include "support.hpp"

namespace {

using namespace shardplan;
using testing::broken_laws_of_reader;
using testing::same_value;
using testing_support::reports;

constexpr auto is_number = [](double value, double number) { return same_value(value, number); };

TEST_CASE("the readings of the library keep the laws") {
  auto const as_number = [](auto formula, auto const& values) {
    return expr::read(formula, expr::number_reader<std::remove_cvref_t<decltype(values)>>{values});
  };
  CHECK(broken_laws_of_reader(as_number, is_number).empty());

  auto const as_interval = [](auto formula, auto const& values) { return expr::enclose(formula, values); };
  CHECK(broken_laws_of_reader(as_interval, [](expr::interval<double> range, double number) {
          return range.contains(number) && range.high - range.low <= 1e-9 * (1 + std::fabs(number));
        }).empty());

  auto const as_column = [](auto formula, auto const& values) {
    double result = 0;
    expr::evaluate_column(formula, values, std::span<double>{&result, 1});
    return result;
  };
  CHECK(broken_laws_of_reader(as_column, is_number).empty());

  auto const as_pack = [](auto formula, auto const& values) {
    using environment = std::remove_cvref_t<decltype(values)>;
    auto const pack = expr::pack<double>(expr::read(formula, expr::pack_reader<environment, double>{values, 0}));
    return static_cast<double>(pack.lanes[0]);
  };
  CHECK(broken_laws_of_reader(as_pack, is_number).empty());
}

/// A reading of numbers with one mistake.
template <class Environment, class Mistaken> class mistaken_reader : public expr::number_reader<Environment> {
 public:
  using base = expr::number_reader<Environment>;
  using base::base;
  template <class Inner> mistaken_reader<Inner, Mistaken> in(Inner const& inner) const {
    return mistaken_reader<Inner, Mistaken>{inner};
  }
  template <class Node, class... Operands> double apply(Operands const&... operands) const {
    double const value = typename Node::operation{}(operands...);
    return std::same_as<typename Node::operation, Mistaken> ? value + 1 : value;
  }
};
template <class Mistaken> auto reading_with_mistake() {
  return [](auto formula, auto const& values) {
    return expr::read(formula, mistaken_reader<std::remove_cvref_t<decltype(values)>, Mistaken>{values});
  };
}

TEST_CASE("a mistake in an operation is reported by name") {
  namespace op = expr::operation;
  CHECK(reports(broken_laws_of_reader(reading_with_mistake<op::add>(), is_number), "+ reads as a sum"));
  CHECK(reports(broken_laws_of_reader(reading_with_mistake<op::subtract>(), is_number), "- reads as a difference"));
  CHECK(reports(broken_laws_of_reader(reading_with_mistake<op::multiply>(), is_number), "neutral elements"));
  CHECK(reports(broken_laws_of_reader(reading_with_mistake<op::ceil>(), is_number), "ceil reads as"));
  CHECK(reports(broken_laws_of_reader(reading_with_mistake<op::select>(), is_number), "select reads as"));
  CHECK(reports(broken_laws_of_reader(reading_with_mistake<op::log2>(), is_number), "log2 reads as"));
  CHECK(broken_laws_of_reader(reading_with_mistake<op::divide>(), is_number).size() == 2);
}

/// Reads the value of a `let` in the place of its body.
template <class Environment> class wrong_let_reader : public expr::number_reader<Environment> {
 public:
  using base = expr::number_reader<Environment>;
  using base::base;
  template <class Node> double let() const { return value_of(Node{}); }

 private:
  template <class Tag, class Value, class Body> double value_of(expr::let_node<Tag, Value, Body>) const {
    return expr::read(Value{}, *this);
  }
};

TEST_CASE("a mistake in let is reported, and parts that a reader lacks can be left out") {
  auto const read = [](auto formula, auto const& values) {
    return expr::read(formula, wrong_let_reader<std::remove_cvref_t<decltype(values)>>{values});
  };
  CHECK(reports(broken_laws_of_reader(read, is_number), "let reads as its body with the value written out"));
  CHECK(broken_laws_of_reader<testing::reader_parts{.let = false}>(read, is_number).empty());
}

}  // namespace
