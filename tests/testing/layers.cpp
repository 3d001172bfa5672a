#include <doctest/doctest.h>

#include <shardplan/expr/function.hpp>
#include <shardplan/model.hpp>
#include <shardplan/testing/layer_laws.hpp>

#include "support.hpp"

namespace {

using namespace shardplan;
using namespace expr::literals;
using testing::broken_laws_of_layer;
using testing_support::reports;
namespace axis = model::axis;
namespace role = model::role;
using model::symbols::e_a;
using rows = model::axes<axis::batch, axis::sequence, axis::hidden>;

struct some_name {
  static constexpr const char* value = "of the test";
};
/// A layer of one operation.
template <class... Terms> constexpr auto layer_of(Terms... terms) {
  return model::make_layer(some_name{},
                           model::make_operation(some_name{}, model::backward_ratio<2>{}, model::traits<>{}, terms...));
}

TEST_CASE("the layers of the library keep the laws") {
  using namespace model;
  CHECK(broken_laws_of_layer(decoder_block(mlp::gated{}, kernel::flash{})).empty());
  CHECK(broken_laws_of_layer(decoder_block(mlp::plain{}, kernel::plain{})).empty());
  CHECK(broken_laws_of_layer(embedding_layer()).empty());
  CHECK(broken_laws_of_layer(head_layer()).empty());
}

TEST_CASE("a negative amount is reported, with its operation") {
  // Dropout that is on more than once.
  auto const broken = broken_laws_of_layer(
      layer_of(model::make_term<role::kept<model::reason::operand>>(e_a * (1_n - model::symbols::drop_h), rows{})));
  CHECK(reports(broken, "no amount of a layer is negative or without end: a term of the operation \"of the test\""));
  CHECK(reports(broken, "no cost of a layer is negative or without end: kept is -"));
}

TEST_CASE("an amount without end is reported") {
  auto const broken = broken_laws_of_layer(
      layer_of(model::make_term<role::traffic>(e_a / model::symbols::drop_h, model::axes<axis::batch>{})));
  CHECK(reports(broken, "no amount of a layer is negative or without end"));
}

TEST_CASE("a layer whose parts grow when they are cut is reported") {
  using strategy::symbols::t;
  auto const grows = broken_laws_of_layer(
      layer_of(model::make_term<role::kept<model::reason::operand>>(e_a * t * t, model::axes<axis::head>{})));
  CHECK(reports(grows, "cut into more parts a device owns and keeps no more: kept is"));
  auto const counts =
      broken_laws_of_layer(layer_of(model::make_term<role::matrix_work>(expr::flop * t, model::axes<axis::hidden>{})));
  CHECK(reports(counts, "model FLOP do not depend on how a layer is cut"));
}

// A function of the user's, in a coefficient.
struct measured : expr::function_tag<unit::byte_dimension, expr::sign::any, unit::count_dimension> {
  static constexpr const char* name = "measured";
  static constexpr const char* meaning = "bytes of an element";
};
constexpr expr::function<measured> bytes_of{};

TEST_CASE("functions get their values from the caller") {
  auto const layer = layer_of(
      model::make_term<role::kept<model::reason::operand>>(bytes_of(model::symbols::h), model::axes<axis::batch>{}));
  CHECK(broken_laws_of_layer(layer, expr::environment{bytes_of = [](double) { return 2.0; }}).empty());
  CHECK(reports(broken_laws_of_layer(layer, expr::environment{bytes_of = [](double) { return -2.0; }}), "kept is -"));
}

}  // namespace
