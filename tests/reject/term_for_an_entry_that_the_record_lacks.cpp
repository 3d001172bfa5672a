// A record of a block has no entry for the buckets of a stage, to which a term could be added.
// expect-gcc: record_must_have_an_entry_of_the_same_name.*add\(.*Terms = \{shardplan::expr::entry<.*buffers
// expect-clang: call to deleted function 'add'
#include <shardplan/cost/add.hpp>
#include <shardplan/cost/block.hpp>
#include <shardplan/model.hpp>

using namespace shardplan;

#ifdef SHARDPLAN_ACCEPT
using name = cost::tag::block_kept;
#else
using name = cost::tag::buffers;
#endif
constexpr auto more =
    cost::add(cost::block_record(model::embedding_layer()), expr::make_record(define(cost::of<name>, expr::byte)));
