#pragma once
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <shardplan/expr/run_time/dimension.hpp>
#include <shardplan/expr/sign.hpp>

/// The nodes that expressions known at run time share.
namespace shardplan::expr {

/// What a node of an expression is. `error` stands for an operation that was applied wrongly.
enum class any_operation : unsigned char {
  number,
  symbol,
  add,
  subtract,
  multiply,
  divide,
  min,
  max,
  ceil,
  floor,
  log2,
  whole_power,
  pow,
  positive_part,
  select,
  let,
  over,
  earlier,
  call,
  error
};

/// What `over` makes of the values of all elements.
enum class any_reduction : unsigned char { sum, max, min };

namespace detail {

/// Of an operation or function.
inline constexpr std::size_t most_operands = 4;

class any_node;

/// Shared ownership of a node that does not change. Copies may be used in several threads at once. A long chain of
/// nodes is let go without recursion.
class any_pointer {
 public:
  any_pointer() = default;
  explicit any_pointer(any_node* unowned);
  any_pointer(any_pointer const& other);
  any_pointer(any_pointer&& other) noexcept : node_(std::exchange(other.node_, nullptr)) {}
  any_pointer& operator=(any_pointer other) noexcept {
    std::swap(node_, other.node_);
    return *this;
  }
  ~any_pointer();

  any_node const& operator*() const { return *node_; }
  any_node const* operator->() const { return node_; }
  any_node const* get() const { return node_; }

 private:
  any_node* node_ = nullptr;
};

class any_node {
 public:
  any_operation operation = any_operation::number;
  /// Of an `over`.
  any_reduction reduction = any_reduction::sum;
  expr::sign sign = expr::sign::any;
  any_dimension dimension = {};
  /// Of a whole power.
  int exponent = 0;
  /// Of a number: exactly numerator / denominator; a denominator of 0 where only `value` is known.
  long long numerator = 0, denominator = 0;
  double value = 0;
  /// Of a symbol, of a function that is called, of what a `let` names, of the scope of an `over` or `earlier`. Of an
  /// error: what was done.
  std::string name = {};
  /// Of a symbol or function: what it stands for. Of an error: what would be right.
  std::string meaning = {};
  /// Of a symbol or function that comes from a typed expression: which tag.
  void const* tag = nullptr;
  /// Of a `let`: that of the symbol, which its value has.
  any_dimension symbol_dimension = {};
  /// Of a `let`: the value and the body.
  std::vector<any_pointer> operands = {};

 private:
  friend any_pointer;
  std::atomic<std::uint32_t> owners_ = 0;
  any_node* next_unowned_ = nullptr;

  bool loses_its_last_owner() { return owners_.fetch_sub(1, std::memory_order_acq_rel) == 1; }
};

inline any_pointer::any_pointer(any_node* unowned) : node_(unowned) {
  node_->owners_.store(1, std::memory_order_relaxed);
}
inline any_pointer::any_pointer(any_pointer const& other) : node_(other.node_) {
  if (node_ != nullptr)
    node_->owners_.fetch_add(1, std::memory_order_relaxed);
}
inline any_pointer::~any_pointer() {
  if (node_ == nullptr || !node_->loses_its_last_owner())
    return;
  any_node* unowned = node_;
  while (unowned != nullptr) {
    any_node* const now = unowned;
    unowned = now->next_unowned_;
    for (any_pointer& operand : now->operands) {
      any_node* const inner = std::exchange(operand.node_, nullptr);
      if (inner != nullptr && inner->loses_its_last_owner()) {
        inner->next_unowned_ = unowned;
        unowned = inner;
      }
    }
    delete now;
  }
}

/// Distinguishes the tags of typed symbols that have the same name.
template <class Tag> inline constexpr char tag_identity = 0;

/// A node whose kind, dimension and sign are known.
template <class... Operands>
any_pointer make_any_node(any_operation operation, any_dimension dimension, sign known, Operands... operands) {
  any_node* const made = new any_node;
  any_pointer result{made};
  made->operation = operation;
  made->dimension = dimension;
  made->sign = known;
  made->operands.reserve(sizeof...(Operands));
  (made->operands.push_back(std::move(operands)), ...);
  return result;
}

/// For the fields that only some nodes have, right after a node was made and before it is shared.
template <class Fill> any_pointer filled_in(any_pointer made, Fill fill) {
  fill(const_cast<any_node&>(*made));
  return made;
}

inline any_pointer make_any_error(std::string what, std::string right) {
  return filled_in(make_any_node(any_operation::error, {}, sign::any), [&](any_node& node) {
    node.name = std::move(what);
    node.meaning = std::move(right);
  });
}

inline std::string error_text(any_node const& error) { return error.name + "; expected " + error.meaning; }

}  // namespace detail
}  // namespace shardplan::expr
