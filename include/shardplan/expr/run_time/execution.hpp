#pragma once
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include <shardplan/expr/run_time/environment.hpp>
#include <shardplan/expr/run_time/kernels.hpp>

namespace shardplan::expr::detail {

inline constexpr std::size_t configurations_of_block = 256;
/// A register is a little longer than a block: at multiples of 4096 bytes some processors take different addresses for
/// the same.
inline constexpr std::size_t register_size = configurations_of_block + 8;

/// One thing that is done for each block: a kernel, or calls of a function.
struct action {
  kernel run = nullptr;
  any_callable const* function = nullptr;
  std::uint8_t operand_count = 0;
  std::array<step_operand, most_operands> operands{};
  double* result = nullptr;
  /// Which column the result is; no column where it is a register.
  std::uint32_t column = step_operand::no_column;

  void operator()(std::size_t count) const {
    if (function == nullptr) {
      run(result, operands.data(), count);
      return;
    }
    for (std::size_t at = 0; at < count; ++at) {
      double numbers[most_operands] = {};
      for (std::size_t index = 0; index < operand_count; ++index)
        numbers[index] = operands[index].from[operands[index].varies ? at : 0];
      result[at] = (*function)(numbers, operand_count);
    }
  }
};

/// The actions of a program that has its inputs and results, block by block. Columns are numbered, those of the inputs
/// first.
class execution {
 public:
  execution(std::size_t input_columns, std::size_t result_columns)
      : input_columns_(input_columns), columns_(input_columns + result_columns) {}

  void add(action const& next) { actions_.push_back(next); }

  struct step {
    step_code code;
    std::array<step_operand, 2> operands{};
    std::size_t operand_count = 0;
  };
  /// A chain of steps from a first value; `scratch` is a register for what is between kernels.
  void add_chain(step_operand so_far, std::vector<step> const& steps, double* result, std::uint32_t column,
                 double* scratch) {
    for (std::size_t at = 0; at < steps.size();) {
      bool const is_pair = at + 1 < steps.size() && is_fused(steps[at].code) && is_fused(steps[at + 1].code);
      std::size_t const next = at + (is_pair ? 2 : 1);
      action made{.run = is_pair ? kernel_of(steps[at].code, steps[at + 1].code) : kernel_of(steps[at].code),
                  .operand_count = 1,
                  .operands = {so_far},
                  .result = next == steps.size() ? result : scratch,
                  .column = next == steps.size() ? column : step_operand::no_column};
      for (; at < next; ++at)
        for (std::size_t operand = 0; operand < steps[at].operand_count; ++operand)
          made.operands[made.operand_count++] = steps[at].operands[operand];
      add(made);
      so_far = {.from = scratch, .varies = true};
    }
    if (steps.empty())
      add({.run = copying_kernel(), .operand_count = 1, .operands = {so_far}, .result = result, .column = column});
  }

  void run(std::size_t count) {
    std::size_t left = count;
    for (; left >= configurations_of_block; left -= configurations_of_block) {
      for (action const& now : actions_)
        now(configurations_of_block);
      go_on();
    }
    if (left > 0)
      run_in_buffers(left);
  }

 private:
  void go_on() {
    for (action& now : actions_) {
      for (step_operand& operand : now.operands)
        operand.from += operand.column == step_operand::no_column ? 0 : configurations_of_block;
      now.result += now.column == step_operand::no_column ? 0 : configurations_of_block;
    }
  }
  /// Fewer configurations than a block: kernels read and write whole packs, beyond the ends of columns.
  void run_in_buffers(std::size_t count) {
    std::vector<double> buffers(columns_ * register_size);
    std::vector<double*> results(columns_, nullptr);
    std::vector<bool> is_read(columns_, false);
    auto const buffer_of = [&](std::uint32_t column) { return buffers.data() + column * register_size; };
    for (action& now : actions_) {
      for (step_operand& operand : now.operands) {
        if (operand.column == step_operand::no_column)
          continue;
        if (operand.column < input_columns_ && !is_read[operand.column])
          std::copy_n(operand.from, count, buffer_of(operand.column));
        is_read[operand.column] = true;
        operand.from = buffer_of(operand.column);
      }
      if (now.column != step_operand::no_column) {
        results[now.column] = now.result;
        now.result = buffer_of(now.column);
      }
      now(count);
    }
    for (std::uint32_t column = 0; column < columns_; ++column)
      if (results[column] != nullptr)
        std::copy_n(buffer_of(column), count, results[column]);
  }

  std::vector<action> actions_;
  std::size_t input_columns_, columns_;
};

}  // namespace shardplan::expr::detail
