// Quantities of different dimensions do not add.
// expect-gcc: no match for .operator\+.*unit::bytes.*unit::seconds
// expect-clang: invalid operands to binary expression \('bytes'.*'seconds'
#include <shardplan/unit.hpp>

using namespace shardplan::unit;

#ifdef SHARDPLAN_ACCEPT
constexpr auto sum = bytes{1} + bytes{2};
#else
constexpr auto sum = bytes{1} + seconds{2};
#endif
