#pragma once
/// Expressions known at run time, such as a formula from a user's file: built with the operators of typed expressions
/// or converted from them, compiled once, read for many configurations. Reading formulas from text is apart, in
/// expr/run_time/formula.hpp, and so is printing, in expr/run_time/tree.hpp.
#include <shardplan/expr/run_time/environment.hpp>
#include <shardplan/expr/run_time/expression.hpp>
#include <shardplan/expr/run_time/program.hpp>
