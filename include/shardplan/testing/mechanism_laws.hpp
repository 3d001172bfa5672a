#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include <shardplan/model/decoder.hpp>
#include <shardplan/testing/random_values.hpp>
#include <shardplan/testing/record_laws.hpp>

/// Laws of recomputation mechanisms, for types of one's own.
namespace shardplan::testing {

namespace detail {

/// One more reason to keep a tensor gives up nothing.
template <class Mechanism, class... Reasons> struct more_reasons_keep_more {
  template <class One> static constexpr bool beside() {
    return ((!Mechanism::template keeps<One> ||
             (Mechanism::template keeps<One, Reasons> && Mechanism::template keeps<Reasons, One>)) &&
            ...);
  }
  static constexpr bool value = (beside<Reasons>() && ...);
};

}  // namespace detail

/// The broken laws of a recomputation mechanism on `layer`:
/// - the input of a block is kept, as nothing can be recomputed without it;
/// - a tensor that is kept for one reason is kept if there is another, too;
/// - what it keeps and what comes back are together no less than the backward pass needs;
/// - what it gives up is computed again: where something comes back, time is spent;
/// - it repeats no more than the forward pass.
template <strategy::recomputation_mechanism Mechanism, model::layer_description Layer, class... Bindings>
std::vector<std::string> broken_laws_of_mechanism(Mechanism, Layer layer,
                                                  expr::environment<Bindings...> const& own = {}, int points = 16) {
  namespace ct = cost::tag;
  namespace reason = model::reason;
  broken_laws broken;
  broken.expect(Mechanism::template keeps<reason::block_input>, "a mechanism keeps the input of a block",
                [] { return std::string("it keeps no tensor with the reason block_input"); });
  broken.expect(detail::more_reasons_keep_more<Mechanism, reason::block_input, reason::operand, reason::score,
                                               reason::listed>::value,
                "a tensor that is kept for one reason is kept if there is another", [] {
                  return std::string(
                      "it keeps tensors with one of block_input, operand, score and listed, but not with two");
                });
  auto const kept_all = cost::block_record(layer | strategy::recompute<strategy::keep_everything>{});
  auto const with = cost::block_record(layer | strategy::recompute<Mechanism>{});
  for (int point = 0; point < points; ++point) {
    random_values const values{static_cast<std::uint64_t>(point)};
    expr::scope const all{own, values};
    auto const everything = detail::values_at(kept_all, all), found = detail::values_at(with, all);
    auto const of = [&]<class Tag>(expr::symbol<Tag>) { return expr::value_of<Tag>(found); };
    detail::expect_at_most(broken, "what is kept and what comes back are all that is needed", "needed",
                           expr::value_of<ct::block_kept>(everything),
                           of(cost::of<ct::block_kept>) + of(cost::of<ct::block_working>));
    broken.expect(!(of(cost::of<ct::block_working>) > 0) || of(cost::of<ct::block_recompute>) > 0,
                  "what is given up is computed again", [&] {
                    return unit::number_text(of(cost::of<ct::block_working>)) + " B come back and nothing runs again";
                  });
    detail::expect_at_most(broken, "no more is repeated than the forward pass", ct::block_recompute::name,
                           of(cost::of<ct::block_recompute>),
                           of(cost::of<ct::block_forward>) + of(cost::of<ct::block_forward_communication>));
  }
  return broken.take();
}
/// The same, on a decoder block that keeps its attention scores.
template <strategy::recomputation_mechanism Mechanism>
std::vector<std::string> broken_laws_of_mechanism(Mechanism mechanism) {
  return broken_laws_of_mechanism(mechanism, model::decoder_block(model::mlp::gated{}, model::kernel::plain{}));
}

}  // namespace shardplan::testing
