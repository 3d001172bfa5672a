#pragma once
#include <boost/hana/tuple.hpp>

#include <shardplan/expr/number.hpp>
#include <shardplan/model/kinds.hpp>
#include <shardplan/model/shape_values.hpp>

/// Parameters and FLOP of whole models, read from the terms of their layers: no device, no strategy. Usable in constant
/// expressions.
namespace shardplan::model {

/// What a layer, or a model, owns and computes.
struct layer_counts {
  /// Exact below 2^53.
  double parameters = 0;
  /// Those that a token meets: of a term that extends over experts, k of the E parts.
  double active_parameters = 0;
  /// Matrix FLOP of the forward pass of one sequence.
  double forward_flop = 0;

  constexpr layer_counts& operator+=(layer_counts const& other) {
    parameters += other.parameters;
    active_parameters += other.active_parameters;
    forward_flop += other.forward_flop;
    return *this;
  }
  friend constexpr layer_counts operator*(double count, layer_counts const& one) {
    return {count * one.parameters, count * one.active_parameters, count * one.forward_flop};
  }
  friend constexpr bool operator==(layer_counts const&, layer_counts const&) = default;
};

namespace detail {

template <class... Axes> inline constexpr bool over_experts = (std::same_as<Axes, axis::expert> || ...);

template <class Traits> inline constexpr bool in_attention_core = false;
template <class... Each>
inline constexpr bool in_attention_core<traits<Each...>> = (std::same_as<Each, trait::attention_core> || ...);

/// Adds a term of an operation with these traits.
template <class Traits, class Role, class Coefficient, class... Axes, class Values>
constexpr void count_term(term<Role, Coefficient, Axes...>, Values const& values, layer_counts& counts) {
  constexpr bool product = std::same_as<Role, role::matrix_work> || std::same_as<Role, role::half_precision_work>;
  if constexpr (std::same_as<Role, role::parameter>) {
    double const owned = expr::evaluate((Coefficient{} * ... * Axes::extent), values).value;
    counts.parameters += owned;
    if constexpr (over_experts<Axes...>)
      counts.active_parameters +=
          owned / expr::value_of<tag::experts>(values) * expr::value_of<tag::experts_per_token>(values);
    else
      counts.active_parameters += owned;
  } else if constexpr (std::same_as<Role, role::counted_attention_work> || (product && !in_attention_core<Traits>)) {
    counts.forward_flop += expr::evaluate((Coefficient{} * ... * Axes::extent), values).value;
  }
}

template <class Traits, class... Terms, class Values>
constexpr void count_terms(boost::hana::tuple<Terms...> const&, Values const& values, layer_counts& counts) {
  (count_term<Traits>(Terms{}, values, counts), ...);
}
template <class... Operations, class Values>
constexpr void count_operations(boost::hana::tuple<Operations...> const&, Values const& values, layer_counts& counts) {
  (count_terms<typename Operations::traits>(Operations::terms, values, counts), ...);
}

}  // namespace detail

/// Counts of one layer. `values` binds the symbols that its parameters and work are made of.
template <layer_description Layer, class Values> constexpr layer_counts counts_of(Layer, Values const& values) {
  layer_counts counts;
  detail::count_operations(Layer::operations, values, counts);
  return counts;
}

/// Counts of one block of a built-in kind; zero for other kinds.
template <class Model>
constexpr layer_counts counts_of_block(Model const& model, block_shape const& shape, double sequence_length,
                                       bool causal = false) {
  layer_counts counts;
  auto const values = values_of_shape(model, shape, sequence_length, causal);
  with_block(shape.kind, kernel::flash{}, [&](auto layer) { counts = counts_of(layer, values); });
  return counts;
}

/// Counts of the layer before the blocks, the one after them, and the norm of an encoder that a decoder reads (nothing
/// in models of one stack).
template <class Model> constexpr layer_counts counts_of_input(Model const& model, double sequence_length) {
  layer_counts counts;
  auto const values = values_of_shape(model, model.shapes[0], sequence_length);
  with_input(model.input, [&](auto layer) { counts = counts_of(layer, values); });
  return counts;
}
template <class Model> constexpr layer_counts counts_of_output(Model const& model, double sequence_length) {
  layer_counts counts;
  auto const values = values_of_shape(model, model.shapes[0], sequence_length);
  with_output(model.output, [&](auto layer) { counts = counts_of(layer, values); });
  return counts;
}
template <class Model> constexpr layer_counts counts_of_encoder_norm(Model const& model, double sequence_length) {
  if (model.encoder_layers == 0)
    return {};
  return counts_of(encoder_norm_layer(), values_of_shape(model, model.shapes[0], sequence_length));
}

/// Counts of a whole model: embeddings once where they are tied, nothing padded. FLOP are those of one sequence.
template <class Model>
constexpr layer_counts counts_of_model(Model const& model, double sequence_length = 1, bool causal = false) {
  layer_counts total = counts_of_input(model, sequence_length);
  for (auto const& run : model.runs)
    total += static_cast<double>(run.count) *
             counts_of_block(model, model.shapes[static_cast<std::size_t>(run.shape)], sequence_length, causal);
  total += counts_of_encoder_norm(model, sequence_length);
  total += counts_of_output(model, sequence_length);
  return total;
}

}  // namespace shardplan::model
