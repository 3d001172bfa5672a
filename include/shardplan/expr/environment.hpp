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

namespace detail {

/// Two environments, of which the inner one is asked first.
template <class Environment>
concept nested = requires {
  typename Environment::inner_type;
  typename Environment::outer_type;
};

template <class Environment, class Tag>
inline constexpr bool bound_in = requires(Environment const& environment) { environment.template find<Tag>(); } ||
                                 requires(Environment const& environment) { detail::find<Tag>(environment); };
template <nested Environment, class Tag>
inline constexpr bool bound_in<Environment, Tag> =
    bound_in<typename Environment::inner_type, Tag> || bound_in<typename Environment::outer_type, Tag>;

/// How many environments outward from the innermost one a tag is bound.
template <class Environment, class Tag> consteval int steps_to() {
  if constexpr (!nested<Environment>)
    return 0;
  else if constexpr (bound_in<typename Environment::inner_type, Tag>)
    return 0;
  else
    return 1 + steps_to<typename Environment::outer_type, Tag>();
}
/// The environment so many steps outward. One function for all tags: lookups are most of what a reading compiles.
template <int Steps, class Environment>
SHARDPLAN_FORCE_INLINE constexpr auto const& environment_at(Environment const& environment) {
  if constexpr (Steps == 0 && nested<Environment>)
    return environment.inner();
  else if constexpr (Steps == 0)
    return environment;
  else
    return environment_at<Steps - 1>(environment.outer());
}

}  // namespace detail

/// `Environment` gives a value to the symbol with this tag.
template <class Environment, class Tag>
concept binds = detail::bound_in<Environment, Tag>;

/// The value bound to a symbol.
template <class Tag, binds<Tag> Environment>
SHARDPLAN_FORCE_INLINE constexpr auto const& value_of(Environment const& environment) {
  if constexpr (detail::nested<Environment>)
    return value_of<Tag>(detail::environment_at<detail::steps_to<Environment, Tag>()>(environment));
  else if constexpr (requires { environment.template find<Tag>(); })
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
  using inner_type = Inner;
  using outer_type = Outer;

  constexpr scope(Inner const& inner, Outer const& outer) : inner_(inner), outer_(outer) {}
  constexpr scope(Inner&&, Outer const&) = delete;
  constexpr scope(Inner const&, Outer&&) = delete;
  constexpr scope(Inner&&, Outer&&) = delete;

  SHARDPLAN_FORCE_INLINE constexpr Inner const& inner() const { return inner_; }
  SHARDPLAN_FORCE_INLINE constexpr Outer const& outer() const { return outer_; }

 private:
  Inner const& inner_;
  Outer const& outer_;
};

}  // namespace shardplan::expr
