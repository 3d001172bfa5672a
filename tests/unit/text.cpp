#include <doctest/doctest.h>

#include <shardplan/unit/literals.hpp>
#include <shardplan/unit/text.hpp>

// What the comments of unit/text.hpp promise: every text carries its unit, GiB is 2^30 bytes.
namespace {

using namespace shardplan::unit;
using namespace shardplan::unit::literals;

TEST_CASE("plain numbers print whole with all digits, else with seven") {
  CHECK(number_text(0) == "0");
  CHECK(number_text(-3) == "-3");
  CHECK(number_text(8030261248.0) == "8030261248");
  CHECK(number_text(999999999999999.0) == "999999999999999");
  CHECK(number_text(1e15) == "1e+15");
  CHECK(number_text(0.5) == "0.5");
  CHECK(number_text(1.0 / 3.0) == "0.3333333");
  CHECK(number_text(1.5e-9) == "1.5e-09");
}

TEST_CASE("bytes choose their unit and say it") {
  CHECK(text(80_GiB) == "80.00 GiB");
  CHECK(text(80_GB) == "74.51 GiB");
  CHECK(text(12.345_GiB) == "12.35 GiB");
  CHECK(text(bytes{9.99 * tebi}) == "10229.76 GiB");
  CHECK(text(bytes{10 * tebi}) == "10.00 TiB");
  CHECK(text(5_MiB) == "5.00 MiB");
  CHECK(text(11_MiB) == "0.01 GiB");
  CHECK(text(100_KiB) == "0.10 MiB");
  CHECK(text(100_B) == "100 B");
  CHECK(text(bytes{0}) == "0 B");
  CHECK(text(-80_GiB) == "-80.00 GiB");
}

TEST_CASE("seconds choose their unit and say it") {
  CHECK(text(seconds{1.2344}) == "1.234 s");
  CHECK(text(seconds{75}) == "75.000 s");
  CHECK(text(seconds{0.0123}) == "12.30 ms");
  CHECK(text(seconds{45.6e-6}) == "45.60 us");
  CHECK(text(seconds{0}) == "0 s");
  CHECK(text(seconds{-0.5}) == "-500.00 ms");
}

TEST_CASE("FLOP, rates and bandwidths") {
  CHECK(text(flop{123}) == "123 FLOP");
  CHECK(text(flop{2.5e9}) == "2.500 GFLOP");
  CHECK(text(12_TFLOP) == "12.000 TFLOP");
  CHECK(text(flop{4.56e15}) == "4.560 PFLOP");
  CHECK(text(flop{7.89e18}) == "7.890 EFLOP");
  CHECK(text(flop_per_second{989.4e12}) == "989.4 TFLOP/s");
  CHECK(text(450_GB_per_s) == "450.0 GB/s");
}

TEST_CASE("a count prints as its number") {
  CHECK(text(count{42}) == "42");
  CHECK(text(80_GB / 40_GB) == "2");
}

}  // namespace
