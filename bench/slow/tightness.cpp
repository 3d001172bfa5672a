#include <algorithm>
#include <cstdio>
#include <limits>
#include <queue>
#include <vector>

#include <shardplan/device/catalogue/nvidia_h100_sxm.hpp>
#include <shardplan/expr/interval.hpp>
#include <shardplan/expr/simplify.hpp>
#include <shardplan/model/published.hpp>
#include <shardplan/planner/search_plans.hpp>
#include <shardplan/planner/uniform_bound.hpp>

/// How tight the interval reading of the planner's own records is: branch and bound over boxes of (t, p, d, b) for all
/// legal layouts without recomputation, with the step time in total-work form. A layout is opened when it is evaluated
/// by itself. The optimum must be the one that evaluating everything finds.
namespace {

using namespace shardplan;
using interval = expr::interval<double>;
using planner::plan;

template <class Tag> using range = expr::binding<Tag, interval>;
using box_environment =
    expr::environment<range<strategy::tag::tensor_degree>, range<schedule::tag::stages>,
                      range<strategy::tag::data_degree>, range<model::tag::micro_batch>,
                      range<cost::tag::tensor_bandwidth>, range<cost::tag::tensor_latency>,
                      range<cost::tag::data_bandwidth>, range<cost::tag::data_latency>,
                      range<planner::tag::ends_counted>, planner::value<planner::tag::layers>,
                      planner::value<planner::tag::devices>, planner::value<cost::tag::holds_tied_embedding>>;

struct job_at_hand {
  char const* name;
  decltype(model::llama_3_1_8b) model;
  device::cluster machine;
  planner::workload work;
  planner::assumptions assumed{};
};

template <class Tag> void include(box_environment& box, double value, bool first) {
  auto& values = static_cast<range<Tag>&>(box).value;
  values = first ? interval{value} : interval{std::min(values.low, value), std::max(values.high, value)};
}

/// The smallest box around some plans.
box_environment box_of(std::vector<plan> const& plans, job_at_hand const& job) {
  box_environment box;
  bool first = true;
  for (plan const& each : plans) {
    auto const tensor = device::group_link(job.machine, each.tensor, 1);
    auto const data = device::group_link(job.machine, each.data, each.tensor);
    bool const ends = planner::split_of(job.model.layers(), each.pipeline) == planner::stage_split::ends_counted;
    include<strategy::tag::tensor_degree>(box, static_cast<double>(each.tensor), first);
    include<schedule::tag::stages>(box, static_cast<double>(each.pipeline), first);
    include<strategy::tag::data_degree>(box, static_cast<double>(each.data), first);
    include<model::tag::micro_batch>(box, static_cast<double>(each.micro_batch), first);
    include<cost::tag::tensor_bandwidth>(box, tensor.bandwidth.value, first);
    include<cost::tag::tensor_latency>(box, tensor.latency.value, first);
    include<cost::tag::data_bandwidth>(box, data.bandwidth.value, first);
    include<cost::tag::data_latency>(box, data.latency.value, first);
    include<planner::tag::ends_counted>(box, ends ? 1.0 : 0.0, first);
    first = false;
  }
  planner::set<planner::tag::layers>(box, static_cast<double>(job.model.layers()));
  planner::set<cost::tag::holds_tied_embedding>(box, job.model.tied_embeddings ? 1 : 0);
  planner::set<planner::tag::devices>(box, static_cast<double>(job.machine.devices()));
  return box;
}

struct bound {
  double step_time = 0;
  double peak = 0;
};

template <class Record>
bound read_bound(Record record, box_environment const& box, plan const& any, job_at_hand const& job) {
  auto const inputs = planner::make_plan_inputs(job.model, job.machine, job.work, any, job.assumed);
  auto const blocks =
      planner::make_block_environment(job.model, job.model.shapes[0], job.machine, job.work, any, job.assumed);
  expr::scope const fixed{inputs, blocks};
  expr::scope const all{box, fixed};
  return {expr::enclose(expr::expression_of<planner::tag::step_time>(record), all).low,
          expr::enclose(expr::expression_of<planner::tag::highest_peak>(record), all).low};
}

constexpr auto total_work =
    expr::equation(strategy::symbols::t * schedule::symbols::p * strategy::symbols::d, cost::of<planner::tag::devices>);

constexpr auto block_record() {
  return cost::block_record(planner::detail::laid_out<strategy::keep_everything>(
      model::decoder_block(model::mlp::gated{}, model::kernel::flash{})));
}

/// Memory bounds are tight as they are.
template <class Record> constexpr auto simplified(Record r) {
  return expr::make_record(
      expr::define(cost::of<planner::tag::step_time>,
                   expr::simplify(expr::expression_of<planner::tag::step_time>(r), total_work)),
      expr::define(cost::of<planner::tag::highest_peak>, expr::expression_of<planner::tag::highest_peak>(r)));
}
/// Lower ends of step time, multiplied out with t*p*d = N cancelled, and peak memory of some plans of one block.
bound bound_of(std::vector<plan> const& plans, job_at_hand const& job) {
  auto const box = box_of(plans, job);
  plan const& any = plans.front();
  if (any.pipeline == 1)
    return read_bound(simplified(planner::one_stage_record(block_record())), box, any, job);
  return read_bound(simplified(planner::pipeline_bound_record(block_record())), box, any, job);
}

struct open_box {
  std::vector<plan> plans;
  double bound;
};
struct later {
  bool operator()(open_box const& left, open_box const& right) const { return left.bound > right.bound; }
};

struct outcome {
  std::size_t opened = 0;
  std::size_t boxes = 0;
  double step_time = std::numeric_limits<double>::infinity();
  plan best{};
};

/// Halves a box along the degree whose ends are furthest apart.
std::pair<std::vector<plan>, std::vector<plan>> halves(std::vector<plan> plans) {
  auto const degrees = {+[](plan const& each) { return each.tensor; }, +[](plan const& each) { return each.pipeline; },
                        +[](plan const& each) { return each.micro_batch; }};
  auto widest = *degrees.begin();
  double ratio = 0;
  for (auto const degree : degrees) {
    auto const [low, high] = std::minmax_element(
        plans.begin(), plans.end(), [&](plan const& left, plan const& right) { return degree(left) < degree(right); });
    double const here = static_cast<double>(degree(*high)) / static_cast<double>(degree(*low));
    if (here > ratio) {
      ratio = here;
      widest = degree;
    }
  }
  std::stable_sort(plans.begin(), plans.end(),
                   [&](plan const& left, plan const& right) { return widest(left) < widest(right); });
  // Between two values, as near to the middle as they allow.
  std::size_t cut = plans.size() / 2;
  while (cut > 0 && widest(plans[cut - 1]) == widest(plans[cut]))
    --cut;
  if (cut == 0) {
    cut = plans.size() / 2;
    while (widest(plans[cut]) == widest(plans[cut - 1]))
      ++cut;
  }
  auto const middle = plans.begin() + static_cast<std::ptrdiff_t>(cut);
  return {{plans.begin(), middle}, {middle, plans.end()}};
}

template <class Blocks>
outcome branch_and_bound(std::vector<std::vector<plan>> const& roots, job_at_hand const& job, Blocks const& blocks) {
  outcome result;
  double const usable = planner::usable_memory(job.machine, job.assumed).value;
  std::priority_queue<open_box, std::vector<open_box>, later> open;
  auto const consider = [&](std::vector<plan> plans) {
    if (plans.size() == 1) {
      ++result.opened;
      auto const found = planner::estimate(job.model, job.machine, job.work, plans[0], job.assumed, blocks);
      if (found.worst.peak_bytes() <= usable && found.step_time < result.step_time) {
        result.step_time = found.step_time;
        result.best = plans[0];
      }
      return;
    }
    ++result.boxes;
    bound const lower = bound_of(plans, job);
    if (lower.peak <= usable && lower.step_time < result.step_time)
      open.push({std::move(plans), lower.step_time});
  };
  for (auto const& root : roots)
    consider(root);
  while (!open.empty()) {
    open_box const next = open.top();
    open.pop();
    if (next.bound >= result.step_time)
      break;
    auto [low, high] = halves(next.plans);
    consider(std::move(low));
    consider(std::move(high));
  }
  return result;
}

bool power_of_two(long long number) { return (number & (number - 1)) == 0; }

template <class Blocks> bool run(job_at_hand const& job, bool powers_of_two, Blocks const& blocks) {
  std::vector<std::vector<plan>> roots;
  std::size_t legal = 0;
  double exhaustive = std::numeric_limits<double>::infinity();
  for (plan const& each : planner::enumerate({}, job.machine, job.work, job.assumed)) {
    if (planner::first_broken_rule(job.model, job.machine, job.work, each, job.assumed) != planner::rule::none)
      continue;
    if (powers_of_two && !(power_of_two(each.tensor) && power_of_two(each.pipeline) && power_of_two(each.data) &&
                           power_of_two(each.micro_batch)))
      continue;
    if (each.recompute != planner::recomputation::none)
      continue;
    ++legal;
    auto const found = planner::estimate(job.model, job.machine, job.work, each, job.assumed, blocks);
    if (planner::judge(found.worst.peak_bytes(), job.machine, job.assumed) != planner::verdict::no)
      exhaustive = std::min(exhaustive, found.step_time);
    auto const of_root = [&](std::vector<plan> const& root) {
      plan const& first = root.front();
      return (first.pipeline == 1) == (each.pipeline == 1) && first.sequence_parallel == each.sequence_parallel &&
             first.zero_stage == each.zero_stage && first.recompute == each.recompute;
    };
    auto const root = std::find_if(roots.begin(), roots.end(), of_root);
    if (root == roots.end())
      roots.push_back({each});
    else
      root->push_back(each);
  }
  auto const worked = branch_and_bound(roots, job, blocks);
  auto const share = [&](std::size_t count) { return 100.0 * static_cast<double>(count) / static_cast<double>(legal); };
  bool const same = worked.step_time == exhaustive;
  std::printf("%-16s %5lld  %-14s %6zu  %7.1f %%  %6zu  %9.3f s  %s\n", job.name, job.machine.devices(),
              powers_of_two ? "powers of two" : "all divisors", legal, share(worked.opened), worked.boxes, exhaustive,
              same ? "same optimum" : "ANOTHER OPTIMUM");
  return same;
}

}  // namespace

int main() {
  auto const blocks = planner::block_registry::standard();
  auto const on = [](int nodes) { return device::make_cluster(device::catalogue::h100_sxm, nodes, 8); };
  std::printf("%-16s %5s  %-14s %6s  %9s  %6s  %11s\n", "model", "N", "layouts", "legal", "opened", "boxes", "step");
  bool good = true;
  for (bool const powers : {true, false}) {
    good &= run({"llama-3.1-8b", model::llama_3_1_8b, on(8), {.sequence_length = 8192, .global_batch = 512}}, powers,
                blocks);
    good &= run({"llama-3.1-70b", model::llama_3_1_70b, on(64), {.sequence_length = 8192, .global_batch = 1024}},
                powers, blocks);
    good &= run({"llama-3.1-405b", model::llama_3_1_405b, on(512), {.sequence_length = 8192, .global_batch = 2048}},
                powers, blocks);
  }
  return good ? 0 : 1;
}
