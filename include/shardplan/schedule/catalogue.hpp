#pragma once
#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <shardplan/expr/number.hpp>
#include <shardplan/schedule/forms.hpp>
#include <shardplan/schedule/order/both_ways.hpp>
#include <shardplan/schedule/order/list.hpp>
#include <shardplan/schedule/order/one_pass.hpp>
#include <shardplan/schedule/order/virtual_stages.hpp>

/// The schedules by name: for programs that learn at run time which one they want.
namespace shardplan::schedule {

/// Times of one stage: of all chunks of the model that one device would hold without virtual stages.
struct stage_times {
  double forward = 0;
  /// Both gradients, and the part of it that computes the gradient of the weights.
  double backward = 0;
  double weight_gradient = 0;
  /// Until the next stage has what a pass sends.
  double send_forward = 0;
  double send_backward = 0;
};

/// A pipeline as a user describes it.
struct pipeline_shape {
  int devices = 1;
  int micro_batches = 1;
  /// For schedules with virtual stages: how many a device has.
  int virtual_stages = 1;
  /// For nF1B: forward passes before each backward pass.
  int forwards = 1;
};

/// A closed form with its values.
struct form_value {
  double value = 0;
  form_kind kind = form_kind::exact;
};

/// How the chunks of a schedule come from the stages of the model.
enum class chunk_layout {
  /// One chunk a stage.
  stages,
  /// Every stage cut into virtual stages, in rounds over the devices or in a V.
  virtual_stages,
  /// Two copies of the model, in opposite directions.
  two_copies,
  /// Every stage several times in a row.
  repeated,
};

struct named_schedule {
  const char* name;
  const char* title;
  const char* source;
  chunk_layout layout;
  /// Backward passes in two parts.
  bool splits_backward;
  /// No flush between steps: weights are a little old, and `weight_versions` of them are kept.
  bool asynchronous;

  /// Why the schedule cannot run a pipeline; nothing if it can.
  std::string (*refusal)(pipeline_shape const&);
  work_order (*order)(pipeline_shape const&);
  /// Chunks of a device.
  int (*chunks_per_device)(pipeline_shape const&);
  /// What a step takes, where a closed form says it for such times.
  std::optional<form_value> (*step_form)(pipeline_shape const&, std::span<stage_times const>);
  /// Activations of a whole device that device `index` holds at its peak.
  std::optional<form_value> (*in_flight_form)(pipeline_shape const&, int index);

