#pragma once
#include <cstddef>
#include <limits>

#include <shardplan/cost/block.hpp>
#include <shardplan/expr/group.hpp>
#include <shardplan/expr/share.hpp>
#include <shardplan/model/decoder.hpp>
#include <shardplan/planner/columns.hpp>
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

/// The symbols of blocks that plans decide.
using plan_tags =
    expr::tag_list<model::tag::micro_batch, model::tag::vocabulary, strategy::tag::tensor_degree,
                   strategy::tag::sequence_degree, cost::tag::tensor_bandwidth, cost::tag::tensor_latency>;

/// Grouped by them.
template <class Expressions> constexpr auto grouped_by_plan(Expressions expressions) {
  return expr::group(expressions, plan_tags{});
}

consteval auto common_record() {
  using namespace expr::literals;
  using cost::of;
  using model::symbols::b;
  using model::symbols::V;
  using strategy::symbols::t;
  namespace ct = cost::tag;
  return grouped_by_plan(expr::make_record(
      define(of<tag::micro_batch_cut>, b / t), define(of<tag::micro_batch_cut_in_sequence>, b / strategy::symbols::t_s),
      define(of<tag::tensor_share>, 1_n / t), define(of<tag::vocabulary_cut>, V / t),
      define(of<tag::logit_rows_cut>, b * V / t), define(of<tag::tensor_steps_time>, of<ct::tensor_latency> * log2(t)),
      define(of<tag::tensor_wire_time>, b * (1_n - 1_n / t) / of<ct::tensor_bandwidth>)));
}
using common_values = expr::values_of<decltype(common_record())>;

/// Inputs of a block record for a block of configurations: what a plan changes from one to the next is a column.
template <class Number>
using block_columns_of =
    joined<with_columns_of<Number, block_environment, plan_tags>, as_columns<common_values, Number>>;
using block_columns = block_columns_of<double>;
using block_results = as_results<block_values>;

/// A block record as it is read in columns: what does not differ between plans comes first in every product, and what
/// blocks have in common is read once for all of them.
template <class... Entries> constexpr auto grouped(expr::record<Entries...> record) {
  return expr::share(grouped_by_plan(record), common_record());
}

namespace detail {

/// A layer under the strategies that act inside a layer, and strategies of a user's own.
template <class Mechanism, class Layer, class... Own> constexpr auto laid_out(Layer layer, Own... own) {
  return ((layer | strategy::tensor{} | strategy::sequence{}) | ... | own) | strategy::recompute<Mechanism>{};
}
/// The record of that. A type, so that no code is made of the functions that compose it.
template <class Mechanism, class Layer, class... Own>
using record_of = decltype(cost::block_record(laid_out<Mechanism>(Layer{}, Own{}...)));

template <class Mechanism, class Layer, class Environment>
constexpr block_values read_layer(Layer, Environment const& environment) {
  return expr::evaluate(record_of<Mechanism, Layer>{}, environment);
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

/// What anything of a kind that is not known costs: without end, so that no plan with it fits.
inline constexpr double unknown_cost = std::numeric_limits<double>::infinity();

constexpr block_values unknown_block() {
  block_values values;
  set_all(values, unknown_cost);
  return values;
}

/// The built-in decoder blocks, by kind of MLP. One record of a block serves all recomputation mechanisms.
template <class... Mlp> struct decoder_blocks {
  using mechanism = strategy::mechanism_values<decltype(model::decoder_block(Mlp{}, model::kernel::plain{}))...,
                                               decltype(model::decoder_block(Mlp{}, model::kernel::flash{}))...>;

  /// `Kind` is the place of the MLP in the list.
  static constexpr block_values read(std::size_t kind, recomputation again, attention_kernel kernel,
                                     block_environment const& environment) {
    mechanism const decided = detail::with_mechanism(
        again, []<class Mechanism>(Mechanism) { return strategy::values_of_mechanism<mechanism, Mechanism>::get(); });
    expr::scope const all{decided, environment};
    block_values values = unknown_block();
    detail::with_kernel(kernel, [&](auto kernel_kind) {
      std::size_t place = 0;
      ((place++ == kind ? static_cast<void>(values = detail::read_layer<strategy::chosen_mechanism>(
                                                model::decoder_block(Mlp{}, kernel_kind), all))
                        : void()),
       ...);
    });
    return values;
  }
};

/// Reads blocks of the built-in kinds; usable in constant expressions.
struct standard_blocks {
  // Templates, here and below, so that including this header instantiates no record.
  template <class Environment>
  constexpr block_values operator()(model::block_kind kind, recomputation again, attention_kernel kernel,
                                    Environment const& environment) const {
    return decoder_blocks<model::mlp::plain, model::mlp::gated>::read(static_cast<std::size_t>(kind), again, kernel,
                                                                      environment);
  }
};

/// The embedding and the head, which are never recomputed.
template <class Environment> constexpr block_values read_embedding(Environment const& environment) {
  return detail::read_layer<strategy::keep_everything>(model::embedding_layer(), environment);
}
template <class Environment> constexpr block_values read_head(Environment const& environment) {
  return detail::read_layer<strategy::keep_everything>(model::head_layer(), environment);
}
/// Both, for a block of configurations.
template <class Columns, class Results>
void read_ends(std::size_t count, Columns const& columns, Results const& embedding, Results const& head) {
  using none = strategy::keep_everything;
  using embedding_record = decltype(grouped(detail::record_of<none, decltype(model::embedding_layer())>{}));
  using head_record = decltype(grouped(detail::record_of<none, decltype(model::head_layer())>{}));
  evaluate_into(embedding_record{}, head_record{}, columns, count, embedding, head);
}

}  // namespace shardplan::planner
