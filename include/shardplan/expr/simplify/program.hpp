#pragma once
#include <shardplan/expr/operation.hpp>
#include <shardplan/expr/simplify/atom.hpp>
#include <shardplan/expr/simplify/list.hpp>
#include <shardplan/expr/simplify/position.hpp>

/// From values back to types: an expression as a list of steps, each of which is one node.
namespace shardplan::expr::simplification {

enum class code {
  literal,
  add,
  subtract,
  multiply,
  divide,
  power,
  max,
  min,
  positive_part,
  select,
  /// A node of the expression that was given.
  given,
  /// The same with other operands.
  changed,
};

struct step {
  code is;
  int first_argument;
  int arguments;
  /// The position of a node, or the exponent of a power.
  int which;
  // Of a literal.
  ratio number;
  dimension_value dimension;
};

template <int Steps, int Arguments> struct program {
  step steps[Steps]{};
  int arguments[Arguments]{};
  int steps_used = 0;
  int arguments_used = 0;
};

/// Steps that are being written.
struct steps {
  list<step> all{512};
  list<int> arguments{1024};

  constexpr int literal(ratio number, dimension_value dimension) {
    all.push({code::literal, 0, 0, 0, number, dimension});
    return all.count - 1;
  }
  constexpr int given(int position) { return of(code::given, position, nullptr, 0); }
  constexpr int binary(code is, int left, int right) {
    int* const operands = arguments.room(2);
    operands[0] = left;
    operands[1] = right;
    all.push({is, arguments.count, 2, 0, {0, 1}, no_dimension});
    arguments.count += 2;
    return all.count - 1;
  }
  constexpr int unary(code is, int operand, int which = 0) { return of(is, which, &operand, 1); }
  constexpr int of(code is, int which, int const* operands, int count) {
    all.push({is, arguments.count, count, which, {0, 1}, no_dimension});
    for (int index = 0; index < count; ++index)
      arguments.push(operands[index]);
    return all.count - 1;
  }

  /// The result comes last.
  constexpr void finish(int result) {
    if (result != all.count - 1)
      all.push(all.item[result]);
  }

  template <int Steps, int Arguments> constexpr program<Steps, Arguments> copied() const {
    program<Steps, Arguments> result{};
    result.steps_used = all.count;
    result.arguments_used = arguments.count;
    if (all.count > Steps || arguments.count > Arguments)
      return result;
    for (int index = 0; index < all.count; ++index)
      result.steps[index] = all.item[index];
    for (int index = 0; index < arguments.count; ++index)
      result.arguments[index] = arguments.item[index];
    return result;
  }
};

/// The node of one step. `Source` has the `steps` and knows the given nodes by position.
template <code Is, class Source, int Index> struct made;
template <class Source, int Index> using made_t = typename made<Source::steps.steps[Index].is, Source, Index>::type;
template <class Source, int Index, int Operand>
using operand_t = made_t<Source, Source::steps.arguments[Source::steps.steps[Index].first_argument + Operand]>;

template <class Source, int Index> struct made<code::literal, Source, Index> {
  static constexpr step const& of = Source::steps.steps[Index];
  using type = expr::literal<of.number.numerator, of.number.denominator,
                             unit::dimension<of.dimension.byte, of.dimension.flop, of.dimension.second>>;
};
template <class Source, int Index> struct made<code::add, Source, Index> {
  using type = node<operation::add, operand_t<Source, Index, 0>, operand_t<Source, Index, 1>>;
};
template <class Source, int Index> struct made<code::subtract, Source, Index> {
  using type = node<operation::subtract, operand_t<Source, Index, 0>, operand_t<Source, Index, 1>>;
};
template <class Source, int Index> struct made<code::multiply, Source, Index> {
  using type = node<operation::multiply, operand_t<Source, Index, 0>, operand_t<Source, Index, 1>>;
};
template <class Source, int Index> struct made<code::divide, Source, Index> {
  using type = node<operation::divide, operand_t<Source, Index, 0>, operand_t<Source, Index, 1>>;
};
template <class Source, int Index> struct made<code::max, Source, Index> {
  using type = node<operation::max, operand_t<Source, Index, 0>, operand_t<Source, Index, 1>>;
};
template <class Source, int Index> struct made<code::min, Source, Index> {
  using type = node<operation::min, operand_t<Source, Index, 0>, operand_t<Source, Index, 1>>;
};
template <class Source, int Index> struct made<code::power, Source, Index> {
  using type = node<operation::whole_power<Source::steps.steps[Index].which>, operand_t<Source, Index, 0>>;
};
template <class Source, int Index> struct made<code::positive_part, Source, Index> {
  using type = node<operation::positive_part, operand_t<Source, Index, 0>>;
};
template <class Source, int Index> struct made<code::select, Source, Index> {
  using type =
      node<operation::select, operand_t<Source, Index, 0>, operand_t<Source, Index, 1>, operand_t<Source, Index, 2>>;
};
template <class Source, int Index> struct made<code::given, Source, Index> {
  using type = typename Source::template given<Source::steps.steps[Index].which>;
};
template <class Given, class Source, int Index, class Operands> struct made_changed;
template <class Given, class Source, int Index, int... Operands>
struct made_changed<Given, Source, Index, std::integer_sequence<int, Operands...>> {
  using type = typename parts<Given>::template with<operand_t<Source, Index, Operands>...>::type;
};
template <class Source, int Index>
struct made<code::changed, Source, Index>
    : made_changed<typename Source::template given<Source::steps.steps[Index].which>, Source, Index,
                   std::make_integer_sequence<int, Source::steps.steps[Index].arguments>> {};

}  // namespace shardplan::expr::simplification
