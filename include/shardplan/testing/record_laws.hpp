#pragma once
#include <string>
#include <string_view>

#include <shardplan/cost/block.hpp>
#include <shardplan/expr/number.hpp>
#include <shardplan/expr/record.hpp>
#include <shardplan/testing/broken_laws.hpp>
#include <shardplan/unit/text.hpp>

/// What the laws of layers, strategies and mechanisms share: comparing records entry by entry.
namespace shardplan::testing::detail {

/// Reads numbers by ordinary calls: laws are checked seldom, and should compile fast.
template <class Environment> class law_reader : public expr::number_reader<Environment> {
 public:
  static constexpr bool inlines = false;
  constexpr explicit law_reader(Environment const& environment) : expr::number_reader<Environment>(environment) {}
  template <class Inner> constexpr law_reader<Inner> in(Inner const& inner) const { return law_reader<Inner>{inner}; }
};
template <expr::expression Expression, class Environment>
double value_at(Expression expression, Environment const& environment) {
  return expr::read(expression, law_reader<Environment>{environment});
}
template <class... Entries, class Environment>
auto values_at(expr::record<Entries...>, Environment const& environment) {
  return expr::environment<expr::binding<typename Entries::tag, double>...>{
      expr::binding<typename Entries::tag, double>{value_at(typename Entries::expression_type{}, environment)}...};
}

/// Calls `visit(name, value)` for each entry of a record.
template <class... Entries, class Environment, class Visit>
void for_each_value(expr::record<Entries...> record, Environment const& environment, Visit const& visit) {
  auto const values = values_at(record, environment);
  (visit(Entries::tag::name, expr::value_of<typename Entries::tag>(values)), ...);
}

/// Both records give the same values.
template <class... Entries, class Other, class Environment>
void expect_same(broken_laws& broken, std::string_view law, expr::record<Entries...> record, Other other,
                 Environment const& environment) {
  auto const values = values_at(record, environment);
  auto const others = values_at(other, environment);
  auto const compare = [&](const char* name, double left, double right) {
    broken.expect(same_value(left, right), law, [&] {
      return std::string(name) + " is " + unit::number_text(left) + ", not " + unit::number_text(right);
    });
  };
  (compare(Entries::tag::name, expr::value_of<typename Entries::tag>(values),
           expr::value_of<typename Entries::tag>(others)),
   ...);
}

/// The first value is not above the second.
inline void expect_at_most(broken_laws& broken, std::string_view law, const char* name, double value, double limit) {
  broken.expect(at_most(value, limit), law, [&] {
    return std::string(name) + " is " + unit::number_text(value) + ", more than " + unit::number_text(limit);
  });
}

/// What a device owns and keeps: entries that cutting a layer may only make smaller.
template <class Values, class Visit> void for_each_share(Values const& values, Visit const& visit) {
  namespace ct = cost::tag;
  auto const of = [&]<class Tag>(expr::symbol<Tag>) { return expr::value_of<Tag>(values); };
  visit("parameters", of(cost::of<ct::block_parameters>));
  visit("largest_matrix", of(cost::of<ct::block_largest_matrix>));
  visit("kept", of(cost::of<ct::block_kept>));
  visit("recomputed", of(cost::of<ct::block_working>));
  visit("logits", of(cost::of<ct::block_loss_buffer>));
}

}  // namespace shardplan::testing::detail
