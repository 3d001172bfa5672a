#pragma once
#include <boost/hana/concat.hpp>
#include <boost/hana/unpack.hpp>

#include <shardplan/model/attention.hpp>
#include <shardplan/model/mlp.hpp>

/// Blocks composed of a kind of attention and a kind of feed-forward layer.
namespace shardplan::model {

namespace name {
struct post_norm {
  static constexpr const char* value = "norms after attention and MLP";
};
struct decoder_block {
  static constexpr const char* value = "decoder block";
};
}  // namespace name

namespace detail {
constexpr auto post_norm() {
  using namespace symbols;
  return make_operation(name::post_norm{}, backward_ratio<2>{}, traits<>{},
                        make_term<role::parameter>(n_post * v_n, axes<axis::hidden>{}),
                        make_term<kept_operand>(e_a * n_post, stream{}),
                        make_term<role::traffic>(two * e_a * n_post, stream{}));
}
}  // namespace detail

/// A transformer block: attention, then a feed-forward layer, each with a norm and its result added to the residual
/// stream. Where the norms stand after the sums instead (BERT) the same tensors are kept and the same work is done.
template <class Attention, class Mlp, class Kernel>
constexpr auto transformer_block(Attention attention_kind, Mlp mlp_kind, Kernel kernel_kind) {
  namespace hana = boost::hana;
  auto const first = hana::concat(attention_kind.operations(kernel_kind), hana::make_tuple(detail::mlp_norm(mlp_kind)));
  auto const second = hana::concat(mlp_kind.operations(), hana::make_tuple(detail::post_norm()));
  return hana::unpack(hana::concat(first, second),
                      [](auto... operations) { return make_layer(name::decoder_block{}, operations...); });
}

}  // namespace shardplan::model
