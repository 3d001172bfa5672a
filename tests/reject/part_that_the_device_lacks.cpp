// A device on PCIe has no scale-up link to give figures of.
// expect-gcc: device_must_have_the_part.*part\(.*Part = scale_up_link; Device = descriptor<
// expect-clang: call to deleted function 'part'
#include <shardplan/device.hpp>

using namespace shardplan::device;

constexpr figure<shardplan::unit::bytes_per_second> bandwidth(pcie_accelerator const& device) {
#ifdef SHARDPLAN_ACCEPT
  return part<host_link>(device).bandwidth;
#else
  return part<scale_up_link>(device).bandwidth;
#endif
}
