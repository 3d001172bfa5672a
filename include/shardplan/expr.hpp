#pragma once
/// The room `expr`: symbols, nodes, environments and the readings number and column. Needs `unit`. Apart are the other
/// readings (expr/interval.hpp, dual.hpp, tree.hpp, text.hpp, latex.hpp, python.hpp), expressions known at run time
/// (any_expression.hpp), records in sequence (sequence.hpp, table.hpp) and transformations (simplify.hpp, group.hpp,
/// share.hpp, substitute.hpp).
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
