#pragma once
#include <shardplan/expr/operators.hpp>
#include <shardplan/schedule/symbol.hpp>

namespace shardplan::schedule {

/// The schedule 1F1B (Narayanan et al. 2019, PipeDream; with a flush, Narayanan et al. 2021, arXiv 2104.04473): a stage
/// runs min(m, p - i) forward passes, then alternates backward and forward passes, then drains.
struct one_forward_one_backward {
  static constexpr const char* name = "1F1B";

  /// Micro-batches whose activations stage i holds at its peak: min(m, p - i). Exact.
  static constexpr auto in_flight() {
    using namespace symbols;
    return min(m, p - i);
  }

  /// A lower bound of the step, one for each stage; the largest over the stages is the bound. Exact for equal stages.
  ///
  /// Two chains of work must run one after the other. The stage's own: the first micro-batch arrives, the stage does
  /// all its work, the last gradient leaves. And the first micro-batch's way to the end and back: until its gradient
  /// arrives the stage can have run at most w forward passes; the other m - w and all m backward passes come later.
  static constexpr auto step_bound() {
    using namespace symbols;
    return max(T_before + m * (f_i + b_i), T_before + f_i + T_after + m * b_i + (m - w) * f_i);
  }
};

}  // namespace shardplan::schedule
