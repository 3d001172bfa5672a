#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <tuple>
#include <utility>

#include <shardplan/expr/operation.hpp>
#include <shardplan/expr/pack.hpp>

/// What the instructions of a program do to a block of configurations.
namespace shardplan::expr::detail {

enum class instruction_code : unsigned char {
  constant,
  input,
  add,
  subtract,
  multiply,
  divide,
  min,
  max,
  ceil,
  floor,
  log2,
  pow,
  select,
  call
};

/// The operation on plain numbers.
inline double apply_to_numbers(instruction_code code, double const* operands) {
  switch (code) {
  case instruction_code::add:
    return operation::add{}(operands[0], operands[1]);
  case instruction_code::subtract:
    return operation::subtract{}(operands[0], operands[1]);
  case instruction_code::multiply:
    return operation::multiply{}(operands[0], operands[1]);
  case instruction_code::divide:
    return operation::divide{}(operands[0], operands[1]);
  case instruction_code::min:
    return operation::min{}(operands[0], operands[1]);
  case instruction_code::max:
    return operation::max{}(operands[0], operands[1]);
  case instruction_code::ceil:
    return operation::ceil{}(operands[0]);
  case instruction_code::floor:
    return operation::floor{}(operands[0]);
  case instruction_code::log2:
    return operation::log2{}(operands[0]);
  case instruction_code::pow:
    return operation::pow{}(operands[0], operands[1]);
  case instruction_code::select:
    return operation::select{}(operands[0], operands[1], operands[2]);
  default:
    return operands[0];
  }
}

/// A step of a chain of operations: what becomes of the value so far. A `right` operation has it as its right operand;
/// a select has it as its condition, its value or its alternative.
enum class step_code : unsigned char {
  add,
  subtract,
  subtract_right,
  multiply,
  divide,
  divide_right,
  min,
  max,
  // Those before are fused in pairs.
  min_right,
  max_right,
  ceil,
  floor,
  log2,
  pow,
  pow_right,
  select_condition,
  select_value,
  select_otherwise
};
inline constexpr std::size_t fused_codes = 8;

/// The step that applies an instruction to the value so far as its operand `position`.
constexpr step_code step_of(instruction_code code, std::size_t position) {
  bool const right = position == 1;
  switch (code) {
  case instruction_code::add:
    return step_code::add;
  case instruction_code::subtract:
    return right ? step_code::subtract_right : step_code::subtract;
  case instruction_code::multiply:
    return step_code::multiply;
  case instruction_code::divide:
    return right ? step_code::divide_right : step_code::divide;
  case instruction_code::min:
    return right ? step_code::min_right : step_code::min;
  case instruction_code::max:
    return right ? step_code::max_right : step_code::max;
  case instruction_code::ceil:
    return step_code::ceil;
  case instruction_code::floor:
    return step_code::floor;
  case instruction_code::log2:
    return step_code::log2;
  case instruction_code::pow:
    return right ? step_code::pow_right : step_code::pow;
  default:
    return position == 0 ? step_code::select_condition : right ? step_code::select_value : step_code::select_otherwise;
  }
}

/// Values of an operand: one for each configuration, or one for all of them, which stands there as often as a pack is
/// wide.
struct step_operand {
  static constexpr std::uint32_t no_column = 0xffffffff;

