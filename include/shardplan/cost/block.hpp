#pragma once
#include <boost/hana/unpack.hpp>

#include <shardplan/cost/communication.hpp>
#include <shardplan/expr/record.hpp>
#include <shardplan/strategy.hpp>

/// The record of one block under a layout: what it owns, keeps, computes and sends, on one device and for one
/// micro-batch. Nothing here knows a layer kind or a strategy by name; everything follows from terms, rules and
/// mechanisms.
namespace shardplan::cost {

namespace detail {

template <class Dimension> inline constexpr expr::literal<0, 1, Dimension> nothing{};

/// Applies `select(term, operation)` to all terms of all operations and adds up what it returns.
template <class Dimension, class Select, class Operation, class... Terms>
constexpr auto sum_terms(boost::hana::tuple<Terms...> const&, [[maybe_unused]] Operation operation,
                         [[maybe_unused]] Select select) {
  return (nothing<Dimension> + ... + select(Terms{}, operation));
}
template <class Dimension, class Select, class... Operations>
constexpr auto sum_operations(boost::hana::tuple<Operations...> const&, [[maybe_unused]] Select select) {
  return (nothing<Dimension> + ... + sum_terms<Dimension>(Operations::terms, Operations{}, select));
}

/// The amount of a term if it has the role, else nothing.
template <class Role, class RuleList> struct with_role {
  template <class Term, class Operation> constexpr auto operator()(Term term, Operation) const {
    if constexpr (std::same_as<typename Term::role, Role>)
      return strategy::amount(term, RuleList{});
    else
      return nothing<typename Role::dimension>;
  }
};

// --- kept activations ------------------------------------------------------------------------------------------------

/// Bytes that survive the forward pass.
template <class Mechanism, class RuleList> struct kept_bytes {
  template <class Term, class Operation> constexpr auto operator()(Term term, Operation) const {
    return of_role(strategy::kept_share<Mechanism, typename Term::role>{}, term);
  }
  template <class Share, class Term> static constexpr auto of_role(Share, Term term) {
    if constexpr (expr::is_zero<Share>)
      return nothing<unit::byte_dimension>;
    else
      return Share{} * strategy::amount(term, RuleList{});
  }
};
/// Bytes that the backward pass needs, did not keep, and must bring back.
template <class Mechanism, class RuleList> struct recomputed_bytes {
  template <class Term, class Operation> constexpr auto operator()(Term term, Operation) const {
    return kept_bytes<Mechanism, RuleList>::of_role(strategy::brought_back_share<Mechanism, typename Term::role>{},
                                                    term);
  }
};

// --- computation -----------------------------------------------------------------------------------------------------

/// Roofline: the longer of computing and moving. `Ratio` is the work over that of the forward pass.
template <class Operation, class RuleList, class Ratio>
constexpr auto operation_time(Operation, RuleList, Ratio ratio) {
  using terms = decltype(Operation::terms);
  constexpr terms list{};
  auto const matrix =
      sum_terms<unit::flop_dimension>(list, Operation{}, with_role<model::role::matrix_work, RuleList>{});
  auto const attention =
      sum_terms<unit::flop_dimension>(list, Operation{}, with_role<model::role::attention_work, RuleList>{});
  auto const traffic = sum_terms<unit::byte_dimension>(list, Operation{}, with_role<model::role::traffic, RuleList>{});
  auto const half_precision =
      sum_terms<unit::flop_dimension>(list, Operation{}, with_role<model::role::half_precision_work, RuleList>{});
  return ratio * max(matrix / of<tag::matrix_rate> + half_precision / of<tag::half_precision_rate> +
                         attention / of<tag::attention_rate>,
                     traffic / of<tag::memory_bandwidth>);
}

template <class RuleList, class... Operations> constexpr auto forward_time(boost::hana::tuple<Operations...> const&) {
  [[maybe_unused]] constexpr expr::literal<1> one{};
  constexpr expr::literal<static_cast<long long>(sizeof...(Operations))> launches{};
  return max((nothing<unit::time_dimension> + ... + operation_time(Operations{}, RuleList{}, one)),
             launches * of<tag::operation_launch_time>);
}

template <class RuleList, class... Operations> constexpr auto backward_time(boost::hana::tuple<Operations...> const&) {
  constexpr expr::literal<static_cast<long long>(2 * sizeof...(Operations))> launches{};
  return max(
      (nothing<unit::time_dimension> + ... + operation_time(Operations{}, RuleList{}, typename Operations::backward{})),
      launches * of<tag::operation_launch_time>);
}

template <class Mechanism, class Operation, class RuleList>
constexpr auto repeated_time(Operation operation, RuleList cuts) {
  using again = strategy::repeated_share<Mechanism, typename Operation::traits>;
  if constexpr (expr::is_zero<again>)
    return nothing<unit::time_dimension>;
  else
    return again{} * operation_time(operation, cuts, expr::literal<1>{});
}
template <class Mechanism, class RuleList, class... Operations>
constexpr auto repeated_time(boost::hana::tuple<Operations...> const&) {
  constexpr auto again =
      (expr::literal<0>{} + ... + strategy::repeated_share<Mechanism, typename Operations::traits>{});
  return max((nothing<unit::time_dimension> + ... + repeated_time<Mechanism>(Operations{}, RuleList{})),
             again * of<tag::operation_launch_time>);
}

// --- communication ---------------------------------------------------------------------------------------------------

/// A collective costs its latency only where there is something to send: a coefficient may be switched off by a value.
template <class Coefficient, class Time> constexpr auto if_any(Coefficient bytes, Time time) {
  if constexpr (implies(Coefficient::sign, expr::sign::positive))
    return time;
  else
    return select(bytes / expr::byte, time, nothing<unit::time_dimension>);
}

/// The time to add up a partial sum, if one of the axes summed over is cut over the tensor mesh axis. The message is
/// the whole tensor; where sequence parallelism cuts it, the all-reduce is a reduce-scatter here and an all-gather
/// where the tensor is used, with the same volume together.
template <template <class...> class SumRole, class RuleList> struct sum_time {
  template <class Coefficient, class... Over, class... Axes, class Operation>
  constexpr auto operator()(model::term<SumRole<Over...>, Coefficient, Axes...>, Operation) const {
    if constexpr (strategy::is_cut<strategy::mesh::tensor>(model::axes<Over...>{}, RuleList{}))
      return if_any(Coefficient{}, all_reduce_time((Coefficient{} * ... * Axes::extent), strategy::symbols::t,
                                                   of<tag::tensor_latency>, of<tag::tensor_bandwidth>));
    else
      return nothing<unit::time_dimension>;
  }
  template <class Term, class Operation> constexpr auto operator()(Term, Operation) const {
    return nothing<unit::time_dimension>;
  }
};

template <class Mechanism, class RuleList> struct repeated_sum_time {
  template <class Term, class Operation> constexpr auto operator()(Term term, Operation operation) const {
    using again = strategy::repeated_share<Mechanism, typename Operation::traits>;
    if constexpr (expr::is_zero<again>)
      return nothing<unit::time_dimension>;
    else
      return again{} * sum_time<model::role::forward_sum, RuleList>{}(term, operation);
  }
};

// --- FLOP as the model counts them -----------------------------------------------------------------------------------

/// Matrix FLOP of an operation, uncut: products with weights as they are, attention as the convention counts it.
struct counted_flop {
  template <class Term, class Operation> constexpr auto operator()(Term term, Operation) const {
    constexpr bool core = strategy::detail::has_trait<model::trait::attention_core>(typename Operation::traits{});
    if constexpr (std::same_as<typename Term::role, model::role::counted_attention_work> ||
                  ((std::same_as<typename Term::role, model::role::matrix_work> ||
                    std::same_as<typename Term::role, model::role::half_precision_work>) &&
                   !core))
      return strategy::amount(term, strategy::rules<>{});
    else
      return nothing<unit::flop_dimension>;
  }
};
template <class Mechanism> struct repeated_flop {
  template <class Term, class Operation> constexpr auto operator()(Term term, Operation operation) const {
    using again = strategy::repeated_share<Mechanism, typename Operation::traits>;
    if constexpr (expr::is_zero<again>)
      return nothing<unit::flop_dimension>;
    else
      return again{} * counted_flop{}(term, operation);
  }
};

// --- parameters ------------------------------------------------------------------------------------------------------

template <class RuleList> constexpr auto largest(boost::hana::tuple<> const&) { return nothing<unit::count_dimension>; }
template <class RuleList, class... Operations> constexpr auto largest(boost::hana::tuple<Operations...> const&) {
  using select = with_role<model::role::parameter, RuleList>;
  return max(nothing<unit::count_dimension>,
             sum_terms<unit::count_dimension>(Operations::terms, Operations{}, select{})...);
}

}  // namespace detail

/// The record of a layer under the strategies composed with it.
template <class Layer, class... Strategies> constexpr auto block_record(strategy::layout<Layer, Strategies...>) {
  using namespace detail;
  using layout = strategy::layout<Layer, Strategies...>;
  using cuts = typename layout::rule_list;
  using mechanism = strategy::recomputation_of<layout>;
  using operations = std::remove_cv_t<decltype(Layer::operations)>;
  constexpr operations list{};

  return expr::make_record(
      define(of<tag::block_parameters>,
             sum_operations<unit::count_dimension>(list, with_role<model::role::parameter, cuts>{})),
      define(of<tag::block_largest_matrix>, largest<cuts>(list)),
      define(of<tag::block_kept>, sum_operations<unit::byte_dimension>(list, kept_bytes<mechanism, cuts>{})),
      define(of<tag::block_working>, sum_operations<unit::byte_dimension>(list, recomputed_bytes<mechanism, cuts>{})),
      define(of<tag::block_loss_buffer>,
             sum_operations<unit::byte_dimension>(list, with_role<model::role::loss_buffer, cuts>{})),
      define(of<tag::block_forward>, forward_time<cuts>(list)),
      define(of<tag::block_backward>, backward_time<cuts>(list)),
      define(of<tag::block_recompute>,
             repeated_time<mechanism, cuts>(list) +
                 sum_operations<unit::time_dimension>(list, repeated_sum_time<mechanism, cuts>{})),
      define(of<tag::block_forward_communication>,
             sum_operations<unit::time_dimension>(list, sum_time<model::role::forward_sum, cuts>{})),
      define(of<tag::block_backward_communication>,
             sum_operations<unit::time_dimension>(list, sum_time<model::role::backward_sum, cuts>{})),
      define(of<tag::block_model_flop>, sum_operations<unit::flop_dimension>(list, counted_flop{})),
      define(of<tag::block_recomputed_flop>, sum_operations<unit::flop_dimension>(list, repeated_flop<mechanism>{})));
}

/// The record of a bare layer: on one device, nothing recomputed.
template <model::layer_description Layer> constexpr auto block_record(Layer) {
  return block_record(strategy::layout<Layer>{});
}

}  // namespace shardplan::cost
