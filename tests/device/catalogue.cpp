#include <cstddef>
#include <iterator>
#include <string_view>
#include <vector>

#include <boost/hana/for_each.hpp>
#include <boost/hana/size.hpp>
#include <doctest/doctest.h>

#include <shardplan/device/catalogue.hpp>

namespace {

using namespace shardplan;
namespace catalogue = device::catalogue;
using std::string_view;

/// One figure of an entry as the checks see it.
struct seen {
  const char* name;
  double value;
  string_view source;
};

double number(double value) { return value; }
template <class Dimension> double number(unit::quantity<Dimension> value) { return value.value; }

template <class Value> void add(std::vector<seen>& into, const char* name, device::figure<Value> const& figure) {
  into.push_back({name, number(figure.value), figure.source});
}
void add(std::vector<seen>& into, device::matrix_engine const& part) {
  add(into, "matrix_engine.fp32", part.fp32);
  add(into, "matrix_engine.fp16", part.fp16);
  add(into, "matrix_engine.bf16", part.bf16);
  add(into, "matrix_engine.fp8", part.fp8);
  add(into, "matrix_engine.matmul_efficiency", part.matmul_efficiency);
  add(into, "matrix_engine.attention_efficiency", part.attention_efficiency);
}
void add(std::vector<seen>& into, device::vector_engine const& part) { add(into, "vector_engine.fp32", part.fp32); }
void add(std::vector<seen>& into, device::device_memory const& part) {
  add(into, "device_memory.capacity", part.capacity);
  add(into, "device_memory.bandwidth", part.bandwidth);
  add(into, "device_memory.efficiency", part.efficiency);
}
template <class Link>
  requires requires(Link link) { link.latency; }
void add(std::vector<seen>& into, Link const& part) {
  add(into, "link.bandwidth", part.bandwidth);
  add(into, "link.efficiency", part.efficiency);
  add(into, "link.latency", part.latency);
}

template <class... Parts> void add_parts(std::vector<seen>& into, device::descriptor<Parts...> const& device) {
  (add(into, device::part<Parts>(device)), ...);
}
template <class Device> std::vector<seen> figures(catalogue::entry<Device> const& entry) {
  std::vector<seen> result;
  add_parts(result, entry.device);
  add(result, entry.network);
  return result;
}

bool contains(string_view text, string_view word) { return text.find(word) != string_view::npos; }
bool ends_with(string_view text, string_view word) {
  return text.size() >= word.size() && text.substr(text.size() - word.size()) == word;
}
/// A share names itself so; everything else has a dimension.
bool is_share(string_view name) { return ends_with(name, "efficiency"); }
/// Formats that a device may lack; all other figures must be there.
bool may_be_absent(string_view name) { return name == "matrix_engine.bf16" || name == "matrix_engine.fp8"; }

void check_figure(seen const& figure) {
  CAPTURE(figure.name);
  CAPTURE(figure.source);
  CHECK(figure.source.size() > 10);
  const bool says_absent = figure.source.substr(0, 8) == "absent: ";
  CHECK(says_absent == (figure.value == 0));
  CHECK(figure.value >= 0);
  if (figure.value == 0)
    CHECK(may_be_absent(figure.name));
  if (is_share(figure.name))
    CHECK(figure.value <= 1);
  // The two halves of the remark on unconfirmed figures stand together, so that one search finds them all.
  CHECK(contains(figure.source, "typed from memory") == contains(figure.source, "not re-checked"));
}

}  // namespace

TEST_CASE("every figure of the catalogue has a source and lies where such a figure can lie") {
  boost::hana::for_each(catalogue::all, [](auto const& entry) {
    CAPTURE(entry.id);
    for (seen const& figure : figures(entry))
      check_figure(figure);
  });
}

