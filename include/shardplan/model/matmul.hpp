#pragma once
#include <shardplan/model/operation.hpp>

namespace shardplan::model {

namespace detail {
using tokens = axes<axis::batch, axis::sequence>;
}  // namespace detail

/// A product with a weight matrix: `Input` axes are contracted, `Output` axes appear. `bias` is 1 or 0 (an expression).
/// Owns the matrix and the bias; 2 FLOP per weight and token; reads its input and the weights, writes its output.
/// More terms (what it keeps, what is summed) follow.
template <class Name, class Traits, class Input, class Output, expr::expression Bias, class... Terms>
constexpr auto matmul(Name name, Traits traits, Input input, Output output, Bias bias, Terms... terms) {
  using detail::tokens;
  using expr::flop;
  constexpr expr::literal<1> one{};
  constexpr expr::literal<2> two{};
  return make_operation(name, backward_ratio<2>{}, traits,                //
                        make_term<role::parameter>(one, input + output),  //
                        make_term<role::parameter>(bias, output),         //
                        make_term<role::matrix_work>(two * flop, tokens{} + input + output),
                        make_term<role::traffic>(symbols::e_a, tokens{} + input),
                        make_term<role::traffic>(symbols::e_a, tokens{} + output),
                        make_term<role::traffic>(symbols::e_a, input + output), terms...);
}

}  // namespace shardplan::model
