// The same with everything that is installed.
#include <cstdio>
#include <shardplan/version.hpp>
#if __has_include(<shardplan/shardplan.hpp>)
#include <shardplan/shardplan.hpp>
#endif
#if __has_include(<shardplan/io.hpp>) && __has_include(<nlohmann/json.hpp>)
#include <shardplan/io.hpp>
#endif

int main() { std::printf("shardplan %s\n", shardplan::version); }
