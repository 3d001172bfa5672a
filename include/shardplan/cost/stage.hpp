#pragma once
#include <shardplan/cost/block.hpp>
#include <shardplan/cost/memory.hpp>
#include <shardplan/strategy/data.hpp>

/// The record of one pipeline stage on one device: its memory by term, its peak, and the times that the schedule needs.
/// Inputs are the sums of its blocks' records and the byte policy; in-flight counts are a symbol that the schedule
/// gives.
namespace shardplan::cost {

/// In-flight micro-batches, given by the schedule.
namespace tag {
struct micro_batches_in_flight : symbol_tag<unit::count_dimension, sign::at_least_one> {
  static constexpr const char* name = "w";
  static constexpr const char* meaning = "micro-batches in flight on the stage";
};
}  // namespace tag

/// The memory terms of a stage and their lives.
using stage_memory = live_terms<live_term<tag::weights, phase::initialisation, phase::optimizer>,
                                live_term<tag::gradients, phase::initialisation, phase::optimizer>,
                                live_term<tag::optimizer_states, phase::initialisation, phase::optimizer>,
                                live_term<tag::buffers, phase::forward, phase::optimizer>,
                                live_term<tag::activations, phase::forward, phase::backward>,
                                live_term<tag::gathered_weights, phase::forward, phase::backward>,
                                live_term<tag::logits, phase::loss, phase::loss>,
                                live_term<tag::recomputed_activations, phase::backward, phase::backward>,
                                live_term<tag::weight_gradient, phase::backward, phase::backward>>;

/// Model states by ZeRO: each item's bytes over the devices that share it out. Without ZeRO in the layout nothing is
/// shared.
template <class Layer, class... Strategies> constexpr auto stage_memory_record(strategy::layout<Layer, Strategies...>) {
  constexpr bool shared = strategy::layout<Layer, Strategies...>::template has<strategy::zero>;
  auto const share = [](auto bytes, auto shards) {
    if constexpr (shared)
      return of<tag::stage_parameters> * (bytes / shards);
    else
      return of<tag::stage_parameters> * bytes;
  };
  return expr::make_record(
      define(of<tag::weights>, share(of<tag::weight_bytes>, of<tag::weight_shards>)),
      define(of<tag::gradients>, share(of<tag::gradient_bytes>, of<tag::gradient_shards>)),
      define(of<tag::optimizer_states>, share(of<tag::optimizer_bytes>, of<tag::optimizer_shards>)),
      define(of<tag::activations>, of<tag::micro_batches_in_flight> * of<tag::stage_kept>),
      define(of<tag::recomputed_activations>, of<tag::stage_recomputed>),
      define(of<tag::logits>, of<tag::stage_logits>),
      define(of<tag::gathered_weights>, of<tag::stage_gathered_parameters> * of<tag::gathered_bytes>),
      define(of<tag::weight_gradient>, of<tag::stage_largest_matrix> * of<tag::weight_gradient_bytes>),
      define(of<tag::buffers>, of<tag::communication_buffer>));
}

/// What follows from the memory terms.
consteval auto stage_peak_record() {
  return expr::make_record(
      define(of<tag::static_memory>, of<tag::weights> + of<tag::gradients> + of<tag::optimizer_states>),
      define(of<tag::peak_memory>, peak_of(stage_memory{})));
}

/// Times that are the same for all stages of a plan: of a message between stages, and of the end of a step per
/// parameter and per layer.
///
/// Data-parallel communication: n_red reductions of gradients and n_ag gathers of parameters a step (one and one for
/// plain data parallelism, an all-reduce being both, and for ZeRO 1; every micro-batch reduces from ZeRO 2 on and
/// gathers twice for ZeRO 3).
template <class Layer, class... Strategies> constexpr auto shared_time_record(strategy::layout<Layer, Strategies...>) {
  using namespace model::symbols;
  using layout = strategy::layout<Layer, Strategies...>;
  constexpr expr::literal<0, 1, unit::time_dimension> no_time{};
  constexpr auto message = [] {
    if constexpr (layout::template has<strategy::sequence>)
      return e_a * b * s * h / strategy::symbols::t_s;
    else
      return e_a * b * s * h;
  }();
  constexpr auto hop = [=] {
    if constexpr (layout::template has<strategy::pipeline>)
      return point_to_point_time(message, of<tag::pipeline_latency>, of<tag::pipeline_bandwidth>);
    else
      return no_time;
  }();
  constexpr auto per_parameter = [=] {
    if constexpr (layout::template has<strategy::data>)
      return all_gather_volume(strategy::symbols::d) *
             (of<tag::reductions_per_step> * of<tag::reduced_bytes> +
              of<tag::gathers_per_step> * of<tag::gathered_wire_bytes>) /
             of<tag::data_bandwidth>;
    else
      return no_time;
  }();
  constexpr auto per_layer = [=] {
    if constexpr (layout::template has<strategy::data>)
      return (of<tag::reductions_per_step> + of<tag::gathers_per_step>)*of<tag::data_latency> *
             log2(strategy::symbols::d);
    else
      return no_time;
  }();
  constexpr auto optimizer_bytes = [=] {
    if constexpr (layout::template has<strategy::zero>)
      return of<tag::optimizer_traffic> / of<tag::optimizer_shards>;
    else
      return of<tag::optimizer_traffic>;
  }();
  return expr::make_record(define(of<tag::hop_time>, hop), define(of<tag::data_time_per_parameter>, per_parameter),
                           define(of<tag::data_time_per_layer>, per_layer),
                           define(of<tag::optimizer_time_per_parameter>, optimizer_bytes / of<tag::memory_bandwidth>),
                           define(of<tag::tied_exchange_time>,
                                  all_reduce_time(of<tag::tied_parameters> * of<tag::reduced_bytes>, expr::literal<2>{},
                                                  of<tag::pipeline_latency>, of<tag::pipeline_bandwidth>)));
}

/// Times of one micro-batch on a stage, and of the data-parallel communication and the optimizer at the end of the
/// step.
consteval auto stage_time_record() {
  return expr::make_record(
      define(of<tag::forward_time>, of<tag::stage_forward_compute> + of<tag::stage_forward_communication> +
                                        of<tag::stage_receives_forward> * of<tag::hop_time>),
      define(of<tag::backward_time>, of<tag::stage_backward_compute> + of<tag::stage_recompute> +
                                         of<tag::stage_backward_communication> +
                                         of<tag::stage_receives_backward> * of<tag::hop_time>),
      define(of<tag::data_communication>, of<tag::stage_parameters> * of<tag::data_time_per_parameter> +
                                              of<tag::stage_layers> * of<tag::data_time_per_layer>),
      define(of<tag::tied_embedding_time>, of<tag::holds_tied_embedding> * of<tag::tied_exchange_time>),
      define(of<tag::optimizer_time>, of<tag::stage_parameters> * of<tag::optimizer_time_per_parameter>));
}

/// What follows from the times. Data-parallel communication is hidden behind the passes that it belongs to - reductions
/// behind backward passes, n_agf of the gathers behind forward passes - except for the share of one layer, which has
/// nothing to hide behind.
consteval auto stage_exposed_record() {
  return expr::make_record(
      define(of<tag::exposed_data_communication>,
             max(of<tag::data_communication> / of<tag::stage_layers>,
                 of<tag::data_communication> -
                     of<tag::data_overlap> * (of<tag::reductions_per_step> * of<tag::backward_time> +
                                              of<tag::forward_gathers_per_step> * of<tag::forward_time>))));
}

}  // namespace shardplan::cost
