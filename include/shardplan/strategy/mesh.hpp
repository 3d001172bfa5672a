#pragma once
#include <shardplan/expr/symbol.hpp>

/// The mesh of devices: its axes and the symbols of their degrees. The product of the degrees is the device count N.
namespace shardplan::strategy {

namespace tag {
struct tensor_degree : expr::symbol_tag<unit::count_dimension, expr::sign::at_least_one> {
  static constexpr const char* name = "t";
  static constexpr const char* meaning = "tensor-parallel degree";
};
struct sequence_degree : expr::symbol_tag<unit::count_dimension, expr::sign::at_least_one> {
  static constexpr const char* name = "t_s";
  static constexpr const char* meaning = "t where Megatron sequence parallelism is on, else 1";
};
struct data_degree : expr::symbol_tag<unit::count_dimension, expr::sign::at_least_one> {
  static constexpr const char* name = "d";
  static constexpr const char* meaning = "data-parallel degree";
};
struct pipeline_degree : expr::symbol_tag<unit::count_dimension, expr::sign::at_least_one> {
  static constexpr const char* name = "p";
  static constexpr const char* meaning = "pipeline stages";
};
}  // namespace tag

namespace symbols {
inline constexpr expr::symbol<tag::tensor_degree> t{};
inline constexpr expr::symbol<tag::sequence_degree> t_s{};
inline constexpr expr::symbol<tag::data_degree> d{};
inline constexpr expr::symbol<tag::pipeline_degree> p{};
}  // namespace symbols

/// An axis of the mesh: a set of process groups. Rules that cut tensors over one mesh axis exclude each other on a
/// term.
namespace mesh {
struct tensor {
  static constexpr const char* name = "tensor";
  static constexpr auto degree = symbols::t;
};
struct data {
  static constexpr const char* name = "data";
  static constexpr auto degree = symbols::d;
};
struct pipeline {
  static constexpr const char* name = "pipeline";
  static constexpr auto degree = symbols::p;
};
}  // namespace mesh

}  // namespace shardplan::strategy
