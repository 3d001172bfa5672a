// What one can train on has a matrix engine and memory of its own.
// expect-gcc: training_device_needs_a_matrix_engine_and_device_memory.*make_cluster\(
// expect-clang: call to deleted function 'make_cluster'
#include <shardplan/device.hpp>

using namespace shardplan::device;

#ifdef SHARDPLAN_ACCEPT
constexpr descriptor<matrix_engine, device_memory, host_link> card{"card", {}, {}, {}};
#else
constexpr descriptor<matrix_engine, host_link> card{"card", {}, {}};
#endif
constexpr auto machine = make_cluster(card, 1, 8, network_link{});
