#pragma once
#include <shardplan/config.hpp>
#include <shardplan/expr/symbol.hpp>

/// Environments: where a reading finds the values of symbols.
namespace shardplan::expr {

/// Values of some symbols, held by value.
template <class... Bindings> struct environment : Bindings... {
  constexpr environment()
    requires(sizeof...(Bindings) > 0)
      : Bindings{}... {}
  constexpr environment(Bindings... bindings) : Bindings(bindings)... {}
};

namespace detail {
template <class Tag, class Value> SHARDPLAN_FORCE_INLINE constexpr Value const& find(binding<Tag, Value> const& found) {
  return found.value;
}
}  // namespace detail

/// `Environment` gives a value to the symbol with this tag.
template <class Environment, class Tag>
concept binds = requires(Environment const& environment) { environment.template find<Tag>(); } ||
                requires(Environment const& environment) { detail::find<Tag>(environment); };

/// The value bound to a symbol.
template <class Tag, binds<Tag> Environment>
SHARDPLAN_FORCE_INLINE constexpr auto const& value_of(Environment const& environment) {
  if constexpr (requires { environment.template find<Tag>(); })
    return environment.template find<Tag>();
  else
    return detail::find<Tag>(environment);
}
struct environment_must_bind_the_symbol;
/// The symbol with this tag has no value in the environment.
template <class Tag, class Environment>
  requires(!binds<Environment, Tag>)
environment_must_bind_the_symbol const& value_of(Environment const& environment) = delete;

/// A scope inside another: symbols are looked up in `inner` first. Both are viewed, not copied.
template <class Inner, class Outer> class scope {
 public:
  constexpr scope(Inner const& inner, Outer const& outer) : inner_(inner), outer_(outer) {}
  constexpr scope(Inner&&, Outer const&) = delete;
  constexpr scope(Inner const&, Outer&&) = delete;
  constexpr scope(Inner&&, Outer&&) = delete;

  template <class Tag>
    requires(binds<Inner, Tag> || binds<Outer, Tag>)
  SHARDPLAN_FORCE_INLINE constexpr auto const& find() const {
    if constexpr (binds<Inner, Tag>)
      return value_of<Tag>(inner_);
    else
      return value_of<Tag>(outer_);
  }
  constexpr Inner const& inner() const { return inner_; }
  constexpr Outer const& outer() const { return outer_; }

 private:
  Inner const& inner_;
  Outer const& outer_;
};

}  // namespace shardplan::expr
