#pragma once
#include <shardplan/model/operation.hpp>

namespace shardplan::model {

namespace detail {
using tokens = axes<axis::batch, axis::sequence>;
using stream = axes<axis::batch, axis::sequence, axis::hidden>;
using kept_operand = role::kept<reason::operand>;
using kept_listed_operand = role::kept<reason::operand, reason::listed>;

constexpr expr::literal<1> one{};
constexpr expr::literal<2> two{};
}  // namespace detail

/// As `matmul`, for other rows than tokens: `Rows` are the axes of what is multiplied.
template <class Name, class Traits, class Rows, class Input, class Output, expr::expression Bias, class... Terms>
constexpr auto matmul_of_rows(Name name, Traits traits, Rows rows, Input input, Output output, Bias bias,
                              Terms... terms) {
  using detail::one;
  using detail::two;
  using expr::flop;
  return make_operation(name, backward_ratio<2>{}, traits,                //
                        make_term<role::parameter>(one, input + output),  //
                        make_term<role::parameter>(bias, output),         //
                        make_term<role::matrix_work>(two * flop, rows + input + output),
                        make_term<role::traffic>(symbols::e_a, rows + input),
                        make_term<role::traffic>(symbols::e_a, rows + output),
                        make_term<role::traffic>(symbols::e_a, input + output), terms...);
}

/// A product with a weight matrix: `Input` axes are contracted, `Output` axes appear. `bias` is 1 or 0 (an expression).
/// Owns the matrix and the bias; 2 FLOP per weight and token; reads its input and the weights, writes its output.
/// More terms (what it keeps, what is summed) follow.
template <class Name, class Traits, class Input, class Output, expr::expression Bias, class... Terms>
constexpr auto matmul(Name name, Traits traits, Input input, Output output, Bias bias, Terms... terms) {
  return matmul_of_rows(name, traits, detail::tokens{}, input, output, bias, terms...);
}

}  // namespace shardplan::model
