#pragma once
#include <array>
#include <concepts>
#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <shardplan/expr/function.hpp>
#include <shardplan/expr/run_time/expression.hpp>

namespace shardplan::expr {

/// What a value is bound to: a name, or a symbol or function that has one. Views it.
class any_name {
 public:
  any_name(const char* text) : text_(text) {}
  any_name(std::string_view text) : text_(text) {}
  any_name(std::string const& text) : text_(text) {}
  any_name(any_symbol const& symbol) : text_(symbol.name()) {}
  any_name(any_function const& function) : text_(function.name()) {}
  template <class Tag> any_name(symbol<Tag>) : text_(Tag::name) {}
  template <class Tag> any_name(function<Tag>) : text_(Tag::name) {}

  std::string_view text() const { return text_; }

 private:
  std::string_view text_;
};

namespace detail {

template <class Callable, std::size_t... Index> constexpr bool takes_numbers(std::index_sequence<Index...>) {
  return std::invocable<Callable const&, decltype((void(Index), 0.0))...>;
}
template <class Callable, std::size_t Arity>
concept callable_with = takes_numbers<Callable>(std::make_index_sequence<Arity>{});

template <class Type>
concept numeric_callable =
    callable_with<Type, 1> || callable_with<Type, 2> || callable_with<Type, 3> || callable_with<Type, 4>;
static_assert(most_operands == 4);

/// Something that can be called with numbers.
class any_callable {
 public:
  using caller = double (*)(void const* callable, double const* operands);

  any_callable() = default;
  template <numeric_callable Callable>
  explicit any_callable(Callable callable) : owner_(std::make_shared<Callable>(std::move(callable))) {
    [&]<std::size_t... Index>(std::index_sequence<Index...>) {
      ((callers_[Index] = caller_with<Callable, Index + 1>()), ...);
    }(std::make_index_sequence<most_operands>{});
  }

  bool takes(std::size_t operands) const { return callers_[operands - 1] != nullptr; }
  double operator()(double const* operands, std::size_t count) const {
    return callers_[count - 1](owner_.get(), operands);
  }

 private:
  template <class Callable, std::size_t Arity> static constexpr caller caller_with() {
    if constexpr (callable_with<Callable, Arity>)
      return [](void const* callable, double const* operands) {
        return [&]<std::size_t... Index>(std::index_sequence<Index...>) {
          return static_cast<double>((*static_cast<Callable const*>(callable))(operands[Index]...));
        }(std::make_index_sequence<Arity>{});
      };
    else
      return nullptr;
  }

  std::shared_ptr<void const> owner_;
  std::array<caller, most_operands> callers_{};
};

/// One number for all configurations, a column with one for each, or a function.
struct any_binding {
  enum class kind { number, column, function };
  any_binding::kind kind = kind::number;
  double number = 0;
  std::span<double const> column = {};
  any_callable function = {};
};

}  // namespace detail

/// Values for the names in expressions known at run time: one number or a column for a symbol, a callable for a
/// function, and the elements of scopes. Columns are viewed and must stay; what was bound to a name before goes.
class any_environment {
 public:
  /// In base units, the same for all configurations.
  any_environment& bind(any_name name, double number) {
    entry(bindings_, name.text()) = {.number = number};
    return *this;
  }
  /// One value for each configuration.
  any_environment& bind(any_name name, std::span<double const> column) {
    entry(bindings_, name.text()) = {.kind = detail::any_binding::kind::column, .column = column};
    return *this;
  }
  any_environment& bind(any_name name, std::vector<double>&& column) = delete;
  template <detail::numeric_callable Callable> any_environment& bind(any_name name, Callable callable) {
    entry(bindings_, name.text()) = {.kind = detail::any_binding::kind::function,
                                     .function = detail::any_callable(std::move(callable))};
    return *this;
  }
  /// The elements of a scope. In each, names are looked up there first.
  any_environment& each(std::string_view scope, std::vector<any_environment> elements) {
    entry(scopes_, scope) = std::move(elements);
    return *this;
  }

  /// Null where nothing is bound to the name.
  detail::any_binding const* find(std::string_view name) const { return found(bindings_, name); }
  std::vector<any_environment> const* elements(std::string_view scope) const { return found(scopes_, scope); }

 private:
  template <class Value> using table = std::vector<std::pair<std::string, Value>>;

  /// In the order of the names.
  template <class Table> static std::size_t position(Table const& values, std::string_view name) {
    std::size_t low = 0, high = values.size();
    while (low < high) {
      std::size_t const middle = low + (high - low) / 2;
      if (std::string_view(values[middle].first) < name)
        low = middle + 1;
      else
        high = middle;
    }
    return low;
  }
  template <class Value> static Value const* found(table<Value> const& values, std::string_view name) {
    std::size_t const at = position(values, name);
    return at < values.size() && values[at].first == name ? &values[at].second : nullptr;
  }
  template <class Value> static Value& entry(table<Value>& values, std::string_view name) {
    std::size_t const at = position(values, name);
    if (at == values.size() || values[at].first != name)
      values.insert(values.begin() + static_cast<std::ptrdiff_t>(at), {std::string(name), Value{}});
    return values[at].second;
  }

  table<detail::any_binding> bindings_;
  table<std::vector<any_environment>> scopes_;
};

}  // namespace shardplan::expr
