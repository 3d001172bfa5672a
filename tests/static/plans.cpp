#include <shardplan/core.hpp>
#include <shardplan/device/catalogue/nvidia_a100_sxm_40gb.hpp>
#include <shardplan/device/catalogue/nvidia_h100_sxm.hpp>

// A plan can be judged in a constant expression.
namespace {

using namespace shardplan;
using namespace shardplan::unit::literals;
using planner::rule;
using planner::verdict;

constexpr auto llama = model::llama_3_1_8b;
constexpr auto machine = device::make_cluster(device::catalogue::h100_sxm, 8, 8);
constexpr planner::workload job{.sequence_length = 8192, .global_batch = 128};

static_assert(planner::parameters(llama) == 8030261248.0);

// 64 GB of model states do not fit one device; shared out over 64, with recomputation, they do.
constexpr planner::plan replicated{.data = 64, .zero_stage = 0};
constexpr planner::plan sharded{.tensor = 2, .data = 32, .sequence_parallel = true, .zero_stage = 1};
static_assert(!planner::fits(llama, machine, job, replicated));
static_assert(planner::fits(llama, machine, job, sharded));

constexpr auto found = planner::estimate(llama, machine, job, sharded);
static_assert(found.step_time > 0 && found.worst.peak_bytes() > found.worst.static_bytes());
static_assert(found.model_flop == found.hardware_flop);
static_assert(planner::judge(found.worst.peak_bytes(), machine, {}) != verdict::no);

// The same plan on devices of half the memory.
constexpr auto small = device::make_cluster(device::catalogue::a100_sxm_40gb, 8, 8);
static_assert(!planner::fits(model::llama_3_1_70b, small, job, sharded));

// An illegal plan does not fit, whatever its memory.
constexpr planner::plan too_few{.tensor = 2, .data = 16, .sequence_parallel = true, .zero_stage = 1};
static_assert(planner::first_broken_rule(llama, machine, job, too_few, {}) == rule::device_count);
static_assert(!planner::fits(llama, machine, job, too_few));
static_assert(planner::first_broken_rule(llama, machine, job, sharded, {}) == rule::none);

// More reserve than memory leaves no plan.
constexpr planner::assumptions nothing_left{.reserve = 80_GiB};
static_assert(!planner::fits(llama, machine, job, sharded, nothing_left));

// Padding of vocabularies.
static_assert(planner::padded_vocabulary(50257, cost::policies::megatron, 1) == 50304);
static_assert(planner::padded_vocabulary(131073, cost::policies::megatron, 4) == 131584);
static_assert(planner::padded_vocabulary(151669, cost::policies::megatron, 4) == 152064);
static_assert(planner::padded_vocabulary(129280, cost::policies::megatron, 24) == 132096);

// Keys under a causal mask: (s + 1) / 2 on average, w for all but the first of a window.
static_assert(model::causal_keys(8192, 0) == 4096.5);
static_assert(model::causal_keys(4, 2) == (1 + 2 + 2 + 2) / 4.0);

}  // namespace
