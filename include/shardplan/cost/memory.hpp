#pragma once
#include <shardplan/cost/symbol.hpp>
#include <shardplan/expr/operators.hpp>

/// Peak memory: the largest sum, over the phases of a training step, of the terms that are alive in it.
namespace shardplan::cost {

/// The phases of a step, in order.
enum class phase { initialisation, forward, loss, backward, optimizer };
inline constexpr int phase_count = 5;

constexpr const char* name_of(phase value) {
  switch (value) {
  case phase::initialisation:
    return "initialisation";
  case phase::forward:
    return "forward";
  case phase::loss:
    return "loss";
  case phase::backward:
    return "backward";
  case phase::optimizer:
    return "optimizer";
  }
  return "";
}

/// A memory term and the phases in which it lives, first and last included.
template <class Tag, phase First, phase Last> struct live_term {
  using tag = Tag;
  static constexpr bool lives_in(phase moment) { return First <= moment && moment <= Last; }
};

template <class... Terms> struct live_terms {};

namespace detail {
template <phase Moment, class Term> constexpr auto at_moment() {
  if constexpr (Term::lives_in(Moment))
    return of<typename Term::tag>;
  else
    return expr::literal<0, 1, unit::byte_dimension>{};
}
}  // namespace detail

/// The sum of the terms that live in a phase.
template <phase Moment, class... Terms> constexpr auto memory_in(live_terms<Terms...>) {
  return (expr::literal<0, 1, unit::byte_dimension>{} + ... + detail::at_moment<Moment, Terms>());
}

/// The largest of these sums.
template <class... Terms> constexpr auto peak_of(live_terms<Terms...> terms) {
  return max(memory_in<phase::initialisation>(terms), memory_in<phase::forward>(terms), memory_in<phase::loss>(terms),
             memory_in<phase::backward>(terms), memory_in<phase::optimizer>(terms));
}

}  // namespace shardplan::cost
