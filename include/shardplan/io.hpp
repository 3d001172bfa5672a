#pragma once
/// The room `io`: models and clusters from files, results as JSON. The only room with a JSON library, and the only one
/// that throws.
#include <shardplan/io/cluster.hpp>
#include <shardplan/io/device_file.hpp>
#include <shardplan/io/input_error.hpp>
#include <shardplan/io/json_file.hpp>
#include <shardplan/io/lp_file.hpp>
#include <shardplan/io/model_config.hpp>
#include <shardplan/io/named_model.hpp>
#include <shardplan/io/nearest.hpp>
#include <shardplan/io/report_json.hpp>
