#pragma once
#include <shardplan/expr/simplify/chain.hpp>
#include <shardplan/expr/simplify/position.hpp>
#include <utility>

/// From types to values: what an expression is as a sum of terms. Positions are those of position.hpp.
namespace shardplan::expr::simplification {

/// Stands for what an opaque node applies to its operands.
template <class...> struct head;

struct has_identity {
  char const* identity;
  constexpr bool operator()(atom const& known) const { return known.identity == identity; }
};
/// A symbol, or an expression of a type that is not known here.
template <class Leaf> consteval int leaf_atom(sums& into, kind is, char const* name, int position) {
  return into.atom_for(named_atom(is, &identity<Leaf>, name, Leaf::sign, dimension_of<Leaf>, position),
                       has_identity{&identity<Leaf>});
}

/// `push` adds the terms of the expression, or of its negative, to the stack; `multiply` makes its power a part of a
/// product. Each kind of expression has one of them for its own and derives the other.
template <class Expression> struct walk;

template <class Type> inline constexpr bool is_sum = false;
template <class Left, class Right> inline constexpr bool is_sum<node<operation::add, Left, Right>> = true;
template <class Left, class Right> inline constexpr bool is_sum<node<operation::subtract, Left, Right>> = true;

/// Parts that are not small are looked up first: formulas repeat them.
template <class Expression> inline constexpr bool is_remembered = parts<Expression>::count >= 8;

template <class Expression> consteval int walk_sum(sums& into, int position) {
  bool const equations = into.equations.in_use();
  int result =
      is_remembered<Expression> ? into.known.find(&identity<Expression>, parts<Expression>::count, equations) : -1;
  if (result < 0) {
    int const mark = into.stack.count;
    walk<Expression>::push(into, position, false);
    result = into.take(mark, dimension_of<Expression>);
    if (is_remembered<Expression>)
      into.known.add(&identity<Expression>, parts<Expression>::count, equations, result);
  }
  return result;
}

/// `push` by `multiply`.
template <class Expression> consteval void push_as_product(sums& into, int position, bool negated) {
  chain product{into};
  walk<Expression>::multiply(into, product, position, 1);
  if (negated)
    product.times({-1, 1}, 1);
  product.push();
}
/// A term of a sum.
template <class Expression> consteval void push_term(sums& into, int position, bool negated) {
  if constexpr (is_remembered<Expression> && !is_sum<Expression>)
    into.push_sum(walk_sum<Expression>(into, position), {negated ? -1 : 1, 1});
  else
    walk<Expression>::push(into, position, negated);
}

template <class Expression> struct walk {
  static consteval void push(sums& into, int position, bool negated) {
    push_as_product<Expression>(into, position, negated);
  }
  static consteval void multiply(sums& into, chain& product, int position, int exponent) {
    product.times_atom(leaf_atom<Expression>(into, kind::leaf, nullptr, position), exponent);
  }
};
template <class Tag> struct walk<symbol<Tag>> {
  static consteval void push(sums& into, int position, bool negated) {
    push_as_product<symbol<Tag>>(into, position, negated);
  }
  static consteval void multiply(sums& into, chain& product, int position, int exponent) {
    product.times_atom(leaf_atom<symbol<Tag>>(into, kind::symbol, Tag::name, position), exponent);
  }
};
template <long long Numerator, long long Denominator, class Dimension>
  requires(Numerator >= -std::numeric_limits<long long>::max())
struct walk<literal<Numerator, Denominator, Dimension>> {
  static consteval void push(sums& into, int position, bool negated) {
    push_as_product<literal<Numerator, Denominator, Dimension>>(into, position, negated);
  }
  static constexpr long long common = std::gcd(Numerator, Denominator);
  static consteval void multiply(sums& into, chain& product, int, int exponent) {
    if (Numerator == 0)
      product.times_sum(into.take(into.stack.count, {Dimension::byte, Dimension::flop, Dimension::second}), exponent);
    else
      product.times({Numerator / common, Denominator / common}, exponent);
  }
};

template <class Left, class Right> struct walk<node<operation::add, Left, Right>> {
  static consteval void multiply(sums& into, chain& product, int position, int exponent) {
    product.times_sum(walk_sum<node<operation::add, Left, Right>>(into, position), exponent);
  }
  static consteval void push(sums& into, int position, bool negated) {
    push_term<Left>(into, position + 1, negated);
    push_term<Right>(into, position + 1 + parts<Left>::count, negated);
  }
};
template <class Left, class Right> struct walk<node<operation::subtract, Left, Right>> {
  static consteval void multiply(sums& into, chain& product, int position, int exponent) {
    product.times_sum(walk_sum<node<operation::subtract, Left, Right>>(into, position), exponent);
  }
  static consteval void push(sums& into, int position, bool negated) {
    push_term<Left>(into, position + 1, negated);
    push_term<Right>(into, position + 1 + parts<Left>::count, !negated);
  }
};
template <class Left, class Right> struct walk<node<operation::multiply, Left, Right>> {
  static consteval void push(sums& into, int position, bool negated) {
    push_as_product<node<operation::multiply, Left, Right>>(into, position, negated);
  }
  static consteval void multiply(sums& into, chain& product, int position, int exponent) {
    walk<Left>::multiply(into, product, position + 1, exponent);
    walk<Right>::multiply(into, product, position + 1 + parts<Left>::count, exponent);
  }
};
template <class Left, class Right> struct walk<node<operation::divide, Left, Right>> {
  static consteval void push(sums& into, int position, bool negated) {
    push_as_product<node<operation::divide, Left, Right>>(into, position, negated);
  }
  static consteval void multiply(sums& into, chain& product, int position, int exponent) {
    walk<Left>::multiply(into, product, position + 1, exponent);
    walk<Right>::multiply(into, product, position + 1 + parts<Left>::count, -exponent);
  }
};
template <int Exponent, class Base> struct walk<node<operation::whole_power<Exponent>, Base>> {
  static consteval void push(sums& into, int position, bool negated) {
    push_as_product<node<operation::whole_power<Exponent>, Base>>(into, position, negated);
  }
  static consteval void multiply(sums& into, chain& product, int position, int exponent) {
    walk<Base>::multiply(into, product, position + 1, exponent * Exponent);
  }
};

template <class... Operands> struct walk_operands {
  template <class Each> static consteval void push(sums& into, list<int>& result, int& position) {
    result.push(walk_sum<Each>(into, position));
    position += parts<Each>::count;
  }
  static consteval void push_all(sums& into, list<int>& result, int position) {
    ++position;
    (push<Operands>(into, result, position), ...);
  }
};

template <class Operation, class... Operands>
  requires std::same_as<Operation, operation::max> || std::same_as<Operation, operation::min>
struct walk<node<Operation, Operands...>> {
  static consteval void multiply(sums& into, chain& product, int position, int exponent) {
    product.times_sum(walk_sum<node<Operation, Operands...>>(into, position), exponent);
  }
  static consteval void push(sums& into, int position, bool negated) {
    list<int> operands(sizeof...(Operands));
    walk_operands<Operands...>::push_all(into, operands, position);
    into.push_max_or_min(std::same_as<Operation, operation::max> ? kind::max : kind::min, {negated ? -1 : 1, 1},
                         operands.item, operands.count);
  }
};
template <class Operand> struct walk<node<operation::positive_part, Operand>> {
  static consteval void multiply(sums& into, chain& product, int position, int exponent) {
    product.times_sum(walk_sum<node<operation::positive_part, Operand>>(into, position), exponent);
  }
  static consteval void push(sums& into, int position, bool negated) {
    into.push_positive_part({negated ? -1 : 1, 1}, walk_sum<Operand>(into, position + 1));
  }
};
template <class Condition, class Value, class Otherwise>
struct walk<node<operation::select, Condition, Value, Otherwise>> {
  static consteval void multiply(sums& into, chain& product, int position, int exponent) {
    product.times_sum(walk_sum<node<operation::select, Condition, Value, Otherwise>>(into, position), exponent);
  }
  static consteval void push(sums& into, int position, bool negated) {
    list<int> operands(3);
    walk_operands<Condition, Value, Otherwise>::push_all(into, operands, position);
    into.push_select({negated ? -1 : 1, 1}, operands.item[0], operands.item[1], operands.item[2]);
  }
};

/// A node that is one atom: something of simplified operands.
template <class Node, class Head>
consteval void push_opaque(sums& into, int position, bool negated, expr::sign sign, char const* name,
                           list<int>& operands) {
  atom const made = named_atom(kind::opaque, &identity<Head>, name, sign, dimension_of<Node>, position);
  into.push_product({negated ? -1 : 1, 1}, into.as_monomial(into.opaque_atom(made, operands.item, operands.count)));
}

template <class Type> consteval char const* name_of() {
  if constexpr (requires { static_cast<char const*>(Type::name); })
    return Type::name;
  else
    return nullptr;
}

template <class Operation, class... Operands> struct walk<node<Operation, Operands...>> {
  static consteval void multiply(sums& into, chain& product, int position, int exponent) {
    product.times_sum(walk_sum<node<Operation, Operands...>>(into, position), exponent);
  }
  static consteval void push(sums& into, int position, bool negated) {
    list<int> operands(sizeof...(Operands));
    walk_operands<Operands...>::push_all(into, operands, position);
    if constexpr (sizeof...(Operands) == 1)
      if (ratio value{}; into.is_constant(operands.item[0], value) && folds<Operation>(value)) {
        if (value.numerator != 0)
          into.push_product({negated ? -value.numerator : value.numerator, value.denominator}, 0);
        return;
      }
    push_opaque<node<Operation, Operands...>, head<Operation>>(
        into, position, negated, sign(into, operands, std::make_index_sequence<sizeof...(Operands)>{}),
        name_of<Operation>(), operands);
  }

 private:
  /// What the operation makes of the signs of the simplified operands, where that says more.
  template <std::size_t... Indices>
  static consteval expr::sign sign(sums& into, list<int> const& operands, std::index_sequence<Indices...>) {
    constexpr expr::sign known = node<Operation, Operands...>::sign;
    if constexpr (requires { Operation::sign_of(((void)Indices, known)...); })
      return expr::detail::stronger(known, Operation::sign_of(into.sign_of_sum(operands.item[Indices])...));
    else
      return known;
  }
  /// Replaces a number by what the operation makes of it, where that is a ratio.
  template <class> static consteval bool folds(ratio& value) {
    if constexpr (std::same_as<Operation, operation::floor> || std::same_as<Operation, operation::ceil>) {
      long long const whole = value.numerator / value.denominator, rest = value.numerator % value.denominator;
      value = {whole + (std::same_as<Operation, operation::ceil> ? rest > 0 : -(rest < 0)), 1};
      return true;
    } else if constexpr (std::same_as<Operation, operation::log2>) {
      bool const above = value.denominator == 1;
      if (!above && value.numerator != 1)
        return false;
      long long power = above ? value.numerator : value.denominator, exponent = 0;
      for (; power > 1 && power % 2 == 0; power /= 2)
        ++exponent;
      value = {above ? exponent : -exponent, 1};
      return power == 1;
    } else {
      return false;
    }
  }
};
template <class Tag, class... Operands> struct walk<call_node<Tag, Operands...>> {
  static consteval void multiply(sums& into, chain& product, int position, int exponent) {
    product.times_sum(walk_sum<call_node<Tag, Operands...>>(into, position), exponent);
  }
  static consteval void push(sums& into, int position, bool negated) {
    list<int> operands(sizeof...(Operands) + 1);
    walk_operands<Operands...>::push_all(into, operands, position);
    push_opaque<call_node<Tag, Operands...>, head<Tag>>(into, position, negated, Tag::sign, Tag::name, operands);
  }
};
/// In the body the name stands for something else than outside.
template <class Tag, class Value, class Body> struct walk<let_node<Tag, Value, Body>> {
  static consteval void multiply(sums& into, chain& product, int position, int exponent) {
    product.times_sum(walk_sum<let_node<Tag, Value, Body>>(into, position), exponent);
  }
  static consteval void push(sums& into, int position, bool negated) {
    list<int> operands(2);
    operands.push(walk_sum<Value>(into, position + 1));
    {
      bool hides = false;
      for (int index = 0; index < into.equations.symbols(); ++index)
        hides = hides || into.atoms.item[index].identity == &identity<symbol<Tag>>;
      equations_aside const aside{into.equations, hides};
      operands.push(walk_sum<Body>(into, position + 1 + parts<Value>::count));
    }
    push_opaque<let_node<Tag, Value, Body>, head<let_node<Tag, literal<0>, literal<0>>>>(
        into, position, negated, Body::sign, Tag::name, operands);
  }
};
/// Elements may bind any symbol.
template <class Node, class Head, class Body> struct walk_elements {
  static consteval void multiply(sums& into, chain& product, int position, int exponent) {
    product.times_sum(walk_sum<Node>(into, position), exponent);
  }
  static consteval void push(sums& into, int position, bool negated) {
    list<int> operands(1);
    {
      equations_aside const aside{into.equations};
      operands.push(walk_sum<Body>(into, position + 1));
    }
    push_opaque<Node, Head>(into, position, negated, Node::sign, name_of<Head>(), operands);
  }
};
template <class Scope, class Reduction, class Body>
struct walk<over_node<Scope, Reduction, Body>>
    : walk_elements<over_node<Scope, Reduction, Body>, head<Reduction, Scope>, Body> {};
template <class Scope, class Body>
struct walk<earlier_node<Scope, Body>> : walk_elements<earlier_node<Scope, Body>, head<Scope>, Body> {};

}  // namespace shardplan::expr::simplification
