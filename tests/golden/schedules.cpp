#include <doctest/doctest.h>

#include <vector>

#include <shardplan/expr.hpp>
#include <shardplan/schedule/catalogue.hpp>
#include <shardplan/schedule/step_bound.hpp>

#include <support/numbers.hpp>

// Published figures of pipeline schedules, and formulas of other planners beside what really happens.
namespace {

using namespace shardplan;
using namespace shardplan::schedule;
using support::close;

/// 1F1B of stages whose backward pass takes twice the forward pass.
double one_forward_one_backward(std::vector<double> const& forward, int micro_batches) {
  std::vector<chunk_times> times;
  for (double const each : forward)
    times.push_back({each, 2 * each, 0});
  compiled_order const order{one_forward_one_backward_order(static_cast<int>(forward.size()), micro_batches)};
  return recurrence{}.makespan(order, times);
}

/// Galvatron's iteration time (get_pipeline_cost, v2.4): `times` are those of a micro-batch on each stage, one third of
/// it forward.
double galvatron_time(std::vector<double> const& times, int chunks) {
  auto const stages = static_cast<int>(times.size());
  double all = 0;
  for (double const each : times)
    all += each;
  double const first = times.front(), rest = all - first;
  double const by_last = all + (chunks - 1) * times.back();
  double const filling = std::min(stages - 1, chunks - 1) * first;
  double const by_first = std::max(filling / 3, rest / 3) + std::max(2 * filling / 3, 2 * rest / 3) +
                          first * std::max(0, chunks + 1 - stages);
  return std::max(by_last, by_first);
}

TEST_CASE("Galvatron's formula beside 1F1B as it runs, eight micro-batches") {
  struct known {
    std::vector<double> times;
    double formula;
    double truth;
  };
  for (known const& each : {known{{1, 1, 1, 1}, 11, 11}, known{{1, 1, 1, 2}, 19, 19}, known{{2, 1, 1, 1}, 16, 17},
                            known{{1, 2, 2, 1}, 13, 58.0 / 3}, known{{1, 3, 1}, 12, 25}}) {
    std::vector<double> forward;
    for (double const time : each.times)
      forward.push_back(time / 3);
    CHECK(close(galvatron_time(each.times, 8), each.formula));
    CHECK(close(one_forward_one_backward(forward, 8), each.truth));
  }
}

TEST_CASE("Mist's form gives 43.5 where 1F1B takes 40.5") {
  std::vector<double> const forward{1, 1.5, 1, 0.5};
  CHECK(one_forward_one_backward(forward, 8) == 40.5);
  auto const* found = find_schedule("1f1b");
  std::vector<stage_times> stages;
  for (double const each : forward)
    stages.push_back({each, 2 * each, each});
  auto const form = found->step_form({4, 8}, stages);
  REQUIRE(form);
  CHECK(form->value == 43.5);
  CHECK(form->kind == form_kind::upper);
}

/// Mist's objective: the form with what the first and the last micro-batch take longer.
double mist_objective(std::vector<double> const& times, std::vector<double> const& extras, int micro_batches) {
  using namespace symbols;
  using element = expr::environment<expr::binding<tag::forward, double>, expr::binding<tag::backward, double>,
                                    expr::binding<tag::first_and_last, double>>;
  std::vector<element> stages;
  for (std::size_t stage = 0; stage < times.size(); ++stage)
    stages.push_back(element{f_i = times[stage], b_i = 0.0, d_i = extras[stage]});
  expr::environment const values{expr::each<stage> = std::span<element const>{stages},
                                 m = static_cast<double>(micro_batches)};
  return expr::evaluate(form::first_and_last_time(), values).value;
}

TEST_CASE("Mist's objective: 13.6 and 16 (arXiv 2503.19050; inter-stage program)") {
  CHECK(close(mist_objective({1.0, 1.2, 1.1, 0.9}, {0.5, 2.0, 0.3, 0.8}, 8), 13.6));
  CHECK(close(mist_objective({2, 3}, {1, 4}, 4), 16));
}

TEST_CASE("3F1B: (m + p - 1)(3 f + b) = 55 (SuperScaler, arXiv 2301.08984)") {
  auto const* found = find_schedule("nf1b");
  pipeline_shape const shape{.devices = 4, .micro_batches = 8, .forwards = 3};
  std::vector<stage_times> const stages(4, {1, 2, 1});
  CHECK(close(step_time(*found, shape, found->times(shape, stages)), 55));
  CHECK(close(found->step_form(shape, stages)->value, 55));
}

TEST_CASE("SPP's bounds hold: M max(f + b) <= 1F1B <= (M + S - 1)(max f + max b) (arXiv 2204.10562)") {
  support::generator random{61};
  for (int round = 0; round < 10000; ++round) {
    auto const stages = static_cast<int>(random.whole(1, 8)), micro_batches = static_cast<int>(random.whole(1, 32));
    std::vector<chunk_times> times;
    double both = 0, forward = 0, backward = 0;
    for (int stage = 0; stage < stages; ++stage) {
      times.push_back({random.real(0.1, 2), random.real(0.1, 4), 0});
      both = std::max(both, times.back().forward + times.back().input_gradient);
      forward = std::max(forward, times.back().forward);
      backward = std::max(backward, times.back().input_gradient);
    }
    compiled_order const order{one_forward_one_backward_order(stages, micro_batches)};
    double const step = recurrence{}.makespan(order, times);
    CHECK(micro_batches * both <= step * (1 + 1e-12));
    CHECK(step <= (micro_batches + stages - 1) * (forward + backward) * (1 + 1e-12));
  }
}

TEST_CASE("1F1B may take longer than Mist's form where backward passes are no multiple of forward passes") {
  std::vector<stage_times> const stages{{1, 4, 2}, {4, 1, 0.5}, {1, 1, 0.5}};
  auto const* found = find_schedule("1f1b");
  CHECK(step_time(*found, {3, 2}, found->times({3, 2}, stages)) == 18);
  CHECK(found->step_form({3, 2}, stages)->value == 20);
}

TEST_CASE("bubble rate of ZB-H1 with equal passes: (p-1)/3m") {
  // Qi et al., huggingface.co/spaces/sail/pipeline-parallelism-with-controllable-memory; a rate is idle time over work.
  int const p = 4, m = 16;
  std::vector<stage_times> const stages(4, {1, 2, 1});
  auto const* h1 = find_schedule("zb-h1");
  double const step = step_time(*h1, {p, m}, h1->times({p, m}, stages));
  CHECK(close(step / (3 * m) - 1, (p - 1) / (3.0 * m)));
}

}  // namespace
