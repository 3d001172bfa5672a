#pragma once
#include <shardplan/expr/operators.hpp>
#include <shardplan/model/axis.hpp>

/// Terms: what an operation owns, keeps, computes and moves. The amount of a term is its coefficient times the extents
/// of its axes; a strategy that cuts one of these axes divides it.
namespace shardplan::model {

/// What a term is. The role fixes the dimension of its coefficient.
namespace role {
/// Parameters, counted.
struct parameter {
  using dimension = unit::count_dimension;
};
/// A tensor kept from the forward to the backward pass, in bytes. `Reasons` say who keeps it, see `reason`.
template <class... Reasons> struct kept {
  using dimension = unit::byte_dimension;
};
/// Work of the matrix engine in the forward pass, in FLOP.
struct matrix_work {
  using dimension = unit::flop_dimension;
};
/// As `matrix_work`, of products that stay in 16 bits where the others are fp8: attention scores and the output head.
struct half_precision_work {
  using dimension = unit::flop_dimension;
};
/// Work of the attention kernel in the forward pass, in FLOP: as computed, and as the FLOP convention counts it.
struct attention_work {
  using dimension = unit::flop_dimension;
};
struct counted_attention_work {
  using dimension = unit::flop_dimension;
};
/// Bytes that the forward pass moves through device memory.
struct traffic {
  using dimension = unit::byte_dimension;
};
/// A buffer that lives while the loss is computed, in bytes.
struct loss_buffer {
  using dimension = unit::byte_dimension;
};
/// A tensor that is a sum over the axes `Over`: where one of them is cut, the parts must be added up between devices.
/// Forward: the output of an operation. Backward: the gradient of its input.
template <class... Over> struct forward_sum {
  using dimension = unit::byte_dimension;
};
template <class... Over> struct backward_sum {
  using dimension = unit::byte_dimension;
};
}  // namespace role

/// Why a tensor is kept for the backward pass. A recomputation mechanism keeps the tensors of some reasons.
namespace reason {
/// It enters the block: without it nothing can be recomputed.
struct block_input {};
/// An operation needs it to compute its gradient.
struct operand {};
/// As `operand`, inside the attention scores: the large tensors that Megatron's selective recomputation gives up.
struct score {};
/// It is on the list of torchtitan's per-operator recomputation: the attention output and every second matrix product.
struct listed {};
}  // namespace reason

template <class Role, expr::expression Coefficient, named_axis... Axes> struct term {
  static_assert(
      std::same_as<typename Role::dimension, typename Coefficient::dimension>,
      "term: the coefficient must have the dimension of the role (parameters: count, kept: bytes, work: FLOP)");
  using role = Role;
  using coefficient = Coefficient;
  using axis_list = axes<Axes...>;
};

/// The term of a role: `make_term<role::traffic>(2_n * e_a, axes<batch, sequence, hidden>{})`.
template <class Role, expr::expression Coefficient, named_axis... Axes>
constexpr term<Role, Coefficient, Axes...> make_term(Coefficient, axes<Axes...>) {
  return {};
}

}  // namespace shardplan::model
