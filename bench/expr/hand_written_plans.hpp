#pragma once
#include <cstddef>

#include <shardplan/expr/pack.hpp>
#include <shardplan/planner/environment.hpp>

/// Step time and peak memory of plans for a Llama model, by hand: what one would write without the library, with
/// everything that is the same for all plans taken out of the loop. Gated MLP, flash attention, nothing recomputed, no
/// biases, p > 2 stages of equal layers. The rival of the planner's own records.
namespace bench {

namespace sp = shardplan;

/// What does not differ between plans.
template <class Number> struct fixed_values {
  Number p, L, B, V_0, k_V, in_sequence, hidden_message;
  // block: coefficients of b/t_s, b/t and 1/t
  Number kept_s, kept_t, norms, weights_t, matrix_t;
  Number norm_traffic, q_work, k_work, o_work, mlp_work, attention, attention_backward;
  Number stream, q_traffic, k_traffic, f_traffic, q_weights, k_weights, f_weights;
  Number launches, l_op, all_reduce_bytes;
  // ends
  Number h, end_traffic, head_kept, head_work, logit_traffic, head_weight_traffic, loss_traffic, logit_bytes;
  // states and communication
  Number e_w, e_g, e_o, x_w, x_g, x_o, x_red, x_ag, x_agm, x_agb, x_all, e_copy, bucket, e_wg, e_red, e_ag, overlap,
      e_step, B_mem, B_p, alpha_p;
};

template <class Number>
fixed_values<Number> fixed(sp::planner::plan_inputs const& in, sp::planner::block_environment const& at, double layers,
                           double stages) {
  namespace mt = sp::model::tag;
  namespace ct = sp::cost::tag;
  namespace pt = sp::planner::tag;
  auto const v = [&]<class Tag>(Tag, auto const& from) { return static_cast<Number>(sp::expr::value_of<Tag>(from)); };
  Number const s = v(mt::sequence_length{}, at), h = v(mt::hidden{}, at), f = v(mt::feed_forward{}, at);
  Number const q = v(mt::heads{}, at) * v(mt::head_dimension{}, at);
  Number const k = v(mt::key_value_heads{}, at) * v(mt::head_dimension{}, at);
  Number const e = v(mt::activation_bytes{}, at), bandwidth = v(ct::memory_bandwidth{}, at);
  Number const rate = v(ct::matrix_rate{}, at), half = v(ct::half_precision_rate{}, at);
  Number const core = 4 * v(mt::keys_computed{}, at) * s * q / v(ct::attention_rate{}, at);
  Number const core_traffic = (2 * e * s * q + 2 * e * s * k) / bandwidth;
  Number const attention = core < core_traffic ? core_traffic : core;
  fixed_values<Number> c;
  c.p = static_cast<Number>(stages);
  c.L = static_cast<Number>(layers);
  c.B = v(pt::global_batch{}, in);
  c.V_0 = v(pt::vocabulary_entries{}, in);
  c.k_V = v(pt::vocabulary_multiple{}, in);
  c.in_sequence = v(pt::in_sequence{}, in);
  c.hidden_message = e * s * h;
  c.kept_s = 4 * e * s * h;
  c.kept_t = e * s * q + 2 * e * s * k + 4 * s * v(mt::heads{}, at) + e * s * q + 3 * e * s * f;
  c.norms = 2 * h;
  c.weights_t = 2 * h * q + 2 * h * k + 3 * h * f;
  c.matrix_t = h * f;
  c.norm_traffic = 10 * e * s * h / bandwidth;
  c.q_work = 2 * s * h * q / rate;
  c.k_work = 2 * s * h * k / rate;
  c.o_work = c.q_work;
  c.mlp_work = 2 * s * h * f / rate;
  c.attention = core_traffic + attention + 3 * e * s * f / bandwidth;
  c.attention_backward = 2 * core_traffic + Number(2.5) * attention + 6 * e * s * f / bandwidth;
  c.stream = e * s * h / bandwidth;
  c.q_traffic = e * s * q / bandwidth;
  c.k_traffic = e * s * k / bandwidth;
  c.f_traffic = e * s * f / bandwidth;
  c.q_weights = e * h * q / bandwidth;
  c.k_weights = e * h * k / bandwidth;
  c.f_weights = e * h * f / bandwidth;
  c.l_op = v(ct::operation_launch_time{}, at);
  c.launches = 14 * c.l_op;
  c.all_reduce_bytes = 2 * e * s * h;
  c.h = h;
  c.end_traffic = 2 * e * s * h / bandwidth;
  c.head_kept = 2 * e * s * h;
  c.head_work = 2 * s * h / half;
  c.logit_traffic = e * s / bandwidth;
  c.head_weight_traffic = e * h / bandwidth;
  c.loss_traffic = v(mt::logit_bytes{}, at) * s / bandwidth;
  c.logit_bytes = v(mt::logit_bytes{}, at) * s;
  c.e_w = v(ct::weight_bytes{}, in);
  c.e_g = v(ct::gradient_bytes{}, in);
  c.e_o = v(ct::optimizer_bytes{}, in);
  c.x_w = v(pt::weights_shared{}, in);
  c.x_g = v(pt::gradients_shared{}, in);
  c.x_o = v(pt::optimizer_shared{}, in);
  c.x_red = v(pt::reduces_often{}, in);
  c.x_ag = v(pt::gathers{}, in);
  c.x_agm = v(pt::gathers_often{}, in);
  c.x_agb = v(pt::gathers_again{}, in);
  c.x_all = v(pt::gathers_whole_stage{}, in);
  c.e_copy = v(pt::gathered_copy_bytes{}, in);
  c.bucket = v(pt::bucket_bytes{}, in);
  c.e_wg = v(ct::weight_gradient_bytes{}, in);
  c.e_red = v(ct::reduced_bytes{}, in);
  c.e_ag = v(ct::gathered_wire_bytes{}, in);
  c.overlap = v(ct::data_overlap{}, in);
  c.e_step = v(ct::optimizer_traffic{}, in);
  c.B_mem = bandwidth;
  c.B_p = v(ct::pipeline_bandwidth{}, in);
  c.alpha_p = v(ct::pipeline_latency{}, in);
  return c;
}

template <class Value> struct two_results {
  Value step_time, peak;
};

/// One plan, or a pack of plans.
template <class Value, class Number>
SHARDPLAN_FORCE_INLINE two_results<Value> plan_by_hand(fixed_values<Number> const& c, Value t, Value d, Value b,
                                                       Value B_t, Value alpha_t, Value B_d, Value alpha_d) {
  using sp::expr::ceiling;
  using sp::expr::choose;
  using sp::expr::logarithm2;
  using sp::expr::maximum;
  using sp::expr::minimum;
  auto const n = [](Number number) { return Value(number); };
  Value const one = n(1), zero = n(0);

  // the plan
  Value const m = n(c.B) / (d * b);
  Value const t_s = c.in_sequence > 0 ? t : one;
  Value const step = n(c.k_V) * t;
  Value const V = ceiling(n(c.V_0) / step) * step;
  Value const z_w = c.x_w > 0 ? d : one, z_g = c.x_g > 0 ? d : one, z_o = c.x_o > 0 ? d : one;
  Value const several = d - one;
  Value const e_gather = choose(n(c.x_w) * several, n(c.e_copy), zero);
  Value const buffer = choose(several, n(c.bucket), zero);
  Value const n_red = c.x_red > 0 ? m : one;
  Value const gathers = c.x_agm > 0 ? m : one;
  Value const n_agf = n(c.x_ag) * gathers;
  Value const n_ag = c.x_ag > 0 ? gathers * n(1 + c.x_agb) : one;
  Value const log_t = logarithm2(t), log_d = logarithm2(d);
  Value const hop = n(c.alpha_p) + n(c.hidden_message) * b / t_s / n(c.B_p);
  Value const tau_d = (one - one / d) * (n_red * n(c.e_red) + n_ag * n(c.e_ag)) / B_d;
  Value const lambda_d = (n_red + n_ag) * alpha_d * log_d;
  Value const tau_o = n(c.e_step) / z_o / n(c.B_mem);

  // a block
  Value const b_t = b / t, b_s = b / t_s, inverse = one / t;
  Value const block_P = n(c.norms) + n(c.weights_t) * inverse;
  Value const block_kept = n(c.kept_s) * b_s + n(c.kept_t) * b_t;
  Value const stream = n(c.stream) * b_s;
  Value const q = maximum(n(c.q_work) * b_t, stream + n(c.q_traffic) * b_t + n(c.q_weights) * inverse);
  Value const kv = maximum(n(c.k_work) * b_t, stream + n(c.k_traffic) * b_t + n(c.k_weights) * inverse);
  Value const o = maximum(n(c.o_work) * b_t, n(c.q_traffic) * b_t + stream + n(c.q_weights) * inverse);
  Value const up = maximum(n(c.mlp_work) * b_t, stream + n(c.f_traffic) * b_t + n(c.f_weights) * inverse);
  Value const products = q + n(2) * kv + o + n(3) * up;
  Value const block_f = maximum(n(c.norm_traffic) * b_s + n(c.attention) * b_t + products, n(c.launches));
  Value const block_b =
      maximum(n(2 * c.norm_traffic) * b_s + n(c.attention_backward) * b_t + n(2) * products, n(2 * c.launches));
  Value const volume = one - inverse;
  Value const exchange = n(2) * alpha_t * log_t + n(c.all_reduce_bytes) * b * volume / B_t;
  Value const block_sent = n(2) * exchange;

  // embedding and head
  Value const V_t = V / t;
  Value const end_weights = n(c.h) * V_t;
  Value const embedding_f = maximum(n(c.end_traffic) * b_s, n(c.l_op));
  Value const embedding_b = maximum(n(2 * c.end_traffic) * b_s, n(2 * c.l_op));
  Value const head_P = n(c.h) + end_weights;
  Value const head_rows = b * V_t;
  Value const head_product =
      maximum(n(c.head_work) * head_rows, stream + n(c.logit_traffic) * head_rows + n(c.head_weight_traffic) * V_t);
  Value const loss = n(c.loss_traffic) * head_rows;
  Value const head_f = maximum(n(c.end_traffic) * b_s + head_product + loss, n(3 * c.l_op));
  Value const head_b = maximum(n(2 * c.end_traffic) * b_s + n(2) * head_product + loss, n(6 * c.l_op));

  // stages: the first, those between, the last
  Number const layers = c.L / c.p;
  auto const stage = [&](Value P, Value gathered_P, Value largest, Value held, Value in_flight, Value kept,
                         Value logits, Value f, Value back, Value& end, Value& peak) {
    Value const weights = P * n(c.e_w) / z_w + P * n(c.e_g) / z_g + P * n(c.e_o) / z_o;
    Value const live = weights + buffer + in_flight * kept + (c.x_all > 0 ? P : gathered_P) * e_gather;
    peak = maximum(live + logits, live + largest * n(c.e_wg));
    Value const data = P * tau_d + held * lambda_d;
    Value const hidden = n(c.overlap) * (n_red * back + n_agf * f);
    end = maximum(data / held, data - hidden) + P * tau_o;
  };
  Value const blocks_P = n(layers) * block_P, blocks_kept = n(layers) * block_kept;
  Value const blocks_f = n(layers) * (block_f + block_sent), blocks_b = n(layers) * (block_b + block_sent);
  Value const matrix = maximum(n(c.matrix_t) * inverse, n(c.norms));
  Value const f_0 = embedding_f + exchange + blocks_f, b_0 = embedding_b + blocks_b + hop;
  Value const f_1 = blocks_f + hop, b_1 = blocks_b + hop;
  Value const f_2 = blocks_f + head_f + hop, b_2 = blocks_b + head_b + exchange;
  Value end_0, end_1, end_2, peak_0, peak_1, peak_2;
  Value const two_blocks = n(2) * block_P;
  stage(blocks_P + end_weights, two_blocks + end_weights, maximum(matrix, end_weights), n(layers + 1),
        minimum(m, n(c.p)), blocks_kept, zero, f_0, b_0, end_0, peak_0);
  stage(blocks_P, two_blocks, matrix, n(layers), minimum(m, n(c.p - 1)), blocks_kept, zero, f_1, b_1, end_1, peak_1);
  stage(blocks_P + head_P, two_blocks + head_P, maximum(matrix, end_weights), n(layers + 1), one,
        blocks_kept + n(c.head_kept) * b_s, n(c.logit_bytes) * head_rows, f_2, b_2, end_2, peak_2);

  // 1F1B
  Value const pass_0 = f_0 + b_0, pass_1 = f_1 + b_1, pass_2 = f_2 + b_2;
  auto const bound = [&](Value before, Value after, Value f, Value back, Value w) {
    return maximum(before + m * (f + back), before + f + after + m * back + (m - w) * f);
  };
  Value const before_1 = pass_0 + n(c.p - 3) * pass_1, before_2 = pass_0 + n(c.p - 2) * pass_1;
  Value const pipeline = maximum(maximum(bound(zero, n(c.p - 2) * pass_1 + pass_2, f_0, b_0, minimum(m, n(c.p))),
                                         bound(before_1, pass_2, f_1, b_1, minimum(m, n(2)))),
                                 bound(before_2, zero, f_2, b_2, one));
  return {pipeline + maximum(maximum(end_0, end_1), end_2), maximum(maximum(peak_0, peak_1), peak_2)};
}

/// The columns of a block of plans.
template <class Number> struct plan_arrays {
  Number const *t, *d, *b, *B_t, *alpha_t, *B_d, *alpha_d;
  Number *step_time, *peak;
};

/// A plain loop, which the compiler may turn into vector instructions.
template <class Number>
[[gnu::noinline]] void plain_loop(fixed_values<Number> const& values, plan_arrays<Number> const& at,
                                  std::size_t count) {
  fixed_values<Number> const c = values;
  for (std::size_t i = 0; i < count; ++i) {
    auto const result =
        plan_by_hand<Number, Number>(c, at.t[i], at.d[i], at.b[i], at.B_t[i], at.alpha_t[i], at.B_d[i], at.alpha_d[i]);
    at.step_time[i] = result.step_time;
    at.peak[i] = result.peak;
  }
}

/// A loop of which the compiler is told that its arrays do not overlap.
template <class Number>
[[gnu::noinline]] void restricted_loop(fixed_values<Number> const& values, plan_arrays<Number> const& at,
                                       std::size_t count) {
  fixed_values<Number> const c = values;
  Number const* __restrict t = at.t;
  Number const* __restrict d = at.d;
  Number const* __restrict b = at.b;
  Number const* __restrict B_t = at.B_t;
  Number const* __restrict alpha_t = at.alpha_t;
  Number const* __restrict B_d = at.B_d;
  Number const* __restrict alpha_d = at.alpha_d;
  Number* __restrict step_time = at.step_time;
  Number* __restrict peak = at.peak;
#if defined(__clang__)
#pragma clang loop vectorize(assume_safety)
#else
#pragma GCC ivdep
#endif
  for (std::size_t i = 0; i < count; ++i) {
    auto const result = plan_by_hand<Number, Number>(c, t[i], d[i], b[i], B_t[i], alpha_t[i], B_d[i], alpha_d[i]);
    step_time[i] = result.step_time;
    peak[i] = result.peak;
  }
}

/// A loop over vectors.
template <class Number>
[[gnu::noinline]] void vector_loop(fixed_values<Number> const& values, plan_arrays<Number> const& at,
                                   std::size_t count) {
  using pack = sp::expr::pack<Number>;
  fixed_values<Number> const c = values;
  for (std::size_t i = 0; i + pack::width <= count; i += pack::width) {
    auto const result = plan_by_hand<pack, Number>(c, pack::load(at.t + i), pack::load(at.d + i), pack::load(at.b + i),
                                                   pack::load(at.B_t + i), pack::load(at.alpha_t + i),
                                                   pack::load(at.B_d + i), pack::load(at.alpha_d + i));
    result.step_time.store(at.step_time + i);
    result.peak.store(at.peak + i);
  }
}

}  // namespace bench