TEST_CASE("ids are unique, lower case with hyphens, and devices and nodes are named") {
  std::vector<string_view> ids;
  boost::hana::for_each(catalogue::all, [&](auto const& entry) {
    const string_view id = entry.id;
    CAPTURE(id);
    for (string_view other : ids)
      CHECK(other != id);
    ids.push_back(id);
    CHECK(id.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789-") == string_view::npos);
    CHECK(string_view(entry.device.name).size() > 8);
    CHECK(entry.devices_per_node >= 1);
  });
  CHECK(ids.size() == 21);
}

TEST_CASE("narrower formats are not slower, and dense rates keep the ratios of their architecture") {
  boost::hana::for_each(catalogue::all, [](auto const& entry) {
    CAPTURE(entry.id);
    auto const& matrix = device::part<device::matrix_engine>(entry.device);
    auto const& vector = device::part<device::vector_engine>(entry.device);
    CHECK(matrix.fp32.value <= matrix.fp16.value);
    CHECK(vector.fp32.value <= matrix.fp32.value);
    if (matrix.bf16.present())
      CHECK(matrix.bf16.value == matrix.fp16.value);
    // fp8 doubles bf16 on every device that has it: a sparse rate that slipped in would show as a factor 4 or 1.
    if (matrix.fp8.present())
      CHECK(matrix.fp8.value.value / matrix.bf16.value.value == doctest::Approx(2).epsilon(0.02));
    CHECK(matrix.attention_efficiency.value <= matrix.matmul_efficiency.value);
  });
}

TEST_CASE("memory, links and network are ordered from fast to slow") {
  boost::hana::for_each(catalogue::all, [](auto const& entry) {
    CAPTURE(entry.id);
    using device_type = decltype(entry.device);
    auto const& memory = device::part<device::device_memory>(entry.device);
    auto const& host = device::part<device::host_link>(entry.device);
    CHECK(unit::in_gib(memory.capacity.value) > 15);
    CHECK(unit::in_gib(memory.capacity.value) < 300);
    CHECK(memory.bandwidth.value > host.bandwidth.value);
    CHECK(host.latency.value < unit::seconds{100e-6});
    CHECK(entry.network.bandwidth.value <= unit::bytes_per_second{100e9});
    CHECK(entry.network.latency.value <= unit::seconds{40e-6});
    if constexpr (device::has_part<device_type, device::scale_up_link>) {
      auto const& link = device::part<device::scale_up_link>(entry.device);
      CHECK(memory.bandwidth.value > link.bandwidth.value);
      CHECK(link.bandwidth.value >= host.bandwidth.value);
      CHECK(link.bandwidth.value > entry.network.bandwidth.value);
      CHECK(link.latency.value < entry.network.latency.value);
    }
  });
}

TEST_CASE("devices that differ in one part only differ in that part") {
  auto const bf16 = [](auto const& entry) { return device::part<device::matrix_engine>(entry.device).bf16.value; };
  CHECK(bf16(catalogue::a100_sxm_40gb) == bf16(catalogue::a100_sxm_80gb));
  CHECK(bf16(catalogue::h100_sxm) == bf16(catalogue::h200));
  CHECK(bf16(catalogue::h100_sxm) == bf16(catalogue::h800));
  CHECK(bf16(catalogue::h100_pcie) < bf16(catalogue::h100_nvl));
  CHECK(bf16(catalogue::h100_nvl) < bf16(catalogue::h100_sxm));

  auto const memory = [](auto const& entry) { return device::part<device::device_memory>(entry.device); };
  CHECK(memory(catalogue::a100_sxm_40gb).bandwidth.value < memory(catalogue::a100_sxm_80gb).bandwidth.value);
  CHECK(memory(catalogue::h100_sxm_96gb).bandwidth.value < memory(catalogue::h100_sxm).bandwidth.value);
  CHECK(memory(catalogue::h100_sxm_96gb).capacity.value > memory(catalogue::h100_sxm).capacity.value);
  CHECK(memory(catalogue::h200).capacity.value > memory(catalogue::h100_sxm).capacity.value);

  auto const link = [](auto const& entry) { return device::part<device::scale_up_link>(entry.device).bandwidth.value; };
  CHECK(link(catalogue::h800) < link(catalogue::h100_sxm));
}

TEST_CASE("hand-checked figures") {
  using device::device_memory;
  using device::matrix_engine;
  using device::part;
  using device::scale_up_link;

  // H100 whitepaper: 528 tensor cores, 1024 fp16 FLOP per clock and core, 1830 MHz boost: 989.4 TFLOP/s dense.
  CHECK(part<matrix_engine>(catalogue::h100_sxm.device).bf16.value.value ==
        doctest::Approx(528 * 1024 * 1830e6).epsilon(0.001));
  // A100 datasheet: 432 tensor cores, 512 fp16 FLOP per clock and core, 1410 MHz boost: 312 TFLOP/s dense.
  CHECK(part<matrix_engine>(catalogue::a100_sxm_80gb.device).bf16.value.value ==
        doctest::Approx(432 * 512 * 1410e6).epsilon(0.001));
  // Ada whitepaper: 512 tensor cores, 128 FLOP per clock and core when accumulating in fp32, 2520 MHz boost.
  CHECK(part<matrix_engine>(catalogue::rtx_4090.device).bf16.value.value ==
        doctest::Approx(512 * 128 * 2520e6).epsilon(0.001));
  // MI300X data sheet: 304 compute units, 2048 fp16 FLOP per clock and unit, 2100 MHz.
  CHECK(part<matrix_engine>(catalogue::mi300x.device).bf16.value.value ==
        doctest::Approx(304 * 2048 * 2100e6).epsilon(0.001));
  // V100 datasheet: 640 tensor cores, 128 FLOP per clock and core, 1530 MHz.
  CHECK(part<matrix_engine>(catalogue::v100_sxm_32gb.device).fp16.value.value ==
        doctest::Approx(640 * 128 * 1530e6).epsilon(0.005));

  // What nvidia-smi prints, in MiB.
  CHECK(part<device_memory>(catalogue::h100_sxm.device).capacity.value.value == 81559 * unit::mebi);
  CHECK(part<device_memory>(catalogue::gb300.device).capacity.value.value == 284208 * unit::mebi);
  // MI300X: 196592 MiB.
  CHECK(part<device_memory>(catalogue::mi300x.device).capacity.value.value == 196592 * unit::mebi);
  // B200: 7680 bit at 3996 MHz, two transfers per clock (pytorch/ao pull request #4002).
  CHECK(part<device_memory>(catalogue::b200.device).bandwidth.value.value ==
        doctest::Approx(7680 / 8 * 3996e6 * 2).epsilon(0.01));

  // Large all-reduce on 8 A100: 222.3 GB/s bus bandwidth (nccl-tests; stas00/ml-engineering network/README.md prints
  // 222.72 for the same size).
  auto const& nvlink = part<scale_up_link>(catalogue::a100_sxm_80gb.device);
  CHECK(nvlink.bandwidth.value.value * nvlink.efficiency.value == doctest::Approx(222.7e9).epsilon(0.01));
}

TEST_CASE("the figures are constants") {
  static_assert(device::part<device::matrix_engine>(catalogue::h100_sxm.device).fp8.present());
  static_assert(!device::part<device::matrix_engine>(catalogue::a100_sxm_80gb.device).fp8.present());
  static_assert(!device::has_part<decltype(catalogue::l4.device), device::scale_up_link>);
  static_assert(decltype(boost::hana::size(catalogue::all))::value == 21);
  CHECK(catalogue::gb200.devices_per_node == 72);
}

TEST_CASE("named networks") {
  for (std::size_t i = 0; i < std::size(catalogue::networks); ++i) {
    auto const& [id, link] = catalogue::networks[i];
    CAPTURE(id);
    std::vector<seen> seen_figures;
    add(seen_figures, link);
    for (seen const& figure : seen_figures)
      check_figure(figure);
    for (std::size_t j = 0; j < i; ++j)
      CHECK(string_view(catalogue::networks[j].id) != id);
  }
  // 25 Gb/s over eight devices.
  CHECK(catalogue::networks[std::size(catalogue::networks) - 1].link.bandwidth.value.value == 25e9 / 8 / 8);
}
