#pragma once
#include <shardplan/expr/function.hpp>
#include <shardplan/expr/simplify.hpp>

#include "support/symbols.hpp"

/// Symbols, equations and a function for tests of `simplify`, beside those of symbols.hpp.
namespace support {

namespace tag {
using whole = shardplan::expr::symbol_tag<unit::count_dimension, sign::at_least_one>;
struct tensor : whole {
  static constexpr const char* name = "t";
  static constexpr const char* meaning = "devices that share a layer";
};
struct pipeline : whole {
  static constexpr const char* name = "p";
  static constexpr const char* meaning = "stages";
};
struct data : whole {
  static constexpr const char* name = "d";
  static constexpr const char* meaning = "replicas";
};
struct devices : whole {
  static constexpr const char* name = "N";
  static constexpr const char* meaning = "devices in all";
};
struct micro_batches : whole {
  static constexpr const char* name = "m";
  static constexpr const char* meaning = "micro-batches";
};
struct micro_batch : whole {
  static constexpr const char* name = "b";
  static constexpr const char* meaning = "sequences of a micro-batch";
};
struct batch : whole {
  static constexpr const char* name = "G";
  static constexpr const char* meaning = "sequences of a step";
};
struct bend : shardplan::expr::function_tag<unit::count_dimension, sign::positive, unit::count_dimension,
                                            unit::byte_dimension> {
  static constexpr const char* name = "bend";
  static constexpr const char* meaning = "a function of a count and of bytes";
};
}  // namespace tag

inline constexpr shardplan::expr::symbol<tag::tensor> t{};
inline constexpr shardplan::expr::symbol<tag::pipeline> p{};
inline constexpr shardplan::expr::symbol<tag::data> d{};
inline constexpr shardplan::expr::symbol<tag::devices> N{};
inline constexpr shardplan::expr::symbol<tag::micro_batches> m{};
inline constexpr shardplan::expr::symbol<tag::micro_batch> b{};
inline constexpr shardplan::expr::symbol<tag::batch> G{};
inline constexpr shardplan::expr::function<tag::bend> bend{};

struct stage {
  static constexpr const char* name = "stage";
};

inline constexpr auto devices_in_all = shardplan::expr::equation(t * p * d, N);
inline constexpr auto global_batch = shardplan::expr::equation(m * b * d, G);

}  // namespace support
