#include "at_o2.hpp"

#include <shardplan/expr.hpp>
#include <shardplan/model/symbol.hpp>
#include <shardplan/strategy/mesh.hpp>

void bench::read_activations_at_o2(double const* b_values, double const* t_values, double* result, std::size_t count) {
  using namespace shardplan;
  using namespace expr::literals;
  using namespace model::symbols;
  using strategy::symbols::t;
  constexpr auto activations = s * b * h * (10_n + 24_n / t + 5_n * a * s / (h * t));
  expr::environment const values{s = 2048.0, h = 12288.0, a = 96.0, b = expr::column<double>{{b_values, count}},
                                 t = expr::column<double>{{t_values, count}}};
  expr::evaluate_column(activations, values, std::span<double>{result, count});
}
