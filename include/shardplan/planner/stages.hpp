#pragma once

/// How layers are cut into pipeline stages.
namespace shardplan::planner {

enum class stage_split {
  /// Every stage holds L/p layers.
  even,
  /// Embedding and head count as a layer each, so that the first and the last stage hold one layer fewer than the
  /// others
  /// (Megatron-LM: --account-for-embedding-in-pipeline-split and --account-for-loss-in-pipeline-split).
  ends_counted,
  /// Neither way comes out even.
  none
};

/// The split of L layers into p stages: even where it can be.
constexpr stage_split split_of(long long layers, long long stages) {
  if (layers % stages == 0)
    return stage_split::even;
  if ((layers + 2) % stages == 0 && (layers + 2) / stages > 1)
    return stage_split::ends_counted;
  return stage_split::none;
}

/// The first layer of a stage, from 0; of `stage == stages` the number of layers.
constexpr long long first_layer_of(long long layers, long long stages, long long stage) {
  if (split_of(layers, stages) == stage_split::even)
    return layers / stages * stage;
  if (stage == 0)
    return 0;
  return stage == stages ? layers : (layers + 2) / stages * stage - 1;
}

}  // namespace shardplan::planner
