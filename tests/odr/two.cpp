// See one.cpp.
#include <shardplan/io.hpp>
#include <shardplan/shardplan.hpp>

#include "plan.hpp"

const int* version_major_of_two() { return &shardplan::version_major; }
double step_time_of_two() { return step_time(); }
