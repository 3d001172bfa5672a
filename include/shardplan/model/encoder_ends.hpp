#pragma once
#include <shardplan/model/ends.hpp>

/// The ends of encoders: BERT's embedding and pooler (Devlin et al. 2018, arXiv 1810.04805), ViT's patches and
/// classifier (Dosovitskiy et al. 2020, arXiv 2010.11929), and the norm that closes the encoder of an encoder-decoder.
/// Templates, so that including this header instantiates no layer.
namespace shardplan::model {

namespace name {
struct embedding_norm {
  static constexpr const char* value = "embedding norm";
};
struct patch_embedding {
  static constexpr const char* value = "patch embedding";
};
struct pooler {
  static constexpr const char* value = "pooler";
};
struct classifier {
  static constexpr const char* value = "classifier";
};
struct encoder_norm {
  static constexpr const char* value = "encoder norm";
};
}  // namespace name

namespace detail {
template <class Name> constexpr auto closing_norm(Name name) {
  using namespace symbols;
  return make_operation(name, backward_ratio<2>{}, traits<>{}, make_term<role::parameter>(v_n, axes<axis::hidden>{}),
                        make_term<role::kept<reason::block_input>>(e_a, stream{}),
                        make_term<role::traffic>(two * e_a, stream{}));
}

/// A dense layer on the first token of each sequence.
template <class Name, class Output> constexpr auto on_first_token(Name name, Output output) {
  using namespace symbols;
  using first = axes<axis::batch>;
  return matmul_of_rows(name, traits<>{}, first{}, axes<axis::hidden>{}, output, one,
                        make_term<kept_operand>(e_a, first{} + axes<axis::hidden>{}));
}
}  // namespace detail

/// Words, learned positions and token types, added and normed.
template <class Name = name::embedding_layer> constexpr auto typed_embedding_layer() {
  using namespace symbols;
  using namespace detail;
  return extend_layer(Name{}, embedding_layer(),
                      make_operation(name::embedding_norm{}, backward_ratio<2>{}, traits<>{},
                                     make_term<role::parameter>(n_type, axes<axis::hidden>{}),
                                     make_term<role::parameter>(v_n, axes<axis::hidden>{}),
                                     make_term<kept_operand>(e_a, stream{}),
                                     make_term<role::traffic>(two * e_a, stream{})));
}

/// A projection of each patch, a class token, and a learned position for each.
template <class Name = name::embedding_layer> constexpr auto patch_embedding_layer() {
  using namespace symbols;
  using namespace detail;
  using patches = axes<axis::batch, axis::patch>;
  using hidden = axes<axis::hidden>;
  return make_layer(Name{}, matmul_of_rows(name::patch_embedding{}, traits<>{}, patches{}, axes<axis::pixel>{},
                                           hidden{}, one, make_term<role::parameter>(one, hidden{}),
                                           make_term<role::parameter>(one, axes<axis::position>{} + hidden{}),
                                           make_term<kept_operand>(e_a, patches{} + axes<axis::pixel>{}),
                                           make_term<kept_operand>(expr::byte * drop_h, stream{}),
                                           make_term<role::traffic>(two * e_a, stream{})));
}

/// A dense layer and a tanh on the first token.
template <class Name = name::head_layer> constexpr auto pooler_layer() {
  return make_layer(Name{}, detail::on_first_token(name::pooler{}, axes<axis::hidden>{}));
}
/// The same after a norm.
template <class Name = name::head_layer> constexpr auto norm_and_pooler_layer() {
  return make_layer(Name{}, detail::closing_norm(name::final_norm{}),
                    detail::on_first_token(name::pooler{}, axes<axis::hidden>{}));
}
template <class Name = name::head_layer> constexpr auto classifier_layer() {
  return make_layer(Name{}, detail::closing_norm(name::final_norm{}),
                    detail::on_first_token(name::classifier{}, axes<axis::label>{}));
}

/// The norm after the last layer of an encoder that a decoder reads.
template <class Name = name::encoder_norm> constexpr auto encoder_norm_layer() {
  return make_layer(Name{}, detail::closing_norm(name::encoder_norm{}));
}

}  // namespace shardplan::model
