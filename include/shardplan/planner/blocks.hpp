#pragma once
#include <limits>

#include <shardplan/cost/block.hpp>
#include <shardplan/model/decoder.hpp>
#include <shardplan/planner/environment.hpp>

/// The layer kinds that the planner knows at compile time, read by kind, kernel and recomputation.
namespace shardplan::planner {

/// What reading a block record gives; the same type for every layer kind.
using block_values =
    expr::environment<value<cost::tag::block_parameters>, value<cost::tag::block_largest_matrix>,
                      value<cost::tag::block_kept>, value<cost::tag::block_working>,
                      value<cost::tag::block_loss_buffer>, value<cost::tag::block_forward>,
                      value<cost::tag::block_backward>, value<cost::tag::block_recompute>,
                      value<cost::tag::block_forward_communication>, value<cost::tag::block_backward_communication>,
                      value<cost::tag::block_model_flop>, value<cost::tag::block_recomputed_flop>>;

/// Sets all values of an environment.
template <class... Bindings> constexpr void set_all(expr::environment<Bindings...>& environment, double number) {
  ((static_cast<Bindings&>(environment).value = number), ...);
}

namespace detail {

/// A layer under the strategies that act inside a layer.
template <class Mechanism, class Layer> constexpr auto laid_out(Layer layer) {
  return layer | strategy::tensor{} | strategy::sequence{} | strategy::recompute<Mechanism>{};
}

template <class Mechanism, class Layer>
constexpr block_values read_layer(Layer layer, block_environment const& environment) {
  return expr::evaluate(cost::block_record(laid_out<Mechanism>(layer)), environment);
}

/// Calls `visit` with the mechanism type that a value stands for.
template <class Visit> constexpr auto with_mechanism(recomputation choice, Visit visit) {
  switch (choice) {
  case recomputation::selective:
    return visit(strategy::attention_core_again{});
  case recomputation::operators:
    return visit(strategy::unlisted_operators_again{});
  case recomputation::full:
    return visit(strategy::block_again{});
  case recomputation::none:
    break;
  }
  return visit(strategy::keep_everything{});
}

/// Calls `visit` with the kernel type that a value stands for.
template <class Visit> constexpr auto with_kernel(attention_kernel choice, Visit visit) {
  if (choice == attention_kernel::plain)
    return visit(model::kernel::plain{});
  return visit(model::kernel::flash{});
}

}  // namespace detail

/// The built-in decoder blocks with an MLP of the given kind.
template <class Mlp> struct decoder_block_kind {
  /// The layer for a kernel; what tools that print formulas start from.
  template <class Kernel> static constexpr auto layer(Kernel kernel) { return model::decoder_block(Mlp{}, kernel); }
  static constexpr block_values read(recomputation again, attention_kernel kernel,
                                     block_environment const& environment) {
    return detail::with_kernel(kernel, [&](auto kernel_kind) {
      return detail::with_mechanism(again, [&]<class Mechanism>(Mechanism) {
        return detail::read_layer<Mechanism>(layer(kernel_kind), environment);
      });
    });
  }
};

/// What a kind that is not known costs: no number, so that no plan with it fits.
constexpr block_values unknown_block() {
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  block_values values;
  set_all(values, nan);
  return values;
}

/// Reads blocks of the built-in kinds; usable in constant expressions.
struct standard_blocks {
  // Templates, here and below, so that including this header instantiates no record.
  template <class Environment>
  constexpr block_values operator()(model::block_kind kind, recomputation again, attention_kernel kernel,
                                    Environment const& environment) const {
    if (kind == model::block_kind::plain_mlp)
      return decoder_block_kind<model::mlp::plain>::read(again, kernel, environment);
    if (kind == model::block_kind::gated_mlp)
      return decoder_block_kind<model::mlp::gated>::read(again, kernel, environment);
    return unknown_block();
  }
};

/// The embedding and the head, which are never recomputed.
template <class Environment> constexpr block_values read_embedding(Environment const& environment) {
  return detail::read_layer<strategy::keep_everything>(model::embedding_layer(), environment);
}
template <class Environment> constexpr block_values read_head(Environment const& environment) {
  return detail::read_layer<strategy::keep_everything>(model::head_layer(), environment);
}

}  // namespace shardplan::planner
