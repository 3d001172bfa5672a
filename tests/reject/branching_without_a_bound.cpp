// Without a bound a node cannot be closed.
// expect-gcc: branching_problem_needs_node_root_bound_complete_and_branch.*branch_and_bound\(.*Problem = one_bit
// expect-clang: call to deleted function 'branch_and_bound'
#include <cstddef>
#include <span>

#include <shardplan/search.hpp>

using namespace shardplan;

struct one_bit {
  struct node {
    int bits = 0;
    int value = 0;
  };
  node root() const { return {}; }
  bool complete(node const& at) const { return at.bits == 1; }
#ifdef SHARDPLAN_ACCEPT
  double bound(node const& at) const { return at.value; }
#endif
  template <class Visit> void branch(node const&, Visit visit) const {
    visit(node{1, 0});
    visit(node{1, 1});
  }
};

auto search_some() { return search::branch_and_bound(one_bit{}); }
