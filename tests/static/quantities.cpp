#include <concepts>

#include <shardplan/unit.hpp>

// Units at compile time.
namespace {

using namespace shardplan::unit;
using namespace shardplan::unit::literals;

static_assert(80_GiB == bytes{85899345920});
static_assert(80_GB == bytes{80e9});
static_assert(1_GiB > 1_GB);
static_assert(6_GB / 3_GB_per_s == 2_s);
static_assert(6_TFLOP / 3_TFLOP_per_s == 2_s);
static_assert(2_s * 3_GB_per_s == 6_GB);
static_assert(6_GB / 3_GB == 2.0);
static_assert(2.0 * 3_s == 6_s && 3_s * 2.0 == 6_s && 6_s / 2.0 == 3_s);
static_assert(-(1_s) == 0_s - 1_s);
static_assert(in_gib(80_GiB) == 80);

static_assert(std::same_as<decltype(bytes{} / seconds{}), bytes_per_second>);
static_assert(std::same_as<decltype(flop{} / seconds{}), flop_per_second>);
static_assert(std::same_as<decltype(bytes{} / bytes_per_second{}), seconds>);
static_assert(std::same_as<decltype(bytes{} / bytes{}), count>);
static_assert(std::same_as<product_dimension<bandwidth_dimension, time_dimension>, byte_dimension>);
static_assert(std::same_as<quotient_dimension<flop_dimension, flop_rate_dimension>, time_dimension>);

static_assert(std::convertible_to<count, double> && std::convertible_to<double, count>);
static_assert(!std::convertible_to<double, bytes> && !std::convertible_to<bytes, double>);
static_assert(!std::convertible_to<bytes, seconds> && !std::constructible_from<bytes, seconds>);
static_assert(!std::equality_comparable_with<bytes, seconds>);
static_assert(std::totally_ordered<bytes>);

}  // namespace
