#include <string>
#include <utility>

#include <doctest/doctest.h>
#include <io/files.hpp>
#include <nlohmann/json.hpp>

#include <shardplan/io/cluster.hpp>

namespace {

using namespace shardplan;
using nlohmann::json;
using test::check_says;
using test::complaint;

TEST_CASE("the short form") {
  auto const usual = io::read_cluster("8x8:h100-sxm");
  CHECK(usual.cluster.nodes == 8);
  CHECK(usual.cluster.devices_per_node == 8);
  CHECK(usual.cluster.devices() == 64);
  CHECK(std::string(usual.cluster.device.name) == "NVIDIA H100 SXM5 80 GB");
  CHECK(usual.cluster.network_level.bandwidth.value == doctest::Approx(40e9));
  CHECK(usual.description == "8 x 8 NVIDIA H100 SXM5 80 GB, network as usual for h100-sxm");
  CHECK(usual.notes.empty());

  auto const other = io::read_cluster("2x8:h100-sxm:ib-hdr");
  CHECK(other.cluster.network_level.bandwidth.value == doctest::Approx(20e9));
  CHECK(other.description == "2 x 8 NVIDIA H100 SXM5 80 GB, network ib-hdr");

  auto const single = io::read_cluster("1x4:l4");
  CHECK(single.description == "1 x 4 NVIDIA L4");
  CHECK(std::string(single.cluster.node_level.name) == "host link");
  CHECK(single.notes.empty());
}

TEST_CASE("every id of the catalogue makes a cluster; another size of node is accepted and noted") {
  for (auto const& id : io::device_ids()) {
    CAPTURE(id);
    auto const read = io::read_cluster("3x5:" + id);
    CHECK(read.cluster.devices() == 15);
    CHECK(read.cluster.device.memory.capacity.value.value > 0);
    // More devices than usual: the node's link may not reach all of them. Fewer or more: the network's share is that of
    // the usual node.
    REQUIRE(!read.notes.empty());
    CHECK(read.notes.back().find("nodes of 5 devices instead of") != std::string::npos);
    if (read.notes.size() > 1)
      CHECK(read.notes[0].find("more devices in a node (5) than usual") != std::string::npos);
    for (auto const& network : io::network_ids())
      CHECK(io::read_cluster("3x5:" + id + ":" + network).cluster.network_level.bandwidth.value > 0);
  }
}

TEST_CASE("bad short forms") {
  auto const complain = [](const char* text) {
    std::string message = complaint([&] { io::read_cluster(text); });
    check_says(message, {"cluster \"", "it must be "});
    return message;
  };
  std::string const form = "NODESxDEVICES:DEVICE";
  for (const char* text :
       {"", "8x8", "8:h100-sxm", "8y8:h100-sxm", "8x8x8:h100-sxm", "h100-sxm", ":::", "8x8:h100-sxm:ib-ndr:more"})
    check_says(complain(text), {"cluster \"" + std::string(text) + "\": its form is not understood", form,
                                "8x8:h100-sxm:ib-ndr", "JSON file", "mi300x"});
  check_says(complain("0x8:h100-sxm"), {"the number of nodes is \"0\"", "from 1 to 1e6", form});
  check_says(complain("-1x8:h100-sxm"), {"the number of nodes is \"-1\"", "from 1 to 1e6"});
  check_says(complain("1.5x8:h100-sxm"), {"the number of nodes is \"1.5\"", "a whole number from 1 to 1e6"});
  check_says(complain("x8:h100-sxm"), {"the number of nodes is \"\""});
  check_says(complain("8x:h100-sxm"), {"the number of devices per node is \"\"", "from 1 to 1024"});
  check_says(complain("8x+8:h100-sxm"), {"the number of devices per node is \"+8\""});
  check_says(complain("8x 8:h100-sxm"), {"the number of devices per node is \" 8\""});
  check_says(complain("8x2000:h100-sxm"), {"the number of devices per node is \"2000\"", "from 1 to 1024"});
  check_says(complain("99999999999999999999x8:l4"), {"the number of nodes is \"99999999999999999999\""});
  check_says(complain("8x8:"), {"the device is \"\"", "one of ", "h100-sxm"});
  check_says(complain("8x8:h100"), {"the device is \"h100\"", "one of ", "did you mean h100-sxm, h100-pcie"});
  check_says(complain("8x8:H100_SXM"), {"the device is \"H100_SXM\"", "did you mean h100-sxm?"});
  check_says(complain("8x8:tpu-v5p"), {"the device is \"tpu-v5p\"", "one of ", "mi300x"});
  check_says(complain("8x8:h100-sxm:"), {"the network is \"\"", "one of ib-hdr, ib-ndr"});
  check_says(complain("8x8:h100-sxm:ndr"), {"the network is \"ndr\"", "one of ib-hdr, ib-ndr"});
  check_says(complain("8x8:h100-sxm:ib_ndr"), {"the network is \"ib_ndr\"", "did you mean ib-ndr?"});
}

const json catalogue_file = {{"nodes", 8}, {"devices_per_node", 8}, {"device", "h100-sxm"}, {"network", "ib-ndr"}};

const json own_device = {
    {"name", "Mine"},
    {"matrix", {{"bf16_tflops", 400}, {"fp16_tflops", 300}, {"matmul_efficiency", 0.7}, {"attention_efficiency", 0.4}}},
    {"memory", {{"capacity_gib", 64}, {"bandwidth_gb_s", 2000}, {"efficiency", 0.85}}},
    {"scale_up", {{"bandwidth_gb_s", 300}, {"efficiency", 0.8}, {"latency_us", 3}}}};
const json own_network = {{"bandwidth_gb_s_per_device", 25}, {"efficiency", 0.8}, {"latency_us", 10}};
const json own_file = {{"nodes", 16}, {"devices_per_node", 4}, {"device", own_device}, {"network", own_network}};

io::named_cluster read(json const& file) {
  test::temporary_folder const folder;
  return io::read_cluster(folder.write("cluster.json", file.dump()));
}
json with(json file, std::string const& pointer, json const& value) {
  file[json::json_pointer(pointer)] = value;
  return file;
}
json without(json file, std::string const& parent, std::string const& key) {
  file.at(json::json_pointer(parent)).erase(key);
  return file;
}
std::string complaint_about(json const& file) {
  return complaint([&] { read(file); });
}

TEST_CASE("a file with a device of the catalogue") {
  auto const cluster = read(catalogue_file);
  CHECK(cluster.cluster.devices() == 64);
  CHECK(cluster.description == "8 x 8 NVIDIA H100 SXM5 80 GB, network ib-ndr");
  auto const usual = read({{"nodes", 2}, {"device", "gb200"}});
  CHECK(usual.cluster.devices_per_node == 72);  // the NVLink domain of an NVL72 rack
  auto const network = read(with(catalogue_file, "/network", own_network));
  CHECK(network.cluster.network_level.bandwidth.value == doctest::Approx(20e9));
  CHECK(network.cluster.network_level.latency.value == doctest::Approx(10e-6));
}

TEST_CASE("a file with a device of one's own; its names live as long as the cluster") {
  io::named_cluster moved;
  {
    auto read_here = read(own_file);
    moved = std::move(read_here);
  }
  auto const& device = moved.cluster.device;
  CHECK(moved.cluster.devices() == 64);
  CHECK(std::string(device.name) == "Mine");
  CHECK(device.matrix.bf16.value.value == doctest::Approx(400e12));
  CHECK(device.matrix.fp16.value.value == doctest::Approx(300e12));
  CHECK(!device.matrix.fp8.present());
  CHECK(device.matrix.matmul_efficiency.value == 0.7);
  CHECK(std::string(device.matrix.bf16.source).find("cluster.json") != std::string::npos);
  CHECK(device.memory.capacity.value.value == 64.0 * 1024 * 1024 * 1024);
  CHECK(device.memory.bandwidth.value.value == doctest::Approx(2000e9));
  CHECK(moved.cluster.node_level.bandwidth.value == doctest::Approx(240e9));
  CHECK(moved.cluster.node_level.latency.value == doctest::Approx(3e-6));
  CHECK(moved.cluster.network_level.bandwidth.value == doctest::Approx(20e9));
  auto const sourced = read(with(own_file, "/device/source", "datasheet 7"));
  CHECK(std::string(sourced.cluster.device.matrix.bf16.source) == "datasheet 7");
}

TEST_CASE("the kind of a device follows from its parts") {
  json const link = own_device["scale_up"];
  json const pcie = with(without(own_file, "/device", "scale_up"), "/device/host", link);
  CHECK(std::string(read(pcie).cluster.node_level.name) == "host link");
  CHECK(std::string(read(with(own_file, "/device/host", link)).cluster.node_level.name) == "scale-up link");
  CHECK_NOTHROW(read(with(own_file, "/device/vector", {{"fp32_tflops", 50}})));

  std::string const kinds = "linked_accelerator (parts matrix, memory, scale_up";
  check_says(complaint_about(without(own_file, "/device", "scale_up")),
             {"cluster.json: key \"device.host\" is missing", kinds, "pcie_accelerator (parts matrix, memory, host"});
  check_says(complaint_about(without(own_file, "/device", "matrix")), {"key \"device.matrix\" is missing", kinds});
  check_says(complaint_about(without(own_file, "/device", "memory")), {"key \"device.memory\" is missing", kinds});
  check_says(complaint_about(with(own_file, "/device/memory", 80)), {"key \"device.memory\" is 80", kinds});
}

TEST_CASE("one node needs no network") {
  json const alone = with(without(own_file, "", "network"), "/nodes", 1);
  auto const cluster = read(alone);
  CHECK(cluster.description == "1 x 4 Mine");
  CHECK(cluster.cluster.network_level.bandwidth.value == cluster.cluster.node_level.bandwidth.value);
  check_says(complaint_about(without(own_file, "", "network")),
             {"key \"network\" is missing", "bandwidth_gb_s_per_device", "one of ib-hdr"});
}

TEST_CASE("bad cluster files") {
  std::string const from_one = "a whole number from 1 to 1e6";
  check_says(complaint_about(without(catalogue_file, "", "nodes")),
             {"cluster.json: key \"nodes\" is missing", from_one});
  check_says(complaint_about(with(catalogue_file, "/nodes", 0)), {"key \"nodes\" is 0", from_one});
  check_says(complaint_about(with(catalogue_file, "/nodes", 1.5)), {"key \"nodes\" is 1.5", from_one});
  check_says(complaint_about(with(catalogue_file, "/nodes", "8")), {"key \"nodes\" is \"8\"", from_one});
  check_says(complaint_about(with(catalogue_file, "/nodes", 2000000)), {"key \"nodes\" is 2000000", from_one});
  check_says(complaint_about(with(catalogue_file, "/devices_per_node", -8)), {"\"devices_per_node\" is -8", "1024"});
  check_says(complaint_about(without(own_file, "", "devices_per_node")), {"\"devices_per_node\" is missing", "1024"});
  check_says(complaint_about(with(catalogue_file, "/device", "h1000-sxm")),
             {"key \"device\" is \"h1000-sxm\"", "one of ", "did you mean h100-sxm?"});
  check_says(complaint_about(with(catalogue_file, "/device", 7)), {"key \"device\" is 7", "an object", "h100-sxm"});
  check_says(complaint_about(without(catalogue_file, "", "device")), {"key \"device\" is missing", "h100-sxm"});
  check_says(complaint_about(with(catalogue_file, "/network", "ib-ndrr")), {"\"ib-ndrr\"", "did you mean ib-ndr?"});
  check_says(complaint_about(with(catalogue_file, "/network", 5)), {"key \"network\" is 5", "an object"});
  check_says(complaint_about(with(catalogue_file, "/node", 5)), {"key \"node\" is unknown", "did you mean nodes?"});

  check_says(complaint_about(without(own_file, "/device", "name")), {"key \"device.name\" is missing", "a string"});
  check_says(complaint_about(with(own_file, "/device/tensor", 1)), {"key \"device.tensor\" is unknown", "matrix"});
  check_says(complaint_about(with(own_file, "/device/matrix/matmul_efficiency", 70)),
             {"key \"device.matrix.matmul_efficiency\" is 70", "above 0 and at most 1"});
  check_says(complaint_about(with(own_file, "/device/matrix/matmul_efficiency", 0)), {"efficiency\" is 0", "above 0"});
  check_says(complaint_about(without(own_file, "/device/matrix", "attention_efficiency")),
             {"key \"device.matrix.attention_efficiency\" is missing", "above 0 and at most 1"});
  check_says(complaint_about(with(own_file, "/device/matrix/bf16_tflops", -1)), {"bf16_tflops\" is -1", "a number"});
  check_says(complaint_about(with(own_file, "/device/matrix/bf16", 400)),
             {"key \"device.matrix.bf16\" is unknown", "did you mean bf16_tflops?"});
  json no_rates = without(without(own_file, "/device/matrix", "bf16_tflops"), "/device/matrix", "fp16_tflops");
  check_says(complaint_about(no_rates), {"key \"device.matrix.bf16_tflops\" is missing", "fp16_tflops or fp32_tflops"});
  check_says(complaint_about(with(own_file, "/device/memory/capacity_gib", "64")),
             {"key \"device.memory.capacity_gib\" is \"64\"", "a number from 0.001 to 1000000"});
  check_says(complaint_about(with(own_file, "/device/memory/capacity_gb", 64)), {"capacity_gb\" is unknown"});
  check_says(complaint_about(with(own_file, "/device/scale_up/latency_us", -1)), {"latency_us\" is -1", "from 0"});
  check_says(complaint_about(without(own_file, "/network", "bandwidth_gb_s_per_device")),
             {"key \"network.bandwidth_gb_s_per_device\" is missing", "a number from 0.001"});
  check_says(complaint([] { io::read_cluster("absent.json"); }), {"absent.json: the file is missing", "JSON"});
}

TEST_CASE("the example clusters") {
  CHECK(io::read_cluster("examples/clusters/h100-infiniband.json").cluster.devices() == 64);
  CHECK(io::read_cluster("examples/clusters/own-device.json").cluster.devices() == 64);
}

}  // namespace
