#pragma once
#include <algorithm>
#include <array>
#include <concepts>
#include <cstddef>
#include <limits>

/// What a chain of stages costs, as labels that grow stage by stage. An objective says how a label grows, what the
/// stages that follow add at least, and what a label of all stages costs.
namespace shardplan::search {

/// Labels and rests are arrays of numbers of which less is better, and everything must be monotone: a smaller label
/// grows to a smaller one and costs less, a smaller rest is cheaper.
/// - `stage_cost`: what the problem says of a stage;
/// - `start()`: the label before the first stage; `grow(label, stage)`: after one more;
/// - `none()`: the rest after the last stage; `before(stage, rest)`: the rest from a stage on. The least of several
///   rests is taken number by number;
/// - `cost(label)`: of a label of all stages; `at_least(label, rest)`: no way on costs less, and where the rest is that
///   of one way, no more is known of it than this.
template <class Objective>
concept stage_objective = requires(Objective const& objective, typename Objective::label const& label,
                                   typename Objective::rest const& rest, typename Objective::stage_cost const& stage) {
  { objective.start() } -> std::same_as<typename Objective::label>;
  { objective.grow(label, stage) } -> std::same_as<typename Objective::label>;
  { objective.none() } -> std::same_as<typename Objective::rest>;
  { objective.before(stage, rest) } -> std::same_as<typename Objective::rest>;
  { objective.cost(label) } -> std::convertible_to<double>;
  { objective.at_least(label, rest) } -> std::convertible_to<double>;
};
struct stage_objective_needs_label_rest_stage_cost_start_grow_none_before_cost_and_at_least;

/// Sum over peaks k of weight_k * (largest peak_k of a stage) + sum over stages of a sum. With one peak, the stage
/// time, its weight m - 1 and the time as sum, it is the step of a pipeline of m micro-batches without transfers
/// hidden.
template <std::size_t Peaks> struct peaks_objective {
  struct stage_cost {
    std::array<double, Peaks> peaks;
    double sum;
  };
  /// The peaks, then the sum.
  using label = std::array<double, Peaks + 1>;
  using rest = label;

  std::array<double, Peaks> weights;

  constexpr label start() const { return {}; }
  constexpr label grow(label const& before, stage_cost const& stage) const {
    label result;
    for (std::size_t peak = 0; peak < Peaks; ++peak)
      result[peak] = std::max(before[peak], stage.peaks[peak]);
    result[Peaks] = before[Peaks] + stage.sum;
    return result;
  }
  constexpr rest none() const { return {}; }
  constexpr rest before(stage_cost const& stage, rest const& after) const { return grow(after, stage); }
  constexpr double cost(label const& all) const {
    double result = all[Peaks];
    for (std::size_t peak = 0; peak < Peaks; ++peak)
      result += weights[peak] * all[peak];
    return result;
  }
  constexpr double at_least(label const& before, rest const& after) const {
    double result = before[Peaks] + after[Peaks];
    for (std::size_t peak = 0; peak < Peaks; ++peak)
      result += weights[peak] * std::max(before[peak], after[peak]);
    return result;
  }
};

/// Mist's (Zhu et al., EuroSys 2025): (G - 1) max T_i + sum T_i + max(0, max_i(D_i - sum_{j<i} T_j)), for G
/// micro-batches, stable time T of a micro-batch and what the first and the last micro-batch add, D. The last two terms
/// are R_S of R_i = max(R_{i-1}, D_i) + T_i, R_0 = 0.
struct first_and_last_objective {
  struct stage_cost {
    double time;
    double first_and_last;
  };
  /// The slowest stage, R.
  using label = std::array<double, 2>;
  /// The slowest stage, the sum of times, R if it were 0 before.
  using rest = std::array<double, 3>;

  double micro_batches;

  constexpr label start() const { return {}; }
  constexpr label grow(label const& before, stage_cost const& stage) const {
    return {std::max(before[0], stage.time), std::max(before[1], stage.first_and_last) + stage.time};
  }
  constexpr rest none() const { return {}; }
  constexpr rest before(stage_cost const& stage, rest const& after) const {
    return {std::max(stage.time, after[0]), stage.time + after[1],
            std::max(std::max(0.0, stage.first_and_last) + stage.time + after[1], after[2])};
  }
  constexpr double cost(label const& all) const { return (micro_batches - 1) * all[0] + all[1]; }
  constexpr double at_least(label const& before, rest const& after) const {
    return (micro_batches - 1) * std::max(before[0], after[0]) + std::max(before[1] + after[1], after[2]);
  }
};

/// The lower bound of a 1F1B step: with f_i, b_i and w_i = min(m, p - i) micro-batches in flight,
/// max_i max( sum_{j<i}(f_j + b_j) + m (f_i + b_i), sum_{j != i}(f_j + b_j) + f_i + m b_i + (m - w_i) f_i ).
/// There is at least one micro-batch.
struct one_forward_one_backward_objective {
  struct stage_cost {
    double forward;
    double backward;
    double in_flight;
  };
  /// The sum of f + b, the largest of the first kind, the largest of (m - 1) b_i + (m - w_i) f_i.
  using label = std::array<double, 3>;
  using rest = label;

  double micro_batches;

  constexpr label start() const { return {}; }
  constexpr label grow(label const& before, stage_cost const& stage) const {
    double const both = stage.forward + stage.backward;
    return {before[0] + both, std::max(before[1], before[0] + micro_batches * both), std::max(before[2], turn(stage))};
  }
  constexpr rest none() const { return {}; }
  constexpr rest before(stage_cost const& stage, rest const& after) const {
    double const both = stage.forward + stage.backward;
    return {both + after[0], std::max(micro_batches * both, both + after[1]), std::max(turn(stage), after[2])};
  }
  constexpr double cost(label const& all) const { return std::max(all[1], all[0] + all[2]); }
  constexpr double at_least(label const& before, rest const& after) const {
    return std::max({before[1], before[0] + after[1], before[0] + after[0] + std::max(before[2], after[2])});
  }

 private:
  constexpr double turn(stage_cost const& stage) const {
    return (micro_batches - 1) * stage.backward + (micro_batches - stage.in_flight) * stage.forward;
  }
};

}  // namespace shardplan::search
