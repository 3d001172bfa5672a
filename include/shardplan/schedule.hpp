#pragma once
/// The room `schedule`: in-flight counts and step times of pipeline schedules, as expressions. Needs `expr`.
#include <shardplan/schedule/one_forward_one_backward.hpp>
#include <shardplan/schedule/symbol.hpp>
