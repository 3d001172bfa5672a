// Two translation units include everything and are linked: a function that is not inline is defined twice and does not
// link, a constant that is not inline has two addresses.
#include <shardplan/version.hpp>
#if __has_include(<shardplan/core.hpp>)
#include <shardplan/core.hpp>
#endif
#if __has_include(<shardplan/shardplan.hpp>)
#include <shardplan/shardplan.hpp>
#endif
#if __has_include(<shardplan/io.hpp>) && __has_include(<nlohmann/json.hpp>)
#include <shardplan/io.hpp>
#endif

const int* version_major_of_two();

int main() { return version_major_of_two() == &shardplan::version_major ? 0 : 1; }
