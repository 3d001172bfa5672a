#pragma once
#include <bit>
#include <concepts>
#include <cstddef>
#include <cstring>

#include <shardplan/config.hpp>
#include <shardplan/expr/log2.hpp>
#include <shardplan/expr/math.hpp>

/// Several numbers that one instruction works on. Compilers vectorise long loops over expressions unreliably and not at
/// all at -O2; the vector types of g++ and clang always are. std::experimental::simd would be the library for it, but
/// including it takes longer than all of this library (docs/decisions/0008-packs.md).
namespace shardplan::expr {

namespace detail {
#if defined(__AVX512F__)
inline constexpr std::size_t vector_bytes = 64;
#elif defined(__AVX__)
inline constexpr std::size_t vector_bytes = 32;
#else
inline constexpr std::size_t vector_bytes = 16;
#endif
template <class Number, std::size_t Width> struct vector_of {
  typedef Number type __attribute__((vector_size(Width * sizeof(Number))));
};
}  // namespace detail

/// Numbers in a register of the processor that is compiled for.
template <class Number> inline constexpr std::size_t native_width = detail::vector_bytes / sizeof(Number);

template <std::floating_point Number, std::size_t Width = native_width<Number>> struct pack {
  using vector = typename detail::vector_of<Number, Width>::type;
  static constexpr std::size_t width = Width;
  vector lanes{};

  constexpr pack() = default;
  constexpr explicit pack(vector values) : lanes(values) {}
  /// The same number in all lanes.
  SHARDPLAN_FORCE_INLINE constexpr pack(Number value) : lanes(detail::filled<vector>(value)) {}

  SHARDPLAN_FORCE_INLINE static pack load(Number const* from) {
    pack result;
    std::memcpy(&result.lanes, from, sizeof(vector));
    return result;
  }
  SHARDPLAN_FORCE_INLINE void store(Number* to) const { std::memcpy(to, &lanes, sizeof(vector)); }
};

template <class Number, std::size_t Width>
SHARDPLAN_FORCE_INLINE constexpr pack<Number, Width> operator+(pack<Number, Width> left, pack<Number, Width> right) {
  return pack<Number, Width>(left.lanes + right.lanes);
}
template <class Number, std::size_t Width>
SHARDPLAN_FORCE_INLINE constexpr pack<Number, Width> operator-(pack<Number, Width> left, pack<Number, Width> right) {
  return pack<Number, Width>(left.lanes - right.lanes);
}
template <class Number, std::size_t Width>
SHARDPLAN_FORCE_INLINE constexpr pack<Number, Width> operator*(pack<Number, Width> left, pack<Number, Width> right) {
  return pack<Number, Width>(left.lanes * right.lanes);
}
template <class Number, std::size_t Width>
SHARDPLAN_FORCE_INLINE constexpr pack<Number, Width> operator/(pack<Number, Width> left, pack<Number, Width> right) {
  return pack<Number, Width>(left.lanes / right.lanes);
}
template <class Number, std::size_t Width>
SHARDPLAN_FORCE_INLINE constexpr pack<Number, Width> minimum(pack<Number, Width> left, pack<Number, Width> right) {
  return pack<Number, Width>(right.lanes < left.lanes ? right.lanes : left.lanes);
}
template <class Number, std::size_t Width>
SHARDPLAN_FORCE_INLINE constexpr pack<Number, Width> maximum(pack<Number, Width> left, pack<Number, Width> right) {
  return pack<Number, Width>(left.lanes < right.lanes ? right.lanes : left.lanes);
}
template <class Number, std::size_t Width>
SHARDPLAN_FORCE_INLINE constexpr pack<Number, Width> choose(pack<Number, Width> condition, pack<Number, Width> value,
                                                            pack<Number, Width> otherwise) {
  return pack<Number, Width>(condition.lanes > pack<Number, Width>(Number(0)).lanes ? value.lanes : otherwise.lanes);
}

/// Numbers below 2^52 are rounded by adding and subtracting it; larger ones are whole.
template <class Number, std::size_t Width>
SHARDPLAN_FORCE_INLINE constexpr pack<Number, Width> floor_of(pack<Number, Width> operand) {
  using vector = typename pack<Number, Width>::vector;
  constexpr auto whole = Number(typename detail::layout_of<Number>::bits{1} << detail::layout_of<Number>::mantissa);
  vector const zero{}, x = operand.lanes;
  vector const magnitude = x < zero ? -x : x;
  vector const rounded = (magnitude + whole) - whole;
  vector const near = x < zero ? -rounded : rounded;
  vector const below = near > x ? near - Number(1) : near;
  // The sign of the operand is also that of a result of zero.
  using bits = typename detail::vector_of<typename detail::layout_of<Number>::bits, Width>::type;
  bits const sign = std::bit_cast<bits>(x) & std::bit_cast<bits>(detail::filled<vector>(Number(-0.0)));
  vector const with_sign = std::bit_cast<vector>(std::bit_cast<bits>(below) | sign);
  return pack<Number, Width>(magnitude < zero + whole ? with_sign : x);
}
template <class Number, std::size_t Width>
SHARDPLAN_FORCE_INLINE constexpr pack<Number, Width> ceiling(pack<Number, Width> operand) {
  return pack<Number, Width>(-floor_of(pack<Number, Width>(-operand.lanes)).lanes);
}
template <class Number, std::size_t Width>
SHARDPLAN_FORCE_INLINE constexpr pack<Number, Width> logarithm2(pack<Number, Width> operand) {
  using bits = typename detail::vector_of<typename detail::layout_of<Number>::bits, Width>::type;
  using vector = typename pack<Number, Width>::vector;
  return pack<Number, Width>(detail::log2_without_branches<Number, vector, bits>(operand.lanes));
}
/// Lane by lane.
template <class Number, std::size_t Width>
constexpr pack<Number, Width> power(pack<Number, Width> base, pack<Number, Width> exponent) {
  pack<Number, Width> result;
  for (std::size_t lane = 0; lane < Width; ++lane)
    result.lanes[lane] = power(Number(base.lanes[lane]), Number(exponent.lanes[lane]));
  return result;
}

}  // namespace shardplan::expr
