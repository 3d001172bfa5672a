#pragma once
#include <cmath>

#include <shardplan/testing/generator.hpp>

/// Helpers that several rooms' tests share.
namespace support {

/// Equal up to a relative error; for values whose exact bits may differ between compilers.
inline bool close(double left, double right, double tolerance = 1e-12) {
  return std::fabs(left - right) <= tolerance * std::fmax(std::fabs(left), std::fabs(right));
}

using shardplan::testing::generator;

}  // namespace support
