#pragma once
/// The room `expr`: symbols, nodes, environments and the readings number and column. Needs `unit`. Other readings are
/// apart: expr/interval.hpp, expr/dual.hpp, expr/tree.hpp and expr/text.hpp.
#include <shardplan/expr/column.hpp>
#include <shardplan/expr/curve.hpp>
#include <shardplan/expr/environment.hpp>
#include <shardplan/expr/expression.hpp>
#include <shardplan/expr/function.hpp>
#include <shardplan/expr/let.hpp>
#include <shardplan/expr/number.hpp>
#include <shardplan/expr/operators.hpp>
#include <shardplan/expr/over.hpp>
#include <shardplan/expr/record.hpp>
#include <shardplan/expr/symbol.hpp>
