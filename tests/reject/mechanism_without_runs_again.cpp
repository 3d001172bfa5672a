// A recomputation mechanism says what it keeps and what it runs again.
// expect: recompute: the type is no recomputation_mechanism
#include <shardplan/model.hpp>
#include <shardplan/strategy.hpp>

using namespace shardplan;

struct keeps_all {
  static constexpr const char* name = "all";
  template <class... Reasons> static constexpr bool keeps = true;
#ifdef SHARDPLAN_ACCEPT
  template <class Traits> static constexpr bool runs_again = false;
#endif
};

constexpr auto layout = model::head_layer() | strategy::recompute<keeps_all>{};
