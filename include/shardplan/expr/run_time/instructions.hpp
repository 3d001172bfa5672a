#pragma once
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

#include <shardplan/expr/run_time/kernels.hpp>
#include <shardplan/expr/run_time/node.hpp>

namespace shardplan::expr::detail {

/// A value in a program: a constant, an input, or an operation on values before it.
struct instruction {
  instruction_code code = instruction_code::constant;
  std::uint8_t operand_count = 0;
  /// Of an input, or of a function that is called: which one.
  std::uint32_t input = 0;
  std::array<std::uint32_t, most_operands> operands{};
  double number = 0;

  /// Constants are compared by their bits.
  friend bool operator==(instruction const& left, instruction const& right) {
    return left.code == right.code && left.operand_count == right.operand_count && left.input == right.input &&
           left.operands == right.operands &&
           std::bit_cast<std::uint64_t>(left.number) == std::bit_cast<std::uint64_t>(right.number);
  }
};

struct instruction_hash {
  std::size_t operator()(instruction const& of) const {
    std::uint64_t state = static_cast<std::uint64_t>(of.code) << 32 | of.input;
    auto const mix = [&](std::uint64_t more) {
      state = (state ^ more) * 0x9e3779b97f4a7c15u;
      state ^= state >> 29;
    };
    for (std::uint32_t const operand : of.operands)
      mix(operand + 1);
    mix(std::bit_cast<std::uint64_t>(of.number));
    return static_cast<std::size_t>(state);
  }
};

/// The values of a program, each once: an operation that was there before is found again, one of constants is done at
/// once.
class instruction_list {
 public:
  std::vector<instruction> const& all() const { return instructions_; }

  std::uint32_t constant(double number) { return add({.number = number}); }
  std::uint32_t input(std::uint32_t which) { return add({.code = instruction_code::input, .input = which}); }

  template <class... Operands> std::uint32_t apply(instruction_code code, Operands... operands) {
    if ((is_constant(operands) && ...)) {
      double const numbers[] = {instructions_[operands].number...};
      return constant(apply_to_numbers(code, numbers));
    }
    instruction made{.code = code, .operand_count = sizeof...(Operands), .operands = {operands...}};
    if (code == instruction_code::select)
      return choice(made);
    bool const commutes = code == instruction_code::add || code == instruction_code::multiply;
    if (commutes && made.operands[1] < made.operands[0])
      std::swap(made.operands[0], made.operands[1]);
    return add(made);
  }
  std::uint32_t call(std::uint32_t function, std::span<std::uint32_t const> operands) {
    instruction made{
        .code = instruction_code::call, .operand_count = static_cast<std::uint8_t>(operands.size()), .input = function};
    for (std::size_t index = 0; index < operands.size(); ++index)
      made.operands[index] = operands[index];
    return add(made);
  }
  /// The operations that operation::whole_power does.
  std::uint32_t whole_power(std::uint32_t base, int exponent) {
    if (exponent < 0)
      return apply(instruction_code::divide, constant(1), whole_power(base, -exponent));
    if (exponent == 0)
      return constant(1);
    if (exponent == 1)
      return base;
    if (exponent % 2 != 0)
      return apply(instruction_code::multiply, whole_power(base, exponent - 1), base);
    std::uint32_t const half = whole_power(base, exponent / 2);
    return apply(instruction_code::multiply, half, half);
  }

 private:
  bool is_constant(std::uint32_t value) const { return instructions_[value].code == instruction_code::constant; }
  std::uint32_t choice(instruction const& made) {
    instruction const& condition = instructions_[made.operands[0]];
    if (condition.code == instruction_code::constant)
      return made.operands[condition.number > 0 ? 1 : 2];
    return add(made);
  }
  std::uint32_t add(instruction const& made) {
    auto const [found, is_new] = known_.try_emplace(made, static_cast<std::uint32_t>(instructions_.size()));
    if (is_new)
      instructions_.push_back(made);
    return found->second;
  }

  std::vector<instruction> instructions_;
  std::unordered_map<instruction, std::uint32_t, instruction_hash> known_;
};

}  // namespace shardplan::expr::detail
