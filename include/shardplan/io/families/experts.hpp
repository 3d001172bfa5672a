#pragma once
#include <string>

#include <shardplan/io/families/common.hpp>

/// What the readers of mixtures of experts share.
namespace shardplan::io::families {

/// Names of the keys that say what a mixture is made of.
struct expert_keys {
  const char* experts = "num_experts";
  const char* experts_per_token = "num_experts_per_tok";
  const char* feed_forward = "moe_intermediate_size";
};

/// A block with a mixture in the place of its MLP.
inline model::block_shape with_experts(json_object const& config, model::block_shape shape, model::block_kind kind,
                                       expert_keys const& keys) {
  shape.kind = kind;
  shape.feed_forward = 0;
  shape.experts = size(config, keys.experts);
  auto const experts = static_cast<long long>(shape.experts);
  shape.experts_per_token = size(config, keys.experts_per_token);
  if (shape.experts_per_token > shape.experts)
    config.refuse(keys.experts_per_token,
                  "a whole number from 1 to " + std::string(keys.experts) + ", which is " + std::to_string(experts));
  shape.expert_feed_forward = size(config, keys.feed_forward);
  return shape;
}

/// Two keys that say the same must not contradict each other.
inline void refuse_contradiction(json_object const& config, std::string const& key, std::string const& other) {
  if (config.is_set(key) && config.is_set(other) && config.whole(key, 1, most) != config.whole(other, 1, most))
    config.refuse(key, "missing, or equal to " + other + ", which is " + std::to_string(config.whole(other, 1, most)));
}

}  // namespace shardplan::io::families
