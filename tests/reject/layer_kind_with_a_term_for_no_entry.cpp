// Terms of a layer kind are added to costs of a block, not of a stage.
// expect: layer_kind: with_terms\(...\) takes entries that a block record has
#include <shardplan/planner/layer_kind.hpp>

using namespace shardplan;

constexpr planner::layer_kind head{model::head_layer()};
#ifdef SHARDPLAN_ACCEPT
constexpr auto kind = head.with_terms(expr::make_record(define(cost::of<cost::tag::block_kept>, expr::byte)));
#else
constexpr auto kind = head.with_terms(expr::make_record(define(cost::of<cost::tag::activations>, expr::byte)));
#endif
