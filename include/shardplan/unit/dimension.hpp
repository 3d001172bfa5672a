#pragma once
/// Dimensions: products of integer powers of byte, FLOP and second. Counts are dimensionless.

namespace shardplan::unit {

/// The product byte^Byte * FLOP^Flop * s^Second.
template <int Byte, int Flop, int Second> struct dimension {
  static constexpr int byte = Byte;
  static constexpr int flop = Flop;
  static constexpr int second = Second;
};

using count_dimension = dimension<0, 0, 0>;
using byte_dimension = dimension<1, 0, 0>;
using flop_dimension = dimension<0, 1, 0>;
using time_dimension = dimension<0, 0, 1>;
using bandwidth_dimension = dimension<1, 0, -1>;
using flop_rate_dimension = dimension<0, 1, -1>;

template <class Left, class Right>
using product_dimension = dimension<Left::byte + Right::byte, Left::flop + Right::flop, Left::second + Right::second>;

template <class Left, class Right>
using quotient_dimension = dimension<Left::byte - Right::byte, Left::flop - Right::flop, Left::second - Right::second>;

}  // namespace shardplan::unit
