#pragma once
#include <array>
#include <cmath>

#include <shardplan/expr.hpp>

#include <support/symbols.hpp>

/// What tests of the expression language need beyond symbols: a scope with elements, functions, and names for `let`.
namespace support {

struct stage {
  static constexpr const char* name = "stage";
};
/// Elements bind y and T; other symbols are those around them.
using stage_values = shardplan::expr::environment<shardplan::expr::binding<tag::y, double>,
                                                  shardplan::expr::binding<tag::duration, double>>;

namespace tag {
/// Names for `let`: not below zero, and of any sign.
struct v : symbol_tag<unit::count_dimension, sign::non_negative> {
  static constexpr const char* name = "v";
  static constexpr const char* meaning = "a named count";
};
struct w : symbol_tag<unit::count_dimension, sign::any> {
  static constexpr const char* name = "w";
  static constexpr const char* meaning = "a named count of any sign";
};
/// From 0 up towards 1.
struct efficiency : shardplan::expr::function_tag<unit::count_dimension, sign::non_negative, unit::count_dimension> {
  static constexpr const char* name = "efficiency";
  static constexpr const char* meaning = "share of the peak";
  static constexpr shardplan::expr::direction directions[] = {shardplan::expr::direction::up};
};
/// Up in the first operand, down in the second.
struct contention
    : shardplan::expr::function_tag<unit::count_dimension, sign::any, unit::count_dimension, unit::count_dimension> {
  static constexpr const char* name = "contention";
  static constexpr const char* meaning = "how much two users disturb each other";
  static constexpr shardplan::expr::direction directions[] = {shardplan::expr::direction::up,
                                                              shardplan::expr::direction::down};
};
}  // namespace tag

inline constexpr shardplan::expr::symbol<tag::v> v{};
inline constexpr shardplan::expr::symbol<tag::w> w{};
inline constexpr shardplan::expr::function<tag::efficiency> efficiency{};
inline constexpr shardplan::expr::function<tag::contention> contention{};

/// v / (1 + v).
struct saturating {
  template <class Number> constexpr Number operator()(Number operand) const { return operand / (Number(1) + operand); }
  constexpr std::array<double, 1> slopes(double operand) const { return {1 / ((1 + operand) * (1 + operand))}; }
};
/// 2a - 3b.
struct opposing {
  template <class Number> constexpr Number operator()(Number a, Number b) const {
    return Number(2) * a - Number(3) * b;
  }
  constexpr std::array<double, 2> slopes(double, double) const { return {2, -3}; }
};

}  // namespace support
