#pragma once
#include <shardplan/expr.hpp>

/// Symbols for tests of the expression language: one of each sign and of each dimension.
namespace support {

namespace tag {
using shardplan::expr::sign;
using shardplan::expr::symbol_tag;
namespace unit = shardplan::unit;

struct x : symbol_tag<> {
  static constexpr const char* name = "x";
  static constexpr const char* meaning = "a positive count";
};
struct y : symbol_tag<> {
  static constexpr const char* name = "y";
  static constexpr const char* meaning = "another positive count";
};
struct z : symbol_tag<unit::count_dimension, sign::non_negative> {
  static constexpr const char* name = "z";
  static constexpr const char* meaning = "a count that may be zero";
};
struct u : symbol_tag<unit::count_dimension, sign::any> {
  static constexpr const char* name = "u";
  static constexpr const char* meaning = "a count of any sign";
};
struct size : symbol_tag<unit::byte_dimension> {
  static constexpr const char* name = "M";
  static constexpr const char* meaning = "bytes";
};
struct work : symbol_tag<unit::flop_dimension> {
  static constexpr const char* name = "W";
  static constexpr const char* meaning = "FLOP";
};
struct duration : symbol_tag<unit::time_dimension> {
  static constexpr const char* name = "T";
  static constexpr const char* meaning = "seconds";
};
struct bandwidth : symbol_tag<unit::bandwidth_dimension> {
  static constexpr const char* name = "B";
  static constexpr const char* meaning = "bytes per second";
};
}  // namespace tag

inline constexpr shardplan::expr::symbol<tag::x> x{};
inline constexpr shardplan::expr::symbol<tag::y> y{};
inline constexpr shardplan::expr::symbol<tag::z> z{};
inline constexpr shardplan::expr::symbol<tag::u> u{};
inline constexpr shardplan::expr::symbol<tag::size> M{};
inline constexpr shardplan::expr::symbol<tag::work> W{};
inline constexpr shardplan::expr::symbol<tag::duration> T{};
inline constexpr shardplan::expr::symbol<tag::bandwidth> B{};

}  // namespace support
