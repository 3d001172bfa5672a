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
  CHECK(text(seconds{2.5e-9}) == "2.5 ns");
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
  CHECK(text(flop_per_second{2.5e9}) == "2.5 GFLOP/s");
  CHECK(text(bytes_per_second{12e6}) == "12 MB/s");
  CHECK(text(flop_per_second{0}) == "0.0 TFLOP/s");
}

TEST_CASE("a value chooses its text by the exponents of its dimension") {
  CHECK(quantity_text(80 * gibi, 1, 0, 0) == "80.00 GiB");
  CHECK(quantity_text(0.5, 0, 0, 1) == "500.00 ms");
  CHECK(quantity_text(12e12, 0, 1, 0) == "12.000 TFLOP");
  CHECK(quantity_text(989.4e12, 0, 1, -1) == "989.4 TFLOP/s");
  CHECK(quantity_text(450e9, 1, 0, -1) == "450.0 GB/s");
  CHECK(quantity_text(42, 0, 0, 0) == "42");
  CHECK(quantity_text(3, 0, 0, -1) == "3 /s");
  CHECK(quantity_text(2, 1, 0, 1) == "2 B s");
  CHECK(quantity_text(2, 2, 1, -2) == "2 B^2 FLOP/s^2");
}

TEST_CASE("a count prints as its number") {
  CHECK(text(count{42}) == "42");
  CHECK(text(80_GB / 40_GB) == "2");
}

}  // namespace
