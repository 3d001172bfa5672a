#include <concepts>

#include <doctest/doctest.h>

#include <shardplan/unit.hpp>

#include <support/numbers.hpp>

// The algebra is that of physical quantities; GiB = 2^30 and GB = 10^9 bytes are the prefixes of IEC 80000-13.
namespace {

using namespace shardplan::unit;
using namespace shardplan::unit::literals;

template <class Left, class Right>
concept adds = requires(Left left, Right right) { left + right; };
template <class Left, class Right>
concept compares = requires(Left left, Right right) { left < right; };

TEST_CASE("products and quotients of quantities multiply and divide values and dimensions") {
  bytes const message{6e9};
  bytes_per_second const bandwidth{3e9};
  seconds const time = message / bandwidth;
  CHECK(time.value == 2.0);
  CHECK((bandwidth * time).value == message.value);
  CHECK(flop{6e12} / flop_per_second{3e12} == seconds{2});
  CHECK(flop{8} / seconds{2} == flop_per_second{4});

  using per_byte = quotient_dimension<count_dimension, byte_dimension>;
  CHECK(std::same_as<decltype(count{1} / bytes{2}), quantity<per_byte>>);
  using square = product_dimension<time_dimension, time_dimension>;
  CHECK(std::same_as<decltype(seconds{1} * seconds{2}), quantity<square>>);
}

TEST_CASE("a dimensionless quantity converts to and from its number, others do not") {
  double const ratio = bytes{6} / bytes{3};
  CHECK(ratio == 2.0);
  count const number = 4.0;
  CHECK(number.value == 4.0);
  CHECK_FALSE(std::convertible_to<double, bytes>);
  CHECK_FALSE(std::convertible_to<bytes, double>);
  CHECK_FALSE(std::convertible_to<bytes, seconds>);
  CHECK_FALSE(std::constructible_from<bytes, seconds>);
}

TEST_CASE("quantities of different dimensions neither add nor compare") {
  CHECK(adds<bytes, bytes>);
  CHECK_FALSE(adds<bytes, seconds>);
  CHECK_FALSE(adds<bytes, double>);
  CHECK_FALSE(adds<flop, bytes>);
  CHECK(compares<seconds, seconds>);
  CHECK_FALSE(compares<seconds, bytes>);
  CHECK_FALSE(compares<bytes_per_second, flop_per_second>);
}

TEST_CASE("sums, differences, order and scaling act on values of one dimension") {
  bytes amount{10};
  amount += bytes{5};
  amount -= bytes{3};
  amount *= 2.0;
  CHECK(amount == bytes{24});
  CHECK(-amount == bytes{-24});
  CHECK(amount + bytes{1} == bytes{25});
  CHECK(amount - bytes{1} == bytes{23});
  CHECK(amount / 3.0 == bytes{8});
  CHECK(3.0 * amount == amount * 3.0);
  CHECK(bytes{1} < bytes{2});
  CHECK(bytes{2} >= bytes{2});
  CHECK(bytes{} == bytes{0});
}

TEST_CASE("a dimensionless quantity mixes with plain numbers") {
  CHECK(bytes{6} / bytes{3} > 1.0);
  CHECK(bytes{6} / bytes{3} == 2.0);
  CHECK(1.0 + bytes{6} / bytes{3} == 3.0);
  CHECK(bytes{6} / bytes{3} * 2.0 == 4.0);
}

TEST_CASE("literals are in the base unit") {
  CHECK(1_B == bytes{1});
  CHECK(1_KiB == bytes{1024});
  CHECK(1_MiB == bytes{1048576});
  CHECK(1_GiB == bytes{1073741824});
  CHECK(0.5_GiB == bytes{536870912});
  CHECK(1_MB == bytes{1e6});
  CHECK(1_GB == bytes{1e9});
  CHECK(1.5_GB == bytes{1.5e9});
  CHECK(7_FLOP == flop{7});
  CHECK(2_TFLOP == flop{2e12});
  CHECK(2.5_TFLOP == flop{2.5e12});
  CHECK(3_s == seconds{3});
  CHECK(0.25_s == seconds{0.25});
  CHECK(support::close((5_ms).value, 5e-3));
  CHECK(support::close((2.5_ms).value, 2.5e-3));
  CHECK(support::close((5_us).value, 5e-6));
  CHECK(support::close((2.5_us).value, 2.5e-6));
  CHECK(3350_GB_per_s == bytes_per_second{3.35e12});
  CHECK(1.5_GB_per_s == bytes_per_second{1.5e9});
  CHECK(989_TFLOP_per_s == flop_per_second{989e12});
  CHECK(support::close((989.4_TFLOP_per_s).value, 989.4e12));
}

TEST_CASE("GiB and GB differ by 7.4 %") {
  CHECK(80_GiB > 80_GB);
  CHECK(static_cast<double>(80_GiB / 80_GB) == 1.073741824);
  CHECK(in_gib(80_GiB) == 80.0);
  CHECK(support::close(in_gib(80_GB), 74.505805969, 1e-9));
  CHECK(tebi == 1024.0 * gibi);
}

TEST_CASE("quantities hold other number types") {
  using single_bytes = quantity<byte_dimension, float>;
  auto const sum = single_bytes{1.5F} + single_bytes{2.0F};
  CHECK(std::same_as<decltype(sum.value), float>);
  CHECK(sum.value == 3.5F);
  CHECK(std::same_as<decltype(sum / single_bytes{7.0F})::number_type, float>);
  CHECK(sizeof(single_bytes) == sizeof(float));
  CHECK(sizeof(bytes) == sizeof(double));
}

}  // namespace
