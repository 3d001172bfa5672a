#pragma once
#include <cstddef>

#include <boost/hana/tuple.hpp>

#include <shardplan/device/descriptor.hpp>
#include <shardplan/expr/function.hpp>
#include <shardplan/expr/read.hpp>
#include <shardplan/model/operation.hpp>
#include <shardplan/search/exhaustive.hpp>
#include <shardplan/strategy/layout.hpp>
#include <shardplan/strategy/recompute.hpp>

/// For each concept the least type that satisfies it: what a type of one's own must have, and a check that the library
/// asks no more.
namespace shardplan::testing {

/// `expr::symbol_description`.
struct symbol_archetype {
  using dimension = unit::count_dimension;
  static constexpr expr::sign sign = expr::sign::any;
  static constexpr const char* name = "symbol";
  static constexpr const char* meaning = "nothing in particular";
};
static_assert(expr::symbol_description<symbol_archetype>);

/// `expr::function_description`, of one plain number.
struct function_archetype {
  using dimension = unit::count_dimension;
  static constexpr expr::sign sign = expr::sign::any;
  static constexpr std::size_t arity = 1;
  template <class... Given> static constexpr bool takes = (expr::dimensionless<Given> && ...);
  static constexpr const char* name = "function";
  static constexpr const char* meaning = "nothing in particular";
};
static_assert(expr::function_description<function_archetype>);

/// `expr::reading`, of a value that can do nothing.
struct reader_archetype {
  struct value_type {};
  template <class Literal> constexpr value_type literal() const { return {}; }
  template <class Tag> constexpr value_type symbol() const { return {}; }
  template <class Node, class... Operands> constexpr value_type apply(Operands const&...) const { return {}; }
};
static_assert(expr::reading<reader_archetype>);

/// `model::named_axis`.
struct axis_archetype {
  static constexpr const char* name = "axis";
  static constexpr expr::literal<1> extent{};
};
static_assert(model::named_axis<axis_archetype>);

/// `model::layer_description`, with nothing to do.
struct layer_archetype {
  struct name {
    static constexpr const char* value = "layer";
  };
  static constexpr boost::hana::tuple<> operations{};
};
static_assert(model::layer_description<layer_archetype>);

/// `strategy::strategy_description`, which changes nothing.
struct strategy_archetype : strategy::strategy_base {
  static constexpr const char* name = "strategy";
  using mesh_axis = void;
  using needs_mesh_axis = void;
  using rule_list = strategy::rules<>;
};
static_assert(strategy::strategy_description<strategy_archetype>);

/// `strategy::recomputation_mechanism`, which keeps all tensors.
struct mechanism_archetype {
  static constexpr const char* name = "mechanism";
  template <class... Reasons> static constexpr bool keeps = true;
  template <class Traits> static constexpr bool runs_again = false;
};
static_assert(strategy::recomputation_mechanism<mechanism_archetype>);

/// `device::training_device`, and what a cluster asks for besides: a name and a link.
struct device_archetype : device::matrix_engine, device::device_memory, device::host_link {
  const char* name = "device";
};
static_assert(device::training_device<device_archetype>);

/// `search::candidate_problem`, which refuses nothing and prefers nothing.
template <class Candidate> struct problem_archetype {
  search::outcome evaluate(Candidate const&) const { return {.allowed = true, .cost = 0}; }
  std::size_t reasons() const { return 0; }
  bool before(Candidate const&, Candidate const&) const { return false; }
};
static_assert(search::candidate_problem<problem_archetype<int>, int>);

}  // namespace shardplan::testing
