#pragma once
#include <shardplan/model/matmul.hpp>

/// The ends of a language model: token embedding, final norm, output head and loss.
namespace shardplan::model {

namespace name {
struct token_embedding {
  static constexpr const char* value = "token embedding";
};
struct final_norm {
  static constexpr const char* value = "final norm";
};
struct output_head {
  static constexpr const char* value = "output head";
};
struct loss {
  static constexpr const char* value = "loss";
};
struct embedding_layer {
  static constexpr const char* value = "embedding";
};
struct head_layer {
  static constexpr const char* value = "head";
};
}  // namespace name

/// The token embedding, with learned positions where the family has them.
constexpr auto embedding_layer() {
  using namespace symbols;
  using namespace detail;
  return make_layer(name::embedding_layer{},
                    make_operation(name::token_embedding{}, backward_ratio<2>{}, traits<>{},
                                   make_term<role::parameter>(one, axes<axis::vocabulary, axis::hidden>{}),
                                   make_term<role::parameter>(one, axes<axis::position, axis::hidden>{}),
                                   make_term<kept_operand>(expr::byte * drop_h, stream{}),
                                   make_term<role::traffic>(two * e_a, stream{}),
                                   make_term<role::forward_sum<axis::vocabulary>>(e_a, stream{})));
}

/// The final norm, the projection onto the vocabulary and the loss.
constexpr auto head_layer() {
  using namespace symbols;
  using namespace detail;
  using logits = axes<axis::batch, axis::sequence, axis::vocabulary>;
  using matrix = axes<axis::hidden, axis::vocabulary>;
  return make_layer(
      name::head_layer{},
      make_operation(
          name::final_norm{}, backward_ratio<2>{}, traits<>{}, make_term<role::parameter>(v_n, axes<axis::hidden>{}),
          make_term<role::kept<reason::block_input>>(e_a, stream{}), make_term<role::traffic>(two * e_a, stream{}),
          make_term<role::backward_sum<axis::vocabulary>>(e_a, stream{})),
      make_operation(name::output_head{}, backward_ratio<2>{}, traits<>{},
                     make_term<role::parameter>(own_head, matrix{}), make_term<kept_operand>(e_a, stream{}),
                     make_term<role::half_precision_work>(two * expr::flop, tokens{} + matrix{}),
                     make_term<role::traffic>(e_a, stream{}), make_term<role::traffic>(e_a, logits{}),
                     make_term<role::traffic>(e_a, matrix{})),
      // Log-softmax and its gradient pass over the logits a few times, in fp32.
      make_operation(name::loss{}, backward_ratio<1>{}, traits<>{}, make_term<role::loss_buffer>(e_l, logits{}),
                     make_term<role::traffic>(e_l, logits{})));
}

}  // namespace shardplan::model
