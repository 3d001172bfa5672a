#pragma once
#include <shardplan/expr/environment.hpp>
#include <shardplan/model/description.hpp>
#include <shardplan/model/keys.hpp>
#include <shardplan/model/symbol.hpp>

/// The values of the symbols of a layer that count parameters and FLOP. A planner adds those that bytes and time need.
namespace shardplan::model {

template <class Tag> using shape_value = expr::binding<Tag, double>;

using shape_values = expr::environment<
    shape_value<tag::sequence_length>, shape_value<tag::micro_batch>, shape_value<tag::hidden>,
    shape_value<tag::feed_forward>, shape_value<tag::heads>, shape_value<tag::key_value_heads>,
    shape_value<tag::head_dimension>, shape_value<tag::vocabulary>, shape_value<tag::learned_positions>,
    shape_value<tag::mlp_norms>, shape_value<tag::post_norms>, shape_value<tag::norm_vectors>,
    shape_value<tag::head_norms>, shape_value<tag::head_norm_vectors>, shape_value<tag::head_parameters>,
    shape_value<tag::query_key_value_bias>, shape_value<tag::attention_output_bias>, shape_value<tag::mlp_bias>,
    shape_value<tag::head_weights>, shape_value<tag::experts>, shape_value<tag::experts_per_token>,
    shape_value<tag::expert_feed_forward>, shape_value<tag::shared_feed_forward>, shape_value<tag::router_bias>,
    shape_value<tag::shared_gate>, shape_value<tag::query_rank>, shape_value<tag::key_value_rank>,
    shape_value<tag::rotary_dimension>, shape_value<tag::plain_dimension>, shape_value<tag::value_dimension>,
    shape_value<tag::source_length>, shape_value<tag::token_types>, shape_value<tag::patches>,
    shape_value<tag::patch_pixels>, shape_value<tag::labels>, shape_value<tag::keys_counted>>;

/// The values for layers of one shape and one sequence. Attention counts all keys that a query could see without a
/// causal mask, or with `causal` those that the mask leaves. An encoder's sequence is as long as the decoder's.
template <class Model>
constexpr shape_values values_of_shape(Model const& model, block_shape const& shape, double sequence_length,
                                       bool causal = false) {
  double const s = sequence_length;
  return {shape_value<tag::sequence_length>{s},
          shape_value<tag::micro_batch>{1},
          shape_value<tag::hidden>{shape.hidden},
          shape_value<tag::feed_forward>{shape.feed_forward},
          shape_value<tag::heads>{shape.heads},
          shape_value<tag::key_value_heads>{shape.key_value_heads},
          shape_value<tag::head_dimension>{shape.head_dimension},
          shape_value<tag::vocabulary>{model.vocabulary},
          shape_value<tag::learned_positions>{model.learned_positions},
          shape_value<tag::mlp_norms>{shape.mlp_norms},
          shape_value<tag::post_norms>{shape.post_norms},
          shape_value<tag::norm_vectors>{shape.norm_vectors},
          shape_value<tag::head_norms>{shape.head_norms},
          shape_value<tag::head_norm_vectors>{shape.head_norm_vectors},
          shape_value<tag::head_parameters>{shape.head_parameters},
          shape_value<tag::query_key_value_bias>{shape.query_key_value_bias},
          shape_value<tag::attention_output_bias>{shape.attention_output_bias},
          shape_value<tag::mlp_bias>{shape.mlp_bias},
          shape_value<tag::head_weights>{model.tied_embeddings ? 0.0 : 1.0},
          shape_value<tag::experts>{shape.experts},
          shape_value<tag::experts_per_token>{shape.experts_per_token},
          shape_value<tag::expert_feed_forward>{shape.expert_feed_forward},
          shape_value<tag::shared_feed_forward>{shape.shared_feed_forward},
          shape_value<tag::router_bias>{shape.router_bias},
          shape_value<tag::shared_gate>{shape.shared_gate},
          shape_value<tag::query_rank>{shape.query_rank},
          shape_value<tag::key_value_rank>{shape.key_value_rank},
          shape_value<tag::rotary_dimension>{shape.rotary_dimension},
          shape_value<tag::plain_dimension>{shape.plain_dimension},
          shape_value<tag::value_dimension>{shape.value_dimension},
          shape_value<tag::source_length>{s},
          shape_value<tag::token_types>{model.token_types},
          shape_value<tag::patches>{model.patches},
          shape_value<tag::patch_pixels>{model.patch_pixels},
          shape_value<tag::labels>{model.labels},
          shape_value<tag::keys_counted>{causal ? keys_seen(shape, s) : keys_in_reach(shape, s)}};
}

}  // namespace shardplan::model
