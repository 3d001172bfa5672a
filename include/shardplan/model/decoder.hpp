#pragma once
#include <boost/hana/concat.hpp>
#include <boost/hana/unpack.hpp>

#include <shardplan/model/matmul.hpp>

/// The layers of a dense decoder: embedding, block, head. The lists of kept tensors are those of Korthikanti et al.
/// 2022 (arXiv 2205.05198, section 4.1) for the block with plain attention, dropout and a plain MLP: 34 sbh + 5 a s^2 b
/// bytes; grouped key/value heads, fused attention, gated MLPs and blocks without dropout follow by counting their
/// tensors.
namespace shardplan::model {

namespace name {
struct attention_norm {
  static constexpr const char* value = "attention norm";
};
struct query {
  static constexpr const char* value = "query projection";
};
struct key {
  static constexpr const char* value = "key projection";
};
struct value_projection {
  static constexpr const char* value = "value projection";
};
struct head_preparation {
  static constexpr const char* value = "rotary embedding and head norms";
};
struct attention {
  static constexpr const char* value = "attention core";
};
struct attention_output {
  static constexpr const char* value = "attention output projection";
};
struct residual {
  static constexpr const char* value = "residual and dropout";
};
struct mlp_norm {
  static constexpr const char* value = "MLP norm";
};
struct gate {
  static constexpr const char* value = "gate projection";
};
struct up {
  static constexpr const char* value = "up projection";
};
struct activation {
  static constexpr const char* value = "activation function";
};
struct down {
  static constexpr const char* value = "down projection";
};
struct post_norm {
  static constexpr const char* value = "norms after attention and MLP";
};
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
struct decoder_block {
  static constexpr const char* value = "decoder block";
};
struct head_layer {
  static constexpr const char* value = "head";
};
}  // namespace name

/// The attention kernel, a kind.
namespace kernel {
/// Fused attention that never writes the scores (FlashAttention): keeps four bytes of softmax statistics per query and
/// head, computes only the pairs that a causal mask or window leaves, and runs 2.5 forward passes of work backward
/// (Dao 2023, arXiv 2307.08691: five products backward, two forward).
struct flash {};
/// Attention that writes the scores, with a fused scale-mask-softmax kernel.
struct plain {};
}  // namespace kernel

/// The MLP, a kind.
namespace mlp {
/// Two projections with an activation between (GELU, ReLU).
struct plain {};
/// Three projections, the activation of one gates another (SwiGLU, GeGLU).
struct gated {};
}  // namespace mlp

namespace detail {
using query_heads = axes<axis::head, axis::head_dimension>;
using key_value_heads = axes<axis::key_value_head, axis::head_dimension>;
using stream = axes<axis::batch, axis::sequence, axis::hidden>;
using kept_operand = role::kept<reason::operand>;
using kept_listed_operand = role::kept<reason::operand, reason::listed>;

constexpr expr::literal<1> one{};
constexpr expr::literal<2> two{};

/// Query, key and value are kept by the attention core. Torchtitan's list saves the first and third product.
constexpr auto attention_core(kernel::flash) {
  using namespace symbols;
  constexpr expr::literal<4> four{};
  return make_operation(name::attention{}, backward_ratio<5, 2>{}, traits<trait::attention_core, trait::listed>{},
                        make_term<kept_listed_operand>(e_a, tokens{} + query_heads{}),
                        make_term<kept_operand>(e_a, tokens{} + key_value_heads{}),
                        make_term<kept_listed_operand>(e_a, tokens{} + key_value_heads{}),
                        make_term<kept_listed_operand>(four * expr::byte, tokens{} + axes<axis::head>{}),
                        make_term<role::attention_work>(four * expr::flop * k_c, tokens{} + query_heads{}),
                        make_term<role::counted_attention_work>(four * expr::flop * k_m, tokens{} + query_heads{}),
                        make_term<role::traffic>(two * e_a, tokens{} + query_heads{}),
                        make_term<role::traffic>(two * e_a, tokens{} + key_value_heads{}));
}

constexpr auto attention_core(kernel::plain) {
  using namespace symbols;
  using scores = axes<axis::batch, axis::head, axis::sequence, axis::score>;
  constexpr expr::literal<4> four{};
  constexpr expr::literal<6> passes{};
  // Torchtitan's list holds fused attention only: by operator list this core runs again.
  return make_operation(
      name::attention{}, backward_ratio<2>{}, traits<trait::attention_core>{},
      make_term<kept_listed_operand>(e_a, tokens{} + query_heads{}),
      make_term<kept_operand>(e_a, tokens{} + key_value_heads{}),
      make_term<kept_listed_operand>(e_a, tokens{} + key_value_heads{}),
      // softmax output; with dropout its mask (one byte) and its output
      make_term<role::kept<reason::score>>(e_a, scores{}),
      make_term<role::kept<reason::score>>(expr::byte * drop_a, scores{}),
      make_term<role::kept<reason::score>>(e_a * drop_a, scores{}),
      make_term<role::half_precision_work>(four * expr::flop, scores{} + axes<axis::head_dimension>{}),
      make_term<role::counted_attention_work>(four * expr::flop * k_m, tokens{} + query_heads{}),
      make_term<role::traffic>(passes * e_a, scores{}));
}

constexpr auto mlp_operations(mlp::plain) {
  using namespace symbols;
  using ffn = axes<axis::feed_forward>;
  using hidden = axes<axis::hidden>;
  return boost::hana::make_tuple(matmul(name::up{}, traits<trait::listed>{}, hidden{}, ffn{}, bias_mlp),
                                 make_operation(name::activation{}, backward_ratio<2>{}, traits<>{},
                                                make_term<kept_listed_operand>(e_a, tokens{} + ffn{}),
                                                make_term<role::traffic>(two * e_a, tokens{} + ffn{})),
                                 matmul(name::down{}, traits<>{}, ffn{}, hidden{}, bias_mlp,
                                        make_term<kept_operand>(e_a, tokens{} + ffn{}),
                                        make_term<role::forward_sum<axis::feed_forward>>(e_a, stream{})));
}

constexpr auto mlp_operations(mlp::gated) {
  using namespace symbols;
  using ffn = axes<axis::feed_forward>;
  using hidden = axes<axis::hidden>;
  constexpr expr::literal<3> three{};
  return boost::hana::make_tuple(matmul(name::gate{}, traits<trait::listed>{}, hidden{}, ffn{}, bias_mlp),
                                 matmul(name::up{}, traits<>{}, hidden{}, ffn{}, bias_mlp),
                                 make_operation(name::activation{}, backward_ratio<2>{}, traits<>{},
                                                make_term<kept_listed_operand>(e_a, tokens{} + ffn{}),
                                                make_term<kept_operand>(e_a, tokens{} + ffn{}),
                                                make_term<role::traffic>(three * e_a, tokens{} + ffn{})),
                                 matmul(name::down{}, traits<trait::listed>{}, ffn{}, hidden{}, bias_mlp,
                                        make_term<kept_operand>(e_a, tokens{} + ffn{}),
                                        // On torchtitan's list, though no operation needs it.
                                        make_term<role::kept<reason::listed>>(e_a, stream{}),
                                        make_term<role::forward_sum<axis::feed_forward>>(e_a, stream{})));
}

}  // namespace detail

/// A transformer block: attention and MLP, each with a norm before it and its result added to the residual stream.
template <class Mlp, class Kernel> constexpr auto decoder_block(Mlp mlp_kind, Kernel kernel_kind) {
  using namespace symbols;
  using namespace detail;
  using hidden = axes<axis::hidden>;
  constexpr expr::literal<4> four{};

  auto const attention = boost::hana::make_tuple(
      make_operation(name::attention_norm{}, backward_ratio<2>{}, traits<>{}, make_term<role::parameter>(v_n, hidden{}),
                     make_term<role::kept<reason::block_input>>(e_a, stream{}),
                     make_term<role::traffic>(two * e_a, stream{}),
                     // the gradient of its output is the sum of those of the projections
                     make_term<role::backward_sum<axis::head>>(e_a, stream{})),
      // the norm's output, which the three projections share
      matmul(name::query{}, traits<trait::listed>{}, hidden{}, query_heads{}, bias_qkv,
             make_term<kept_operand>(e_a, stream{})),
      matmul(name::key{}, traits<>{}, hidden{}, key_value_heads{}, bias_qkv),
      matmul(name::value_projection{}, traits<trait::listed>{}, hidden{}, key_value_heads{}, bias_qkv),
      make_operation(name::head_preparation{}, backward_ratio<2>{}, traits<>{},
                     make_term<role::parameter>(n_qk * two, axes<axis::head_dimension>{}),
                     // norms on heads keep their inputs
                     make_term<kept_operand>(e_a * n_qk, tokens{} + query_heads{}),
                     make_term<kept_operand>(e_a * n_qk, tokens{} + key_value_heads{}),
                     make_term<role::traffic>(two * e_a, tokens{} + query_heads{}),
                     make_term<role::traffic>(two * e_a, tokens{} + key_value_heads{})),
      attention_core(kernel_kind),
      matmul(name::attention_output{}, traits<>{}, query_heads{}, hidden{}, bias_o,
             make_term<kept_listed_operand>(e_a, tokens{} + query_heads{}),
             // where attention and MLP run side by side their outputs are added before the sum over devices
             make_term<role::forward_sum<axis::head>>(e_a * seq_res, stream{})),
      make_operation(name::residual{}, backward_ratio<2>{}, traits<>{},
                     make_term<kept_operand>(two * expr::byte * drop_h, stream{}),
                     make_term<role::traffic>((four + two) * e_a, stream{})),
      make_operation(name::mlp_norm{}, backward_ratio<2>{}, traits<>{},
                     make_term<role::parameter>(n_mlp * v_n, hidden{}),
                     make_term<kept_operand>(e_a * seq_res, stream{}), make_term<kept_operand>(e_a * n_mlp, stream{}),
                     make_term<role::traffic>(two * e_a * n_mlp, stream{}),
                     make_term<role::backward_sum<axis::feed_forward>>(e_a * seq_res, stream{})));
  auto const tail = boost::hana::make_tuple(make_operation(
      name::post_norm{}, backward_ratio<2>{}, traits<>{}, make_term<role::parameter>(n_post * v_n, hidden{}),
      make_term<kept_operand>(e_a * n_post, stream{}), make_term<role::traffic>(two * e_a * n_post, stream{})));
  return boost::hana::unpack(boost::hana::concat(boost::hana::concat(attention, mlp_operations(mlp_kind)), tail),
                             [](auto... operations) { return make_layer(name::decoder_block{}, operations...); });
}

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
