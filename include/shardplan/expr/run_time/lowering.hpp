#pragma once
#include <compare>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <span>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include <shardplan/expr/run_time/environment.hpp>
#include <shardplan/expr/run_time/instructions.hpp>

/// From nodes to instructions. `over` and `earlier` are written out element by element; nothing recurses, so that long
/// chains of operations do no harm.
namespace shardplan::expr::detail {

/// One environment among those that a program reads: the outermost (0), or an element of a scope of another.
struct program_place {
  std::uint32_t of = 0;
  std::string scope = {};
  std::uint32_t element = 0;
};
/// A name that an environment gives a value.
struct program_input {
  std::uint32_t place = 0;
  std::string name = {};
  std::string meaning = {};
  any_dimension dimension = {};
  /// Of a function: the number of its operands; 0 of a symbol.
  std::size_t arity = 0;
};
/// A scope that was written out, and for how many elements.
struct program_extent {
  std::uint32_t place = 0;
  std::string scope = {};
  std::size_t elements = 0;
};

class lowering {
 public:
  /// `shape` says how many elements scopes have and which names are bound in them.
  explicit lowering(any_environment const& shape) : contexts_(1), environments_{&shape} {
    places.emplace_back();
    known_contexts_.emplace(context{}, 0);
  }

  instruction_list instructions;
  std::vector<program_place> places;
  std::vector<program_input> inputs;
  std::vector<program_extent> extents;
  std::string error;

  /// The value of the expression in the outermost environment. Where `error` is set it means nothing.
  std::uint32_t lower(any_node const& expression) {
    task const whole{&expression, 0};
    std::vector<task> open{whole};
    while (!open.empty() && error.empty()) {
      task const now = open.back();
      if (values_.contains(now)) {
        open.pop_back();
        continue;
      }
      missing_.clear();
      std::uint32_t const value = value_of_node(now);
      if (!error.empty())
        break;
      if (missing_.empty()) {
        values_.emplace(now, value);
        open.pop_back();
      } else {
        open.insert(open.end(), missing_.rbegin(), missing_.rend());
      }
    }
    return error.empty() ? values_.at(whole) : 0;
  }

 private:
  static constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();

  /// What surrounds a node: names given by `let`, and elements.
  struct frame {
    bool is_element = false;
    /// Of an element its place, of a name its number among `names_`.
    std::uint32_t what = 0;
    /// Of a name.
    std::uint32_t value = 0;
    friend auto operator<=>(frame const&, frame const&) = default;
  };
  /// From the outermost to the innermost.
  using context = std::vector<frame>;

  struct task {
    any_node const* node;
    std::uint32_t context;
    friend bool operator==(task, task) = default;
  };
  struct task_hash {
    std::size_t operator()(task of) const {
      return (reinterpret_cast<std::uintptr_t>(of.node) >> 4) * 0x9e3779b97f4a7c15u + of.context * 0x85ebca6bu;
    }
  };

  /// The value of a part, or nothing, in which case it is noted as missing.
  std::uint32_t part(any_pointer const& node, std::uint32_t in) {
    auto const found = values_.find(task{node.get(), in});
    if (found != values_.end())
      return found->second;
    missing_.push_back({node.get(), in});
    return none;
  }
  void fail(std::string message) {
    if (error.empty())
      error = std::move(message);
  }

  template <std::size_t Count> std::uint32_t operation_of(instruction_code code, task now) {
    return [&]<std::size_t... Index>(std::index_sequence<Index...>) {
      std::uint32_t const operands[] = {part(now.node->operands[Index], now.context)...};
      return missing_.empty() ? instructions.apply(code, operands[Index]...) : none;
    }(std::make_index_sequence<Count>{});
  }

