#pragma once
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <limits>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <shardplan/expr/record.hpp>
#include <shardplan/expr/run_time/environment.hpp>
#include <shardplan/expr/run_time/execution.hpp>
#include <shardplan/expr/run_time/lowering.hpp>

namespace shardplan::expr {

/// Whether something went well; where not, what was wrong.
class [[nodiscard]] outcome {
 public:
  outcome() = default;
  explicit outcome(std::string error) : error_(std::move(error)) {}

  bool valid() const { return error_.empty(); }
  std::string const& error() const { return error_; }

 private:
  std::string error_;
};

/// Expressions made ready for reading many configurations: a list of instructions that calculates blocks of 256
/// configurations in registers that stay in the cache. Equal parts are calculated once, unused ones not at all, and
/// what is the same for all configurations once for all of them. Values are those of the number reading, to the last
/// bit where the compiler does not fuse multiplications and additions (-ffp-contract=off). May be used by several
/// threads at once. Functions are taken to have no effects but their value.
class program {
 public:
  static constexpr std::size_t block_size = detail::configurations_of_block;

  /// The outcome of making it: the error of an expression, or a name that stands for two things.
  bool valid() const { return error_.empty(); }
  std::string const& error() const { return error_; }

  /// The number of expressions.
  std::size_t size() const { return outputs_.size(); }
  /// The number of operations for each configuration.
  std::size_t operations() const { return operations_; }
  /// The number of registers; each holds a block.
  std::size_t registers() const { return register_count_; }
  /// The names that the outermost environment must give a value: symbols and functions.
  std::vector<std::string> inputs() const {
    std::vector<std::string> names;
    for (detail::program_input const& input : inputs_)
      if (input.place == 0)
        names.push_back(input.name);
    return names;
  }

  /// Writes for each expression, in the order that they were compiled in, one value for each configuration. All results
  /// have the same size, as must all columns in the environment that are read; results must overlap neither columns
  /// nor each other. An error names what is missing or does not fit, and then nothing is written.
  outcome evaluate(any_environment const& environment, std::span<std::span<double> const> results) const;
  /// Of a program of one expression.
  outcome evaluate(any_environment const& environment, std::span<double> result) const {
    return evaluate(environment, std::span<std::span<double> const>{&result, 1});
  }

  /// Several expressions. `shape` is needed where they have `over`: it gives as many elements as the environments that
  /// are read later, and binds the same names in them.
  static program compile(std::span<any_expression const> expressions, any_environment const& shape);

 private:
  /// What the environment gives the inputs.
  struct bound_inputs {
    std::vector<detail::any_binding const*> bindings;
    std::string error;
  };

  static constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();

  /// The first address from there on that is a multiple of 64 bytes.
  static double* at_cache_line(double* from) {
    auto const beyond = reinterpret_cast<std::uintptr_t>(from) % 64;
    return from + (64 - beyond) % 64 / sizeof(double);
  }
  void keep(detail::instruction_list const& list, std::vector<std::uint32_t> const& outputs,
            std::vector<detail::program_input> const& inputs);
  void find_chains();
  void allocate_registers();
  bound_inputs bound(any_environment const& environment, std::size_t count) const;
  std::string described(detail::program_input const& input) const;
  detail::execution with(bound_inputs const& inputs, std::span<std::span<double> const> results, double* numbers,
                         double* registers) const;

