#pragma once
/// The room `device`: parts, descriptors, clusters and the links that groups use. Needs `unit`. The catalogue is apart,
/// in device/catalogue.hpp, one header per device below it.
#include <shardplan/device/cluster.hpp>
#include <shardplan/device/descriptor.hpp>
#include <shardplan/device/figure.hpp>
#include <shardplan/device/part.hpp>
