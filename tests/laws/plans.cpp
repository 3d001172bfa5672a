#include <cmath>
#include <vector>

#include <doctest/doctest.h>

#include <support/plans.hpp>

// Laws that every plan of every model must obey. Only those are here that hold without exception: more sharding can
// raise the *peak* (gathered weights), and more stages can raise a share (tied embeddings are copied).
namespace {

using namespace shardplan;
using namespace support;
namespace ct = cost::tag;

constexpr planner::standard_blocks blocks{};

std::vector<planner::stage_estimate> stages_of(random_model const& model, random_case const& at) {
  auto const machine = at.cluster();
  planner::plan_reader const reader{model, machine, at.job, at.plan, at.assumed, blocks};
  std::vector<planner::stage_estimate> stages;
  for (long long index = 0; index < reader.stages(); ++index)
    stages.push_back(reader.stage(index));
  return stages;
}
planner::plan_estimate estimate(random_model const& model, random_case const& at) {
  return planner::estimate(model, at.cluster(), at.job, at.plan, at.assumed, blocks);
}
double largest_static(random_model const& model, random_case const& at) {
  double largest = 0;
  for (auto const& stage : stages_of(model, at))
    largest = std::fmax(largest, stage.static_bytes());
  return largest;
}
bool not_above(double left, double right) { return left <= right * (1 + 1e-12); }
bool sane(double value) { return std::isfinite(value) && value >= 0; }

/// Every input and result of a stage.
template <class... Bindings> bool all_sane(expr::environment<Bindings...> const& values) {
  return (sane(static_cast<Bindings const&>(values).value) && ...);
}

TEST_CASE("every memory and time term is finite and not negative; the peak is not below the static memory") {
  generator random{10};
  for (int round = 0; round < 400; ++round) {
    auto const model = random_decoder(random);
    auto const at = random_plan(random);
    for (auto const& stage : stages_of(model, at)) {
      CHECK(all_sane(stage.values));
      CHECK(sane(planner::get<cost::tag::exposed_data_communication>(stage.values)));
      CHECK(stage.static_bytes() > 0);
      CHECK(not_above(stage.static_bytes(), stage.peak_bytes()));
      CHECK(stage.forward() > 0);
      CHECK(not_above(planner::get<cost::tag::exposed_data_communication>(stage.values),
                      planner::get<ct::data_communication>(stage.values)));
    }
    auto const all = estimate(model, at);
    CHECK(sane(all.step_time));
    // The stage that is named as the slowest is the one whose bound the step record takes.
    planner::standard_blocks const blocks;
    auto const machine = at.cluster();
    planner::plan_reader const reader{model, machine, at.job, at.plan, at.assumed, blocks};
    CHECK(
        close(expr::evaluate(schedule::one_forward_one_backward::step_bound(), reader.schedule_environment(all)).value,
              all.pipeline_time));
    CHECK(all.model_flop > 0);
    CHECK(all.hardware_flop >= all.model_flop);
    CHECK(not_above(all.busy_time, all.pipeline_time));
    CHECK(sane(all.ending.after_pipeline()));
  }
}

TEST_CASE("a model of more than 1e13 parameters gives finite numbers") {
  generator random{11};
  auto model = random_decoder(random);
  for (auto* shape : {&model.shapes[0], &model.shapes[1]}) {
    shape->heads = 1024;
    shape->key_value_heads = 1024;
    shape->head_dimension = 128;
    shape->hidden = 131072;
    shape->feed_forward = 4 * 131072;
  }
  model.runs = {model::block_run{0, 10}, model::block_run{1, 20}, model::block_run{0, 34}};
  CHECK(planner::parameters(model) > 1e13);
  for (int round = 0; round < 20; ++round) {
    auto at = random_plan(random);
    at.job.sequence_length = 131072;
    for (auto const& stage : stages_of(model, at))
      CHECK(all_sane(stage.values));
    auto const all = estimate(model, at);
    CHECK(sane(all.step_time));
    CHECK(sane(all.hardware_flop));
  }
}

TEST_CASE("a higher ZeRO stage never holds more model states, and on one replica shares nothing") {
  generator random{12};
  for (int round = 0; round < 200; ++round) {
    auto const model = random_decoder(random);
    auto at = random_plan(random);
    at.assumed.policy = random.one_of(cost::policies::mixed, cost::policies::megatron);
    double previous = INFINITY;
    for (int stage = 0; stage <= 3; ++stage) {
      at.plan.zero_stage = stage;
      double const now = largest_static(model, at);
      CHECK(not_above(now, previous));
      if (at.plan.data == 1 && stage > 0)
        CHECK(now == previous);
      previous = now;
    }
  }
}

TEST_CASE("more replicas, and more tensor-parallel devices, never hold more model states each") {
  generator random{13};
  for (int round = 0; round < 200; ++round) {
    auto const model = random_decoder(random);
    auto at = random_plan(random);
    auto const shrinks = [&](long long& degree, std::initializer_list<long long> degrees) {
      long long const before = degree;
      double previous = INFINITY;
      for (long long const each : degrees) {
        degree = each;
        at.set_micro_batches(4);
        double const now = largest_static(model, at);
        CHECK(not_above(now, previous));
        previous = now;
      }
      degree = before;
    };
    shrinks(at.plan.data, {1, 2, 4, 8, 64, 1024});
    shrinks(at.plan.tensor, {1, 2, 4, 8, 16});
  }
}

TEST_CASE("more pipeline stages never hold more model states each") {
  generator random{14};
  for (int round = 0; round < 200; ++round) {
    auto const model = random_decoder(random);
    auto at = random_plan(random);
    // FSDP with a pipeline keeps gradients whole (torchtitan), so this law is not one of its.
    at.assumed.policy = cost::policies::mixed;
    double previous = INFINITY;
    for (long long const stages : {1, 2, 4, 8, 16}) {
      at.plan.pipeline = stages;
      double const now = largest_static(model, at);
      CHECK(not_above(now, previous));
      previous = now;
    }
  }
}

TEST_CASE("the stages of one tensor-parallel device own the whole model") {
  generator random{15};
  for (int round = 0; round < 200; ++round) {
    auto const model = random_decoder(random);
    auto at = random_plan(random);
    at.plan.tensor = 1;
    at.plan.sequence_parallel = false;
    double sum = 0;
    long long layers = 0;
    for (auto const& stage : stages_of(model, at)) {
      sum += planner::get<ct::stage_parameters>(stage.values);
      CHECK(stage.first_layer == layers);
      layers += stage.layers;
    }
    CHECK(layers == model.layers());
    // What padding the vocabulary adds, and the copy of a tied head on another stage than the embedding.
    double const padded = planner::padded_vocabulary(model.vocabulary, at.assumed.policy, 1);
    bool const copied = model.tied_embeddings && at.plan.pipeline > 1;
    double const ends = model.tied_embeddings ? 1 : 2;
    double const expected = planner::parameters(model) + ends * (padded - model.vocabulary) * model.hidden() +
                            (copied ? padded * model.hidden() : 0);
    CHECK(close(sum, expected));
  }
}

TEST_CASE("a stage of t devices owns the whole stage, but for what is replicated") {
  generator random{16};
  for (int round = 0; round < 100; ++round) {
    auto const model = random_decoder(random);
    auto at = random_plan(random);
    at.plan.sequence_parallel = false;
    // The padded vocabulary is the same for both.
    at.assumed.policy.vocabulary_multiple = 1024 / static_cast<int>(at.plan.tensor);
    auto whole = at;
    whole.plan.tensor = 1;
    whole.assumed.policy.vocabulary_multiple = 1024;
    auto const cut = stages_of(model, at);
    auto const uncut = stages_of(model, whole);
    auto const t = static_cast<double>(at.plan.tensor);
    for (std::size_t index = 0; index < cut.size(); ++index) {
      double const on_one = planner::get<ct::stage_parameters>(cut[index].values);
      double const all = planner::get<ct::stage_parameters>(uncut[index].values);
      CHECK(not_above(all / t, on_one));
      CHECK(not_above(on_one, all));
      // Norms, biases of outputs and positions are all that is replicated.
      double const layers = static_cast<double>(cut[index].layers);
      double const replicated =
          layers * (12 * model.hidden() + 4 * 128) + (model.learned_positions + 2) * model.hidden();
      CHECK(not_above(on_one - all / t, replicated));
    }
  }
}

TEST_CASE("activations of a stage are those of one micro-batch times the micro-batches in flight, at most p") {
  generator random{17};
  for (int round = 0; round < 200; ++round) {
    auto const model = random_decoder(random);
    auto const at = random_plan(random);
    for (auto const& stage : stages_of(model, at)) {
      double const in_flight = planner::get<ct::micro_batches_in_flight>(stage.values);
      CHECK(in_flight >= 1);
      CHECK(in_flight <= static_cast<double>(at.plan.pipeline - stage.index));
      CHECK(in_flight <= static_cast<double>(at.micro_batches()));
      CHECK(close(planner::get<ct::activations>(stage.values), in_flight * planner::get<ct::stage_kept>(stage.values)));
    }
  }
}

TEST_CASE("more micro-batches never shorten a step") {
  generator random{18};
  for (int round = 0; round < 200; ++round) {
    auto const model = random_decoder(random);
    auto at = random_plan(random);
    // From ZeRO 2 on a pipeline's slowest stage can hide more communication the more micro-batches there are.
    if (at.plan.pipeline > 1) {
      at.assumed.policy = cost::policies::mixed;
      at.plan.zero_stage = static_cast<int>(random.whole(0, 1));
    }
    double previous = 0;
    for (long long m = 1; m <= 24; ++m) {
      at.set_micro_batches(m);
      double const now = estimate(model, at).step_time;
      CHECK(not_above(previous, now));
      previous = now;
    }
  }
}

TEST_CASE("recomputation keeps less and takes longer: none, selective, full") {
  generator random{19};
  for (int round = 0; round < 100; ++round) {
    auto const model = random_decoder(random);
    auto at = random_plan(random);
    double kept = INFINITY, time = 0;
    for (auto const again :
         {planner::recomputation::none, planner::recomputation::selective, planner::recomputation::full}) {
      at.plan.recompute = again;
      double const now_kept = planner::get<ct::activations>(stages_of(model, at).front().values);
      double const now_time = estimate(model, at).pipeline_time;
      CHECK(not_above(now_kept, kept));
      CHECK(not_above(time, now_time));
      kept = now_kept;
      time = now_time;
    }
  }
}

TEST_CASE("sequence parallelism never keeps more") {
  generator random{20};
  for (int round = 0; round < 100; ++round) {
    auto const model = random_decoder(random);
    auto at = random_plan(random);
    at.plan.tensor = random.one_of(2, 4, 8);
    at.plan.sequence_parallel = false;
    double const without = planner::get<ct::activations>(stages_of(model, at).front().values);
    at.plan.sequence_parallel = true;
    CHECK(not_above(planner::get<ct::activations>(stages_of(model, at).front().values), without));
  }
}

TEST_CASE("no plan computes faster than its devices' matrix engines") {
  generator random{21};
  for (int round = 0; round < 300; ++round) {
    auto const model = random_decoder(random);
    auto at = random_plan(random);
    // Counted as the fused kernel computes it: only the pairs that the mask leaves.
    at.assumed.flops = planner::flop_convention::causal;
    auto const machine = at.cluster();
    auto const found = estimate(model, at);
    auto const rate = planner::rates_of(machine, at.job, at.assumed);
    double const best = std::fmax(rate.matrix, rate.attention) * static_cast<double>(at.plan.devices());
    CHECK(not_above(found.hardware_flop / best, found.step_time));
  }
}

}  // namespace