  std::string error_;
  std::vector<detail::instruction> instructions_;
  /// Of each instruction: which of its operands it goes on from, without a register between them.
  std::vector<std::uint32_t> goes_on_from_;
  /// Of each instruction, whether another goes on from it.
  std::vector<bool> is_inside_chain_;
  /// Of each instruction, where it needs one.
  std::vector<std::uint32_t> registers_;
  /// Which instructions are results.
  std::vector<std::uint32_t> outputs_;
  std::vector<detail::program_place> places_;
  std::vector<detail::program_input> inputs_;
  std::vector<detail::program_extent> extents_;
  std::size_t register_count_ = 0;
  std::size_t operations_ = 0;
};

/// Only what the outputs need, and the inputs for it.
inline void program::keep(detail::instruction_list const& list, std::vector<std::uint32_t> const& outputs,
                          std::vector<detail::program_input> const& inputs) {
  std::vector<detail::instruction> const& all = list.all();
  std::vector<std::uint32_t> kept_as(all.size(), none);
  for (std::uint32_t const output : outputs)
    kept_as[output] = 0;
  for (std::size_t index = all.size(); index-- > 0;)
    if (kept_as[index] != none)
      for (std::size_t operand = 0; operand < all[index].operand_count; ++operand)
        kept_as[all[index].operands[operand]] = 0;
  std::vector<std::uint32_t> input_kept_as(inputs.size(), none);
  for (std::size_t index = 0; index < all.size(); ++index) {
    if (kept_as[index] == none)
      continue;
    kept_as[index] = static_cast<std::uint32_t>(instructions_.size());
    detail::instruction& kept = instructions_.emplace_back(all[index]);
    for (std::size_t operand = 0; operand < kept.operand_count; ++operand)
      kept.operands[operand] = kept_as[kept.operands[operand]];
    operations_ += kept.operand_count > 0 ? 1 : 0;
    if (kept.code != detail::instruction_code::input && kept.code != detail::instruction_code::call)
      continue;
    std::uint32_t& input = input_kept_as[kept.input];
    if (input == none) {
      input = static_cast<std::uint32_t>(inputs_.size());
      inputs_.push_back(inputs[kept.input]);
    }
    kept.input = input;
  }
  for (std::uint32_t const output : outputs)
    outputs_.push_back(kept_as[output]);
}

/// An operation goes on from one of its operands where nothing else needs that.
inline void program::find_chains() {
  std::vector<std::size_t> uses(instructions_.size(), 0);
  for (detail::instruction const& now : instructions_)
    for (std::size_t operand = 0; operand < now.operand_count; ++operand)
      ++uses[now.operands[operand]];
  for (std::uint32_t const output : outputs_)
    uses[output] += 2;
  goes_on_from_.assign(instructions_.size(), none);
  is_inside_chain_.assign(instructions_.size(), false);
  for (std::size_t index = 0; index < instructions_.size(); ++index) {
    detail::instruction const& now = instructions_[index];
    if (now.code == detail::instruction_code::call)
      continue;
    for (std::uint32_t operand = 0; operand < now.operand_count && goes_on_from_[index] == none; ++operand) {
      std::uint32_t const from = now.operands[operand];
      bool const is_step =
          instructions_[from].operand_count > 0 && instructions_[from].code != detail::instruction_code::call;
      if (is_step && uses[from] == 1) {
        goes_on_from_[index] = operand;
        is_inside_chain_[from] = true;
      }
    }
  }
}

/// A register is free again after the last chain that reads it, which may write it in place. A chain runs where its
/// last instruction stands.
inline void program::allocate_registers() {
  std::size_t const size = instructions_.size();
  std::vector<std::size_t> runs_at(size);
  for (std::size_t index = size; index-- > 0;) {
    if (!is_inside_chain_[index])
      runs_at[index] = index;
    if (goes_on_from_[index] != none)
      runs_at[instructions_[index].operands[goes_on_from_[index]]] = runs_at[index];
  }
  std::vector<std::size_t> last_use(size, 0);
  for (std::size_t index = 0; index < size; ++index)
    for (std::size_t operand = 0; operand < instructions_[index].operand_count; ++operand) {
      std::size_t& last = last_use[instructions_[index].operands[operand]];
      last = std::max(last, runs_at[index]);
    }
  for (std::uint32_t const output : outputs_)
    last_use[output] = size;
  std::vector<std::vector<std::uint32_t>> freed_at(size);
  registers_.assign(size, none);
  std::vector<std::uint32_t> free;
  for (std::size_t index = 0; index < size; ++index) {
    free.insert(free.end(), freed_at[index].begin(), freed_at[index].end());
    bool const is_output = last_use[index] == size;
    if (is_inside_chain_[index] || is_output || instructions_[index].operand_count == 0)
      continue;
    if (free.empty())
      free.push_back(static_cast<std::uint32_t>(register_count_++));
    registers_[index] = free.back();
    free.pop_back();
    freed_at[last_use[index]].push_back(registers_[index]);
  }
}

inline program program::compile(std::span<any_expression const> expressions, any_environment const& shape) {
  program result;
  detail::lowering lowered(shape);
  std::vector<std::uint32_t> outputs;
  for (any_expression const& expression : expressions)
    outputs.push_back(lowered.lower(*expression.node()));
  if (!lowered.error.empty()) {
    result.error_ = std::move(lowered.error);
    return result;
  }
  result.keep(lowered.instructions, outputs, lowered.inputs);
  result.find_chains();
  result.allocate_registers();
  result.places_ = std::move(lowered.places);
  result.extents_ = std::move(lowered.extents);
  return result;
}

inline std::string program::described(detail::program_input const& input) const {
  std::string text = (input.arity > 0 ? "function " : "symbol ") + input.name;
  if (!input.meaning.empty())
    text += " (" + input.meaning + ")";
  for (std::uint32_t place = input.place; place != 0; place = places_[place].of)
    text += " in element " + std::to_string(places_[place].element) + " of " + places_[place].scope;
  return text;
}

inline program::bound_inputs program::bound(any_environment const& environment, std::size_t count) const {
  bound_inputs result;
  std::vector<any_environment const*> environments{&environment};
  auto const wrong = [&](std::string error) {
    result.error = std::move(error);
    return result;
  };
  // Extents stand in the order in which they were met, so that of an element comes before those in it.
  std::size_t place = 1;
  for (detail::program_extent const& extent : extents_) {
    for (; place <= extent.place; ++place)
      environments.push_back(
          &(*environments[places_[place].of]->elements(places_[place].scope))[places_[place].element]);
    auto const* const elements = environments[extent.place]->elements(extent.scope);
    std::size_t const given = elements == nullptr ? 0 : elements->size();
    if (given != extent.elements)
      return wrong("scope " + extent.scope + ": has " + std::to_string(given) +
                   " elements; the program was compiled for " + std::to_string(extent.elements));
  }
  for (; place < places_.size(); ++place)
    environments.push_back(&(*environments[places_[place].of]->elements(places_[place].scope))[places_[place].element]);
  for (detail::program_input const& input : inputs_) {
    detail::any_binding const* const binding = environments[input.place]->find(input.name);
    if (binding == nullptr)
      return wrong(described(input) + ": has no value");
    bool const is_function = binding->kind == detail::any_binding::kind::function;
    if (is_function != (input.arity > 0))
      return wrong(described(input) + (is_function ? ": is bound to a function" : ": is bound to a number"));
    if (is_function && !binding->function.takes(input.arity))
      return wrong(described(input) + ": what it is bound to does not take " + std::to_string(input.arity) +
                   " numbers");
    if (binding->kind == detail::any_binding::kind::column && binding->column.size() != count)
      return wrong(described(input) + ": its column has " + std::to_string(binding->column.size()) +
                   " values, the results have " + std::to_string(count));
    result.bindings.push_back(binding);
  }
  return result;
}

/// `numbers` has room for a pack of each instruction, `registers` for all registers and one more.
inline detail::execution program::with(bound_inputs const& inputs, std::span<std::span<double> const> results,
                                       double* numbers, double* registers) const {
  using detail::instruction_code, detail::step_operand;
  /// The value of an instruction; steps where another goes on from it.
  struct value_so_far {
    step_operand operand;
    step_operand start = {};
    std::vector<detail::execution::step> steps = {};
    bool is_open = false;
  };
  detail::execution made(inputs_.size(), results.size());
  std::vector<value_so_far> values(instructions_.size());
  std::vector<std::uint32_t> output_of(instructions_.size(), none);
  for (std::size_t output = outputs_.size(); output-- > 0;)
    output_of[outputs_[output]] = static_cast<std::uint32_t>(output);
  auto const column_of = [&](std::size_t output) { return static_cast<std::uint32_t>(inputs_.size() + output); };
  auto const always = [&](std::size_t index, double number) {
    double* const to = numbers + index * detail::widest_pack;
    std::fill(to, to + detail::widest_pack, number);
    values[index].operand = {.from = to};
  };

  for (std::size_t index = 0; index < instructions_.size(); ++index) {
    detail::instruction const& now = instructions_[index];
    value_so_far& value = values[index];
    if (now.code == instruction_code::constant) {
      always(index, now.number);
      continue;
    }
    if (now.code == instruction_code::input) {
      detail::any_binding const& binding = *inputs.bindings[now.input];
      if (binding.kind == detail::any_binding::kind::number)
        always(index, binding.number);
      else
        value.operand = {.from = binding.column.data(), .varies = true, .column = now.input};
      continue;
    }
    bool is_same = true;
    double same[detail::most_operands] = {};
    std::array<step_operand, detail::most_operands> operands{};
    for (std::size_t operand = 0; operand < now.operand_count; ++operand) {
      operands[operand] = values[now.operands[operand]].operand;
      is_same = is_same && !operands[operand].varies;
      same[operand] = operands[operand].varies ? 0 : *operands[operand].from;
    }
    bool const is_call = now.code == instruction_code::call;
    detail::any_callable const* const function = is_call ? &inputs.bindings[now.input]->function : nullptr;
    if (is_same) {
      always(index, is_call ? (*function)(same, now.operand_count) : detail::apply_to_numbers(now.code, same));
      continue;
    }
    value.operand.varies = true;
    double* result = nullptr;
    if (output_of[index] != none) {
      result = results[output_of[index]].data();
      value.operand.column = column_of(output_of[index]);
    } else if (!is_inside_chain_[index]) {
      result = registers + registers_[index] * detail::register_size;
    }
    value.operand.from = result;
    if (is_call) {
      made.add({.function = function,
                .operand_count = now.operand_count,
                .operands = operands,
                .result = result,
                .column = value.operand.column});
      continue;
    }
    std::size_t const position = goes_on_from_[index] == none ? 0 : goes_on_from_[index];
    value_so_far& before = values[now.operands[position]];
    if (before.is_open) {
      value.start = before.start;
      value.steps = std::move(before.steps);
    } else {
      value.start = operands[position];
    }
    if (now.code == instruction_code::select && !operands[0].varies) {
      std::size_t const chosen = same[0] > 0 ? 1 : 2;
      if (chosen != position) {
        value.start = operands[chosen];
        value.steps.clear();
      }
    } else {
      detail::execution::step step{.code = detail::step_of(now.code, position)};
      for (std::size_t operand = 0; operand < now.operand_count; ++operand)
        if (operand != position)
          step.operands[step.operand_count++] = operands[operand];
      value.steps.push_back(step);
    }
    value.is_open = is_inside_chain_[index];
    if (!value.is_open)
      made.add_chain(value.start, value.steps, result, value.operand.column,
                     registers + register_count_ * detail::register_size);
  }
  // Results that are an input, a number, or the same as another.
  for (std::size_t output = 0; output < outputs_.size(); ++output) {
    step_operand const& from = values[outputs_[output]].operand;
    if (from.column != column_of(output))
      made.add_chain(from, {}, results[output].data(), column_of(output), nullptr);
  }
  return made;
}

inline outcome program::evaluate(any_environment const& environment, std::span<std::span<double> const> results) const {
  if (!valid())
    return outcome(error_);
  if (results.size() != outputs_.size())
    return outcome("results: " + std::to_string(results.size()) + " columns for " + std::to_string(outputs_.size()) +
                   " expressions");
  std::size_t const count = results.empty() ? 0 : results.front().size();
  for (std::span<double> const result : results)
    if (result.size() != count)
      return outcome("results: columns of " + std::to_string(count) + " and of " + std::to_string(result.size()) +
                     " values");
  bound_inputs const inputs = bound(environment, count);
  if (!inputs.error.empty())
    return outcome(inputs.error);
  if (count == 0)
    return {};
  std::vector<double> numbers(instructions_.size() * detail::widest_pack);
  std::vector<double> registers((register_count_ + 1) * detail::register_size + 8);
  with(inputs, results, numbers.data(), at_cache_line(registers.data())).run(count);
  return {};
}

/// A program of one expression.
inline program compile(any_expression const& expression, any_environment const& shape = {}) {
  return program::compile(std::span<any_expression const>{&expression, 1}, shape);
}
/// A program of several expressions, which share what they have in common.
inline program compile(std::span<any_expression const> expressions, any_environment const& shape = {}) {
  return program::compile(expressions, shape);
}
inline program compile(std::initializer_list<any_expression> expressions, any_environment const& shape = {}) {
  return program::compile(std::span<any_expression const>{expressions.begin(), expressions.size()}, shape);
}
/// The expressions of a record, in its order.
template <class... Entries> program compile(record<Entries...>, any_environment const& shape = {}) {
  return compile({any_expression(typename Entries::expression_type{})...}, shape);
}

/// The value of one configuration, in base units; where there is none, NaN and why.
struct any_value {
  double value = std::numeric_limits<double>::quiet_NaN();
  std::string error = {};

  bool valid() const { return error.empty(); }
};
/// The reading "number". It compiles the expression; to read it often, use a program.
inline any_value evaluate(any_expression const& expression, any_environment const& environment) {
  any_value result;
  double value = 0;
  outcome const read = compile(expression, environment).evaluate(environment, std::span<double>{&value, 1});
  if (read.valid())
    result.value = value;
  else
    result.error = read.error();
  return result;
}

}  // namespace shardplan::expr
