// A quantity does not turn into one of another dimension.
// expect-gcc: conversion from .quantity<dimension<2,.*-1>.*to .*quantity<dimension<0,.*1>
// expect-clang: no viable conversion from .quantity<.*to .const quantity<dimension<0, \[...\], 1>
#include <shardplan/unit.hpp>

using namespace shardplan::unit;

#ifdef SHARDPLAN_ACCEPT
constexpr seconds time = bytes{6} / bytes_per_second{3};
#else
constexpr seconds time = bytes{6} * bytes_per_second{3};
#endif
