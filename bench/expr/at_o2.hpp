#pragma once
#include <cstddef>

namespace bench {
/// The column reading of the activation expression, compiled at -O2.
void read_activations_at_o2(double const* b, double const* t, double* result, std::size_t count);
}  // namespace bench
