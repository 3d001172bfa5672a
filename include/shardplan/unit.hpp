#pragma once
/// The room `unit`: dimensions, quantities, literals. Needs nothing. Printing is apart, in unit/text.hpp.
#include <shardplan/unit/dimension.hpp>
#include <shardplan/unit/literals.hpp>
#include <shardplan/unit/quantity.hpp>
