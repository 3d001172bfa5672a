#pragma once
#include <boost/hana/tuple.hpp>

#include <shardplan/model/term.hpp>

namespace shardplan::model {

/// What sets operations apart when a recomputation mechanism decides which of them to run again.
namespace trait {
/// Part of the attention core: scores, softmax, and the product with the values.
struct attention_core {};
/// Its result is on torchtitan's list of saved operators.
struct listed {};
}  // namespace trait

/// The work of a backward pass over the work of the forward pass.
template <long long Numerator, long long Denominator = 1> using backward_ratio = expr::literal<Numerator, Denominator>;

/// An operation: its name, the ratio of backward to forward work, its traits and its terms.
template <class Name, class BackwardRatio, class Traits, class... Terms> struct operation {
  using name = Name;
  using backward = BackwardRatio;
  using traits = Traits;
  static constexpr boost::hana::tuple<Terms...> terms{};
};

/// A list of traits.
template <class... Traits> struct traits {};

template <class Name, class BackwardRatio, class Traits, class... Terms>
constexpr operation<Name, BackwardRatio, Traits, Terms...> make_operation(Name, BackwardRatio, Traits, Terms...) {
  return {};
}

/// A layer: its name and its operations, a Hana tuple.
template <class Name, class... Operations> struct layer {
  using name = Name;
  static constexpr boost::hana::tuple<Operations...> operations{};
};

template <class Name, class... Operations> constexpr layer<Name, Operations...> make_layer(Name, Operations...) {
  return {};
}

namespace detail {
template <class Name, class... Operations, class... More>
constexpr layer<Name, Operations..., More...> extended(boost::hana::tuple<Operations...> const&, More...) {
  return {};
}
}  // namespace detail

/// Something with a name and a tuple of operations.
template <class Type>
concept layer_description = requires {
  { Type::name::value } -> std::convertible_to<const char*>;
  Type::operations;
};

/// A layer with more operations, under a new name.
template <class Name, layer_description Layer, class... More> constexpr auto extend_layer(Name, Layer, More... more) {
  return detail::extended<Name>(Layer::operations, more...);
}

}  // namespace shardplan::model
