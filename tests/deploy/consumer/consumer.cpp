// What a user's first program looks like: include, link nothing, run.
#include <cstdio>
#include <shardplan/version.hpp>
#if __has_include(<shardplan/core.hpp>)
#include <shardplan/core.hpp>
#endif

int main() { std::printf("shardplan %s\n", shardplan::version); }
