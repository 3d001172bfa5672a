#pragma once
#include <concepts>
#include <cstddef>
#include <span>
#include <type_traits>

#include <shardplan/expr/environment.hpp>
#include <shardplan/expr/operation.hpp>
#include <shardplan/expr/pack.hpp>
#include <shardplan/expr/read.hpp>
#include <shardplan/expr/record.hpp>

/// The reading "column": the values of expressions for a block of configurations at once.
namespace shardplan::expr {

/// Values of one symbol for a block of configurations, viewed. A symbol bound to a plain number has the same value in
/// all.
template <class Number> struct column {
  std::span<Number const> values;
};

namespace detail {

/// The values of the configurations from `index` on: a plain number where they are all the same.
template <class Number, class Value> SHARDPLAN_FORCE_INLINE Number lanes_of(Value const& value, std::size_t) {
  return static_cast<Number>(value);
}
template <class Number, std::size_t Width>
SHARDPLAN_FORCE_INLINE pack<Number, Width> lanes_of(pack<Number, Width> const& value, std::size_t) {
  return value;
}
template <class Number, class Value>
SHARDPLAN_FORCE_INLINE pack<Number> lanes_of(column<Value> const& value, std::size_t index) {
  Value const* const from = value.values.data() + index;
  if constexpr (std::same_as<Number, Value>) {
    return pack<Number>::load(from);
  } else {
    pack<Number> result;
    for (std::size_t lane = 0; lane < pack<Number>::width; ++lane)
      result.lanes[lane] = static_cast<Number>(from[lane]);
    return result;
  }
}
template <class Number, class Value> SHARDPLAN_FORCE_INLINE constexpr Number one_of(Value const& value, std::size_t) {
  return static_cast<Number>(value);
}
template <class Number, class Value>
SHARDPLAN_FORCE_INLINE constexpr Number one_of(column<Value> const& value, std::size_t index) {
  return static_cast<Number>(value.values[index]);
}

/// An environment with all scopes copied: the optimiser then knows that writing results changes no input, and takes
/// what is the same for all configurations out of the loop.
template <class Inner, class Outer> class owned_scope {
 public:
  using inner_type = Inner;
  using outer_type = Outer;

  constexpr owned_scope(Inner const& inner, Outer const& outer) : inner_(inner), outer_(outer) {}

  SHARDPLAN_FORCE_INLINE constexpr Inner const& inner() const { return inner_; }
  SHARDPLAN_FORCE_INLINE constexpr Outer const& outer() const { return outer_; }

 private:
  Inner inner_;
  Outer outer_;
};
template <class... Bindings> constexpr auto owned(environment<Bindings...> const& values) { return values; }
template <class Inner, class Outer> constexpr auto owned(scope<Inner, Outer> const& scopes) {
  auto const inner = owned(scopes.inner());
  auto const outer = owned(scopes.outer());
  return owned_scope<std::remove_cv_t<decltype(inner)>, std::remove_cv_t<decltype(outer)>>{inner, outer};
}

}  // namespace detail

/// Reads a pack of configurations, from `index` on. What depends on no column stays a plain number.
template <class Environment, class Number> class pack_reader {
 public:
  using value_type = pack<Number>;
  using number_type = Number;

  constexpr pack_reader(Environment const& environment, std::size_t index) : environment_(environment), index_(index) {}

  constexpr Environment const& environment() const { return environment_; }
  template <class Inner> SHARDPLAN_FORCE_INLINE constexpr pack_reader<Inner, Number> in(Inner const& inner) const {
    return pack_reader<Inner, Number>{inner, index_};
  }
  template <class Literal> SHARDPLAN_FORCE_INLINE constexpr Number literal() const {
    return Literal::template value<Number>;
  }
  template <class Tag> SHARDPLAN_FORCE_INLINE auto symbol() const {
    return detail::lanes_of<Number>(value_of<Tag>(environment_), index_);
  }
  using operates = pack_reader;
  template <class Node, class... Operands> SHARDPLAN_FORCE_INLINE auto apply(Operands const&... operands) const {
    return operate<typename Node::operation>(operands...);
  }
  template <class Operation, class... Operands> SHARDPLAN_FORCE_INLINE auto operate(Operands const&... operands) const {
    using operation = Operation;
    if constexpr ((std::same_as<Operands, Number> && ...))
      return operation{}(operands...);
    else if constexpr (std::same_as<operation, expr::operation::select>)
      return chosen(operands...);
    else
      return operation{}(value_type(operands)...);
  }
  /// The function for one configuration after the other.
  template <class Node, class... Operands> auto call(Operands const&... operands) const {
    auto const& callable = value_of<typename Node::tag>(environment_);
    if constexpr ((std::same_as<Operands, Number> && ...)) {
      return static_cast<Number>(callable(operands...));
    } else {
      value_type result;
      for (std::size_t lane = 0; lane < value_type::width; ++lane)
        result.lanes[lane] = static_cast<Number>(callable(value_type(operands).lanes[lane]...));
      return result;
    }
  }

 private:
  template <class Value, class Otherwise>
  SHARDPLAN_FORCE_INLINE value_type chosen(Number condition, Value const& value, Otherwise const& otherwise) const {
    return condition > Number(0) ? value_type(value) : value_type(otherwise);
  }
  template <class Value, class Otherwise>
  SHARDPLAN_FORCE_INLINE value_type chosen(value_type condition, Value const& value, Otherwise const& otherwise) const {
    return choose(condition, value_type(value), value_type(otherwise));
  }

  Environment const& environment_;
  std::size_t index_;
};

/// Reads configuration `index` alone.
template <class Environment, class Number> class column_reader : public arithmetic_reader<Number> {
 public:
  using number_type = Number;
  using operates = column_reader;

  constexpr column_reader(Environment const& environment, std::size_t index)
      : environment_(environment), index_(index) {}

  constexpr Environment const& environment() const { return environment_; }
  template <class Inner> constexpr column_reader<Inner, Number> in(Inner const& inner) const {
    return column_reader<Inner, Number>{inner, index_};
  }
  template <class Literal> constexpr Number literal() const { return Literal::template value<Number>; }
  template <class Tag> constexpr Number symbol() const {
    return detail::one_of<Number>(value_of<Tag>(environment_), index_);
  }
  template <class Node, class... Operands> constexpr Number call(Operands const&... operands) const {
    return static_cast<Number>(value_of<typename Node::tag>(environment_)(operands...));
  }

 private:
  Environment const& environment_;
  std::size_t index_;
};

/// Where the values of a record's entry go: `into(symbol, span)`.
template <class Tag, class Number> struct result_column {
  using tag = Tag;
  std::span<Number> values;
};
template <class Tag, class Number> constexpr result_column<Tag, Number> into(symbol<Tag>, std::span<Number> values) {
  return {values};
}

namespace detail {

template <class Record, class Environment, class Number, class... Tags>
constexpr void evaluate_one_by_one(std::size_t count, Record, Environment const& environment,
                                   result_column<Tags, Number>... results) {
  for (std::size_t index = 0; index < count; ++index) {
    column_reader<Environment, Number> const reader{environment, index};
    ((results.values[index] = read(expression_of<Tags>(Record{}), reader)), ...);
  }
}

}  // namespace detail

/// An expression and where its values go.
template <class Expression, class Number> struct target {
  std::span<Number> values;
};

/// The values of several expressions for `count` configurations, at least as many as a pack holds. Equal parts of the
/// expressions are read once.
template <class Environment, class... Expressions, class Number>
void evaluate_packs(std::size_t count, Environment const& environment, target<Expressions, Number>... targets) {
  constexpr std::size_t width = pack<Number>::width;
  auto const values = detail::owned(environment);
  using owned_environment = std::remove_cv_t<decltype(values)>;
  for (std::size_t next = 0; next < count; next += width) {
    // The last pack overlaps the one before it. One place that reads, so that all of it is inlined.
    std::size_t const index = next + width <= count ? next : count - width;
    pack_reader<owned_environment, Number> const reader{values, index};
    // All results before the first is written.
    auto const store = [&](auto const&... packs) SHARDPLAN_FORCE_INLINE_LAMBDA {
      (pack<Number>(packs).store(targets.values.data() + index), ...);
    };
    store(read(Expressions{}, reader)...);
  }
}

/// As `evaluate_columns`, for at least as many configurations as a pack holds; for callers that can pad their columns,
/// as less is compiled.
template <class... Entries, class Environment, class Number, class... Tags>
void evaluate_packs(std::size_t count, record<Entries...> entries, Environment const& environment,
                    result_column<Tags, Number>... results) {
  evaluate_packs(count, environment, target<decltype(expression_of<Tags>(entries)), Number>{results.values}...);
}

/// The reading "column" of a record: for each of `count` configurations the entries that have a result column. Columns
/// in the environment and among the results must hold at least `count` values; a result must not overlap an input.
/// Equal parts of the entries are read once. Values are those of the number reading, to the last bit where the compiler
/// does not fuse multiplications and additions (-ffp-contract=off).
template <class... Entries, class Environment, class Number, class... Tags>
constexpr void evaluate_columns(record<Entries...> entries, Environment const& environment, std::size_t count,
                                result_column<Tags, Number>... results) {
  if (count >= pack<Number>::width && !std::is_constant_evaluated())
    evaluate_packs(count, entries, environment, results...);
  else
    detail::evaluate_one_by_one(count, entries, environment, results...);
}

namespace detail {
template <class Dimension> struct only_result : symbol_tag<Dimension, sign::any> {
  static constexpr const char* name = "result";
  static constexpr const char* meaning = "the value of the expression";
};
}  // namespace detail

/// The reading "column" of one expression, for `result.size()` configurations.
template <class Number, expression Expression, class Environment>
constexpr void evaluate_column(Expression expression, Environment const& environment, std::span<Number> result) {
  constexpr symbol<detail::only_result<typename Expression::dimension>> value{};
  evaluate_columns(make_record(define(value, expression)), environment, result.size(), into(value, result));
}

}  // namespace shardplan::expr
