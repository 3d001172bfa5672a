#include <algorithm>
#include <cmath>
#include <cstdio>
#include <map>
#include <string>
#include <vector>

#include <benchmark/benchmark.h>

#include <shardplan/device/catalogue/nvidia_h100_sxm.hpp>
#include <shardplan/expr/any_expression.hpp>
#include <shardplan/expr/interval.hpp>
#include <shardplan/model/published.hpp>
#include <shardplan/planner/plan_columns.hpp>

#include "expr/at_o2.hpp"
#include "expr/hand_written_plans.hpp"
#include "expr/operation_count.hpp"

/// Readings against hand-written loops: an activation expression, and the records that the planner evaluates. All
/// rivals run in one process; the table at the end gives ratios.
namespace {

using namespace shardplan;
using namespace expr::literals;

// ---- (a) one layer's activations
// -------------------------------------------------------------------------------------

/// Korthikanti et al. 2022, table 2: s*b*h*(10 + 24/t + 5*a*s/(h*t)).
constexpr auto activations() {
  using namespace model::symbols;
  using strategy::symbols::t;
  return s * b * h * (10_n + 24_n / t + 5_n * a * s / (h * t));
}

template <class Number> struct activation_data {
  std::vector<Number> b, t, result;
  explicit activation_data(std::size_t count) : b(count), t(count), result(count) {
    for (std::size_t i = 0; i < count; ++i) {
      b[i] = static_cast<Number>(1 + i % 16);
      t[i] = static_cast<Number>(1 << (i % 4));
    }
  }
  auto environment() const {
    return expr::environment{model::symbols::s = Number(2048), model::symbols::h = Number(12288),
                             model::symbols::a = Number(96), model::symbols::b = expr::column<Number>{b},
                             strategy::symbols::t = expr::column<Number>{t}};
  }
};

template <class Number> void read_activations(benchmark::State& state) {
  activation_data<Number> data(static_cast<std::size_t>(state.range(0)));
  auto const values = data.environment();
  for (auto _ : state) {
    expr::evaluate_column(activations(), values, std::span<Number>{data.result});
    benchmark::ClobberMemory();
  }
  state.SetItemsProcessed(state.iterations() * state.range(0));
}
/// A rival: `loop(b, t, result, count)`.
template <class Number, auto Loop> void hand_activations(benchmark::State& state) {
  activation_data<Number> data(static_cast<std::size_t>(state.range(0)));
  for (auto _ : state) {
    Loop(data.b.data(), data.t.data(), data.result.data(), data.b.size());
    benchmark::ClobberMemory();
  }
  state.SetItemsProcessed(state.iterations() * state.range(0));
}
template <class Value, class Number>
SHARDPLAN_FORCE_INLINE Value activations_by_hand(Value b, Value t, Number s, Number h, Number a) {
  return Value(s) * b * Value(h) * (Value(10) + Value(24) / t + Value(5 * a * s) / (Value(h) * t));
}
template <class Number>
[[gnu::noinline]] void plain_activations(Number const* b, Number const* t, Number* result, std::size_t count) {
  Number const s = 2048, h = 12288, a = 96;
  for (std::size_t i = 0; i < count; ++i)
    result[i] = activations_by_hand<Number, Number>(b[i], t[i], s, h, a);
}
template <class Number>
[[gnu::noinline]] void restricted_activations(Number const* __restrict b, Number const* __restrict t,
                                              Number* __restrict result, std::size_t count) {
  Number const s = 2048, h = 12288, a = 96;
#if defined(__clang__)
#pragma clang loop vectorize(assume_safety)
#else
#pragma GCC ivdep
#endif
  for (std::size_t i = 0; i < count; ++i)
    result[i] = activations_by_hand<Number, Number>(b[i], t[i], s, h, a);
}
template <class Number>
[[gnu::noinline]] void vector_activations(Number const* b, Number const* t, Number* result, std::size_t count) {
  using pack = expr::pack<Number>;
  Number const s = 2048, h = 12288, a = 96;
  for (std::size_t i = 0; i + pack::width <= count; i += pack::width)
    activations_by_hand<pack, Number>(pack::load(b + i), pack::load(t + i), s, h, a).store(result + i);
}

/// The run-time twin of the same expression.
void twin_activations(benchmark::State& state) {
  activation_data<double> data(static_cast<std::size_t>(state.range(0)));
  auto const program = expr::compile(expr::any_expression(activations()));
  expr::any_environment values;
  values.bind("s", 2048.0);
  values.bind("h", 12288.0);
  values.bind("a", 96.0);
  values.bind("b", std::span<double const>{data.b});
  values.bind("t", std::span<double const>{data.t});
  for (auto _ : state) {
    auto const done = program.evaluate(values, std::span<double>{data.result});
    if (!done.valid())
      state.SkipWithError("the run-time twin cannot be read");
    benchmark::ClobberMemory();
  }
  state.SetItemsProcessed(state.iterations() * state.range(0));
}

// ---- (b) the records that `plan` evaluates
// ----------------------------------------------------------------------------

/// The blocks of the built-in kind that Llama is made of, without a registry, for any number type.
constexpr auto llama_kind =
    planner::layer_kind{[](auto kernel) { return model::decoder_block(model::mlp::gated{}, kernel); }};
struct llama_blocks {
  template <class Columns, class Results>
  void read(model::block_kind, planner::recomputation again, planner::attention_kernel kernel, std::size_t count,
            Columns const& columns, Results const& results) const {
    llama_kind.read(again, kernel, count, columns, results);
  }
};

struct job_at_hand {
  device::cluster machine = device::make_cluster(device::catalogue::h100_sxm, 64, 8);
  planner::workload job{.sequence_length = 8192, .global_batch = 1024};
  planner::assumptions assumed{};
  planner::plan any{.tensor = 8, .pipeline = 4, .data = 16, .zero_stage = 1};
};

template <class Number> struct plan_data {
  job_at_hand at;
  std::vector<Number> t, d, b, B_t, alpha_t, B_d, alpha_d, step_time, peak;
  explicit plan_data(std::size_t count) {
    for (auto* each : {&t, &d, &b, &B_t, &alpha_t, &B_d, &alpha_d, &step_time, &peak})
      each->resize(count);
    for (std::size_t i = 0; i < count; ++i) {
      long long const tensor = 1LL << (i % 4), data = 512 / 4 / tensor;
      auto const tensor_link = device::group_link(at.machine, tensor, 1);
      auto const data_link = device::group_link(at.machine, data, tensor);
      t[i] = static_cast<Number>(tensor);
      d[i] = static_cast<Number>(data);
      b[i] = static_cast<Number>(1 << (i / 4 % 4));
      B_t[i] = static_cast<Number>(tensor_link.bandwidth.value);
      alpha_t[i] = static_cast<Number>(tensor_link.latency.value);
      B_d[i] = static_cast<Number>(data_link.bandwidth.value);
      alpha_d[i] = static_cast<Number>(data_link.latency.value);
    }
  }
  bench::plan_arrays<Number> arrays() {
    return {t.data(),   d.data(),       b.data(),         B_t.data(), alpha_t.data(),
            B_d.data(), alpha_d.data(), step_time.data(), peak.data()};
  }
  bench::fixed_values<Number> fixed() const {
    auto const& model = model::llama_3_1_70b;
    return bench::fixed<Number>(
        planner::make_plan_inputs(model, at.machine, at.job, at.any, at.assumed),
        planner::make_block_environment(model, model.shapes[0], at.machine, at.job, at.any, at.assumed), 80, 4);
  }
  template <class Reader> void read(Reader& reader) {
    std::size_t const block = Reader::capacity;
    for (std::size_t first = 0; first < t.size(); first += block) {
      std::size_t const count = std::min(block, t.size() - first);
      auto const part = [&](std::vector<Number>& column) { return std::span<Number>{column}.subspan(first, count); };
      typename Reader::plan_columns inputs;
      planner::set_column<strategy::tag::tensor_degree>(inputs, part(t));
      planner::set_column<strategy::tag::data_degree>(inputs, part(d));
      planner::set_column<model::tag::micro_batch>(inputs, part(b));
      planner::set_column<cost::tag::data_bandwidth>(inputs, part(B_d));
      planner::set_column<cost::tag::data_latency>(inputs, part(alpha_d));
      typename Reader::link_columns links;
      planner::set_column<cost::tag::tensor_bandwidth>(links, part(B_t));
      planner::set_column<cost::tag::tensor_latency>(links, part(alpha_t));
      typename Reader::plan_results results;
      std::span<Number> const places[] = {part(step_time), part(peak)};
      std::size_t next = 0;
      planner::place_results(results, [&] { return places[next++]; });
      reader.read(at.any, count, inputs, links, results);
    }
  }
};

template <class Number> void read_plans(benchmark::State& state) {
  plan_data<Number> data(static_cast<std::size_t>(state.range(0)));
  llama_blocks const blocks;
  planner::plan_column_reader<decltype(model::llama_3_1_70b), llama_blocks, Number> reader{
      model::llama_3_1_70b, data.at.machine, data.at.job, data.at.assumed, blocks};
  for (auto _ : state) {
    data.read(reader);
    benchmark::ClobberMemory();
  }
  state.SetItemsProcessed(state.iterations() * state.range(0));
}
template <class Number, auto Loop> void hand_plans(benchmark::State& state) {
  plan_data<Number> data(static_cast<std::size_t>(state.range(0)));
  auto const fixed = data.fixed();
  for (auto _ : state) {
    Loop(fixed, data.arrays(), data.t.size());
    benchmark::ClobberMemory();
  }
  state.SetItemsProcessed(state.iterations() * state.range(0));
}

/// Both must give the same plans the same costs.
template <class Number> bool hand_and_reading_agree(double tolerance) {
  plan_data<Number> read(64), written(64);
  llama_blocks const blocks;
  planner::plan_column_reader<decltype(model::llama_3_1_70b), llama_blocks, Number> reader{
      model::llama_3_1_70b, read.at.machine, read.at.job, read.at.assumed, blocks};
  read.read(reader);
  bench::plain_loop(written.fixed(), written.arrays(), written.t.size());
  for (std::size_t i = 0; i < read.t.size(); ++i) {
    auto const differ = [tolerance](Number left, Number right) {
      return !(std::fabs(static_cast<double>(left / right) - 1) <= tolerance);
    };
    if (differ(read.step_time[i], written.step_time[i]) || differ(read.peak[i], written.peak[i])) {
      std::printf("plan %zu: read %.9g s %.9g bytes, by hand %.9g s %.9g bytes\n", i, double(read.step_time[i]),
                  double(read.peak[i]), double(written.step_time[i]), double(written.peak[i]));
      return false;
    }
  }
  return true;
}

/// Operations per plan of everything that `plan_column_reader` reads: what blocks need, block, embedding, head, and the
/// rest of the plan with three stages.
int operations_per_plan() {
  plan_data<double> data(64);
  auto const& model = model::llama_3_1_70b;
  std::vector<double> places(400);
  std::size_t used = 0;
  auto const place = [&] { return std::span<double>{places}.subspan(used++, 1); };
  planner::plan_columns<double> inputs;
  planner::copy_numbers(planner::make_plan_inputs(model, data.at.machine, data.at.job, data.at.any, data.at.assumed),
                        inputs);
  planner::set_column<strategy::tag::tensor_degree>(inputs, place());
  planner::set_column<strategy::tag::data_degree>(inputs, place());
  planner::set_column<model::tag::micro_batch>(inputs, place());
  planner::set_column<cost::tag::data_bandwidth>(inputs, place());
  planner::set_column<cost::tag::data_latency>(inputs, place());
  planner::block_columns block;
  planner::copy_numbers(planner::make_block_environment(model, model.shapes[0], data.at.machine, data.at.job,
                                                        data.at.any, data.at.assumed),
                        block);
  planner::copy_columns(inputs, block);
  planner::set_column<strategy::tag::sequence_degree>(block, place());
  planner::set_column<model::tag::vocabulary>(block, place());
  planner::set_column<cost::tag::tensor_bandwidth>(block, place());
  planner::set_column<cost::tag::tensor_latency>(block, place());
  planner::as_results<planner::common_values> common_results;
  planner::place_results(common_results, place);
  planner::as_columns<planner::common_values> common;
  planner::view_results(common_results, common);
  planner::copy_columns(common, block);
  auto const record_of = [](auto layer) {
    return planner::grouped(cost::block_record(planner::detail::laid_out<strategy::keep_everything>(layer)));
  };
  int operations = bench::count_operations(planner::common_record(), block);
  using decided =
      strategy::mechanism_values<decltype(model::decoder_block(model::mlp::gated{}, model::kernel::flash{}))>;
  auto const none = strategy::values_of_mechanism<decided, strategy::keep_everything>::get();
  operations += bench::count_operations(llama_kind.record(model::kernel::flash{}), expr::scope{none, block});
  operations += bench::count_operations(record_of(model::embedding_layer()), block);
  operations += bench::count_operations(record_of(model::head_layer()), block);

  using run_columns = planner::joined<
      expr::environment<planner::value<planner::tag::run_layers>, planner::value<planner::tag::run_is_end>>,
      planner::as_columns<planner::block_values>>;
  auto const run_of = [&](double layers, double is_end) {
    planner::block_results results;
    planner::place_results(results, place);
    run_columns run;
    planner::set<planner::tag::run_layers>(run, layers);
    planner::set<planner::tag::run_is_end>(run, is_end);
    planner::view_results(results, run);
    return run;
  };
  run_columns const embedding = run_of(1, 1), inside = run_of(20, 0), head = run_of(1, 1);
  std::vector<run_columns> const runs[] = {{embedding, inside}, {inside}, {inside, head}};
  using stage_runs = expr::binding<expr::elements_of<planner::run_scope>, std::span<run_columns const>>;
  using stage_columns = planner::joined<planner::stage_place, expr::environment<stage_runs>>;
  std::vector<stage_columns> stages;
  planner::for_each_stage_group(model, 4, [&](planner::stage_group const& group) {
    stage_columns stage;
    planner::copy_numbers(planner::place_of(group, false), stage);
    static_cast<stage_runs&>(stage).value = runs[stages.size()];
    stages.push_back(stage);
  });
  expr::environment const over_stages{expr::each<planner::stage_scope> = std::span<stage_columns const>{stages}};
  return operations + bench::count_operations(planner::whole_plan_sequence(), expr::scope{over_stages, inputs});
}

// ---- intervals against numbers
// ------------------------------------------------------------------------------------------

/// One after the other, as branch and bound reads them.
template <class Value, class Expression, class Read>
void read_one_by_one(benchmark::State& state, Expression expression, Read read, double low) {
  std::vector<Value> xs(512), ys(512);
  for (std::size_t i = 0; i < xs.size(); ++i) {
    xs[i] = Value(low + static_cast<double>(i % 37));
    ys[i] = Value(low + static_cast<double>(1 + i % 11));
  }
  for (auto _ : state)
    for (std::size_t i = 0; i < xs.size(); ++i) {
      auto const result = read(expression, xs[i], ys[i]);
      benchmark::DoNotOptimize(result);
    }
  state.SetItemsProcessed(state.iterations() * static_cast<long long>(xs.size()));
}
struct signed_x : expr::symbol_tag<unit::count_dimension, expr::sign::any> {
  static constexpr const char* name = "x";
  static constexpr const char* meaning = "any number";
};
struct signed_y : expr::symbol_tag<unit::count_dimension, expr::sign::any> {
  static constexpr const char* name = "y";
  static constexpr const char* meaning = "any number";
};
constexpr auto of_any_sign() {
  constexpr expr::symbol<signed_x> x{};
  constexpr expr::symbol<signed_y> y{};
  return x * y * (3_n + x * y) - max(x * x, y * (x - y)) * (x + 2_n * y);
}
template <class Value, bool AsInterval> void of_costs(benchmark::State& state) {
  read_one_by_one<Value>(
      state, activations(),
      [](auto expression, Value x, Value y) {
        expr::environment const values{model::symbols::s = 2048.0, model::symbols::h = 12288.0,
                                       model::symbols::a = 96.0, model::symbols::b = x, strategy::symbols::t = y};
        if constexpr (AsInterval)
          return expr::enclose(expression, values);
        else
          return expr::evaluate(expression, values).value;
      },
      1);
}
template <class Value, bool AsInterval> void of_signed(benchmark::State& state) {
  read_one_by_one<Value>(
      state, of_any_sign(),
      [](auto expression, Value x, Value y) {
        expr::environment const values{expr::symbol<signed_x>{} = x, expr::symbol<signed_y>{} = y};
        if constexpr (AsInterval)
          return expr::enclose(expression, values);
        else
          return expr::evaluate(expression, values).value;
      },
      -20);
}

/// At plain -O2: packs against the best loop of this program.
void activations_at_o2(benchmark::State& state) {
  activation_data<double> data(static_cast<std::size_t>(state.range(0)));
  for (auto _ : state) {
    bench::read_activations_at_o2(data.b.data(), data.t.data(), data.result.data(), data.b.size());
    benchmark::ClobberMemory();
  }
  state.SetItemsProcessed(state.iterations() * state.range(0));
}

// ---- the table
// ---------------------------------------------------------------------------------------------------------

/// Remembers the best rate of each benchmark.
class remembering_reporter : public benchmark::ConsoleReporter {
 public:
  void ReportRuns(std::vector<Run> const& runs) override {
    benchmark::ConsoleReporter::ReportRuns(runs);
    for (Run const& run : runs)
      if (auto const found = run.counters.find("items_per_second");
          found != run.counters.end() && run.run_type == Run::RT_Iteration)
        rates_[run.run_name.function_name + "/" + run.run_name.args] =
            std::max(rates_[run.run_name.function_name + "/" + run.run_name.args], found->second.value);
  }
  double rate(std::string const& name) const {
    auto const found = rates_.find(name);
    return found == rates_.end() ? 0 : found->second;
  }