  /// Meaningful where no part is missing.
  std::uint32_t value_of_node(task now) {
    any_node const& node = *now.node;
    switch (node.operation) {
    case any_operation::number:
      return instructions.constant(node.value);
    case any_operation::symbol:
      return symbol(node, now.context);
    case any_operation::add:
      return operation_of<2>(instruction_code::add, now);
    case any_operation::subtract:
      return operation_of<2>(instruction_code::subtract, now);
    case any_operation::multiply:
      return operation_of<2>(instruction_code::multiply, now);
    case any_operation::divide:
      return operation_of<2>(instruction_code::divide, now);
    case any_operation::min:
      return operation_of<2>(instruction_code::min, now);
    case any_operation::max:
      return operation_of<2>(instruction_code::max, now);
    case any_operation::ceil:
      return operation_of<1>(instruction_code::ceil, now);
    case any_operation::floor:
      return operation_of<1>(instruction_code::floor, now);
    case any_operation::log2:
      return operation_of<1>(instruction_code::log2, now);
    case any_operation::pow:
      return operation_of<2>(instruction_code::pow, now);
    case any_operation::select:
      return operation_of<3>(instruction_code::select, now);
    case any_operation::positive_part: {
      std::uint32_t const operand = part(node.operands[0], now.context);
      return missing_.empty() ? instructions.apply(instruction_code::max, operand, instructions.constant(0)) : none;
    }
    case any_operation::whole_power: {
      std::uint32_t const base = part(node.operands[0], now.context);
      return missing_.empty() ? instructions.whole_power(base, node.exponent) : none;
    }
    case any_operation::call:
      return call(node, now.context);
    case any_operation::let:
      return let(node, now.context);
    case any_operation::over:
      return over(node, now.context);
    case any_operation::earlier:
      return earlier(node, now.context);
    case any_operation::error:
      fail(error_text(node));
    }
    return none;
  }

  /// The number of a name. One name must not stand for two things.
  std::uint32_t name_of(any_node const& node, any_dimension dimension, bool is_function) {
    auto const number = static_cast<std::uint32_t>(names_.size());
    auto const [found, is_new] =
        names_.try_emplace({is_function, node.name}, known_name{number, dimension, node.operands.size(), node.tag});
    known_name& known = found->second;
    const char* const kind = is_function ? "function " : "symbol ";
    if (known.dimension != dimension)
      fail(kind + node.name + ": stands for " + dimension_text(known.dimension) + " and for " +
           dimension_text(dimension));
    if (is_function && known.operands != node.operands.size())
      fail(kind + node.name + ": called with " + std::to_string(known.operands) + " and with " +
           std::to_string(node.operands.size()) + " operands");
    if (known.tag != nullptr && node.tag != nullptr && known.tag != node.tag)
      fail(kind + node.name + ": two typed ones have this name");
    if (known.tag == nullptr)
      known.tag = node.tag;
    return known.number;
  }

  std::uint32_t input(std::uint32_t place, any_node const& node, std::uint32_t name, std::size_t arity) {
    auto const number = static_cast<std::uint32_t>(inputs.size());
    auto const [found, is_new] = known_inputs_.try_emplace({place, name}, number);
    if (is_new)
      inputs.push_back({place, node.name, node.meaning, node.dimension, arity});
    return found->second;
  }
  /// The innermost element that binds the name, or the outermost environment.
  std::uint32_t place_of(context const& frames, std::string const& name) const {
    for (auto at = frames.rbegin(); at != frames.rend(); ++at)
      if (at->is_element && environments_[at->what]->find(name) != nullptr)
        return at->what;
    return 0;
  }
  std::uint32_t symbol(any_node const& node, std::uint32_t in) {
    std::uint32_t const name = name_of(node, node.dimension, false);
    context const& frames = contexts_[in];
    for (auto at = frames.rbegin(); at != frames.rend(); ++at) {
      if (at->is_element && environments_[at->what]->find(node.name) != nullptr)
        return instructions.input(input(at->what, node, name, 0));
      if (!at->is_element && at->what == name)
        return at->value;
    }
    return instructions.input(input(0, node, name, 0));
  }
  std::uint32_t call(any_node const& node, std::uint32_t in) {
    std::vector<std::uint32_t> operands;
    for (any_pointer const& operand : node.operands)
      operands.push_back(part(operand, in));
    if (!missing_.empty())
      return none;
    std::uint32_t const name = name_of(node, node.dimension, true);
    return instructions.call(input(place_of(contexts_[in], node.name), node, name, operands.size()), operands);
  }
  std::uint32_t let(any_node const& node, std::uint32_t in) {
    std::uint32_t const value = part(node.operands[0], in);
    if (!missing_.empty())
      return none;
    std::uint32_t const name = name_of_let(node);
    return part(node.operands[1], with_name(in, name, value));
  }
  std::uint32_t name_of_let(any_node const& node) { return name_of(node, node.symbol_dimension, false); }

  std::uint32_t number_of(context frames) {
    auto const number = static_cast<std::uint32_t>(contexts_.size());
    auto const [found, is_new] = known_contexts_.try_emplace(std::move(frames), number);
    if (is_new)
      contexts_.push_back(found->first);
    return found->second;
  }
  /// Names that follow each other are kept in order and without those that are hidden, so that equal surroundings are
  /// found again.
  std::uint32_t with_name(std::uint32_t in, std::uint32_t name, std::uint32_t value) {
    context frames = contexts_[in];
    std::size_t at = frames.size();
    while (at > 0 && !frames[at - 1].is_element && frames[at - 1].what > name)
      --at;
    frame const named{.what = name, .value = value};
    if (at > 0 && !frames[at - 1].is_element && frames[at - 1].what == name)
      frames[at - 1] = named;
    else
      frames.insert(frames.begin() + static_cast<std::ptrdiff_t>(at), named);
    return number_of(std::move(frames));
  }

