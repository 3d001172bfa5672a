#pragma once

/// A power of an atom, as one number: sorted, the factors of a product stand in order of atoms. An atom that may be
/// zero has two places, as numerator and as divisor, which do not cancel.
namespace shardplan::expr::simplification {

using factor = long long;

inline constexpr factor place_size = 1LL << 32, exponent_zero = 1LL << 31;
/// Products look for shares and for max, min, positive_part and select, so these stand at the end.
inline constexpr long long first_share = 1LL << 20, first_homogeneous = 1LL << 21;
inline constexpr factor share_factors = first_share * place_size, homogeneous_factors = first_homogeneous * place_size;

constexpr factor make_factor(long long place, int exponent) { return place * place_size + exponent_zero + exponent; }
constexpr long long place_of(factor of) { return of / place_size; }
/// Of the same place: the exponents add up.
constexpr bool same_place(factor left, factor right) { return (left ^ right) < place_size; }
constexpr factor joined(factor left, factor right) { return left + right % place_size - exponent_zero; }
constexpr int exponent_of(factor of) { return static_cast<int>(of % place_size - exponent_zero); }
constexpr int atom_of(factor of) { return static_cast<int>(of / place_size % first_share / 2); }

}  // namespace shardplan::expr::simplification
