#pragma once
#include <shardplan/expr/operators.hpp>
#include <shardplan/expr/over.hpp>
#include <shardplan/schedule/one_forward_one_backward.hpp>
#include <shardplan/schedule/symbol.hpp>

/// Closed forms of schedules: what a step takes, and how much is in flight. Each says when it is exact; elsewhere it is
/// a bound, or not used. In-flight counts are in activations of a whole device for one micro-batch.
namespace shardplan::schedule {

/// What a closed form is to the simulation.
enum class form_kind { exact, upper, lower };
constexpr const char* name_of(form_kind kind) {
  return kind == form_kind::exact ? "exact" : kind == form_kind::upper ? "upper" : "lower";
}

/// The stages of a pipeline, as elements of `over`.
struct stage {
  static constexpr const char* name = "stage";
};

namespace form {

/// GPipe: exact, for stages of any times. All stages run m equal jobs in the same order, twice (a permutation flow
/// shop): the sum over the stages and m - 1 times the slowest.
consteval auto gpipe_time() {
  using namespace expr::literals;
  using namespace symbols;
  return expr::over<stage>(expr::sum, f_i) + (m - 1_n) * expr::over<stage>(expr::largest, f_i) +
         expr::over<stage>(expr::sum, b_i) + (m - 1_n) * expr::over<stage>(expr::largest, b_i);
}
consteval auto gpipe_in_flight() { return symbols::m; }

/// 1F1B: exact for equal stages, else an upper bound.
consteval auto one_forward_one_backward_time() {
  using namespace expr::literals;
  using namespace symbols;
  return expr::over<stage>(expr::sum, f_i + b_i) +
         (m - 1_n) * (expr::over<stage>(expr::largest, f_i) + expr::over<stage>(expr::largest, b_i));
}
/// As Mist ranks (Zhu et al. 2025, arXiv 2503.19050): m - 1 times the slowest stage. The same as the upper bound where
/// backward passes are the same multiple of the forward passes on all stages; else it may be on either side of the
/// step. With what the first and the last micro-batch take longer on each stage, part of which hides behind the passes
/// of earlier stages. Ranks plans; neither a bound nor exact.
consteval auto first_and_last_time() {
  using namespace expr::literals;
  using namespace symbols;
  return expr::over<stage>(expr::sum, f_i + b_i) + (m - 1_n) * expr::over<stage>(expr::largest, f_i + b_i) +
         expr::over<stage>(expr::largest, d_i - expr::earlier<stage>(f_i + b_i));
}

/// Interleaved 1F1B and breadth-first of equal chunks, f_i and b_i being those of one chunk: exact where p divides m
/// (interleaved), or m is at least p (breadth-first). Narayanan et al. 2021, section 2.2.
consteval auto virtual_stages_time() {
  using namespace expr::literals;
  using namespace symbols;
  return (m * v + p - 1_n) * (f_i + b_i);
}
/// Interleaved: exact. With g micro-batches in the first group.
consteval auto interleaved_in_flight() {
  using namespace expr::literals;
  using namespace symbols;
  constexpr auto g = ceil(m / max(1_n, floor(m / p)));
  return min(m * v, 2_n * (p - i - 1_n) + (v - 1_n) * g + 1_n) / v;
}

/// ZB-H1 of equal stages: exact where the weight gradient takes no longer than the forward pass and than the input
/// gradient, and m is at least p; else a lower bound. Qi et al. 2023, table 2.
consteval auto zero_bubble_h1_time() {
  using namespace expr::literals;
  using namespace symbols;
  return m * (f_i + b_i) + (p - 1_n) * (f_i + b_i - 2_n * b_w);
}
consteval auto zero_bubble_h1_in_flight() { return min(symbols::m, symbols::p); }

/// ZB-H2 of equal stages, from the start of the first stage to the end of the last: exact where m is at least 2 p - 1
/// and the three passes take equally long, else a lower bound. What a device waits between its own first and last task
/// is (p - 1)(f + b - 3 b_w) with b - b_w for the input gradient.
consteval auto zero_bubble_h2_time() {
  using namespace expr::literals;
  using namespace symbols;
  return m * (f_i + b_i) + (p - 1_n) * f_i;
}
consteval auto zero_bubble_h2_in_flight() {
  using namespace expr::literals;
  return min(symbols::m, 2_n * symbols::p - 1_n);
}

/// ZB-V of equal chunks, f_i and b_i being those of one: exact where m is at least 2 p and the three passes take
/// equally long, else a lower bound.
consteval auto zero_bubble_v_time() {
  using namespace expr::literals;
  using namespace symbols;
  return 2_n * m * (f_i + b_i) + (p - 1_n) * f_i;
}

/// DualPipe of equal stages: the published bubble (p/2 - 1)(F&B + B - 3W) with F&B = F + B. Exact where the three
/// passes take equally long; near it (2.3 % above to 8.7 % below where they differ threefold) elsewhere.
consteval auto dual_pipe_time() {
  using namespace expr::literals;
  using namespace symbols;
  return m * (f_i + b_i) + (p / 2_n - 1_n) * (f_i + 2_n * b_i - 3_n * b_w);
}
/// p + 1, of a device that holds two chunks.
consteval auto dual_pipe_in_flight() {
  using namespace expr::literals;
  return symbols::p + 1_n;
}
/// DualPipeV on p devices, which hold the 2 p stages of DualPipe on twice as many; f_i and b_i are those of one chunk.
consteval auto dual_pipe_v_time() {
  using namespace expr::literals;
  using namespace symbols;
  return 2_n * m * (f_i + b_i) + (p - 1_n) * (f_i + 2_n * b_i - 3_n * b_w);
}
/// In activations of a device, which holds two chunks.
consteval auto dual_pipe_v_in_flight() {
  using namespace expr::literals;
  return (2_n * symbols::p + 1_n) / 2_n;
}

/// Without a flush (PipeDream, 2BW) stages run in turn for ever: a step takes m times the slowest. Exact once the
/// pipeline is full.
consteval auto asynchronous_time() {
  using namespace symbols;
  return m * expr::over<stage>(expr::largest, f_i + b_i);
}

/// Stage i holds p - i micro-batches of whatever step they belong to.
consteval auto asynchronous_in_flight() { return symbols::p - symbols::i; }

}  // namespace form

}  // namespace shardplan::schedule