 private:
  std::map<std::string, double> rates_;
};

void print_line(char const* what, double ratio, double wanted, char const* rest = "") {
  std::printf("%-64s %7.2f   wanted %5.2f   %s%s\n", what, ratio, wanted, ratio >= wanted ? "reached" : "MISSED", rest);
}

void print_ratios(remembering_reporter const& reporter) {
  std::printf("\nRatios of rates, best of the repetitions\n");
  for (std::string const& number : std::vector<std::string>{"double", "float"})
    for (std::string const& what : std::vector<std::string>{"activations", "plans"})
      for (std::string const& size : what == "plans" ? std::vector<std::string>{"4096", "1048576"}
                                                     : std::vector<std::string>{"1024", "4194304"}) {
        double best = 0;
        for (std::string const& loop : std::vector<std::string>{"plain", "restricted", "vector"})
          best = std::max(best, reporter.rate(what + "/" + number + "/" + loop + "/" + size));
        double const read = reporter.rate(what + "/" + number + "/column/" + size);
        std::string const title = what + ", " + number + ", " + size + ": column reading / best loop";
        char rates[100];
        std::snprintf(rates, sizeof rates, "  (%.1f and %.1f million/s)", read / 1e6, best / 1e6);
        print_line(title.c_str(), read / best, number == "float" ? 0.9 : 0.8, rates);
      }
  int const operations = operations_per_plan();
  double const in_double = reporter.rate("plans/double/column/4096"),
               in_float = reporter.rate("plans/float/column/4096");
  std::printf("%d operations per plan after folding: %.2f and %.2f thousand million operations/s\n", operations,
              operations * in_double / 1e9, operations * in_float / 1e9);
  print_line("million plans/s, double", in_double / 1e6, 20);
  print_line("million plans/s, float", in_float / 1e6, 40);
  double best = 0;
  for (std::string const& loop : std::vector<std::string>{"plain", "restricted", "vector"})
    best = std::max(best, reporter.rate("activations/double/" + loop + "/1024"));
  print_line("activations at -O2 / best loop at -O3", reporter.rate("activations/double/column at -O2/1024") / best,
             0.5);
  print_line("run-time twin / column reading",
             reporter.rate("activations/double/twin/4096") / reporter.rate("activations/double/column/4096"), 0.15);
  print_line("numbers / intervals, operands not negative: 1 /",
             reporter.rate("interval/costs/") / reporter.rate("number/costs/"), 0.5);
  print_line("numbers / intervals, any sign: 1 /",
             reporter.rate("interval/any sign/") / reporter.rate("number/any sign/"), 1.0 / 12);
}

template <class Number> void add_rivals(std::string const& number) {
  auto const sized = [](std::string const& name, auto function, long small, long large) {
    benchmark::RegisterBenchmark(name.c_str(), function)->Arg(small)->Arg(large)->Repetitions(5);
  };
  sized("activations/" + number + "/column", read_activations<Number>, 1024, 4194304);
  sized("activations/" + number + "/plain", hand_activations<Number, plain_activations<Number>>, 1024, 4194304);
  sized("activations/" + number + "/restricted", hand_activations<Number, restricted_activations<Number>>, 1024,
        4194304);
  sized("activations/" + number + "/vector", hand_activations<Number, vector_activations<Number>>, 1024, 4194304);
  sized("plans/" + number + "/column", read_plans<Number>, 4096, 1048576);
  sized("plans/" + number + "/plain", hand_plans<Number, bench::plain_loop<Number>>, 4096, 1048576);
  sized("plans/" + number + "/restricted", hand_plans<Number, bench::restricted_loop<Number>>, 4096, 1048576);
  sized("plans/" + number + "/vector", hand_plans<Number, bench::vector_loop<Number>>, 4096, 1048576);
}

}  // namespace

int main(int count, char** arguments) {
  benchmark::Initialize(&count, arguments);
  if (!hand_and_reading_agree<double>(1e-12) || !hand_and_reading_agree<float>(1e-5))
    return 1;
  add_rivals<double>("double");
  add_rivals<float>("float");
  benchmark::RegisterBenchmark("activations/double/column at -O2", activations_at_o2)->Arg(1024)->Repetitions(5);
  benchmark::RegisterBenchmark("activations/double/column", read_activations<double>)->Arg(4096)->Repetitions(5);
  benchmark::RegisterBenchmark("activations/double/twin", twin_activations)->Arg(4096)->Repetitions(5);
  benchmark::RegisterBenchmark("number/costs", of_costs<double, false>)->Repetitions(5);
  benchmark::RegisterBenchmark("interval/costs", of_costs<expr::interval<double>, true>)->Repetitions(5);
  benchmark::RegisterBenchmark("number/any sign", of_signed<double, false>)->Repetitions(5);
  benchmark::RegisterBenchmark("interval/any sign", of_signed<expr::interval<double>, true>)->Repetitions(5);
  remembering_reporter reporter;
  benchmark::RunSpecifiedBenchmarks(&reporter);
  print_ratios(reporter);
  return 0;
}
