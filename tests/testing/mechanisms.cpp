#include <doctest/doctest.h>

#include <shardplan/model.hpp>
#include <shardplan/testing/mechanism_laws.hpp>

#include "support.hpp"

namespace {

using namespace shardplan;
using testing::broken_laws_of_mechanism;
using testing_support::reports;

TEST_CASE("the mechanisms of the library keep the laws") {
  CHECK(broken_laws_of_mechanism(strategy::keep_everything{}).empty());
  CHECK(broken_laws_of_mechanism(strategy::attention_core_again{}).empty());
  CHECK(broken_laws_of_mechanism(strategy::unlisted_operators_again{}).empty());
  CHECK(broken_laws_of_mechanism(strategy::block_again{}).empty());
  constexpr auto fused = model::decoder_block(model::mlp::plain{}, model::kernel::flash{});
  CHECK(broken_laws_of_mechanism(strategy::attention_core_again{}, fused).empty());
  CHECK(broken_laws_of_mechanism(strategy::unlisted_operators_again{}, fused).empty());
}

struct forgets_the_input {
  static constexpr const char* name = "forgets the input";
  template <class... Reasons> static constexpr bool keeps = (std::same_as<Reasons, model::reason::operand> || ...);
  template <class Traits> static constexpr bool runs_again = true;
};
struct runs_nothing_again {
  static constexpr const char* name = "runs nothing again";
  template <class... Reasons> static constexpr bool keeps = (std::same_as<Reasons, model::reason::block_input> || ...);
  template <class Traits> static constexpr bool runs_again = false;
};
struct keeps_what_has_one_reason {
  static constexpr const char* name = "keeps what has one reason";
  template <class... Reasons> static constexpr bool keeps = sizeof...(Reasons) == 1;
  template <class Traits> static constexpr bool runs_again = true;
};

TEST_CASE("broken mechanisms are reported") {
  CHECK(reports(broken_laws_of_mechanism(forgets_the_input{}), "a mechanism keeps the input of a block"));
  CHECK(reports(broken_laws_of_mechanism(runs_nothing_again{}), "what is given up is computed again"));
  CHECK(reports(broken_laws_of_mechanism(keeps_what_has_one_reason{}),
                "a tensor that is kept for one reason is kept if there is another"));
}

}  // namespace
