#pragma once
/// The room `schedule`: in-flight counts and step times of pipeline schedules, as expressions. Needs `expr`. Orders of
/// passes (`schedule/catalogue.hpp`, `schedule/order/`), the simulation (`schedule/simulation.hpp`) and its pictures
/// are included apart.
#include <shardplan/schedule/one_forward_one_backward.hpp>
#include <shardplan/schedule/symbol.hpp>