  /// Times of the chunks. A stage that is cut into virtual stages is cut evenly.
  std::vector<chunk_times> times(pipeline_shape const& shape, std::span<stage_times const> stages) const {
    std::vector<chunk_times> result;
    auto const chunks = static_cast<std::size_t>(shape.devices * chunks_per_device(shape));
    auto const devices = static_cast<std::size_t>(shape.devices);
    auto const graph = order(shape).graph;
    for (std::size_t index = 0; index < chunks; ++index) {
      std::size_t stage = index % devices;
      double share = 1;
      if (layout == chunk_layout::virtual_stages) {
        stage = static_cast<std::size_t>(graph.chunks[index].device);
        share = 1.0 / chunks_per_device(shape);
      } else if (layout == chunk_layout::repeated) {
        stage = index / static_cast<std::size_t>(shape.forwards);
      }
      stage_times const& from = stages[stage];
      result.push_back({from.forward * share, (from.backward - from.weight_gradient) * share,
                        from.weight_gradient * share, from.send_forward, from.send_backward});
    }
    return result;
  }
};

namespace detail {

inline std::string runs_all(pipeline_shape const&) { return {}; }
inline int one_chunk(pipeline_shape const&) { return 1; }
inline int two_chunks(pipeline_shape const&) { return 2; }
inline int virtual_chunks(pipeline_shape const& shape) { return shape.virtual_stages; }
inline int repeated_chunks(pipeline_shape const& shape) { return shape.forwards; }

inline auto shape_values(pipeline_shape const& shape, int index = 0) {
  return expr::environment{
      symbols::p = static_cast<double>(shape.devices), symbols::m = static_cast<double>(shape.micro_batches),
      symbols::v = static_cast<double>(shape.virtual_stages), symbols::i = static_cast<double>(index)};
}
using stage_values = expr::environment<expr::binding<tag::forward, double>, expr::binding<tag::backward, double>,
                                       expr::binding<tag::weight_gradient, double>>;
inline stage_values values_of(stage_times const& stage) {
  return {symbols::f_i = stage.forward, symbols::b_i = stage.backward, symbols::b_w = stage.weight_gradient};
}

/// A form over all stages.
template <class Form> double over_stages(Form form, pipeline_shape const& shape, std::span<stage_times const> stages) {
  std::vector<stage_values> elements;
  for (stage_times const& each : stages)
    elements.push_back(values_of(each));
  expr::environment const all{expr::each<stage> = std::span<stage_values const>{elements}};
  auto const counts = shape_values(shape);
  return expr::evaluate(form, expr::scope{all, counts}).value;
}
/// A form of equal stages, or chunks, of which a stage has so many.
template <class Form>
double of_equal(Form form, pipeline_shape const& shape, std::span<stage_times const> stages, int chunks = 1) {
  stage_times const& first = stages.front();
  stage_values const values =
      values_of({first.forward / chunks, first.backward / chunks, first.weight_gradient / chunks});
  auto const counts = shape_values(shape);
  return expr::evaluate(form, expr::scope{values, counts}).value;
}
template <class Form> form_value count_form(Form form, pipeline_shape const& shape, int index, form_kind kind) {
  return {expr::evaluate(form, shape_values(shape, index)).value, kind};
}

inline bool equal_stages(std::span<stage_times const> stages) {
  return std::all_of(stages.begin(), stages.end(), [&](stage_times const& each) {
    return each.forward == stages.front().forward && each.backward == stages.front().backward &&
           each.weight_gradient == stages.front().weight_gradient;
  });
}
inline bool nothing_sent(std::span<stage_times const> stages) {
  return std::all_of(stages.begin(), stages.end(),
                     [](stage_times const& each) { return each.send_forward == 0 && each.send_backward == 0; });
}
/// All passes of equal length.
inline bool equal_passes(stage_times const& stage) {
  return stage.forward == stage.weight_gradient && stage.backward == 2 * stage.weight_gradient;
}

inline std::string needs_two_rounds(pipeline_shape const& shape) {
  if (shape.micro_batches < 2 * shape.devices)
    return "needs at least twice as many micro-batches as devices (" + std::to_string(2 * shape.devices) + "), not " +
           std::to_string(shape.micro_batches);
  return {};
}

}  // namespace detail

/// All schedules.
inline std::span<named_schedule const> all_schedules() {
  using namespace detail;
  using optional = std::optional<form_value>;
  using shape = pipeline_shape const&;
  using times = std::span<stage_times const>;
  static constexpr auto plain_in_flight = [](shape of, int index) -> optional {
    return count_form(one_forward_one_backward::in_flight(), of, index, form_kind::exact);
  };
  static constexpr auto full_in_flight = [](shape of, int index) -> optional {
    return count_form(form::asynchronous_in_flight(), of, index, form_kind::exact);
  };
  static constexpr auto all_in_flight = [](shape of, int index) -> optional {
    return count_form(form::gpipe_in_flight(), of, index, form_kind::exact);
  };
  static constexpr auto one_by_one = [](shape of) {
    return one_forward_one_backward_order(of.devices, of.micro_batches);
  };
  static constexpr auto full_asynchronous = [](shape of, times stages) -> optional {
    return form_value{over_stages(form::asynchronous_time(), of, stages),
                      nothing_sent(stages) ? form_kind::exact : form_kind::lower};
  };
  static constexpr std::array<named_schedule, 12> schedules{{
      {"gpipe", "GPipe", "Huang et al. 2018, arXiv 1811.06965", chunk_layout::stages, false, false, runs_all,
       [](shape of) { return gpipe_order(of.devices, of.micro_batches); }, one_chunk,
       [](shape of, times stages) -> optional {
         return form_value{over_stages(form::gpipe_time(), of, stages),
                           nothing_sent(stages) ? form_kind::exact : form_kind::lower};
       },
       all_in_flight},
      {"1f1b", "1F1B", "Narayanan et al. 2021, arXiv 2104.04473", chunk_layout::stages, false, false, runs_all,
       one_by_one, one_chunk,
       [](shape of, times stages) -> optional {
         if (!nothing_sent(stages))
           return std::nullopt;
         return form_value{over_stages(form::one_forward_one_backward_time(), of, stages),
                           equal_stages(stages) ? form_kind::exact : form_kind::upper};
       },
       plain_in_flight},
      {"interleaved", "interleaved 1F1B", "Narayanan et al. 2021, arXiv 2104.04473, section 2.2",
       chunk_layout::virtual_stages, false, false, runs_all,
       [](shape of) { return interleaved_order(of.devices, of.virtual_stages, of.micro_batches); }, virtual_chunks,
       [](shape of, times stages) -> optional {
         if (!nothing_sent(stages) || !equal_stages(stages) || of.micro_batches % of.devices != 0)
           return std::nullopt;
         return form_value{of_equal(form::virtual_stages_time(), of, stages, of.virtual_stages), form_kind::exact};
       },
       [](shape of, int index) -> optional {
         return count_form(form::interleaved_in_flight(), of, index, form_kind::exact);
       }},
      {"breadth-first", "breadth-first", "Lamy-Poirier 2022, arXiv 2211.05953", chunk_layout::virtual_stages, false,
       false, runs_all, [](shape of) { return breadth_first_order(of.devices, of.virtual_stages, of.micro_batches); },
       virtual_chunks,
       [](shape of, times stages) -> optional {
         if (!nothing_sent(stages) || !equal_stages(stages) || of.micro_batches < of.devices)
           return std::nullopt;
         return form_value{of_equal(form::virtual_stages_time(), of, stages, of.virtual_stages), form_kind::exact};
       },
       all_in_flight},
      {"zb-h1", "zero bubble H1", "Qi et al. 2023, arXiv 2401.10241", chunk_layout::stages, true, false, runs_all,
       [](shape of) { return zero_bubble_h1_order(of.devices, of.micro_batches); }, one_chunk,
       [](shape of, times stages) -> optional {
         if (!equal_stages(stages))
           return std::nullopt;
         stage_times const& each = stages.front();
         bool const exact = nothing_sent(stages) && of.micro_batches >= of.devices &&
                            each.weight_gradient <= each.forward && 2 * each.weight_gradient <= each.backward;
         return form_value{of_equal(form::zero_bubble_h1_time(), of, stages),
                           exact ? form_kind::exact : form_kind::lower};
       },
       [](shape of, int index) -> optional {
         return count_form(form::zero_bubble_h1_in_flight(), of, index, form_kind::exact);
       }},
      {"zb-h2", "zero bubble H2", "Qi et al. 2023, arXiv 2401.10241", chunk_layout::stages, true, false, runs_all,
       [](shape of) { return zero_bubble_h2_order(of.devices, of.micro_batches); }, one_chunk,
       [](shape of, times stages) -> optional {
         if (!equal_stages(stages))
           return std::nullopt;
         bool const exact =
             nothing_sent(stages) && of.micro_batches >= 2 * of.devices - 1 && equal_passes(stages.front());
         return form_value{of_equal(form::zero_bubble_h2_time(), of, stages),
                           exact ? form_kind::exact : form_kind::lower};
       },
       [](shape of, int index) -> optional {
         return count_form(form::zero_bubble_h2_in_flight(), of, index, form_kind::exact);
       }},
      {"zb-v", "zero bubble V", "Qi et al. 2024, arXiv 2405.15362", chunk_layout::virtual_stages, true, false, runs_all,
       [](shape of) { return zero_bubble_v_order(of.devices, of.micro_batches); }, two_chunks,
       [](shape of, times stages) -> optional {
         if (!equal_stages(stages))
           return std::nullopt;
         bool const exact = nothing_sent(stages) && of.micro_batches >= 2 * of.devices && equal_passes(stages.front());
         return form_value{of_equal(form::zero_bubble_v_time(), of, stages, 2),
                           exact ? form_kind::exact : form_kind::lower};
       },
       [](shape of, int index) -> optional {
         return count_form(form::zero_bubble_h1_in_flight(), of, index,
                           of.micro_batches >= 2 * of.devices ? form_kind::exact : form_kind::upper);
       }},
      {"dualpipe", "DualPipe", "DeepSeek-V3 technical report, arXiv 2412.19437", chunk_layout::two_copies, true, false,
       [](shape of) -> std::string {
         if (of.devices % 2 != 0)
           return "needs an even number of devices, not " + std::to_string(of.devices);
         if (of.micro_batches % 2 != 0)
           return "needs an even number of micro-batches, not " + std::to_string(of.micro_batches);
         return needs_two_rounds(of);
       },
       [](shape of) { return dual_pipe_order(of.devices, of.micro_batches); }, two_chunks,
       [](shape of, times stages) -> optional {
         if (!equal_stages(stages) || !nothing_sent(stages) || !equal_passes(stages.front()))
           return std::nullopt;
         return form_value{of_equal(form::dual_pipe_time(), of, stages), form_kind::exact};
       },
       [](shape of, int index) -> optional {
         return count_form(form::dual_pipe_in_flight(), of, index, form_kind::exact);
       }},
      {"dualpipe-v", "DualPipeV", "github.com/deepseek-ai/DualPipe", chunk_layout::virtual_stages, true, false,
       needs_two_rounds, [](shape of) { return dual_pipe_v_order(of.devices, of.micro_batches); }, two_chunks,
       [](shape of, times stages) -> optional {
         if (!equal_stages(stages) || !nothing_sent(stages) || !equal_passes(stages.front()))
           return std::nullopt;
         return form_value{of_equal(form::dual_pipe_v_time(), of, stages, 2), form_kind::exact};
       },
       [](shape of, int index) -> optional {
         return count_form(form::dual_pipe_v_in_flight(), of, index, form_kind::exact);
       }},
      {"nf1b", "nF1B (3F1B)", "Lin et al. 2023, SuperScaler, arXiv 2301.08984", chunk_layout::repeated, false, false,
       runs_all,
       [](shape of) { return several_forwards_one_backward_order(of.devices, of.forwards, of.micro_batches); },
       repeated_chunks,
       [](shape of, times stages) -> optional {
         if (!nothing_sent(stages))
           return std::nullopt;
         std::vector<stage_times> all(stages.begin(), stages.end());
         for (stage_times& each : all)
           each.forward *= of.forwards;
         return form_value{over_stages(form::one_forward_one_backward_time(), of, all),
                           equal_stages(stages) ? form_kind::exact : form_kind::upper};
       },
       plain_in_flight},
      {"pipedream", "PipeDream (no flush, weight stashing)", "Narayanan et al. 2019, SOSP", chunk_layout::stages, false,
       true, runs_all, one_by_one, one_chunk, full_asynchronous, full_in_flight},
      {"2bw", "PipeDream-2BW (no flush)", "Narayanan et al. 2021, arXiv 2006.09503", chunk_layout::stages, false, true,
       [](shape of) -> std::string {
         if (of.micro_batches < of.devices)
           return "needs at least as many micro-batches as devices (" + std::to_string(of.devices) + "), not " +
                  std::to_string(of.micro_batches);
         return {};
       },
       one_by_one, one_chunk, full_asynchronous, full_in_flight},
  }};
  return schedules;
}

/// The schedule of a name; none if there is no such.
inline named_schedule const* find_schedule(std::string_view name) {
  for (named_schedule const& each : all_schedules())
    if (name == each.name)
      return &each;
  return nullptr;
}

/// Copies of the weights that device `index` keeps: without a flush a micro-batch must find the weights of its forward
/// pass again in its backward pass.
inline int weight_versions(named_schedule const& of, pipeline_shape const& shape, int index) {
  if (!of.asynchronous)
    return of.layout == chunk_layout::two_copies ? 2 : 1;
  if (std::string_view(of.name) == "2bw")
    return 2;
  // PipeDream updates after every micro-batch, so that each one in flight has weights of its own.
  return shape.devices - index;
}

/// What a step takes: from the first task to the last, or, without a flush, from one step to the next in a full
/// pipeline.
inline double step_time(named_schedule const& of, pipeline_shape const& shape, std::vector<chunk_times> const& times) {
  recurrence timing;
  if (!of.asynchronous)
    return timing.makespan(compiled_order{of.order(shape)}, times);
  // From one step to the next, long after the pipeline has filled. No less than the work of any device: where stages
  // are nearly as slow as the slowest one it takes very long until that one is never idle.
  double slowest = 0;
  bool sends = false;
  for (chunk_times const& each : times) {
    slowest = std::max(slowest, each.forward + each.backward());
    sends = sends || each.send_forward > 0 || each.send_backward > 0;
  }
  double const least = shape.micro_batches * slowest;
  // Without delays between devices it is just that in the end.
  if (!sends)
    return least;
  pipeline_shape longer = shape;
  longer.micro_batches = std::max(1, std::min(64 * shape.devices, 1'000'000 / shape.devices));
  double const before = timing.makespan(compiled_order{of.order(longer)}, times);
  longer.micro_batches += shape.micro_batches;
  return std::max(timing.makespan(compiled_order{of.order(longer)}, times) - before, least);
}

}  // namespace shardplan::schedule