  double const* from = nullptr;
  bool varies = false;
  /// Which column it views; no column where it is in a register.
  std::uint32_t column = no_column;
};

/// Writes results for at least `count` configurations, whole packs of them: of the first operand and those of the
/// steps. The result may be one of the operands.
using kernel = void (*)(double* result, step_operand const* operands, std::size_t count);

inline constexpr std::size_t most_kernel_operands = 3;
inline constexpr std::size_t widest_pack = 8;
static_assert(pack<double>::width <= widest_pack);

/// The operation with its operands in another order.
template <class Operation> struct with_swapped_operands {
  template <class Value> SHARDPLAN_FORCE_INLINE constexpr Value operator()(Value so_far, Value other) const {
    return Operation{}(other, so_far);
  }
};
struct select_with_value_first {
  template <class Value>
  SHARDPLAN_FORCE_INLINE constexpr Value operator()(Value value, Value condition, Value otherwise) const {
    return operation::select{}(condition, value, otherwise);
  }
};
struct select_with_otherwise_first {
  template <class Value>
  SHARDPLAN_FORCE_INLINE constexpr Value operator()(Value otherwise, Value condition, Value value) const {
    return operation::select{}(condition, value, otherwise);
  }
};
struct unchanged {
  template <class Value> SHARDPLAN_FORCE_INLINE constexpr Value operator()(Value value) const { return value; }
};
template <class First, class Second> struct one_after_the_other {
  template <class Value>
  SHARDPLAN_FORCE_INLINE constexpr Value operator()(Value so_far, Value first, Value second) const {
    return Second{}(First{}(so_far, first), second);
  }
};

template <class Operation, std::size_t Operands>
void run_kernel(double* result, step_operand const* operands, std::size_t count) {
  [&]<std::size_t... Index>(std::index_sequence<Index...>) {
    using values = pack<double>;
    double const* from[] = {operands[Index].from...};
    std::size_t const step[] = {(operands[Index].varies ? values::width : 0)...};
    for (std::size_t at = 0; at < count; at += values::width) {
      Operation{}(values::load(from[Index])...).store(result + at);
      ((from[Index] += step[Index]), ...);
    }
  }(std::make_index_sequence<Operands>{});
}

using fused_operations =
    std::tuple<operation::add, operation::subtract, with_swapped_operands<operation::subtract>, operation::multiply,
               operation::divide, with_swapped_operands<operation::divide>, operation::min, operation::max>;
template <std::size_t Code> using fused_operation = std::tuple_element_t<Code, fused_operations>;

/// Two steps at once, by their codes.
inline kernel kernel_of(step_code first, step_code second) {
  static constexpr auto kernels = []<std::size_t... Pair>(std::index_sequence<Pair...>) {
    return std::array<kernel, fused_codes * fused_codes>{
        run_kernel<one_after_the_other<fused_operation<Pair / fused_codes>, fused_operation<Pair % fused_codes>>,
                   3>...};
  }(std::make_index_sequence<fused_codes * fused_codes>{});
  return kernels[static_cast<std::size_t>(first) * fused_codes + static_cast<std::size_t>(second)];
}
inline bool is_fused(step_code code) { return static_cast<std::size_t>(code) < fused_codes; }

inline kernel kernel_of(step_code code) {
  switch (code) {
  case step_code::add:
    return run_kernel<operation::add, 2>;
  case step_code::subtract:
    return run_kernel<operation::subtract, 2>;
  case step_code::subtract_right:
    return run_kernel<with_swapped_operands<operation::subtract>, 2>;
  case step_code::multiply:
    return run_kernel<operation::multiply, 2>;
  case step_code::divide:
    return run_kernel<operation::divide, 2>;
  case step_code::divide_right:
    return run_kernel<with_swapped_operands<operation::divide>, 2>;
  case step_code::min:
    return run_kernel<operation::min, 2>;
  case step_code::min_right:
    return run_kernel<with_swapped_operands<operation::min>, 2>;
  case step_code::max:
    return run_kernel<operation::max, 2>;
  case step_code::max_right:
    return run_kernel<with_swapped_operands<operation::max>, 2>;
  case step_code::ceil:
    return run_kernel<operation::ceil, 1>;
  case step_code::floor:
    return run_kernel<operation::floor, 1>;
  case step_code::log2:
    return run_kernel<operation::log2, 1>;
  case step_code::pow:
    return run_kernel<operation::pow, 2>;
  case step_code::pow_right:
    return run_kernel<with_swapped_operands<operation::pow>, 2>;
  case step_code::select_condition:
    return run_kernel<operation::select, 3>;
  case step_code::select_value:
    return run_kernel<select_with_value_first, 3>;
  case step_code::select_otherwise:
    break;
  }
  return run_kernel<select_with_otherwise_first, 3>;
}
inline kernel copying_kernel() { return run_kernel<unchanged, 1>; }

}  // namespace shardplan::expr::detail
