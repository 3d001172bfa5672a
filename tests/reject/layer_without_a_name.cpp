// What a strategy is composed with has a name and operations.
// expect-gcc: layer_description_needs_a_name_and_operations.*operator\|.*Layer = nameless
// expect-clang: selected deleted operator '\|'
#include <shardplan/model.hpp>
#include <shardplan/strategy.hpp>

using namespace shardplan;

struct nameless {
#ifdef SHARDPLAN_ACCEPT
  struct name {
    static constexpr const char* value = "no longer nameless";
  };
#endif
  static constexpr boost::hana::tuple<> operations{};
};

constexpr auto layout = nameless{} | strategy::tensor{};
