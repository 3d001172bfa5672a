#pragma once
#include <shardplan/expr/substitute.hpp>
#include <shardplan/planner/blocks.hpp>
#include <shardplan/planner/derived.hpp>
#include <shardplan/planner/stage_record.hpp>

/// The step time and the peak memory of a plan of equal layers as one expression each, in the symbols that a plan
/// chooses (t, p, d, b) and those that the job, the device and the framework give. This is what bounds over boxes of
/// plans are read from: nothing in between hides that m*b*d = B and t*p*d = N.
namespace shardplan::planner {

namespace tag {
struct layers : count_tag {
  static constexpr const char* name = "L";
  static constexpr const char* meaning = "layers of the model";
};
struct ends_counted : choice_tag {
  static constexpr const char* name = "x_ends";
  static constexpr const char* meaning = "1 if embedding and head count as a layer each where layers are cut";
};
}  // namespace tag

namespace detail {

/// A run whose layer count and costs are expressions.
template <class Count, class IsEnd, class BlockRecord> struct typed_run {
  template <class Each> static constexpr auto one(Each each) {
    constexpr auto self = expr::make_record(define(cost::of<tag::run_is_end>, IsEnd{}));
    return substitute(substitute(each, self), BlockRecord{});
  }
  template <class Each> static constexpr auto all(Each each) { return Count{} * one(each); }
};

/// Takes the place of `over_runs` where the runs of a stage are known as types.
template <class... Runs> struct typed_runs {
  template <class Each> static consteval auto sum(Each each) { return (Runs::all(each) + ...); }
  template <class Each> static consteval auto largest(Each each) {
    return max(expr::literal<0, 1, typename Each::dimension>{}, Runs::one(each)...);
  }
};

/// A stage that holds `Layers` blocks and, as 0 or 1, the embedding and the head.
template <class Block, class Embedding, class Head, class Layers, bool HoldsEmbedding, bool HoldsHead>
constexpr auto runs_of_role() {
  using one = expr::literal<1>;
  using inside = typed_run<Layers, expr::literal<0>, Block>;
  using embedding = typed_run<one, one, Embedding>;
  using head = typed_run<one, one, Head>;
  if constexpr (HoldsEmbedding && HoldsHead)
    return typed_runs<inside, embedding, head>{};
  else if constexpr (HoldsEmbedding)
    return typed_runs<inside, embedding>{};
  else if constexpr (HoldsHead)
    return typed_runs<inside, head>{};
  else
    return typed_runs<inside>{};
}

/// What follows from a plan's choices, in terms of them.
consteval auto choices_record() { return expr::inlined(derived_sequence()); }

/// A block record in terms of the plan's choices.
template <class Layer> constexpr auto chosen_block(Layer layer) {
  return expr::substitute(cost::block_record(laid_out<strategy::keep_everything>(layer)), choices_record());
}

/// All records of a stage in terms of the plan's choices.
template <class Block, class Embedding, class Head, bool HoldsEmbedding, bool HoldsHead, class Layers, class First,
          class Last>
constexpr auto role_record(Layers, First first, Last last) {
  constexpr auto one_if = []<bool Condition>(std::bool_constant<Condition>) {
    return expr::literal<Condition ? 1 : 0>{};
  };
  constexpr bool shares_embedding = HoldsEmbedding != HoldsHead;
  auto const place = expr::make_record(
      define(cost::of<tag::first_index>, first), define(cost::of<tag::last_index>, last),
      define(cost::of<cost::tag::stage_receives_forward>, one_if(std::bool_constant<!HoldsEmbedding>{})),
      define(cost::of<cost::tag::stage_receives_backward>, one_if(std::bool_constant<!HoldsHead>{})),
      define(cost::of<cost::tag::holds_tied_embedding>,
             one_if(std::bool_constant<shares_embedding>{}) * cost::of<cost::tag::holds_tied_embedding>));
  auto const of_stage = stage_sequence(runs_of_role<Block, Embedding, Head, Layers, HoldsEmbedding, HoldsHead>());
  return [&]<class... Records>(expr::sequence<Records...>) {
    return expr::inlined(expr::in_sequence(choices_record() + place, Records{}...));
  }(of_stage);
}

template <class Role, class Before, class After> constexpr auto bound_of(Role role, Before before, After after) {
  namespace st = schedule::tag;
  auto const at =
      expr::make_record(define(schedule::symbols::T_before, before), define(schedule::symbols::T_after, after),
                        define(schedule::symbols::f_i, expr::expression_of<st::forward>(role)),
                        define(schedule::symbols::b_i, expr::expression_of<st::backward>(role)),
                        define(schedule::symbols::w, expr::expression_of<st::in_flight>(role)));
  return substitute(schedule::one_forward_one_backward::step_bound(), choices_record() + at);
}
template <class Role> constexpr auto pass_of(Role role) {
  return expr::expression_of<schedule::tag::forward>(role) + expr::expression_of<schedule::tag::backward>(role);
}

}  // namespace detail

/// Step time (`tag::step_time`) and peak memory (`tag::highest_peak`) of plans without pipeline stages, for a block
/// record. Free symbols are those of the block, of `plan_inputs`, and L.
template <class... Entries> constexpr auto one_stage_record(expr::record<Entries...> of_block) {
  using namespace expr::literals;
  using block = decltype(expr::substitute(of_block, detail::choices_record()));
  using embedding = decltype(detail::chosen_block(model::embedding_layer()));
  using head = decltype(detail::chosen_block(model::head_layer()));
  constexpr auto only = detail::role_record<block, embedding, head, true, true>(cost::of<tag::layers>, 0_n, 0_n);
  constexpr auto zero = expr::literal<0, 1, unit::time_dimension>{};
  return expr::make_record(define(cost::of<tag::step_time>,
                                  detail::bound_of(only, zero, zero) + expr::expression_of<tag::end_of_step>(only)),
                           define(cost::of<tag::highest_peak>, expr::expression_of<cost::tag::peak_memory>(only)));
}

/// The same for two stages or more: the first, the last, and those between, all alike. Lower bounds of what the records
/// over all stages give, and equal to it from three stages on.
template <class... Entries> constexpr auto pipeline_bound_record(expr::record<Entries...> of_block) {
  using namespace expr::literals;
  using cost::of;
  using schedule::symbols::p;
  using block = decltype(expr::substitute(of_block, detail::choices_record()));
  using embedding = decltype(detail::chosen_block(model::embedding_layer()));
  using head = decltype(detail::chosen_block(model::head_layer()));
  constexpr auto inside_layers = (of<tag::layers> + 2_n * of<tag::ends_counted>) / p;
  constexpr auto end_layers = positive_part(inside_layers - of<tag::ends_counted>);
  constexpr auto first = detail::role_record<block, embedding, head, true, false>(end_layers, 0_n, 0_n);
  constexpr auto inside =
      detail::role_record<block, embedding, head, false, false>(inside_layers, 1_n, positive_part(p - 2_n));
  constexpr auto last = detail::role_record<block, embedding, head, false, true>(end_layers, p - 1_n, p - 1_n);
  constexpr auto zero = expr::literal<0, 1, unit::time_dimension>{};
  constexpr auto between = positive_part(p - 2_n) * detail::pass_of(inside);
  constexpr auto between_but_one = positive_part(p - 3_n) * detail::pass_of(inside);
  constexpr auto of_first = detail::bound_of(first, zero, between + detail::pass_of(last));
  constexpr auto of_inside = detail::bound_of(inside, detail::pass_of(first) + between_but_one, detail::pass_of(last));
  constexpr auto of_last = detail::bound_of(last, detail::pass_of(first) + between, zero);
  constexpr auto end = [](auto role) { return expr::expression_of<tag::end_of_step>(role); };
  constexpr auto peak = [](auto role) { return expr::expression_of<cost::tag::peak_memory>(role); };
  return expr::make_record(
      define(of<tag::step_time>, max(of_first, of_inside, of_last) + max(end(first), end(inside), end(last))),
      define(of<tag::highest_peak>, max(peak(first), peak(inside), peak(last))));
}

}  // namespace shardplan::planner
