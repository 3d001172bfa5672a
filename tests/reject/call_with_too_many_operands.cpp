// A function of one operand takes one.
// expect-gcc: operands_must_have_the_number_and_dimensions_that_the_function_takes.*x>, .*y>\}; Tag = curve
// expect-clang: call to deleted function call operator in type 'const .*function<curve>'
#include <shardplan/expr.hpp>

#include "../support/symbols.hpp"

using namespace shardplan;

struct curve : expr::function_tag<unit::time_dimension, expr::sign::positive, unit::count_dimension> {
  static constexpr const char* name = "curve";
  static constexpr const char* meaning = "a measured time";
};
constexpr expr::function<curve> measured{};

#ifdef SHARDPLAN_ACCEPT
constexpr auto duration = measured(support::x);
#else
constexpr auto duration = measured(support::x, support::y);
#endif
