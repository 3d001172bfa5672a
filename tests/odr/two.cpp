// The second of two translation units that include everything; see one.cpp.
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

const int* version_major_of_two() { return &shardplan::version_major; }