  /// The element of a scope of an environment.
  std::uint32_t place_of_element(std::uint32_t of, std::string const& scope, std::size_t element) {
    auto const number = static_cast<std::uint32_t>(places.size());
    auto const [found, is_new] = known_places_.try_emplace({{of, element}, scope}, number);
    if (is_new) {
      places.push_back({of, scope, static_cast<std::uint32_t>(element)});
      environments_.push_back(&(*environments_[of]->elements(scope))[element]);
    }
    return found->second;
  }
  /// The innermost environment that has elements of the scope.
  std::uint32_t place_with_elements(context const& frames, std::string const& scope) const {
    for (auto at = frames.rbegin(); at != frames.rend(); ++at)
      if (at->is_element && environments_[at->what]->elements(scope) != nullptr)
        return at->what;
    return environments_[0]->elements(scope) != nullptr ? 0 : none;
  }
  /// The values of the body in the first `count` elements, with the frames around them.
  std::vector<std::uint32_t> values_in_elements(any_pointer const& body, context frames, std::uint32_t of,
                                                std::string const& scope, std::size_t count) {
    std::vector<std::uint32_t> values;
    frames.push_back({.is_element = true});
    for (std::size_t element = 0; element < count; ++element) {
      frames.back().what = place_of_element(of, scope, element);
      values.push_back(part(body, number_of(frames)));
    }
    return values;
  }

  std::uint32_t over(any_node const& node, std::uint32_t in) {
    context const frames = contexts_[in];
    std::uint32_t const holder = place_with_elements(frames, node.name);
    if (holder == none) {
      fail("over " + node.name + ": the program was compiled without elements of this scope");
      return none;
    }
    std::size_t const count = environments_[holder]->elements(node.name)->size();
    if (known_extents_.try_emplace({holder, node.name}, true).second)
      extents.push_back({holder, node.name, count});
    any_pointer const& body = node.operands[0];
    std::vector<std::uint32_t> const values = values_in_elements(body, frames, holder, node.name, count);
    if (!missing_.empty())
      return none;
    constexpr double infinity = std::numeric_limits<double>::infinity();
    bool const sums = node.reduction == any_reduction::sum, largest = node.reduction == any_reduction::max;
    std::uint32_t result = instructions.constant(sums                      ? 0
                                                 : !largest                ? infinity
                                                 : body->sign != sign::any ? 0
                                                                           : -infinity);
    for (std::uint32_t const value : values)
      result = instructions.apply(sums      ? instruction_code::add
                                  : largest ? instruction_code::max
                                            : instruction_code::min,
                                  result, value);
    return result;
  }
  /// The sum over the elements before the one in turn, in the surroundings of their `over`.
  std::uint32_t earlier(any_node const& node, std::uint32_t in) {
    context frames = contexts_[in];
    while (!frames.empty() && !(frames.back().is_element && places[frames.back().what].scope == node.name))
      frames.pop_back();
    if (frames.empty()) {
      fail("earlier " + node.name + ": stands in no over of this scope");
      return none;
    }
    program_place const place = places[frames.back().what];
    frames.pop_back();
    std::vector<std::uint32_t> const values =
        values_in_elements(node.operands[0], std::move(frames), place.of, node.name, place.element);
    if (!missing_.empty())
      return none;
    std::uint32_t result = instructions.constant(0);
    for (std::uint32_t const value : values)
      result = instructions.apply(instruction_code::add, result, value);
    return result;
  }

  struct known_name {
    std::uint32_t number;
    any_dimension dimension;
    std::size_t operands;
    void const* tag;
  };

  std::unordered_map<task, std::uint32_t, task_hash> values_;
  std::vector<task> missing_;
  std::map<std::pair<bool, std::string>, known_name> names_;
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> known_inputs_;
  std::vector<context> contexts_;
  std::map<context, std::uint32_t> known_contexts_;
  std::map<std::pair<std::pair<std::uint32_t, std::size_t>, std::string>, std::uint32_t> known_places_;
  std::map<std::pair<std::uint32_t, std::string>, bool> known_extents_;
  /// Of each place.
  std::vector<any_environment const*> environments_;
};

}  // namespace shardplan::expr::detail
