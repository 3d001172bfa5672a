#pragma once
#include <shardplan/testing/search_contests.hpp>

/// Where own algorithms and bounds are put beside the library's; see docs/how-to/own-search.md.
void add_own(shardplan::testing::search_contests& to);
